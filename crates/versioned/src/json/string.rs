//! JSON strings in compact text.

use std::borrow::Cow;

/// Appends a string with its quotes, escaped as `serde_json` does. Few strings need that.
pub(crate) fn write(text: &mut String, string: &str) {
    let escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    if string.bytes().any(escaped) {
        text.push_str(&serde_json::to_string(string).unwrap_or_default());
    } else {
        text.push('"');
        text.push_str(string);
        text.push('"');
    }
}

/// Splits a text that starts with a string in quotes: what the string stands for, and what follows.
pub(super) fn split(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let (inner, rest) = text.strip_prefix('"')?.split_once('"')?;
    if !inner.contains('\\') {
        return Some((Cow::Borrowed(inner), rest));
    }
    let (quoted, rest) = text.split_at_checked(end(text)?)?;
    let string = serde_json::from_str(quoted).ok()?;
    Some((Cow::Owned(string), rest))
}

/// The end of a string in quotes, whose escapes may hold quotes.
pub(super) fn end(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate().skip(1);
    loop {
        match bytes.next()? {
            (position, b'"') => return Some(position + 1),
            (_, b'\\') => _ = bytes.next()?,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{split, write};

    #[test]
    fn strings_are_escaped_as_serde_json_does() {
        let every_ascii: String = (0..=127_u8).map(char::from).collect();
        for string in ["", "f:metadata", "a\"b", "\\", "é\u{2028}😀", &every_ascii] {
            let mut text = String::new();
            write(&mut text, string);
            assert_eq!(text, serde_json::to_string(string).unwrap());
            let followed = format!("{text}:\"x\"");
            assert_eq!(split(&followed), Some((string.into(), ":\"x\"")));
        }
    }

    #[test]
    fn unfinished_strings_have_no_end() {
        for text in ["", "\"", "\"a", "\"a\\\"", "\"\\"] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
