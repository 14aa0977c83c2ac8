//! Texts that cannot be parsed.

use std::borrow::Cow;
use std::fmt;

use crate::Quoted;

/// A text that cannot be parsed, for example as a release, a version, a time, an `apiVersion` or a known word.
///
/// ```
/// let error = "1.36".parse::<k8s_versioned_names::Release>().unwrap_err();
/// assert_eq!(error.found(), "1.36");
/// assert_eq!(error.reason(), "write `v1.36`");
/// assert_eq!(error.to_string(), "`1.36` is not a release: write `v1.36`");
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
    /// `expected` completes "… is not". Generated code calls it, too.
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
