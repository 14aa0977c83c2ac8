//! `diff`: the changes between two releases.

use k8s_versioned_codegen::Files;
use k8s_versioned_codegen::diff::report::Comparison;
use k8s_versioned_codegen::diff::{self, DiffError, Selection};

use crate::args::DiffArgs;
use crate::error::Source;
use crate::specs::Specs;
use crate::{Error, Project};

/// Compares two releases, or two versions of the API.
///
/// # Errors
/// Files cannot be read, there is nothing to compare, or the specs have problems.
pub fn run(project: &Project, args: &DiffArgs) -> Result<Comparison, Error> {
    report(project, &Specs::read(project)?.files, args.old, args.new)
}

/// The differences of the documents of two sides.
///
/// # Errors
/// There is nothing to compare, or the specs have problems.
pub fn report(
    project: &Project,
    specs: &Files,
    old: Selection,
    new: Selection,
) -> Result<Comparison, Error> {
    let findings = diff::diff(specs, old, new).map_err(|error| match error {
        DiffError::Problems(problems) => {
            Error::refused(problems, vec![Source::specs(project, specs.clone())])
        }
        other => Error::NothingToCompare(Box::new(other)),
    })?;
    Ok(Comparison { old, new, findings, objects: None })
}
