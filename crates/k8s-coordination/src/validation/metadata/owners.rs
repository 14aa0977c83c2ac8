//! Owner references.

use k8s_versioned::Quoted;
use k8s_versioned::field::FieldError;

use super::METADATA;
use crate::meta::v1::OwnerReference;
use crate::validation::place::Place;

/// Checks the owners.
///
/// Servers name the list and the field, but not the index, so each message names the owner.
pub(super) fn check(owners: &[OwnerReference], errors: &mut Vec<FieldError>) {
    let path = METADATA.child("ownerReferences");
    let mut controller = None;
    for (index, owner) in owners.iter().enumerate() {
        let number = index + 1;
        check_owner(number, owner, path, errors);
        if owner.controller != Some(true) {
            continue;
        }
        let first = *controller.get_or_insert(number);
        if first != number {
            let described = described(number, owner);
            let message = format!("{described}: leave out `controller`, which owner {first} has");
            errors.push(FieldError::invalid(path, true, message));
        }
    }
}

fn check_owner(
    number: usize,
    owner: &OwnerReference,
    path: Place<'_>,
    errors: &mut Vec<FieldError>,
) {
    let mut push = |path: Place<'_>, value: &str, advice| {
        let message = format!("{}: {advice}", described(number, owner));
        errors.push(FieldError::invalid(path, value, message));
    };
    let (group, version) = group_version(&owner.api_version).unwrap_or_default();
    if version.is_empty() {
        let advice = "write the owner's API version, such as `apps/v1`";
        push(path.child("apiVersion"), &owner.api_version, advice);
    }
    let required = [
        ("kind", &owner.kind, "write the owner's kind, such as `Deployment`"),
        ("name", &owner.name, "write the owner's name"),
        ("uid", &owner.uid, "write the owner's `metadata.uid`"),
    ];
    for (field, value, advice) in required {
        if value.is_empty() {
            push(path.child(field), "", advice);
        }
    }
    if (group, version, owner.kind.as_str()) == ("", "v1", "Event") {
        let advice = "name another owner; an Event is gone after a while";
        push(path, &owner.kind, advice);
    }
}

/// The group and the version in an `apiVersion`, read as servers do: each part may be empty.
fn group_version(api_version: &str) -> Option<(&str, &str)> {
    match api_version.split_once('/') {
        Some((_, rest)) if rest.contains('/') => None,
        Some(parts) => Some(parts),
        None => Some(("", api_version)),
    }
}

/// The owner in a message, counted from 1.
fn described(number: usize, owner: &OwnerReference) -> String {
    format!("owner {number}, {} {}", Quoted(&owner.kind), Quoted(&owner.name))
}
