//! `cargo xtask pull-request`: the body of the pull request for a new release.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::process::Command;

use k8s_versioned_cli::commands::diff;
use k8s_versioned_cli::project::recordings;
use k8s_versioned_cli::project::specs::Specs;
use k8s_versioned_cli::text::line_diff;
use k8s_versioned_cli::{Error, Project};
use k8s_versioned_codegen::tools::diff::comparison::{Comparison, DiffFormat};
use k8s_versioned_codegen::{outline, releases};
use k8s_versioned_core::Release;

/// The page whose differences show the changes of conversions.
const CONVERSIONS: &str = "docs/reference/coordination/conversions.md";

/// The content of the text.
#[derive(Debug)]
struct Content {
    /// The newest release.
    release: Release,
    /// The changes of the newest release.
    report: Comparison,
    /// The lines of the model that changed.
    types: Vec<String>,
    /// The lines of the page of conversions that changed.
    conversions: String,
    /// The files that changed.
    files: Vec<String>,
    /// The cases that are not recorded for the release.
    missing: Vec<String>,
}

/// Writes the body of the pull request for the newest release.
///
/// # Errors
/// Files cannot be read, `git` does not know `base`, or the documents have problems.
pub fn run(project: &Project, base: &str) -> Result<String, Error> {
    let read = Specs::read(project)?;
    let specs = &read.files;
    let root = &project.root;
    check_base(root, base)?;
    let refused = |problems| read.refused(problems);
    let releases = releases(specs).map_err(refused)?;
    let mut newest_first = releases.into_iter().rev();
    let (Some(newest), Some(before)) = (newest_first.next(), newest_first.next()) else {
        return Err(Error::OneRelease);
    };
    // Only types: the report has the differences of operations.
    let is_type = |name: &str| !name.starts_with('/');
    let old_types = outline(specs, |release| release < newest, is_type).map_err(refused)?;
    let new_types = outline(specs, |_| true, is_type).map_err(refused)?;
    Ok(body(&Content {
        release: newest,
        report: diff::report(project, specs, before.into(), newest.into())?,
        missing: recordings::missing(&recordings::read(project)?, before, newest),
        types: line_diff::changed(&old_types, &new_types),
        conversions: git(root, &["diff", "--unified=1", base, "--", CONVERSIONS])?,
        files: changed(root, base)?,
    }))
}

fn body(content: &Content) -> String {
    let Content { release, report, types, conversions, files, missing } = content;
    let mut text = format!("# Kubernetes {release:#}\n\n");
    text += &report.write(DiffFormat::Markdown);
    section(&mut text, "Changes in the types", &code("diff", types));
    let lines: Vec<String> =
        conversions.lines().skip_while(|line| !line.starts_with("@@")).map(str::to_owned).collect();
    section(&mut text, "Changes in the conversions", &code("diff", &lines));
    let is_snapshot =
        |file: &&String| Path::new(file).extension().is_some_and(|extension| extension == "snap");
    let (snapshots, others): (Vec<&String>, Vec<&String>) = files.iter().partition(is_snapshot);
    section(&mut text, "Snapshots to review", &list(&snapshots));
    section(&mut text, "Other files", &list(&others));
    section(&mut text, "Missing recordings", &list(missing));
    text
}

fn section(text: &mut String, title: &str, content: &str) {
    let content = if content.is_empty() { "None.\n" } else { content };
    let _ = write!(text, "\n## {title}\n\n{content}");
}

fn code(language: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("```{language}\n{}\n```\n", lines.join("\n"))
}

fn list(items: &[impl fmt::Display]) -> String {
    let lines = items.iter().map(|item| format!("- `{item}`\n"));
    lines.collect::<Vec<_>>().concat()
}

// The changes in the working tree since a commit, from `git`.

fn check_base(root: &Path, base: &str) -> Result<(), Error> {
    let commit = format!("{base}^{{commit}}");
    match git(root, &["rev-parse", "--verify", "--quiet", &commit]) {
        Err(Error::Git(stderr)) if stderr.is_empty() => Err(Error::Git(format!(
            "there is no commit `{base}`: `--base` names the one to compare with"
        ))),
        found => found.map(drop),
    }
}

/// The files that differ from a commit, and the untracked files.
fn changed(root: &Path, base: &str) -> Result<Vec<String>, Error> {
    let differing = git(root, &["diff", "--name-only", base, "--"])?;
    let untracked = git(root, &["ls-files", "--others", "--exclude-standard"])?;
    let mut files: Vec<String> =
        [differing, untracked].iter().flat_map(|names| names.lines()).map(str::to_owned).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

fn git(root: &Path, args: &[&str]) -> Result<String, Error> {
    let mut command = Command::new("git");
    let output = command.arg("-C").arg(root).args(args).output();
    let output = output.map_err(Error::io("run", Path::new("git")))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let stderr = String::from_utf8_lossy(&output.stderr);
        Err(Error::Git(stderr.trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Content, body};

    #[test]
    fn empty_sections_say_none() {
        let text = body(&Content {
            release: "v1.37".parse().unwrap(),
            report: Comparison {
                old: "v1.36".to_owned(),
                new: "v1.37".to_owned(),
                findings: Vec::new(),
                objects: None,
            },
            types: Vec::new(),
            conversions: String::new(),
            files: Vec::new(),
            missing: Vec::new(),
        });
        let none = text.matches("None.").count();
        assert_eq!((none, text.matches("\n## ").count()), (5, 6), "{text}");
    }
}
