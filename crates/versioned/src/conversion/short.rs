//! Values and texts for people: short, and harmless on a terminal, for they may come from anybody.

use std::fmt;

use serde_json::Value;

use crate::quoted::{OneLine, start, write_rest};

/// How many characters are shown.
const LIMIT: usize = 200;

/// The value of a field.
pub(super) struct Shown<'a>(pub(super) &'a Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("absent"),
            value => Short(&value.to_string()).fmt(f),
        }
    }
}

/// A text in one line, which nothing in it can leave.
pub(super) struct Short<'a>(pub(super) &'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = start(self.0, LIMIT);
        write!(f, "{}", OneLine(start))?;
        write_rest(f, start, self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Short;

    #[test]
    fn texts_are_cut_and_escaped() {
        let table = [
            ("a\u{1b}[1mé", "a\\u{1b}[1mé"),
            ("a\nb", "a\\nb"),
            ("a\u{202e}b", "a\\u{202e}b"),
            (r#""it's" \"#, r#""it's" \"#),
        ];
        for (text, expected) in table {
            assert_eq!(Short(text).to_string(), expected);
        }
        let whole = "é".repeat(200);
        assert_eq!(Short(&whole).to_string(), whole);
        let expected = format!("{whole}... (401 bytes)");
        assert_eq!(Short(&(whole + "x")).to_string(), expected);
    }
}
