//! Coordinated leader election: its decision, and the explanation.
//!
//! The elector is a controller in the API server. From the candidates for a `Lease` it derives a strategy,
//! from the strategy a leader, and from the leader what to write into the `Lease`. [`Election`] takes the
//! same decision from the same objects, without a server; its [`Outcome`] says what was decided and, as
//! text, why.
//!
//! ```
//! use k8s_coordination::CoordinatedLeaseStrategy::OldestEmulationVersion;
//! use k8s_coordination::election::{Candidate, Election};
//! use k8s_coordination::{meta::v1::ObjectMeta, v1alpha2, v1beta1};
//!
//! let now = "2026-01-02T03:04:05Z".parse()?;
//! let metadata = |name| ObjectMeta::default().with_name(name).with_namespace("kube-system");
//! let spec = v1alpha2::LeaseCandidateSpec::new("scheduler", "1.33.0", OldestEmulationVersion);
//! let a = v1alpha2::LeaseCandidate::new(spec.with_emulation_version("1.33.0").with_renew_time(now))
//!     .with_metadata(metadata("a"));
//! let spec = v1beta1::LeaseCandidateSpec::new("scheduler", "1.33.0", OldestEmulationVersion);
//! let b = v1beta1::LeaseCandidate::new(spec.with_emulation_version("1.32.0").with_renew_time(now))
//!     .with_metadata(metadata("b"));
//!
//! let candidates = [Candidate::from(&a), Candidate::from(&b)];
//! let outcome = Election::new("kube-system", "scheduler", candidates, now).outcome();
//! assert_eq!(outcome.best, Some("b"));
//! assert_eq!(
//!     outcome.to_string(),
//!     "Lease `kube-system/scheduler` at 2026-01-02T03:04:05.000000Z: `b` is elected.\n\
//!      - `a` loses: its emulation version `1.33.0` is later than `1.32.0` of `b`\n\
//!      - `b` wins: it has the earliest emulation version, `1.32.0`\n\
//!      The strategy is `OldestEmulationVersion`: all ask for it.\n\
//!      An election is due: there is no Lease.\n\
//!      The Lease is created, held by `b` for 5 seconds.\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The steps
//!
//! 1. [`Absence`]: candidates for another `Lease` and those that have expired take no part.
//! 2. [`Choice`]: in `v1alpha1` the lists of preferences are put together, in later versions the highest
//!    `binaryVersion` decides.
//! 3. [`Rank`]: with the strategy `OldestEmulationVersion`, the earliest `emulationVersion` wins. With any
//!    other, the elector picks nobody.
//! 4. [`Due`]: whether an election is due, and what becomes of the `Lease`.
//!
//! Candidates of several versions of the API can be judged together. Then the rule of the newest version
//! among those that take part applies; an older candidate counts with the first of its preferences, which is
//! also what a conversion makes of it.
//!
//! # Where servers differ
//!
//! - **Asking.** An elector that finds an election due first asks the candidates for a sign of life, waits
//!   up to 5 seconds, and takes the strategy and the best candidate from those that answered; if nobody did,
//!   it writes nothing. Asking is not modelled: here all candidates that take part count. That shows when one
//!   has stopped within the last 30 minutes. Here it can win, or keep the others from agreeing; a server
//!   counts it when it looks whether an election is due, and leaves it out when it decides.
//! - **Order.** From 1.32 on a server looks at the candidates one after the other and stops at the first two
//!   that have the same binary version and ask for different strategies, even if a third has a higher one. In
//!   which order it sees them is not specified. Here the documented rule applies, whatever the order: the
//!   highest decides, and only those that share it can contradict each other. [`Outcome::disputed`] says when
//!   a server can stop.
//! - **Ties.** Two candidates that agree in both versions and the second of their creation are told apart by
//!   their order. Here that is the order in which they are given. A server can see another order each time it
//!   looks: it may elect the other one, or name it as the preferred holder right after. [`Outcome::tied`] says
//!   which candidates these are.
//! - **Crashes.** A server of 1.31 crashes on a candidate without preferences, servers of all releases on an
//!   existing `Lease` without `holderIdentity` for which they pick a leader. Both are an
//!   [`ElectionError`] here. Servers of 1.31 and 1.32 also crash when a strategy of somebody's own is chosen
//!   for an existing `Lease`; here only the `strategy` is written, as later ones do.
//! - **Names.** The `leaseName` of a candidate can be any text. One that no `Lease` can have is an error
//!   here; a server tries again and again to create it. A candidate without a name, which no server has,
//!   takes no part.

mod candidate;
mod explanation;
mod leader;
mod lease;
mod outcome;
mod strategy;

pub use candidate::{ASK_AFTER, Absence, Candidate, VALID_FOR};
pub use leader::{Rank, TieBreak};
pub use lease::{Change, DURATION_SECONDS, Decision, Due, NotDue};
pub use outcome::{ElectionError, Outcome, Standing, StandingOf};
pub use strategy::{Basis, Choice, Step, StrategyError, Vote};

pub use crate::candidate_spec::Preference;

use k8s_versioned::MicroTime;

use crate::v1::Lease;

/// An election: what the elector knows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Election<'a> {
    /// The namespace of the `Lease`.
    pub namespace: &'a str,
    /// The name of the `Lease`.
    pub lease_name: &'a str,
    /// The candidates. They need not be for this `Lease`, nor alive.
    pub candidates: Vec<Candidate<'a>>,
    /// The `Lease`, if it exists.
    pub lease: Option<&'a Lease>,
    /// The time of the election.
    pub now: MicroTime,
}

impl<'a> Election<'a> {
    /// An election among these candidates, such as the objects of a list, without a `Lease`.
    pub fn new(
        namespace: &'a str,
        lease_name: &'a str,
        candidates: impl IntoIterator<Item: Into<Candidate<'a>>>,
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

    /// Takes the decision.
    pub fn outcome(&self) -> Outcome<'a> {
        outcome::decide(self)
    }
}
