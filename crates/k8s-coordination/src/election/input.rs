//! The input of an election: the objects that the elector knows.

use jiff::SignedDuration;
use k8s_versioned::MicroTime;

use crate::conversion::AnyLeaseCandidateRef;
use crate::v1::Lease;

/// An election: the objects that the elector knows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Election<'a> {
    /// The namespace of the `Lease`.
    pub namespace: &'a str,
    /// The name of the `Lease`.
    pub lease_name: &'a str,
    /// The candidates. Those that are not eligible are ignored.
    pub candidates: Vec<AnyLeaseCandidateRef<'a>>,
    /// The `Lease`, if it exists.
    pub lease: Option<&'a Lease>,
    /// The time of the election.
    pub now: MicroTime,
}

impl<'a> Election<'a> {
    /// The `leaseDurationSeconds` of a `Lease` that an elector gives to a holder.
    pub const DURATION_SECONDS: i32 = 5;

    /// The time for which a candidate is eligible after its `renewTime`.
    pub const VALID_FOR: SignedDuration = SignedDuration::from_mins(30);

    /// The time after its `renewTime` from which an elector pings a candidate.
    pub const PING_AFTER: SignedDuration = SignedDuration::from_mins(15);

    /// An election among these candidates, such as the objects of a list, without a `Lease`.
    pub fn new(
        namespace: &'a str,
        lease_name: &'a str,
        candidates: impl IntoIterator<Item: Into<AnyLeaseCandidateRef<'a>>>,
        now: MicroTime,
    ) -> Self {
        let candidates = candidates.into_iter().map(Into::into).collect();
        Self { namespace, lease_name, candidates, lease: None, now }
    }

    /// The same election with the `Lease`, if it exists.
    #[must_use]
    pub fn with_lease(self, lease: Option<&'a Lease>) -> Self {
        Self { lease, ..self }
    }
}
