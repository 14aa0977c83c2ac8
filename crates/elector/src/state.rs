//! The state of an elector.

use std::fmt;

use k8s_coordination::Quoted;

use crate::Term;

/// The state of an elector.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum State {
    /// It does not lead.
    Following {
        /// The holder of the Lease, as far as the elector knows. It can be this process, before its term begins.
        leader: Option<String>,
    },
    /// It leads, until the term ends: run the work.
    Leading(Term),
    /// Stop the work, then say [`WorkStopped`](crate::Event::WorkStopped). The term may hold for some time yet, in which
    /// the work can end in order.
    Stopping(Term, Cause),
    /// The work has stopped, and the Lease is being given back.
    Releasing,
    /// All is done: the process may end.
    Released,
}

/// The reason for which the work has to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The program asked for it.
    ShutDown,
    /// The server prefers this candidate.
    Preferred(String),
    /// No renewal succeeded before the renew deadline.
    RenewDeadline,
    /// Somebody else wrote the Lease: this holder, or nobody.
    Taken(Option<String>),
    /// Somebody deleted the Lease.
    Deleted,
}

impl Cause {
    /// True if the Lease is still ours, and is kept until the work has stopped.
    pub(crate) fn is_voluntary(&self) -> bool {
        matches!(self, Self::ShutDown | Self::Preferred(_))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShutDown => f.write_str("the program shuts down"),
            Self::Preferred(name) => write!(f, "the server prefers {}", Quoted(name)),
            Self::RenewDeadline => f.write_str("no renewal succeeded in time"),
            Self::Taken(Some(holder)) => write!(f, "{} holds the Lease now", Quoted(holder)),
            Self::Taken(None) => f.write_str("somebody emptied the Lease"),
            Self::Deleted => f.write_str("somebody deleted the Lease"),
        }
    }
}
