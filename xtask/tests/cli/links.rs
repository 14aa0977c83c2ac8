//! No link of the repository's Markdown is broken.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::workspace::repository;

/// The targets of `[text](target)` in a text, code blocks left out.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let after = prose.flat_map(|part| part.split("](").skip(1));
    after.filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

/// The anchors that GitHub gives to the headings of a text.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    headings
        .map(|heading| {
            let title = heading.trim_start_matches('#').trim().to_lowercase();
            title.chars().filter(kept).collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn no_link_is_broken() {
    let root = repository();
    let hidden = |name: &str| name.starts_with('.') || name == "target";
    let walk = WalkDir::new(&root).into_iter();
    let walk = walk.filter_entry(|entry| !entry.file_name().to_str().is_some_and(hidden));
    let (mut broken, mut followed) = (Vec::new(), 0);
    for entry in walk {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            followed += 1;
            if !has_target(&path, link) {
                broken.push(format!("{}: {link}", path.strip_prefix(&root).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    assert!(followed > 20);
}

fn has_target(page: &Path, link: &str) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_path_buf(),
        file => page.parent().unwrap().join(file),
    };
    let has_anchor = || {
        let text = fs::read_to_string(&target).unwrap_or_default();
        anchors(&text).iter().any(|found| found == anchor)
    };
    target.exists() && (anchor.is_empty() || has_anchor())
}
