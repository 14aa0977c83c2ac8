//! The names of fields and the keys of maps in field paths: `spec.ports`, and `spec["example.com/name"]`.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::printable::first_unprintable;

/// A name or key as a segment of a path: as it is, or as JSON in brackets if it has other characters than letters, digits, `_` and `-`.
///
/// ```
/// use k8s_versioned_core::field_path::segment;
///
/// assert_eq!(segment("ports"), "ports");
/// assert_eq!(segment("example.com/name"), r#"["example.com/name"]"#);
/// ```
pub fn segment(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    // To look at all bytes at once is faster than to stop at the first of another kind.
    if !name.is_empty() && name.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("[{}]", quoted(name)))
}

/// A name as a JSON string. Unprintable characters are escaped, so that the path stays on its line, and brackets, which stand for items.
pub fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for character in name.chars() {
        let mut bytes = [0; 4];
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '[' | ']' => push_escaped(&mut text, character),
            _ if first_unprintable(character.encode_utf8(&mut bytes)).is_some() => {
                push_escaped(&mut text, character);
            }
            _ => text.push(character),
        }
    }
    text.push('"');
    text
}

/// Appends a character as JSON escapes it: one above U+FFFF as two units of UTF-16.
fn push_escaped(text: &mut String, character: char) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = write!(text, "\\u{unit:04x}");
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, segment};

    #[test]
    fn names_are_as_they_are_and_keys_are_json() {
        for (name, expected) in [
            ("a-b_C1", "a-b_C1"),
            ("", r#"[""]"#),
            ("a.b/c", r#"["a.b/c"]"#),
            (r#"a"]\b["#, r#"["a\"\u005d\\b\u005b"]"#),
            ("a\nb\u{202e}\u{85}", r#"["a\nb\u202e\u0085"]"#),
            ("\u{e0001}é 東", r#"["\udb40\udc01é 東"]"#),
        ] {
            assert_eq!(segment(name), expected);
            let read: String = serde_json::from_str(&quoted(name)).unwrap();
            assert_eq!(read, name);
        }
    }
}
