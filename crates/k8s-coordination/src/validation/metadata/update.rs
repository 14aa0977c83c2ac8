//! Rules about updates.

use std::fmt::Display;

use k8s_versioned::Quoted;
use k8s_versioned::field::FieldError;
use serde_json::Value;

use super::{METADATA, check_generation, check_lists, finalizers, name, text};
use crate::meta::v1::ObjectMeta;

/// Checks the metadata of an object that replaces a stored one.
///
/// Name and namespace cannot change, so their form is not checked again.
pub(in crate::validation) fn check_update(
    new: &ObjectMeta,
    old: &ObjectMeta,
    errors: &mut Vec<FieldError>,
) {
    name::check_path(new, errors);
    check_generation(new, errors);
    check_lists(new, errors);
    if old.deletion_timestamp.is_some() {
        finalizers::check_added(&new.finalizers, &old.finalizers, errors);
    }
    check_resource_version(new, errors);
    check_order(new, old, errors);
    check_immutable(new, old, errors);
}

fn check_resource_version(new: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let version = text(new.resource_version.as_ref());
    // Servers read a number, and zero stands for none.
    if version.bytes().all(|byte| byte == b'0') {
        let message =
            "write the `resourceVersion` of the stored object that the update is based on";
        errors.push(FieldError::invalid(METADATA.child("resourceVersion"), version, message));
    }
}

/// The generation never goes down.
fn check_order(new: &ObjectMeta, old: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let (new, old) = (new.generation.unwrap_or_default(), old.generation.unwrap_or_default());
    if new < old {
        let message = format!("write {old} as stored: it never goes down");
        errors.push(FieldError::invalid(METADATA.child("generation"), new, message));
    }
}

fn check_immutable(new: &ObjectMeta, old: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let texts = [
        ("name", &new.name, &old.name),
        ("namespace", &new.namespace, &old.namespace),
        ("uid", &new.uid, &old.uid),
    ];
    for (field, new, old) in texts {
        check_unchanged(field, given(new.as_ref()), given(old.as_ref()), errors);
    }
    let times = [
        ("creationTimestamp", new.creation_timestamp, old.creation_timestamp),
        ("deletionTimestamp", new.deletion_timestamp, old.deletion_timestamp),
    ];
    for (field, new, old) in times {
        let [new, old] = [new, old].map(|time| time.map(|time| time.to_string()));
        check_unchanged(field, new, old, errors);
    }
    let [new, old] = [new, old].map(|metadata| metadata.deletion_grace_period_seconds);
    check_unchanged("deletionGracePeriodSeconds", new, old, errors);
}

fn given(field: Option<&String>) -> Option<&str> {
    Some(text(field)).filter(|text| !text.is_empty())
}

fn check_unchanged<T: PartialEq + Display + Into<Value>>(
    field: &'static str,
    new: Option<T>,
    old: Option<T>,
    errors: &mut Vec<FieldError>,
) {
    if new == old {
        return;
    }
    let message = match old {
        Some(old) => {
            let old = old.to_string();
            format!("write {} as stored: it cannot change", Quoted(&old))
        }
        None => "leave the field out as stored: it cannot change".to_owned(),
    };
    let value = new.map_or(Value::Null, Into::into);
    errors.push(FieldError::invalid(METADATA.child(field), value, message));
}
