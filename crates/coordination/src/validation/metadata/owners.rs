//! Owner references.

use k8s_versioned::field::{FieldError, FieldPath};

use super::METADATA;
use crate::meta::v1::OwnerReference;

/// Checks the owners. Servers name the list and the part, but not at which index it is.
pub(super) fn check(owners: &[OwnerReference], errors: &mut Vec<FieldError>) {
    let path = METADATA.child("ownerReferences");
    for owner in owners {
        check_parts(owner, &path, errors);
        if owner.api_version == "v1" && owner.kind == "Event" {
            let message = "name another owner: an Event is gone after a while";
            errors.push(FieldError::invalid(path.clone(), described(owner), message));
        }
    }
    let controllers = owners.iter().filter(|owner| owner.controller == Some(true));
    let controllers: Vec<_> = controllers.map(described).collect();
    if controllers.len() > 1 {
        let message = "set `controller` for one of these owners only";
        errors.push(FieldError::invalid(path, controllers, message));
    }
}

fn check_parts(owner: &OwnerReference, path: &FieldPath, errors: &mut Vec<FieldError>) {
    let mut push = |field, value: &str, message| {
        errors.push(FieldError::invalid(path.child(field), value, message));
    };
    if version(&owner.api_version).is_empty() {
        push(
            "apiVersion",
            &owner.api_version,
            "write the owner's API version, such as `apps/v1`",
        );
    }
    if owner.kind.is_empty() {
        push("kind", "", "write the owner's kind, such as `Deployment`");
    }
    if owner.name.is_empty() {
        push("name", "", "write the owner's name");
    }
    if owner.uid.is_empty() {
        push("uid", "", "write the owner's `metadata.uid`");
    }
}

/// The version in an `apiVersion`; empty if there is none.
fn version(api_version: &str) -> &str {
    match api_version.split_once('/') {
        Some((_, version)) if version.contains('/') => "",
        Some((_, version)) => version,
        None => api_version,
    }
}

fn described(owner: &OwnerReference) -> String {
    format!("{} {}", owner.kind, owner.name)
}
