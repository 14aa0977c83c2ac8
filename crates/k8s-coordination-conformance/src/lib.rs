//! Checks [`k8s_coordination`] against recordings of API servers.
//!
//! [`suite`] has the general checks of the [kit](k8s_versioned_conformance) and these:
//!
//! | check | asks that |
//! |---|---|
//! | `lifecycle` | servers warn that a version is deprecated as its lifecycle says |
//! | `convert` | a candidate is equal after conversion to every version and back, and converts as on servers |
//! | `validate` | validation accepts, refuses and rejects the same objects as servers, for the same reasons |
//! | `elect` | an election writes the same `spec` as the server |
//!
//! ```no_run
//! use k8s_coordination_conformance::{operations, suite};
//! use k8s_versioned_conformance::{Documents, Recordings};
//!
//! let (documents, operations) = (Documents::load("specs")?, operations());
//! let report = suite(&documents, &operations).run(&Recordings::load("fixtures")?);
//! assert!(report.is_success(), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod election;
mod lifecycle;
mod validation;

use k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyMessage, LeaseCandidateVersion, MessageVisitor, VersionOf,
};
use k8s_coordination::{Kinds, v1};
use k8s_versioned::protobuf::Message;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::operation::Operations;
use k8s_versioned_conformance::{Documents, Examined, Inapplicable, Mismatch, Suite, check};

pub use election::RecordedElection;
pub use validation::RecordedWrite;

/// The kind that has several versions.
const CANDIDATES: Convertible = Convertible::of::<AnyLeaseCandidate>();

/// The general checks and those of this crate. `operations` is the result of [`operations`].
pub fn suite<'a>(documents: &'a Documents, operations: &'a [Operations]) -> Suite<'a> {
    Suite::general(&Kinds, documents)
        .with(check::request(operations, &Kinds))
        .with(check::answer(operations, &Kinds))
        .with(lifecycle::check())
        .with(check::convert(&Kinds, &[CANDIDATES]))
        .with(validation::check())
        .with(election::check())
}

/// The operations of all resources.
pub fn operations() -> Vec<Operations> {
    let candidates = LeaseCandidateVersion::ALL.iter();
    let candidates =
        candidates.map(|version| AnyLeaseCandidate::visit_message(*version, OfVersion));
    candidates.chain([Operations::of_message::<v1::Lease>()]).collect()
}

/// The operations of a version of `LeaseCandidate`.
struct OfVersion;

impl MessageVisitor<AnyLeaseCandidate> for OfVersion {
    type Output = Operations;

    fn visit<K: VersionOf<AnyLeaseCandidate> + Message>(self) -> Self::Output {
        Operations::of_message::<K>()
    }
}

/// The reason why a check compares nothing.
#[derive(Debug)]
enum Stop {
    /// It does not apply.
    NotApplicable(Inapplicable),
    /// An object in the recording does not decode.
    Undecodable(Mismatch),
}

impl Stop {
    /// The object at this place in the recording does not decode.
    fn undecodable(pointer: impl Into<String>, error: &(impl ToString + ?Sized)) -> Self {
        let expected = "an object that decodes, as it does on the server";
        Self::Undecodable(Mismatch::new(
            pointer,
            expected,
            error.to_string(),
            "see the check decode",
        ))
    }
}

impl From<&'static str> for Stop {
    fn from(reason: &'static str) -> Self {
        Self::NotApplicable(reason.into())
    }
}

impl From<Inapplicable> for Stop {
    fn from(reason: Inapplicable) -> Self {
        Self::NotApplicable(reason)
    }
}

/// The result of a check.
fn examined(compared: Result<Vec<Mismatch>, Stop>) -> Examined {
    compared.or_else(|stop| match stop {
        Stop::NotApplicable(reason) => Err(reason),
        Stop::Undecodable(mismatch) => Ok(vec![mismatch]),
    })
}
