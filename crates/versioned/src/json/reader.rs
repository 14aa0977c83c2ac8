//! Walking through compact text. This crate wrote or checked it, so its form is not checked twice.

use std::borrow::Cow;

use thiserror::Error;

use super::string;

/// The text is not what this crate writes. It takes a mistake in this crate to see this.
#[derive(Debug, Error)]
#[error("the stored text is not compact JSON")]
pub(super) struct Malformed;

/// The rest of a text.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) rest: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(rest: &'a str) -> Self {
        Self { rest }
    }

    /// Takes a character if it is the next one. Only for ASCII.
    #[inline]
    pub(super) fn take(&mut self, char: u8) -> bool {
        // Faster than `strip_prefix`, which calls a general comparison of strings.
        let found = self.rest.as_bytes().first() == Some(&char);
        if found {
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
        found
    }

    /// Takes a string.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        let (string, rest) = string::split(self.rest).ok_or(Malformed)?;
        self.rest = rest;
        Ok(string)
    }

    /// Takes the key of a member and the colon after it.
    #[inline]
    pub(super) fn key(&mut self) -> Result<Cow<'a, str>, Malformed> {
        let key = self.string()?;
        if self.take(b':') { Ok(key) } else { Err(Malformed) }
    }

    /// Takes a number, `true`, `false` or `null`.
    pub(super) fn word(&mut self) -> &'a str {
        let mut bytes = self.rest.bytes();
        let end = bytes.position(|byte| matches!(byte, b',' | b']' | b'}'));
        let end = end.unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = rest;
        word
    }

    /// Takes a whole value.
    pub(super) fn value(&mut self) -> Result<(), Malformed> {
        let mut depth = 0_usize;
        loop {
            if self.take(b'{') || self.take(b'[') {
                depth += 1;
            } else if self.take(b'}') || self.take(b']') {
                depth = depth.checked_sub(1).ok_or(Malformed)?;
            } else if self.rest.starts_with('"') {
                self.string()?;
            } else if self.word().is_empty() {
                return Err(Malformed);
            }
            if depth == 0 {
                return Ok(());
            }
            while self.take(b',') || self.take(b':') {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;

    #[test]
    fn values_end_where_they_end() {
        let values = [
            "null",
            "-1.5e+300",
            "\"\"",
            "\"a\\\"]\"",
            "[]",
            "{}",
            "[[],[{}]]",
            r#"{"a":[1,"}"],"b":{"c":null}}"#,
        ];
        for value in values {
            for rest in ["", ",1", "]", "}", ",\"b\":2}"] {
                let text = format!("{value}{rest}");
                let mut reader = Reader::new(&text);
                assert!(reader.value().is_ok(), "{text}");
                assert_eq!(reader.rest, rest, "{text}");
            }
        }
    }

    #[test]
    fn what_does_not_end_is_malformed() {
        for text in ["", "[", "{\"a\":", "\"a", "]", ",", "[1"] {
            assert!(Reader::new(text).value().is_err(), "{text}");
        }
    }
}
