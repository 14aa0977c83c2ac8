//! Names in objects, with a suggestion for each malformed one.

use std::fmt::Display;

use k8s_versioned::Quoted;
use k8s_versioned::field::{FieldError, PathRef};
use k8s_versioned::names::{self, Violation};

use crate::CoordinatedLeaseStrategy;

/// Checks a name; each rule that it breaks is an error, with a similar name that breaks none if one is near.
///
/// `subject` is the kind of name in messages: `a label key`.
pub(super) fn check_name(
    path: PathRef<'_>,
    subject: &dyn Display,
    name: &str,
    rule: fn(&str) -> Vec<Violation>,
    errors: &mut Vec<FieldError>,
) {
    let violations = rule(name);
    if violations.is_empty() {
        return;
    }
    let subject = subject.to_string();
    let advice =
        instead(name, rule).map_or_else(String::new, |name| format!("write {}: ", Quoted(&name)));
    errors.extend(violations.into_iter().map(|violation| {
        let message = format!("{advice}{}", violation.about(&subject));
        FieldError::invalid(path, name, message)
    }));
}

/// The name with `-` instead of characters that no name has, in lower case if only that makes it valid.
fn instead(name: &str, rule: fn(&str) -> Vec<Violation>) -> Option<String> {
    let allowed = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    let plain = name.replace(|character| !allowed(character), "-");
    let plain = plain.trim_matches(['-', '_', '.']);
    let lower = plain.to_ascii_lowercase().replace('_', "-");
    let mut names = [plain.to_owned(), lower].into_iter();
    names.find(|name| !name.is_empty() && rule(name).is_empty())
}

/// Checks a strategy.
///
/// Servers report it one segment below its own field: `spec.strategy.strategy`.
pub(super) fn check_strategy(
    strategy: &CoordinatedLeaseStrategy,
    field: PathRef<'_>,
    errors: &mut Vec<FieldError>,
) {
    let CoordinatedLeaseStrategy::Other(other) = strategy else {
        return;
    };
    let (name, path) = (other.as_str(), field.child("strategy"));
    if name.contains('/') {
        check_name(path, &"a strategy", name, names::qualified_name, errors);
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
