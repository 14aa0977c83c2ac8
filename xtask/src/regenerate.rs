//! `cargo xtask regenerate`: from `specs` to the generated code.

use std::fmt;
use std::path::Path;

use coordination_codegen::{Options, Summary, generate};

use crate::Error;
use crate::changes::Changes;
use crate::specs::Specs;
use crate::tree::Tree;

/// Where the generated code is, relative to the root. All that is in this folder belongs to it.
pub const FOLDER: &str = "crates/coordination/src/generated";

/// The command that brings the generated code up to date.
pub const COMMAND: &str = "cargo xtask regenerate";

/// What a generation made, and what it changed.
#[derive(Debug)]
pub struct Report {
    summary: Summary,
    changes: Changes,
}

/// Brings the generated code of the workspace at `root` up to date.
///
/// # Errors
/// When files cannot be read or written, and all problems in the specs. Nothing has been written
/// then, unless it was a write that failed.
pub fn run(root: &Path) -> Result<Report, Error> {
    let report = plan(root)?;
    report.changes.apply()?;
    Ok(report)
}

/// Compares the generated code of the workspace at `root` with what the specs yield, and writes
/// nothing.
///
/// # Errors
/// When files cannot be read, all problems in the specs, and [`Error::Stale`] when the generated
/// code is not up to date.
pub fn check(root: &Path) -> Result<Report, Error> {
    let report = plan(root)?;
    if report.changes.is_empty() {
        Ok(report)
    } else {
        Err(Error::Stale(Box::new(report.changes)))
    }
}

fn plan(root: &Path) -> Result<Report, Error> {
    let specs = Specs::read(root)?;
    let options = Options {
        root: "crate".to_owned(),
        command: COMMAND.to_owned(),
    };
    let generated = match generate(&specs.files, &options) {
        Ok(generated) => generated,
        Err(problems) => return Err(Error::refused(problems, vec![specs.into()])),
    };
    let tree = Tree::whole_or_empty(root, FOLDER)?;
    let changes = Changes::plan(&tree, |_| true, generated.files)?;
    Ok(Report {
        summary: generated.summary,
        changes,
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            releases,
            documents,
            versions,
            types,
            fields,
            operations,
        } = self.summary;
        writeln!(
            f,
            "releases {releases}, documents {documents}, API versions {versions}"
        )?;
        writeln!(f, "types {types}, fields {fields}, operations {operations}")?;
        let Changes {
            unchanged,
            written,
            removed,
            ..
        } = &self.changes;
        let (written, removed) = (written.len(), removed.len());
        writeln!(
            f,
            "files unchanged {unchanged}, written {written}, removed {removed}"
        )?;
        write!(f, "{}", self.changes)?;
        if self.changes.is_empty() {
            writeln!(f, "everything is up to date")
        } else {
            Ok(())
        }
    }
}
