//! The changes between two releases, or between two versions of the API.
//!
//! | module | purpose |
//! |---|---|
//! | `side` | reads the documents of one side into a model; pairs the names of the two sides when the API versions differ |
//! | `versions`, `operations`, `definitions` | compare the two sides |
//! | `types` | compares the types of the two sides |
//! | `schema`, `keywords` | compare two schemas: the types of values and their members, and what servers check |
//! | `rust_items` | compares the items of the packages that are generated from the two sides |
//! | `finding` | has the findings; pairs the keys of both sides |
//! | `change_kinds` | has the kinds of changes: the effects of each, and the reason |
//! | `reach` | finds the fields of kinds that hold a type |
//! | [`comparison`] | writes findings as text, JSON and Markdown |
//!
//! Every finding has a [`ChangeKind`], which gives it its identifier, its [`Class`]es and its reason.

#[rustfmt::skip]
mod change_kinds;
pub mod comparison;
mod definitions;
mod finding;
mod keywords;
mod operations;
mod reach;
mod rust_items;
mod schema;
mod side;
mod types;
mod versions;

use side::{Renames, Side, SideDefinitions, SideSources};

use k8s_versioned_core::Version;

use crate::Files;

pub use finding::{ChangeKind, Class, DiffFinding};
pub use rust_items::{not_generated, rust_items};
pub use side::{DiffError, Selection};

/// All differences between two selections of the documents in `specs`.
///
/// Of two versions of the API, the groups are compared that have both.
///
/// Findings come in the order: versions and kinds, definitions, types, operations.
///
/// # Errors
/// A release that `specs` does not have, a version that the release does not serve, and all
/// problems in the documents.
pub fn diff(specs: &Files, old: Selection, new: Selection) -> Result<Vec<DiffFinding>, DiffError> {
    let (mut old, mut new) = (SideSources::read(specs, old)?, SideSources::read(specs, new)?);
    old.keep_common(&mut new);
    Ok(compare(&Side::read(specs, old)?, &Side::read(specs, new)?))
}

/// All differences between two sets of CustomResourceDefinitions, each in files of YAML or JSON: two releases of a chart, or what a
/// cluster has before and after an upgrade. Other objects in the files do not count. Each side is read by itself, so a field of another
/// type is a finding like every other. With two versions, only these are compared: the first one of the old side with the other one of
/// the new side.
///
/// # Errors
/// All definitions that cannot be read, or that make no types; a version that no definition of the side serves.
pub fn diff_definitions(
    old: &Files,
    new: &Files,
    versions: Option<[Version; 2]>,
) -> Result<Vec<DiffFinding>, DiffError> {
    let [old_version, new_version] = versions.map_or([None; 2], |pair| pair.map(Some));
    let mut old = SideDefinitions::read(old, old_version)?;
    let mut new = SideDefinitions::read(new, new_version)?;
    old.keep_common(&mut new);
    Ok(compare(&Side::of_definitions(old)?, &Side::of_definitions(new)?))
}

/// All differences between two sides.
fn compare(old: &Side, new: &Side) -> Vec<DiffFinding> {
    let names = Renames::new(old, new);
    let mut findings = versions::compare(old, new);
    findings.extend(definitions::compare(old, new, &names));
    findings.extend(types::compare(old, new, &names));
    findings.extend(operations::compare(old, new, &names));
    findings
}
