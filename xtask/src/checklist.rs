//! `cargo xtask checklist`: what is left to do for the newest release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use k8s_versioned_cli::commands::generate;
use k8s_versioned_cli::project::specs::Specs;
use k8s_versioned_cli::{Error, Project};
use k8s_versioned_codegen::manifest::{self, SourceKind};
use k8s_versioned_codegen::tools::draft::proposals;
use k8s_versioned_core::Release;

use crate::workspace_projects::EXAMPLE;

/// The texts that name each release.
const TEXTS: [&str; 3] = ["CHANGELOG.md", "README.md", "docs/reference/support.md"];

/// Names the steps that are left, each with what to do. Writes no file.
///
/// # Errors
/// Files cannot be read. What the specs lack is not an error.
pub fn run(root: &Path, projects: &[Project]) -> Result<String, Error> {
    let (mut releases, mut sources) = (BTreeSet::new(), BTreeMap::<_, BTreeSet<&str>>::new());
    let mut steps = Vec::new();
    for project in projects.iter().filter(|project| project.specs != EXAMPLE) {
        let specs = Specs::read(project)?;
        let found = manifest::sources(&specs.files).map_err(|problems| specs.refused(problems))?;
        for (release, found) in found {
            releases.insert((project.specs.as_str(), release));
            for source in found {
                if let SourceKind::Fork | SourceKind::Reconstructed = source {
                    sources.entry((release, source.name())).or_default().insert(&project.specs);
                }
            }
        }
    }
    let newest = releases.iter().map(|(_, release)| *release).max();
    let behind = |project: &&Project| {
        project.specs != EXAMPLE
            && newest.is_some_and(|newest| !releases.contains(&(project.specs.as_str(), newest)))
    };
    if let Some(newest) = newest {
        let behind = projects.iter().filter(behind);
        steps.extend(behind.map(|it| {
            format!(
                "{} has no documents of {newest}: `cargo xtask import --release {newest}`",
                it.specs
            )
        }));
    }
    for project in projects {
        steps.extend(generation(project)?);
    }
    steps.extend(snapshots(root));
    steps.extend(newest.into_iter().flat_map(|newest| texts(root, newest)));
    let sources = sources.iter().map(|((release, source), specs)| {
        let specs = specs.iter().copied().collect::<Vec<_>>().join(", ");
        format!(
            "note: the documents of {release} are not upstream's ({source}, in {specs}): \
             `cargo xtask import --release {release}` replaces them, and shows the differences\n"
        )
    });
    let notes = sources.collect::<String>();
    if steps.is_empty() {
        return Ok(format!("nothing is left to do\n{notes}"));
    }
    let steps = steps.iter().enumerate().map(|(index, step)| format!("{}. {step}\n", index + 1));
    Ok(steps.collect::<String>() + &notes)
}

/// What a project needs before its code is up to date.
fn generation(project: &Project) -> Result<Option<String>, Error> {
    let step = match generate::check(std::slice::from_ref(project)) {
        Ok(_) => return Ok(None),
        Err(Error::Refused(refused)) => {
            let count = refused.problems.len();
            let rules = proposals(&refused.problems);
            let rules = if rules.is_empty() {
                String::new()
            } else {
                format!(". Proposed rules, to be checked by a person:\n\n{rules}")
            };
            format!(
                "{} has {count} problems, which `cargo xtask regenerate` shows with hints{rules}",
                project.specs
            )
        }
        Err(Error::Stale { .. }) => {
            format!(
                "the code or the pages of {} are not up to date: `cargo xtask regenerate`",
                project.specs
            )
        }
        Err(error @ Error::Recorded { .. }) => error.to_string(),
        Err(error) => return Err(error),
    };
    Ok(Some(step))
}

/// Snapshots of tests that nobody has reviewed.
fn snapshots(root: &Path) -> Option<String> {
    let is_new = |path: &Path| path.to_string_lossy().ends_with(".snap.new");
    let folders = ["codegen", "crates", "xtask"].map(|name| root.join(name));
    let files = folders.iter().flat_map(|folder| files_below(folder));
    let count = files.filter(|path| is_new(path)).count();
    (count > 0).then(|| format!("{count} snapshots are not reviewed: `cargo insta review`"))
}

/// The files below a folder. Links are not followed.
fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files
}

/// The texts that do not name a release.
fn texts(root: &Path, release: Release) -> Vec<String> {
    let release = format!("{release:#}");
    let lacks = |name: &&&str| {
        let text = std::fs::read_to_string(root.join(name));
        text.is_ok_and(|text| !text.contains(&release))
    };
    let names = TEXTS.iter().filter(lacks);
    names.map(|name| format!("{name} does not name {release}: add it")).collect()
}
