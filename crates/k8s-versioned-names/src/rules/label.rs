//! Keys and values of labels and annotations. The key of a label is a qualified name.

use super::qualified::is_name;
use super::{Part, Rule, Violation, broken, qualified_name};

const VALUE_LENGTH: usize = 63;

/// Checks the value of a label: empty, or letters, digits, `-`, `_` and `.`, with a letter or digit at
/// both ends, up to 63 bytes.
pub fn label_value(text: &str) -> Vec<Violation> {
    let well_formed = text.is_empty() || is_name(text);
    broken(
        Part::Whole,
        [(text.len() > VALUE_LENGTH, Rule::Length(VALUE_LENGTH)), (!well_formed, Rule::LabelValue)],
    )
}

/// Checks the key of an annotation: a qualified name, in which upper-case letters count as lower-case.
pub fn annotation_key(text: &str) -> Vec<Violation> {
    // Most keys are in lower case already. Row: validate.
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

#[cfg(test)]
mod tests {
    #[test]
    fn one_character_has_a_longer_lower_case() {
        let longer = ('\0'..=char::MAX).filter(|c| c.to_lowercase().count() > 1);
        assert_eq!(longer.collect::<String>(), "\u{130}");
    }
}
