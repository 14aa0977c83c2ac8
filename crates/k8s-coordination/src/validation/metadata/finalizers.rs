//! Finalizers.

use std::collections::HashSet;

use k8s_versioned::field::FieldError;
use k8s_versioned::{Quoted, names};

use super::METADATA;
use crate::validation::advice;

/// Two finalizers of the garbage collector that contradict each other.
const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

pub(super) fn check(finalizers: &[String], errors: &mut Vec<FieldError>) {
    let path = METADATA.child("finalizers");
    for finalizer in finalizers {
        advice::check_name(path, &"a finalizer", finalizer, names::qualified_name, errors);
    }
    let has = |name: &str| finalizers.iter().any(|finalizer| finalizer == name);
    if has(ORPHAN) && has(FOREGROUND) {
        let message = format!(
            "remove `{ORPHAN}` or `{FOREGROUND}`: the server can keep or delete the dependents of the object, not both"
        );
        errors.push(FieldError::invalid(path, vec![ORPHAN, FOREGROUND], message));
    }
}

/// An object that is being deleted gets no further finalizers.
pub(super) fn check_added(finalizers: &[String], old: &[String], errors: &mut Vec<FieldError>) {
    let old: HashSet<&String> = old.iter().collect();
    let added: Vec<_> = finalizers.iter().filter(|finalizer| !old.contains(finalizer)).collect();
    if !added.is_empty() {
        let message = format!("remove {}: the object is being deleted", some(&added));
        errors.push(FieldError::forbidden(METADATA.child("finalizers"), message));
    }
}

/// The first few of many names.
fn some(names: &[&String]) -> String {
    const SOME: usize = 3;
    let some = names.iter().take(SOME).map(|name| Quoted(name).to_string());
    let some = some.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SOME) {
        0 => some,
        more => format!("{some} and {more} more"),
    }
}
