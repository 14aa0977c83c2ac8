//! Names that DNS could hold.

use super::{Part, Rule, Violation, broken};

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
/// A `-` at the end is allowed: servers check the text with `a` in the place of the last two bytes. So any byte can
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
