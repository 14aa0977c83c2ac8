//! `cargo xtask diff`: the changes between two releases.

use std::path::Path;

use k8s_versioned_codegen::Files;
use k8s_versioned_codegen::diff::report::Report;
use k8s_versioned_codegen::diff::{self, DiffError, Selection};

use crate::Error;
use crate::args::DiffArgs;
use crate::error::Source;
use crate::specs::Specs;

/// Compares two releases, or two versions of the API, in the workspace at `root`.
///
/// # Errors
/// Files cannot be read, there is nothing to compare, or the specs have problems.
pub fn run(root: &Path, args: &DiffArgs) -> Result<String, Error> {
    Ok(report(&Specs::read(root)?.files, args.old, args.new)?.write(args.format))
}

/// The differences of the documents of two sides.
pub(crate) fn report(specs: &Files, old: Selection, new: Selection) -> Result<Report, Error> {
    let findings = diff::diff(specs, old, new).map_err(|error| match error {
        DiffError::Problems(problems) => {
            Error::refused(problems, vec![Source::specs(specs.clone())])
        }
        other => Error::NothingToCompare(Box::new(other)),
    })?;
    Ok(Report { old, new, findings })
}
