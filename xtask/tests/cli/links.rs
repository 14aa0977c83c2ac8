//! No link of the repository's Markdown is broken, and the dependencies that it shows exist.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

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

/// The Markdown files of the repository.
fn pages(root: &Path) -> impl Iterator<Item = (PathBuf, String)> {
    let hidden = |name: &str| name.starts_with('.') || name == "target";
    let walk = WalkDir::new(root).into_iter();
    let walk = walk.filter_entry(move |entry| !entry.file_name().to_str().is_some_and(hidden));
    let paths = walk.map(|entry| entry.unwrap().into_path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
}

/// The dependencies of a manifest, or of a part of one.
fn dependencies(manifest: &Table) -> impl Iterator<Item = (&String, &Value)> {
    let tables = ["dependencies", "dev-dependencies"].map(|name| manifest.get(name));
    tables.into_iter().flatten().filter_map(Value::as_table).flatten()
}

/// A reader who copies the dependencies of a page gets packages and features that exist.
#[test]
fn dependencies_that_pages_show() {
    let root = repository();
    let mut seen = 0;
    for (path, text) in pages(&root) {
        for block in text.split("```toml\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            let manifest: Table = toml::from_str(block).unwrap();
            for (name, value) in dependencies(&manifest) {
                let Ok(own) = fs::read_to_string(root.join("crates").join(name).join("Cargo.toml"))
                else {
                    assert!(!name.starts_with("k8s-versioned"), "{}: {name}", path.display());
                    continue;
                };
                let own: Table = toml::from_str(&own).unwrap();
                let asked = value.get("features").and_then(Value::as_array);
                for feature in asked.into_iter().flatten().filter_map(Value::as_str) {
                    let has =
                        own.get("features").is_some_and(|features| features.get(feature).is_some());
                    assert!(has, "{}: `{name}` has no feature `{feature}`", path.display());
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn no_link_is_broken() {
    let root = repository();
    let (mut broken, mut followed) = (Vec::new(), 0);
    for (path, text) in pages(&root) {
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

/// The book has every page, and names no other: `mdbook` leaves out what SUMMARY.md does not list.
#[test]
fn every_page_is_in_the_book() {
    let docs = repository().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: Vec<&str> = links(&summary);
    let all = pages(&docs).map(|(path, _)| path.strip_prefix(&docs).unwrap().to_owned());
    let mut missing: Vec<PathBuf> = all
        .filter(|path| path != Path::new("SUMMARY.md"))
        .filter(|path| !listed.iter().any(|name| Path::new(name) == path))
        .collect();
    missing.sort();
    assert!(missing.is_empty(), "add to docs/SUMMARY.md: {missing:?}");
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

/// The pages of `docs` that people write, with their numbers of words. The folders below `docs/*` have generated pages.
fn written_pages() -> Vec<(PathBuf, usize)> {
    let docs = repository().join("docs");
    let is_near = |path: &Path| {
        let folder = path.parent();
        folder == Some(docs.as_path()) || folder.and_then(Path::parent) == Some(docs.as_path())
    };
    let near = pages(&docs).filter(|(path, _)| is_near(path));
    let written = near.filter(|(_, text)| !text.starts_with("<!-- Written by"));
    written.map(|(path, text)| (path, text.split_whitespace().count())).collect()
}

#[test]
fn no_merge_leaves_its_marks() {
    for (path, text) in pages(&repository()) {
        let is_mark = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
        assert!(!text.lines().any(is_mark), "{}: a merge was not solved", path.display());
    }
}

/// A page that nobody reads to its end, and facts that stand in two places.
#[test]
fn written_pages_are_short_each_and_together() {
    let pages = written_pages();
    for (path, words) in &pages {
        assert!(*words <= 2500, "{}: {words} words", path.display());
    }
    let sum: usize = pages.iter().map(|(_, words)| words).sum();
    assert!(sum <= 40_000, "{sum} words: before you add some, remove what stands twice");
    assert!(pages.len() > 30, "{}", pages.len());
}
