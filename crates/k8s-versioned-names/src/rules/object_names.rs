//! Names of objects and namespaces, and `generateName`.

use super::violation::{Part, Rule, Violation, broken};

const LABEL_LENGTH: usize = 63;
const SUBDOMAIN_LENGTH: usize = 253;

/// Checks a DNS-1123 label: lower-case letters, digits and `-`, a letter or digit at both ends, up to
/// 63 bytes.
pub fn dns1123_label(text: &str) -> Vec<Violation> {
    broken(
        Part::Whole,
        [
            (text.len() > LABEL_LENGTH, Rule::Length(LABEL_LENGTH)),
            (!is_label(text.as_bytes()), Rule::Dns1123Label),
        ],
    )
}

/// Checks a DNS-1123 subdomain: labels joined by `.`, up to 253 bytes.
///
/// The labels can be of any length: only the whole is limited.
pub fn dns1123_subdomain(text: &str) -> Vec<Violation> {
    subdomain(Part::Whole, text.as_bytes())
}

/// Checks a `generateName`, the start of a name that must be a DNS-1123 subdomain.
///
/// A `-` at the end is allowed: servers check the text with `a` instead of the last two bytes. So any byte can
/// stand before the `-`.
pub fn dns1123_subdomain_prefix(text: &str) -> Vec<Violation> {
    match text.as_bytes() {
        [start @ .., _, b'-'] => subdomain(Part::Whole, &[start, b"a"].concat()),
        other => subdomain(Part::Whole, other),
    }
}

pub(super) fn subdomain(part: Part, text: &[u8]) -> Vec<Violation> {
    let well_formed = text.split(|&byte| byte == b'.').all(is_label);
    broken(
        part,
        [
            (text.len() > SUBDOMAIN_LENGTH, Rule::Length(SUBDOMAIN_LENGTH)),
            (!well_formed, Rule::Dns1123Subdomain),
        ],
    )
}

fn is_label(text: &[u8]) -> bool {
    let letter_or_digit = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = [text.first(), text.last()];
    ends.into_iter().all(|end| end.is_some_and(letter_or_digit))
        && text.iter().all(|byte| letter_or_digit(byte) || *byte == b'-')
}

const CONFIG_MAP_KEY_LENGTH: usize = 253;

/// Checks the key of a config map: letters, digits, `-`, `_` and `.`, up to 253 bytes; not `.`, and not
/// starting with `..`.
pub fn config_map_key(text: &str) -> Vec<Violation> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let well_formed = !text.is_empty() && text.bytes().all(allowed);
    let dots = text == "." || text == "..";
    broken(
        Part::Whole,
        [
            (text.len() > CONFIG_MAP_KEY_LENGTH, Rule::Length(CONFIG_MAP_KEY_LENGTH)),
            (!well_formed, Rule::ConfigMapKey),
            (dots, Rule::NotDots),
            (!dots && text.starts_with(".."), Rule::NoDotsInFront),
        ],
    )
}

/// Checks a name as a segment of a path: not `.` or `..`, no `/` and no `%`.
pub fn path_segment(text: &str) -> Vec<Violation> {
    if text == "." || text == ".." {
        return broken(Part::Whole, [(true, Rule::NotDots)]);
    }
    path_segment_prefix(text)
}

/// Checks the start of such a name, which may be `.` or `..`.
pub fn path_segment_prefix(text: &str) -> Vec<Violation> {
    let without = |character| (text.contains(character), Rule::Without(character));
    broken(Part::Whole, [without('/'), without('%')])
}
