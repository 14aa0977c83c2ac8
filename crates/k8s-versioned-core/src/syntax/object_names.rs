//! Names of objects and namespaces, and `generateName`.

use super::violation::{SyntaxRule, SyntaxViolation, TextPart, broken};

const LABEL_LENGTH: usize = 63;
const SUBDOMAIN_LENGTH: usize = 253;

/// Checks a DNS-1123 label: lower-case letters, digits and `-`, a letter or digit at both ends, up to
/// 63 bytes.
pub fn dns1123_label(text: &str) -> Vec<SyntaxViolation> {
    broken(
        TextPart::Whole,
        [
            (text.len() > LABEL_LENGTH, SyntaxRule::Length(LABEL_LENGTH)),
            (!is_label(text.as_bytes()), SyntaxRule::Dns1123Label),
        ],
    )
}

/// Checks a DNS-1123 subdomain: labels joined by `.`, up to 253 bytes.
///
/// The labels can be of any length: only the whole is limited.
pub fn dns1123_subdomain(text: &str) -> Vec<SyntaxViolation> {
    subdomain(TextPart::Whole, text.as_bytes())
}

/// Checks a `generateName`, the start of a name that must be a DNS-1123 subdomain.
///
/// A `-` at the end is allowed: servers check the text with `a` instead of the last two bytes. So any byte can
/// stand before the `-`.
pub fn dns1123_subdomain_prefix(text: &str) -> Vec<SyntaxViolation> {
    match text.as_bytes() {
        [start @ .., _, b'-'] => subdomain(TextPart::Whole, &[start, b"a"].concat()),
        other => subdomain(TextPart::Whole, other),
    }
}

pub(super) fn subdomain(part: TextPart, text: &[u8]) -> Vec<SyntaxViolation> {
    let well_formed = text.split(|&byte| byte == b'.').all(is_label);
    broken(
        part,
        [
            (text.len() > SUBDOMAIN_LENGTH, SyntaxRule::Length(SUBDOMAIN_LENGTH)),
            (!well_formed, SyntaxRule::Dns1123Subdomain),
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
pub fn config_map_key(text: &str) -> Vec<SyntaxViolation> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let well_formed = !text.is_empty() && text.bytes().all(allowed);
    let dots = text == "." || text == "..";
    broken(
        TextPart::Whole,
        [
            (text.len() > CONFIG_MAP_KEY_LENGTH, SyntaxRule::Length(CONFIG_MAP_KEY_LENGTH)),
            (!well_formed, SyntaxRule::ConfigMapKey),
            (dots, SyntaxRule::NotDots),
            (!dots && text.starts_with(".."), SyntaxRule::NoDotsInFront),
        ],
    )
}

/// Checks a name as a segment of a path: not `.` or `..`, no `/` and no `%`.
pub fn path_segment(text: &str) -> Vec<SyntaxViolation> {
    if text == "." || text == ".." {
        return broken(TextPart::Whole, [(true, SyntaxRule::NotDots)]);
    }
    path_segment_prefix(text)
}

/// Checks the start of such a name, which may be `.` or `..`.
pub fn path_segment_prefix(text: &str) -> Vec<SyntaxViolation> {
    let without = |character| (text.contains(character), SyntaxRule::Without(character));
    broken(TextPart::Whole, [without('/'), without('%')])
}

/// The name that a server could make of a `generateName`: its first 58 bytes, and five letters or digits.
///
/// A server cuts between bytes, here a character that is cut stays whole: both break the same rules.
///
/// ```
/// assert_eq!(k8s_versioned_core::syntax::generated_name("backup-"), "backup-xxxxx");
/// ```
pub fn generated_name(prefix: &str) -> String {
    const START: usize = 58;
    let start = (START..prefix.len()).find_map(|end| prefix.get(..end)).unwrap_or(prefix);
    format!("{start}xxxxx")
}

#[cfg(test)]
mod tests {
    use super::generated_name;

    #[test]
    fn generated_names() {
        assert_eq!(generated_name(""), "xxxxx");
        assert_eq!(generated_name(&"a".repeat(60)), format!("{}xxxxx", "a".repeat(58)));
        let cut = format!("{}é", "a".repeat(57));
        assert_eq!(generated_name(&format!("{cut}-")), format!("{cut}xxxxx"));
    }
}
