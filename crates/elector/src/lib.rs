//! Leading by a Kubernetes `Lease`: an elector without I/O.
//!
//! Programs that run several times elect one of themselves as the leader by a `Lease`, which all of them read and write.
//! [`LeaderElector`] decides when to read, when to write and when to stop. It is a state machine: the caller sends the
//! requests, passes the time in and runs the work.

mod candidate;
mod elector;
mod lane;
mod random;
mod record;
mod request;
mod settings;
mod state;
mod term;
mod time;

pub use elector::{Event, LeaderElector, Step};
pub use request::{Answer, Call, CallId, Failure, Request, Verb};
pub use settings::{CandidateSettings, Settings, SettingsError, SettingsErrors};
pub use state::{Cause, Health, State};
pub use term::{FencingToken, Term};
pub use time::{Monotonic, Now};

pub use k8s_coordination;
