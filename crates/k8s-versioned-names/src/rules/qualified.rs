//! Names with an optional domain in front.

use super::{Part, Rule, Violation, broken, dns};

const NAME_LENGTH: usize = 63;

/// Checks a qualified name: a name of up to 63 bytes, or a DNS-1123 subdomain, `/` and such a name.
///
/// The name consists of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends. An
/// empty one breaks two rules. With more than one `/` nothing else is checked.
pub fn qualified_name(text: &str) -> Vec<Violation> {
    match text.split_once('/') {
        None => name(Part::Whole, text),
        Some((_, rest)) if rest.contains('/') => broken(Part::Whole, [(true, Rule::OneSlash)]),
        Some((before, after)) => {
            let mut violations = prefix(before);
            violations.extend(name(Part::Name, after));
            violations
        }
    }
}

fn prefix(text: &str) -> Vec<Violation> {
    if text.is_empty() {
        broken(Part::Prefix, [(true, Rule::NotEmpty)])
    } else {
        dns::subdomain(Part::Prefix, text.as_bytes())
    }
}

fn name(part: Part, text: &str) -> Vec<Violation> {
    broken(
        part,
        [
            (text.is_empty(), Rule::NotEmpty),
            (text.len() > NAME_LENGTH, Rule::Length(NAME_LENGTH)),
            (!is_name(text), Rule::QualifiedName),
        ],
    )
}

/// Letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.
pub(super) fn is_name(text: &str) -> bool {
    let text = text.as_bytes();
    let ends = [text.first(), text.last()];
    ends.into_iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}
