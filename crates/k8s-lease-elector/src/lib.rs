//! Leader election with a Kubernetes `Lease`, without I/O.
//!
//! The processes of a program elect a leader through a `Lease` that all of them read and write. [`LeaderElector`] decides
//! when to read and write it, when the work may run and when it must stop. The caller sends the requests, passes in the
//! time and runs the work:
//!
//! ```
//! use std::time::Duration;
//!
//! use k8s_lease_elector::{ElectorAnswer, ElectorEvent, LeaderElector, Monotonic, Now, Settings, State, Step};
//! # use k8s_lease_elector::ElectorVerb;
//!
//! let mut now = Now { monotonic: Monotonic::default(), wall: "2026-01-02T03:04:05Z".parse()? };
//! let mut elector = LeaderElector::new(Settings::new("default", "work", "pod-1"), now)?;
//! let term = loop {
//!     match elector.poll(now) {
//!         Step::Send(call) => {
//!             // Send `call.request.to_http()?`, then `call.request.decode(&response)`. This example has no server.
//! #           let answer = match &call.request.verb {
//! #               ElectorVerb::CreateLease(lease) => ElectorAnswer::Lease(lease.clone()),
//! #               _ => ElectorAnswer::NotFound,
//! #           };
//!             elector.handle(ElectorEvent::Answered(call.id, answer), now);
//!         }
//!         Step::Wait(until) => now.monotonic = until, // Or the next event.
//!         _ => unreachable!("`Step::Finished` comes after `ElectorEvent::ShutDown`"),
//!     }
//!     if let State::Leading(term) = elector.state(now.monotonic) {
//!         break term;
//!     }
//! };
//! // The work checks its term before each step that only a leader may take.
//! assert!(term.holds(now.monotonic));
//! assert!(!term.holds(now.monotonic.after(Duration::from_secs(15))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/explanations/leader-election.md` in the repository lists the guarantees, the assumptions, how to choose the settings, and the
//! differences from client-go. `examples/blocking.rs` is a driver for any function that sends an HTTP request.
//!
//! A program in a pod uses [`Settings::in_cluster`]. Give the elector its own client: if it shares a rate limit with other
//! work, its renewals come late.
//!
//! # Coordinated election
//!
//! With [`Settings::with_candidate`] the API server picks the leader. The elector keeps a `LeaseCandidate` in the newest
//! version that the server serves, answers pings, leads when it is elected, steps down for a preferred holder, and deletes
//! its candidate at the end. On a server without coordinated election it falls back to plain election, if allowed.

mod check_settings;
mod elector;
mod fencing_token;
mod health;
mod in_cluster;
mod now;
mod request;
mod settings;
mod state;
mod term;

pub use check_settings::{SettingsError, SettingsErrors};
pub use elector::{ElectorEvent, LeaderElector, Step};
pub use fencing_token::{FencingToken, FencingTokenError};
pub use health::Health;
pub use in_cluster::InClusterError;
pub use k8s_coordination;
pub use now::{Monotonic, Now};
pub use request::{Call, CallError, CallId, ElectorAnswer, ElectorRequest, ElectorVerb};
pub use settings::{CandidateSettings, Settings};
pub use state::{State, StopCause};
pub use term::Term;
