//! The name of a strategy, which both kinds hold.

use k8s_versioned::field::FieldError;
use k8s_versioned::names;

use super::advice;
use super::place::Place;
use crate::CoordinatedLeaseStrategy;

/// Checks a strategy.
///
/// Servers report it one segment below its own field: `spec.strategy.strategy`.
pub(super) fn check(
    strategy: &CoordinatedLeaseStrategy,
    field: Place<'_>,
    errors: &mut Vec<FieldError>,
) {
    let CoordinatedLeaseStrategy::Other(other) = strategy else {
        return;
    };
    let (name, path) = (other.as_str(), field.child("strategy"));
    if name.contains('/') {
        advice::check_name(path, &"a strategy", name, names::qualified_name, errors);
    } else {
        errors.push(FieldError::not_supported(path, name, known_or_own(name)));
    }
}

/// A suggestion for a word that is not known.
fn known_or_own(name: &str) -> String {
    // Without `/`, a qualified name is at most as long as the part after it may be.
    let usable = names::qualified_name(name).is_empty();
    let own = if usable { name } else { "by-load" };
    format!("write `OldestEmulationVersion`, or put your domain in front: `example.com/{own}`")
}
