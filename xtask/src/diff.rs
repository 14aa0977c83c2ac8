//! `cargo xtask diff`: the changes between two releases.

use std::path::Path;

use k8s_versioned_codegen::diff::accepted::Accepted;
use k8s_versioned_codegen::diff::report::{Format, Report};
use k8s_versioned_codegen::diff::{self, DiffError, Finding, Selection};
use k8s_versioned_codegen::{Files, recordings, rules};

use crate::args::DiffArgs;
use crate::error::Source;
use crate::specs::Specs;
use crate::{Error, Said, fixtures};

/// Compares two releases, or two versions of the API, in the workspace at `root`.
///
/// # Errors
/// Files cannot be read, there is nothing to compare, or the specs have problems.
pub fn run(root: &Path, args: &DiffArgs) -> Result<Said, Error> {
    if args.format == Format::JsonSchema {
        return Ok(diff::report::SCHEMA.to_owned().into());
    }
    let specs = Specs::read(root)?;
    let report = Report {
        old: args.old,
        new: args.new,
        findings: findings(root, &specs.files, args.old, args.new)?,
        fail_on: args.fail_on.clone(),
        accepted: accepted(args.accepted.as_deref())?,
    };
    Ok(Said { text: report.write(args.format, &specs.files), success: report.is_success() })
}

/// The differences of the documents, then those of the recordings.
pub(crate) fn findings(
    root: &Path,
    specs: &Files,
    old: Selection,
    new: Selection,
) -> Result<Vec<Finding>, Error> {
    let refused = |problems| Error::refused(problems, vec![Source::specs(specs.clone())]);
    let mut findings = diff::diff(specs, old, new).map_err(|error| match error {
        DiffError::Problems(problems) => refused(problems),
        other => Error::NothingToCompare(Box::new(other)),
    })?;
    let group = rules::read_group(specs).map_err(refused)?;
    let files = fixtures::read(root, |release| [old.release, new.release].contains(&release))?;
    let recordings = recordings::read(group.group(), &files);
    findings.extend(diff::recorded(&recordings, old, new));
    Ok(findings)
}

fn accepted(path: Option<&Path>) -> Result<Accepted, Error> {
    let Some(path) = path else {
        return Ok(Accepted::default());
    };
    let bytes = std::fs::read(path).map_err(Error::io("read", path))?;
    let shown = path.display().to_string();
    Accepted::read(&shown, &bytes).map_err(|problems| {
        let files = Files::from([(shown.clone(), bytes)]);
        // The name of the file is its whole path already.
        let shown = String::new();
        Error::refused(problems, vec![Source { shown, files }])
    })
}
