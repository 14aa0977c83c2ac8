//! Keys and values of labels and annotations. The key of a label is a qualified name.

use super::qualified::is_name;
use super::{Form, Part, Rule, Violation, broken, qualified_name};

const VALUE_LENGTH: usize = 63;

/// Checks the value of a label: empty, or letters, digits, `-`, `_` and `.`, with a letter or digit at
/// both ends, up to 63 bytes.
pub fn label_value(text: &str) -> Vec<Violation> {
    let most = VALUE_LENGTH;
    let well_formed = text.is_empty() || is_name(text);
    broken(
        Part::Whole,
        [
            (text.len() > most, Rule::Length { most }),
            (!well_formed, Rule::Form(Form::LabelValue)),
        ],
    )
}

/// Checks the key of an annotation: a qualified name, in which upper-case letters count as lower-case.
pub fn annotation_key(text: &str) -> Vec<Violation> {
    let lower: String = text.chars().flat_map(lower_case).collect();
    qualified_name(&lower)
}

/// The lower case of a character as Go has it: a single character.
///
/// Rust differs in the one character whose full mapping is longer, and here the difference decides:
/// its simple mapping is an ASCII letter.
fn lower_case(character: char) -> impl Iterator<Item = char> {
    let plain = if character == '\u{130}' {
        'i'
    } else {
        character
    };
    plain.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{annotation_key, label_value};
    use crate::names::violation::tests::rules;
    use crate::names::{Form, Rule};

    #[test]
    fn values() {
        let form = Rule::Form(Form::LabelValue);
        let long = Rule::Length { most: 63 };
        let table = [
            (String::new(), vec![]),
            ("A_b.c-0".to_owned(), vec![]),
            ("x".repeat(63), vec![]),
            ("x".repeat(64), vec![long]),
            (" ".repeat(64), vec![long, form]),
            ("not ok".to_owned(), vec![form]),
            ("-a".to_owned(), vec![form]),
            ("a/b".to_owned(), vec![form]),
        ];
        for (text, expected) in table {
            assert_eq!(rules(&label_value(&text)), expected, "{text:?}");
        }
    }

    #[test]
    fn annotation_keys_may_be_upper_case() {
        for text in ["a", "Example.COM/Key", "\u{212a}", "\u{130}"] {
            assert_eq!(annotation_key(text), [], "{text:?}");
        }
        for text in ["", "two words", "a/b/c", "Ä", "under_score/a"] {
            assert_ne!(annotation_key(text), [], "{text:?}");
        }
    }

    #[test]
    fn one_character_has_a_longer_lower_case() {
        let longer = ('\0'..=char::MAX).filter(|c| c.to_lowercase().count() > 1);
        assert_eq!(longer.collect::<String>(), "\u{130}");
    }
}
