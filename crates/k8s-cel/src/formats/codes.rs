//! Texts of a fixed form: numbers of books and cards, colours, identifiers.

use std::sync::OnceLock;

use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine as _, alphabet};

use crate::regex::Pattern;

/// A pattern that is compiled when it is first used.
pub(super) struct Lazy {
    pattern: &'static str,
    compiled: OnceLock<Option<Pattern>>,
}

impl Lazy {
    pub(super) const fn new(pattern: &'static str) -> Self {
        Self { pattern, compiled: OnceLock::new() }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        // The tests compile each pattern, so there is always one.
        self.compiled
            .get_or_init(|| Pattern::compile(self.pattern).ok())
            .as_ref()
            .is_some_and(|p| p.is_match(text))
    }
}

pub(super) fn bson_object_id(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Base64 as Go reads it: with padding, and with bits in the last character that do not count.
pub const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Base64 in the standard alphabet, with padding, not empty. The last character may have bits that do not count.
pub(super) fn base64(text: &str) -> bool {
    !text.is_empty() && BASE64.decode(text).is_ok()
}

pub(super) fn hex_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

pub(super) fn rgb_color(text: &str) -> bool {
    // 20 to 99 and 200 to 255 are there, but no number with a leading zero.
    static PATTERN: Lazy = Lazy::new(
        r"^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$",
    );
    PATTERN.is_match(text)
}

pub(super) fn ssn(text: &str) -> bool {
    static PATTERN: Lazy = Lazy::new(r"^\d{3}[- ]?\d{2}[- ]?\d{4}$");
    text.len() == 11 && PATTERN.is_match(text)
}

/// 32 hexadecimal digits, with or without each of the four hyphens. The version is the 13th digit; of versions 4 and 5, the
/// 17th digit is one of the variant of RFC 4122.
pub(super) fn uuid(text: &str, version: Option<char>) -> bool {
    let mut digits = String::with_capacity(32);
    let mut after_hyphen = false;
    for character in text.chars() {
        let hyphen = character == '-';
        if hyphen && (after_hyphen || !matches!(digits.len(), 8 | 12 | 16 | 20)) {
            return false;
        }
        after_hyphen = hyphen;
        if !hyphen {
            digits.push(character);
        }
    }
    let digit = |index: usize| {
        digits.as_bytes().get(index).map_or('\0', |byte| char::from(byte.to_ascii_lowercase()))
    };
    let has_variant = matches!(digit(16), '8' | '9' | 'a' | 'b');
    digits.len() == 32
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && version.is_none_or(|version| digit(12) == version && (version == '3' || has_variant))
}

/// The digits of an ISBN without hyphens and spaces.
fn isbn_digits(text: &str) -> Vec<u8> {
    text.bytes()
        .filter(|byte| !matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ' | b'-'))
        .collect()
}

fn value(digit: u8) -> u32 {
    u32::from(digit.wrapping_sub(b'0'))
}

pub(super) fn isbn10(text: &str) -> bool {
    let digits = isbn_digits(text);
    let [first @ .., last] = digits.as_slice() else { return false };
    // First, as the sum of a long text does not fit.
    if first.len() != 9 || !first.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let weighted = (1..).zip(first).map(|(weight, digit)| weight * value(*digit)).sum::<u32>();
    let check = if *last == b'X' { 10 } else { value(*last) };
    (*last == b'X' || last.is_ascii_digit()) && (weighted + 10 * check).is_multiple_of(11)
}

pub(super) fn isbn13(text: &str) -> bool {
    let digits = isbn_digits(text);
    if digits.len() != 13 || !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let weighted =
        digits.iter().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| weight * value(*digit));
    weighted.sum::<u32>().is_multiple_of(10)
}

/// The number of a known kind of card, whose digits have a sum that Luhn's formula accepts. All other characters are ignored.
pub(super) fn credit_card(text: &str) -> bool {
    static PATTERN: Lazy = Lazy::new(
        r"^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$",
    );
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let luhn = digits.bytes().rev().map(value).enumerate().map(|(index, digit)| {
        match (index % 2, digit * 2) {
            (0, _) => digit,
            (_, double) => double / 10 + double % 10,
        }
    });
    PATTERN.is_match(&digits) && luhn.sum::<u32>().is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours() {
        assert!(
            rgb_color("rgb( 0 ,99,255)") && !rgb_color("rgb(01,2,3)") && !rgb_color("rgb(1,2)")
        );
        assert!(hex_color("ABCDEF") && !hex_color("#abcd") && !hex_color("##fff"));
    }

    #[test]
    fn identifiers() {
        assert!(uuid("3f2504e04f8941d39a0c0305e82c3301", None));
        assert!(!uuid("3f2504e0--4f89-41d3-9a0c-0305e82c3301", None));
        assert!(!uuid("3f2504e0-4f89-41d3-9a0c-0305e82c3301-", None));
        assert!(uuid("3f2504e0-4f89-41d3-9a0c-0305e82c3301", Some('4')));
        assert!(!uuid("3f2504e0-4f89-41d3-1a0c-0305e82c3301", Some('4')));
        assert!(uuid("3f2504e0-4f89-31d3-1a0c-0305e82c3301", Some('3')));
        assert!(ssn("123-45 6789") && !ssn("123456789"));
        assert!(isbn10("097522980X") && !isbn10("X975229800") && !isbn13("978-0-306-40615-8"));
        assert!(credit_card("x4111 1111 1111 1111") && !credit_card("6200000000000005"));
    }

    #[test]
    fn base64_has_padding() {
        for (text, valid) in [
            ("YQ==", true),
            ("YWI=", true),
            ("====", false),
            ("Y===", false),
            ("YQ==YQ==", false),
            ("-_8=", false),
        ] {
            assert_eq!(base64(text), valid, "{text}");
        }
    }
}
