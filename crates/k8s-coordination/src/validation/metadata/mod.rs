//! Object metadata. The rules are the same for all kinds, except for the form of names.

mod finalizers;
mod labels;
mod managed_fields;
mod name;
mod owners;
mod update;

use k8s_versioned::field::FieldError;

use super::place::Place;
use crate::meta::v1::ObjectMeta;

pub(super) use name::NameRule;
#[cfg(feature = "election")]
pub(super) use name::check_name;
pub(super) use update::check_update;

const METADATA: Place<'_> = Place::Field("metadata");

/// Checks the metadata of a new object in a namespace.
pub(super) fn check(metadata: &ObjectMeta, names: NameRule, errors: &mut Vec<FieldError>) {
    name::check_name(metadata, names, errors);
    name::check_namespace(metadata, errors);
    check_generation(metadata, errors);
    check_lists(metadata, errors);
}

/// Checks that a URL can hold `generateName`. A server checks this last, and only if there are no errors.
///
/// The earlier rules check most of it, but not the byte before a `-` at the end.
pub(super) fn check_path(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    if errors.is_empty() {
        name::check_path(metadata, errors);
    }
}

/// Checks the parts that an update checks again.
fn check_lists(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    labels::check_labels(&metadata.labels, errors);
    labels::check_annotations(&metadata.annotations, errors);
    owners::check(&metadata.owner_references, errors);
    finalizers::check(&metadata.finalizers, errors);
    managed_fields::check(&metadata.managed_fields, errors);
}

fn check_generation(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    if let Some(generation) = metadata.generation.filter(|&generation| generation < 0) {
        let message = "leave the field out: the server counts it, from 0";
        errors.push(FieldError::invalid(METADATA.child("generation"), generation, message));
    }
}

/// The text of an optional field; absent and empty are the same to servers.
fn text(field: Option<&String>) -> &str {
    field.map_or("", String::as_str)
}
