//! Checks that are about coordination: the kit knows nothing of it.

mod convert;
mod elect;
mod validate;

use std::borrow::Cow;

use k8s_coordination::{Kinds, v1, v1alpha1, v1alpha2, v1beta1};
use k8s_versioned::Kind;
use k8s_versioned_conformance::operation::Operation;
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

/// The operations of all versions, and the discovery of the group and of each version.
pub fn operations() -> Vec<Operation> {
    let group = v1::Lease::GROUP;
    let versions = [
        v1::Lease::VERSION,
        v1alpha1::LeaseCandidate::VERSION,
        v1alpha2::LeaseCandidate::VERSION,
        v1beta1::LeaseCandidate::VERSION,
    ];
    let mut operations = vec![Operation::of_group(group)];
    operations.extend(versions.map(|version| Operation::of_version(group, version)));
    operations.extend(Operation::of_resource::<v1::Lease>());
    operations.extend(Operation::of_resource::<v1alpha1::LeaseCandidate>());
    operations.extend(Operation::of_resource::<v1alpha2::LeaseCandidate>());
    operations.extend(Operation::of_resource::<v1beta1::LeaseCandidate>());
    operations
}

/// Adds the checks of this program to a suite. `operations` are those of [`operations`].
pub(crate) fn add_to<'a>(suite: Suite<'a>, operations: &'a [Operation]) -> Suite<'a> {
    suite
        .with(Request::new(operations, &Kinds))
        .with(Answer::new(operations))
        .with(convert::Convert)
        .with(validate::Validate)
        .with(elect::Elect)
}
