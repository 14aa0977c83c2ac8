//! `generate`: writes the generated code and pages of a project from its specs.

use std::fmt;

use k8s_versioned_codegen::{Options, PAGES, Summary, generate, reference};

use crate::changes::{Changes, is_left_over};
use crate::error::Source;
use crate::specs::Specs;
use crate::tree::Tree;
use crate::{Error, Project, recordings};

/// The result of a generation, and its changes.
#[derive(Debug)]
pub struct Report {
    summary: Summary,
    folders: Vec<Changes>,
}

/// Brings the generated code of a project up to date.
///
/// # Errors
/// Files cannot be read or written, or the specs have problems. Nothing has been written
/// then, unless a write failed.
pub fn run(project: &Project) -> Result<Report, Error> {
    let report = plan(project)?;
    for changes in &report.folders {
        changes.apply()?;
    }
    Ok(report)
}

/// Compares the generated code of a project with the output of the generator. Writes no
/// file.
///
/// # Errors
/// Files cannot be read, the specs have problems; [`Error::Stale`] when the generated code is
/// not up to date, and [`Error::Recordings`] when a release has no recordings.
pub fn check(project: &Project) -> Result<Report, Error> {
    let report = plan(project)?;
    if !report.folders.iter().all(Changes::is_empty) {
        return Err(Error::Stale { folders: report.folders, command: project.command.clone() });
    }
    if project.needs_recordings {
        recordings::check(project, &Specs::read(project)?.files)?;
    }
    Ok(report)
}

fn plan(project: &Project) -> Result<Report, Error> {
    let specs = Specs::read(project)?.files;
    let refused = |problems| Error::refused(problems, vec![Source::specs(project, specs.clone())]);
    let options = Options { root: "crate".to_owned(), command: project.command.clone() };
    let mut generated = generate(&specs, &options).map_err(refused)?;
    let root = &project.root;
    let whole =
        |folder: &str, files| Changes::plan(&Tree::whole_or_empty(root, folder)?, |_| true, files);
    let mut folders = vec![whole(&project.code, generated.files)?];
    if let Some((name, folder)) = &project.shared {
        folders.push(whole(folder, generated.shared.remove(name).unwrap_or_default())?);
        if !generated.shared.is_empty() {
            return Err(Error::UnknownCrates(generated.shared.into_keys().collect()));
        }
    }
    if let Some(folder) = &project.pages {
        let owned = |name: &str| PAGES.contains(&name) || is_left_over(name);
        let tree = Tree::whole_or_empty(root, folder)?;
        folders.push(Changes::plan(&tree, owned, generated.pages)?);
    }
    if let Some(folder) = &project.reference {
        let cases = recordings::cases(project, &recordings::read(project)?);
        let pages = reference::pages(&specs, &cases, &project.command).map_err(refused)?;
        folders.push(whole(folder, pages)?);
    }
    Ok(Report { summary: generated.summary, folders })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { releases, documents, versions, types, fields, operations, conversions } =
            self.summary;
        writeln!(f, "releases {releases}, documents {documents}, API versions {versions}")?;
        writeln!(
            f,
            "types {types}, fields {fields}, operations {operations}, conversions {conversions}"
        )?;
        let count = |of: fn(&Changes) -> usize| self.folders.iter().map(of).sum::<usize>();
        let unchanged = count(|changes| changes.unchanged);
        let written = count(|changes| changes.written.len());
        let removed = count(|changes| changes.removed.len());
        writeln!(f, "files unchanged {unchanged}, written {written}, removed {removed}")?;
        for changes in &self.folders {
            write!(f, "{changes}")?;
        }
        if self.folders.iter().all(Changes::is_empty) {
            writeln!(f, "everything is up to date")
        } else {
            Ok(())
        }
    }
}
