//! Checks that are about coordination: the kit knows nothing of it.

mod convert;
mod elect;
mod validate;

use std::borrow::Cow;

use k8s_coordination::{Kinds, OPERATIONS};
use k8s_versioned_conformance::{Answer, Finding, Mismatch, Request, Suite};

/// Why a check does not apply.
type Inapplicable = Cow<'static, str>;

/// Why a check compares nothing.
enum Stop {
    /// It does not apply.
    NotApplicable(Inapplicable),
    /// What was recorded does not decode.
    Undecodable(Mismatch),
}

impl Stop {
    /// An object at a place in the recording does not decode.
    fn undecodable(pointer: impl Into<String>, error: &(impl ToString + ?Sized)) -> Self {
        Self::Undecodable(Mismatch {
            pointer: pointer.into(),
            expected: "an object, as for the server".to_owned(),
            found: error.to_string(),
            advice: "see the check decode".into(),
        })
    }

    fn finding(self, pointer: &str) -> Finding {
        match self {
            Self::NotApplicable(reason) => Finding::not_applicable(pointer, reason),
            Self::Undecodable(mismatch) => Finding::of_mismatches(pointer, vec![mismatch]),
        }
    }
}

impl From<&'static str> for Stop {
    fn from(reason: &'static str) -> Self {
        Self::NotApplicable(reason.into())
    }
}

/// Adds the checks of this program to a suite.
pub(crate) fn add_to(suite: Suite<'_>) -> Suite<'_> {
    suite
        .with(Request::new(OPERATIONS, &Kinds))
        .with(Answer::new(OPERATIONS))
        .with(convert::Convert)
        .with(validate::Validate)
        .with(elect::Elect)
}
