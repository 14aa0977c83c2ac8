//! The state of an elector.

use std::fmt;

use k8s_coordination::Quoted;

use crate::Term;

/// The state of an elector. States with the same term are equal while it is renewed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It does not lead.
    Following {
        /// The holder of the Lease, as far as the elector knows.
        leader: Option<String>,
        /// Whether the holder has the name of this process: its former term may not be over yet, its new one has not begun, or
        /// [another process](crate::Health::identity_is_shared) has this name.
        own: bool,
    },
    /// It leads until the term ends: run the work.
    Leading(Term),
    /// The work has to stop: stop it, then send [`WorkStopped`](crate::ElectorEvent::WorkStopped). While the term still holds, the
    /// work can finish a step.
    Stopping(Term, StopCause),
    /// The work has stopped, and the elector releases the Lease, which is its own.
    Releasing,
    /// The elector is done: the process may end.
    Released,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Following { leader: Some(leader), own: true } => {
                let own = Quoted(leader);
                write!(f, "waits until it may lead: the Lease was last seen in its own name, {own}")
            }
            Self::Following { leader: Some(leader), .. } => write!(f, "follows {}", Quoted(leader)),
            Self::Following { leader: None, .. } => f.write_str("follows no leader"),
            Self::Leading(term) => write!(f, "leads, term {}", term.token()),
            Self::Stopping(_, cause) => write!(f, "stops: {cause}"),
            Self::Releasing => f.write_str("releases the Lease"),
            Self::Released => f.write_str("done"),
        }
    }
}

/// The reason why the work must stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopCause {
    /// The process shuts down.
    ShutDown,
    /// The work ended by itself.
    WorkEnded,
    /// The work panicked.
    WorkPanicked,
    /// The process steps down, and contends again later.
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

impl StopCause {
    /// Returns `true` if the elector still holds the Lease and keeps it until the work has stopped.
    pub(crate) fn is_voluntary(&self) -> bool {
        !matches!(self, Self::RenewDeadline | Self::Taken(_) | Self::Deleted)
    }

    /// Returns `true` if the term ends as planned, `false` if the Lease was lost or the work panicked.
    pub fn is_planned(&self) -> bool {
        self.is_voluntary() && *self != Self::WorkPanicked
    }
}

impl fmt::Display for StopCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShutDown => f.write_str("this process shuts down"),
            Self::WorkEnded => f.write_str("the work ended"),
            Self::WorkPanicked => f.write_str("the work panicked"),
            Self::StepDown => f.write_str("this process steps down"),
            Self::Preferred(name) => write!(f, "the server prefers {}", Quoted(name)),
            Self::RenewDeadline => f.write_str("no renewal succeeded in time"),
            Self::Taken(Some(holder)) => write!(f, "{} holds the Lease now", Quoted(holder)),
            Self::Taken(None) => f.write_str("another client removed the holder of the Lease"),
            Self::Deleted => f.write_str("the Lease was deleted"),
        }
    }
}
