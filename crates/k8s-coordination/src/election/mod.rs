//! Coordinated leader election: its decision, and the explanation.
//!
//! The elector is a controller in the API server. From the candidates for a `Lease` it derives a strategy,
//! from the strategy a leader, and from the leader the change of the `Lease`. [`Election`] takes the
//! same decision from the same objects, without a server. Its [`ElectionOutcome`] holds the decision; its text
//! gives the reasons.
//!
//! ```
//! use k8s_coordination::CoordinatedLeaseStrategy::OldestEmulationVersion;
//! use k8s_coordination::conversion::AnyLeaseCandidateRef;
//! use k8s_coordination::election::Election;
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
//! let candidates = [AnyLeaseCandidateRef::from(&a), AnyLeaseCandidateRef::from(&b)];
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
//! 1. A candidate is eligible if it is for the `Lease`, has a name, and has not expired. [`Standing`] says why
//!    it is not.
//! 2. The eligible candidates decide on a strategy. In `v1alpha1` their lists of preferences are combined; in
//!    later versions the highest `binaryVersion` decides. [`Basis`] is the rule that decided.
//! 3. With the strategy `OldestEmulationVersion`, the earliest `emulationVersion` wins. With any other, the
//!    elector picks no leader.
//! 4. [`Due`] is the reason why an election is due, and [`Decision`] the change of the `Lease`.
//!
//! Candidates of several versions of the API can be judged together. Then the rule of the newest version
//! among the eligible ones applies. A candidate of `v1alpha1` counts with the first of its preferences there, as
//! it does after a conversion.
//!
//! # Where servers differ
//!
//! - **Pings.** An elector that finds an election due first pings the candidates, waits up to 5 seconds, and
//!   takes the strategy and the best candidate from those that answered. If no candidate answered, it writes
//!   nothing. Here a candidate that was pinged and has not answered ([`Standing::Silent`]) is left out in the same
//!   way. All others count as if they would answer: a candidate that has stopped and was not pinged yet can win here, or
//!   keep the others from agreeing.
//! - **Order.** From 1.32 on a server compares the candidates one after the other and stops at the first two
//!   that have the same binary version and ask for different strategies, even if a third has a higher one. The
//!   order in which it sees them is not specified. Here the documented rule applies, in any order: the
//!   highest version decides, and only candidates that share it can contradict each other. [`ElectionOutcome::disputed`]
//!   says when a server can stop.
//! - **Ties.** Two candidates with equal versions that were created in the same second are distinguished by
//!   their order. Here that is the order in which they are given. A server can see another order each time: it
//!   may elect the other one, or name it as the preferred holder right after. [`ElectionOutcome::tied`] says
//!   which candidates these are.
//! - **Crashes.** A server of 1.31 crashes on a candidate without preferences, servers of all releases on an
//!   existing `Lease` without `holderIdentity` for which they pick a leader. Both are an
//!   [`ElectionError`] here. Servers of 1.31 and 1.32 also crash when a custom strategy is chosen
//!   for an existing `Lease`; here only the `strategy` is written, as later ones do.
//! - **Names.** The `leaseName` of a candidate can be any text. One that no `Lease` can have is an error
//!   here; a server tries again and again to create it. A candidate without a name, which no server has,
//!   is not eligible.

mod candidate;
mod error;
mod explanation;
mod input;
mod lease;
mod outcome;
mod ranking;
mod strategy;
mod vote;

pub use candidate::{CandidateOutcome, Standing, TieBreak};
pub use error::ElectionError;
pub use input::Election;
pub use lease::{Decision, Due};
pub use outcome::ElectionOutcome;
pub use strategy::Basis;
pub use vote::Vote;
