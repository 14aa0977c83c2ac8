//! The checks of [`k8s_coordination`] on recordings of API servers.
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
//! use k8s_coordination_cli::conformance::{operations, suite};
//! use k8s_versioned_conformance::{Documents, Recordings};
//!
//! let (documents, operations) = (Documents::load("specs")?, operations());
//! let report = suite(&documents, &operations).run(&Recordings::load("fixtures")?);
//! assert!(report.is_success(), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod election;
mod lifecycle;
mod validation;

use k8s_coordination::Kinds;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::operation::Operations;
use k8s_versioned_conformance::{Documents, Suite, check};

pub use election::RecordedElection;
pub use validation::RecordedWrite;

/// The kind that has several versions.
const CANDIDATES: Convertible = Convertible::new::<AnyLeaseCandidate>();

/// The general checks and the checks of this module. `operations` is the result of [`operations`].
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
    Operations::all::<Kinds>()
}
