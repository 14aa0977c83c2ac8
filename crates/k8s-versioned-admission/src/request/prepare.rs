//! Prepares an object as a server does before it checks the rules: what the server sets, and what a request cannot change.

use k8s_versioned_core::syntax;

use super::receive::{Object, Refusal};
use crate::answer::ServerAnswer;
use crate::metadata::{self, Metadata, integer, text};

/// Compares the namespace with the one in the URL, and sets it if it is absent. A kind without namespaces has none.
pub(crate) fn set_namespace(metadata: &mut Metadata, of_url: &str) -> Result<(), Refusal> {
    let own = text(metadata, "namespace");
    if !own.is_empty() && !of_url.is_empty() && own != of_url {
        let message =
            "the namespace of the provided object does not match the namespace sent on the request";
        return Err(Box::new(ServerAnswer::bad_request(message)));
    }
    if own != of_url {
        metadata::set_text(metadata, "namespace", of_url);
    }
    Ok(())
}

/// Sets the namespace of a stored object, which files can leave out.
pub(crate) fn set_stored_namespace(metadata: &mut Metadata) {
    if text(metadata, "namespace").is_empty() {
        metadata::set_text(metadata, "namespace", "default");
    }
}

/// Drops the metadata that only a server sets, from a new object.
pub(crate) fn drop_own_fields(metadata: &mut Metadata) {
    const OWN: [&str; 5] =
        ["creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "selfLink", "uid"];
    metadata.retain(|field, _| !OWN.contains(&field.as_str()));
    metadata::remove_unreadable_managers(metadata);
}

/// Prepares a new object: with a name and a generation, and without a status.
pub(crate) fn create(object: &mut Object, has_status: bool) {
    let metadata = &mut object.metadata;
    let prefix = text(metadata, "generateName");
    if !prefix.is_empty() && text(metadata, "name").is_empty() {
        let name = syntax::generated_name(prefix);
        metadata::set_text(metadata, "name", &name);
    }
    metadata.insert("generation".to_owned(), 1.into());
    if has_status {
        object.members.remove("status");
    }
}

/// Prepares an object that replaces another.
pub(crate) fn update(object: &mut Object, old: &Object, has_status: bool) {
    if has_status {
        object.members.remove("status");
        if let Some(status) = old.members.get("status") {
            object.members.insert("status".to_owned(), status.clone());
        }
    }
    let is_same =
        |field: &String| field == "metadata" || object.members.get(field) == old.members.get(field);
    let changed = !object.members.keys().chain(old.members.keys()).all(is_same);
    // Go wraps around, and the checks refuse the negative number.
    let generation = integer(&old.metadata, "generation").wrapping_add(i64::from(changed));
    object.metadata.remove("generation");
    if generation != 0 {
        object.metadata.insert("generation".to_owned(), generation.into());
    }
    metadata::remove_unreadable_managers(&mut object.metadata);
    metadata::keep_own_fields(&mut object.metadata, &old.metadata);
}

/// The stored object with the status of another.
pub(crate) fn update_status(object: Object, old: &Object) -> Object {
    let Object { members: mut own, has_floats, .. } = object;
    let mut members = old.members.clone();
    members.remove("status");
    members.extend(own.remove("status").map(|status| ("status".to_owned(), status)));
    Object { members, metadata: old.metadata.clone(), has_floats }
}
