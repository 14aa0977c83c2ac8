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
    /// It leads until the term ends: run the work.
    Leading(Term),
    /// The work has to stop: stop it, then send [`WorkStopped`](crate::Event::WorkStopped). While the term still holds, the
    /// work can finish a step.
    Stopping(Term, Cause),
    /// The work has stopped, and the elector gives the Lease back.
    Releasing,
    /// The elector is done: the process may end.
    Released,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Following { leader: Some(leader) } => write!(f, "follows {}", Quoted(leader)),
            Self::Following { leader: None } => f.write_str("follows no leader"),
            Self::Leading(term) => write!(f, "leads, term {}", term.token()),
            Self::Stopping(_, cause) => write!(f, "stops: {cause}"),
            Self::Releasing => f.write_str("gives the Lease back"),
            Self::Released => f.write_str("done"),
        }
    }
}

/// The reason why the work has to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The program shuts down.
    ShutDown,
    /// The program steps down, and contends again later.
    StepDown,
    /// The server prefers this candidate.
    Preferred(String),
    /// No renewal succeeded before the renew deadline.
    RenewDeadline,
    /// Another client wrote the Lease: it has this holder now, or none.
    Taken(Option<String>),
    /// The Lease was deleted.
    Deleted,
}

impl Cause {
    /// Returns `true` if the elector still holds the Lease and keeps it until the work has stopped.
    pub(crate) fn is_voluntary(&self) -> bool {
        matches!(self, Self::ShutDown | Self::StepDown | Self::Preferred(_))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShutDown => f.write_str("the program shuts down"),
            Self::StepDown => f.write_str("the program steps down"),
            Self::Preferred(name) => write!(f, "the server prefers {}", Quoted(name)),
            Self::RenewDeadline => f.write_str("no renewal succeeded in time"),
            Self::Taken(Some(holder)) => write!(f, "{} holds the Lease now", Quoted(holder)),
            Self::Taken(None) => f.write_str("another client removed the holder of the Lease"),
            Self::Deleted => f.write_str("the Lease was deleted"),
        }
    }
}
