//! What a check finds in a recording.

use std::borrow::Cow;

use k8s_versioned_core::findings::{Finding, Severity};

/// The reason why a check does not apply. Reports count by reason, so the same reason should have the same text.
pub type Inapplicable = Cow<'static, str>;

/// The result of a check: the mismatches (none if it passed), or the reason why the check does not apply.
pub type Examined = Result<Vec<Mismatch>, Inapplicable>;

/// The result of a check for one place in a recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Examination {
    /// The place: a JSON pointer; empty for the whole recording.
    pub pointer: String,
    /// The result for it.
    pub examined: Examined,
}

impl Examination {
    /// The result for a place.
    pub fn new(pointer: impl Into<String>, examined: Examined) -> Self {
        Self { pointer: pointer.into(), examined }
    }

    /// The place of the value that does not decode, if nothing else is wrong.
    pub(crate) fn undecodable(&self) -> Option<&str> {
        match self.examined.as_deref() {
            Ok([mismatch]) if mismatch.undecodable => Some(&mismatch.pointer),
            _ => None,
        }
    }

    /// The check does not apply to the place.
    pub fn not_applicable(pointer: impl Into<String>, reason: impl Into<Inapplicable>) -> Self {
        Self::new(pointer, Err(reason.into()))
    }
}

/// The reason why a check compares nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NothingToCompare {
    /// The check does not apply.
    NotApplicable(Inapplicable),
    /// What the check needs is wrong itself.
    Mismatch(Mismatch),
}

impl NothingToCompare {
    /// The object at this place in the recording does not decode.
    pub fn undecodable(pointer: impl Into<String>, error: &(impl ToString + ?Sized)) -> Self {
        let expected = "an object that decodes, as it does on the server";
        let hint = "see the check decode";
        Self::Mismatch(Mismatch::new(pointer, expected, error.to_string(), hint).undecodable())
    }

    /// The result of a check.
    ///
    /// # Errors
    ///
    /// The check does not apply.
    pub fn examined(compared: Result<Vec<Mismatch>, Self>) -> Examined {
        compared.or_else(|stop| match stop {
            Self::NotApplicable(reason) => Err(reason),
            Self::Mismatch(mismatch) => Ok(vec![mismatch]),
        })
    }
}

impl<R: Into<Inapplicable>> From<R> for NothingToCompare {
    fn from(reason: R) -> Self {
        Self::NotApplicable(reason.into())
    }
}

/// A value that is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The place in the recording: a JSON pointer.
    pub pointer: String,
    /// The value that the check asks for.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// What to look at, or to change.
    pub hint: Cow<'static, str>,
    /// Whether nothing was compared, because the value does not decode.
    undecodable: bool,
}

impl Mismatch {
    /// A mismatch at a place, with a hint.
    pub fn new(
        pointer: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (pointer, expected) = (pointer.into(), expected.into());
        Self { pointer, expected, found: found.into(), hint: hint.into(), undecodable: false }
    }

    /// The same mismatch; its cause is that the value does not decode.
    pub(crate) fn undecodable(self) -> Self {
        Self { undecodable: true, ..self }
    }

    pub(crate) fn finding(self, check: &'static str, file: String) -> Finding {
        let message = format!("expected {}, found {}", self.expected, self.found);
        Finding::new(Severity::Error, check, file, message).at(self.pointer).with_hint(self.hint)
    }
}

/// Returns `true` if a place is this one, or below it.
pub(crate) fn is_in(pointer: &str, place: &str) -> bool {
    pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
