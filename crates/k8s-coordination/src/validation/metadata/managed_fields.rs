//! Managed fields.

use k8s_versioned::field::FieldError;
use k8s_versioned::names;

use super::{METADATA, text};
use crate::meta::v1::ManagedFieldsEntry;
use crate::validation::place::Place;

const MANAGER_LENGTH: usize = 128;
const SUBRESOURCE_LENGTH: usize = 256;

pub(super) fn check(entries: &[ManagedFieldsEntry], errors: &mut Vec<FieldError>) {
    let path = METADATA.child("managedFields");
    for (index, entry) in entries.iter().enumerate() {
        check_entry(entry, path.index(index), errors);
    }
}

fn check_entry(entry: &ManagedFieldsEntry, path: Place<'_>, errors: &mut Vec<FieldError>) {
    let operation = text(entry.operation.as_ref());
    if !["Apply", "Update"].contains(&operation) {
        let message = "write `Apply` or `Update`, or leave `managedFields` to the server";
        errors.push(FieldError::invalid(path.child("operation"), operation, message));
    }
    let fields_type = text(entry.fields_type.as_ref());
    if !["", "FieldsV1"].contains(&fields_type) {
        let message = "write `FieldsV1`";
        errors.push(FieldError::invalid(path.child("fieldsType"), fields_type, message));
    }
    check_manager(text(entry.manager.as_ref()), path.child("manager"), errors);
    let subresource = text(entry.subresource.as_ref());
    check_length(subresource, SUBRESOURCE_LENGTH, path.child("subresource"), errors);
}

fn check_manager(manager: &str, path: Place<'_>, errors: &mut Vec<FieldError>) {
    check_length(manager, MANAGER_LENGTH, path, errors);
    if let Some(character) = names::first_unprintable(manager) {
        let message =
            format!("remove {character:?}: only characters that can be shown are allowed");
        errors.push(FieldError::invalid(path, manager, message));
    }
}

fn check_length(text: &str, most: usize, path: Place<'_>, errors: &mut Vec<FieldError>) {
    if text.len() > most {
        let message = format!("shorten it to {most} bytes, it has {}", text.len());
        errors.push(FieldError::too_long(path, message));
    }
}
