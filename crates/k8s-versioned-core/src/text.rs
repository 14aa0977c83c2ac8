//! Types that are one short string as text.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::iter::successors;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Deserializer;
use serde::de::{self, Visitor};

use crate::Quoted;

/// Reads a number as Kubernetes writes it in names: digits only, no sign, no leading zero.
pub fn number<T: FromStr>(text: &str) -> Option<T> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    if digits && !leading_zero { text.parse().ok() } else { None }
}

/// The last boundary of characters at this byte or before it. Delete it for `str::floor_char_boundary` when the minimum Rust has that
/// (1.91).
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    let last = index.min(text.len());
    (0..=last).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// An error with its causes in one line, each by its text. A cause with which the line already ends is not repeated: some errors
/// display their cause themselves.
pub fn with_causes(
    error: &(dyn Error + 'static),
    text: impl Fn(&(dyn Error + 'static)) -> String,
) -> String {
    let mut line = text(error);
    for cause in successors(error.source(), |&cause| cause.source()) {
        let cause = text(cause);
        if !line.ends_with(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line
}

/// Serializes a type as its text, and deserializes it by parsing the text. `$expected` completes "expected …" for a
/// value that is not a string.
#[macro_export]
#[doc(hidden)]
macro_rules! text_serde {
    ($name:ident, $expected:literal) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::text::deserialize(deserializer, $expected)
            }
        }
    };
}

/// Deserializes a string and parses it; `expected` completes "expected …" for a value that is not a string.
pub fn deserialize<'de, D, T>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    deserializer.deserialize_str(Text { expected, parsed: PhantomData })
}

struct Text<T> {
    expected: &'static str,
    parsed: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

// Texts that cannot be parsed.

/// A text that cannot be parsed, for example as a release, a version, a time, an `apiVersion` or a known word.
///
/// ```
/// let error = "V1.36".parse::<k8s_versioned_core::Release>().unwrap_err();
/// assert_eq!(error.found(), "V1.36");
/// assert_eq!(error.reason(), "write `v1.36`");
/// assert_eq!(error.to_string(), "`V1.36` is not a release: write `v1.36`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    found: String,
    expected: &'static str,
    reason: Cow<'static, str>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not {}: {}", Quoted(&self.found), self.expected, self.reason)
    }
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// `expected` completes "… is not". Generated code calls it as well.
    #[doc(hidden)]
    pub fn new(found: &str, expected: &'static str, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { found: found.to_owned(), expected, reason: reason.into() }
    }

    /// The text that was found.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The reason, or the text to write instead.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_plain_digits() {
        let table = [
            ("0", Some(0)),
            ("7", Some(7)),
            ("65535", Some(65535)),
            ("65536", None),
            ("", None),
            ("00", None),
            ("07", None),
            ("+7", None),
            ("-7", None),
            ("7 ", None),
            ("٧", None),
        ];
        for (text, expected) in table {
            assert_eq!(number::<u16>(text), expected, "{text:?}");
        }
    }
}
