//! Suggestions for malformed names.

use std::fmt::Display;

use k8s_versioned::Quoted;
use k8s_versioned::field::FieldError;
use k8s_versioned::names::Violation;

use super::place::Place;

/// Checks a name; each rule that it breaks is an error, with a similar name that breaks none if one is near.
///
/// `subject` is the kind of name in messages: `a label key`.
pub(super) fn check_name(
    path: Place<'_>,
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

/// The name with `-` in the place of characters that no name has, in lower case if only that makes it valid.
fn instead(name: &str, rule: fn(&str) -> Vec<Violation>) -> Option<String> {
    let allowed = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    let plain = name.replace(|character| !allowed(character), "-");
    let plain = plain.trim_matches(['-', '_', '.']);
    let lower = plain.to_ascii_lowercase().replace('_', "-");
    let mut names = [plain.to_owned(), lower].into_iter();
    names.find(|name| !name.is_empty() && rule(name).is_empty())
}
