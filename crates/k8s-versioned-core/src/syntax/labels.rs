//! Keys and values of labels, and keys of annotations.

use super::object_names::subdomain;
use super::violation::{SyntaxRule, SyntaxViolation, TextPart, broken};

/// The most bytes of the keys and values of all annotations of an object together.
pub const ANNOTATIONS_LIMIT: usize = 256 * 1024;

const NAME_LENGTH: usize = 63;

/// Checks a qualified name: a name of up to 63 bytes, or a DNS-1123 subdomain, `/` and such a name.
///
/// The name consists of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends. An
/// empty one breaks two rules. With more than one `/` nothing else is checked.
pub fn qualified_name(text: &str) -> Vec<SyntaxViolation> {
    match text.split_once('/') {
        None => name(TextPart::Whole, text),
        Some((_, rest)) if rest.contains('/') => {
            broken(TextPart::Whole, [(true, SyntaxRule::OneSlash)])
        }
        Some((before, after)) => {
            let mut violations = prefix(before);
            violations.extend(name(TextPart::Name, after));
            violations
        }
    }
}

fn prefix(text: &str) -> Vec<SyntaxViolation> {
    if text.is_empty() {
        broken(TextPart::Prefix, [(true, SyntaxRule::NotEmpty)])
    } else {
        subdomain(TextPart::Prefix, text.as_bytes())
    }
}

fn name(part: TextPart, text: &str) -> Vec<SyntaxViolation> {
    broken(
        part,
        [
            (text.is_empty(), SyntaxRule::NotEmpty),
            (text.len() > NAME_LENGTH, SyntaxRule::Length(NAME_LENGTH)),
            (!is_name(text), SyntaxRule::QualifiedName),
        ],
    )
}

/// Letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.
fn is_name(text: &str) -> bool {
    let text = text.as_bytes();
    let ends = [text.first(), text.last()];
    ends.into_iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

const LABEL_VALUE_LENGTH: usize = 63;

/// Checks the value of a label: empty, or letters, digits, `-`, `_` and `.`, with a letter or digit at
/// both ends, up to 63 bytes.
pub fn label_value(text: &str) -> Vec<SyntaxViolation> {
    let well_formed = text.is_empty() || is_name(text);
    broken(
        TextPart::Whole,
        [
            (text.len() > LABEL_VALUE_LENGTH, SyntaxRule::Length(LABEL_VALUE_LENGTH)),
            (!well_formed, SyntaxRule::LabelValue),
        ],
    )
}

/// Checks the key of an annotation: a qualified name, in which upper-case letters count as lower-case.
pub fn annotation_key(text: &str) -> Vec<SyntaxViolation> {
    // Most keys are in lower case already. Hot path, row `validate` of the benches.
    if !text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        return qualified_name(text);
    }
    let lower: String = text.chars().flat_map(lower_case).collect();
    qualified_name(&lower)
}

/// The lower case of a character as in Go: a single character.
///
/// Rust differs for one character, whose full mapping is longer. Its simple mapping is an ASCII letter, which is valid.
fn lower_case(character: char) -> impl Iterator<Item = char> {
    let plain = if character == '\u{130}' { 'i' } else { character };
    plain.to_lowercase()
}
