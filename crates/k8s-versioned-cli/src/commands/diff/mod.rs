//! `diff`: the changes between two releases.

mod stored_objects;

use k8s_versioned_codegen::Files;
use k8s_versioned_codegen::tools::diff::report::Comparison;
use k8s_versioned_codegen::tools::diff::{self, DiffError, Selection};

use crate::args::DiffArgs;
use crate::error::Source;
use crate::project::specs::Specs;
use crate::{Error, Project};

/// Compares two releases, or two versions of the API, and the packages that are generated from them. Judges stored objects.
///
/// # Errors
/// Files cannot be read, there is nothing to compare, or the specs have problems.
pub fn run(project: &Project, args: &DiffArgs, say: &dyn Fn(&str)) -> Result<Comparison, Error> {
    let DiffArgs { old, new, objects, .. } = args;
    let specs = Specs::read(project)?;
    let mut report = report(project, &specs.files, *old, *new)?;
    report.findings.extend(diff::rust_items(&specs.files, *old, *new));
    if !objects.is_empty() {
        report.objects = Some(stored_objects::judge(&specs, [*old, *new], objects, say)?);
    }
    Ok(report)
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
