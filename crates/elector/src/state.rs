//! What an elector says of itself.

use std::fmt;
use std::time::Duration;

use crate::Term;

/// Where an elector stands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum State {
    /// It does not lead.
    Following {
        /// Who holds the Lease, as far as it knows.
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

/// Why the work has to stop.
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
    /// Whether the Lease is still ours, and is kept until the work has stopped.
    pub(crate) fn is_voluntary(&self) -> bool {
        matches!(self, Self::ShutDown | Self::Preferred(_))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShutDown => f.write_str("the program shuts down"),
            Self::Preferred(name) => write!(f, "the server prefers `{name}`"),
            Self::RenewDeadline => f.write_str("no renewal succeeded in time"),
            Self::Taken(Some(holder)) => write!(f, "`{holder}` holds the Lease now"),
            Self::Taken(None) => f.write_str("somebody emptied the Lease"),
            Self::Deleted => f.write_str("somebody deleted the Lease"),
        }
    }
}

/// How an elector is, for a health check.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// Whether it leads.
    pub leads: bool,
    /// How long ago the last successful renewal was sent, if it holds the Lease.
    pub not_renewed_for: Option<Duration>,
    /// How many requests have failed since the last one that succeeded.
    pub failures: u32,
    /// Why the last of them failed.
    pub last_failure: Option<String>,
    /// After what time without a renewal something is wrong: two retry periods.
    pub(crate) late: Duration,
}

impl Health {
    /// Whether requests succeed, and renewals come in time.
    pub fn is_good(&self) -> bool {
        self.failures == 0
            && self
                .not_renewed_for
                .is_none_or(|passed| passed <= self.late)
    }
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.leads { "leads" } else { "follows" })?;
        if let Some(passed) = self.not_renewed_for.filter(|passed| *passed > self.late) {
            write!(f, ", but has not renewed for {:.1} s", passed.as_secs_f64())?;
        }
        match &self.last_failure {
            Some(failure) => write!(f, "; {} requests failed in a row: {failure}", self.failures),
            None => Ok(()),
        }
    }
}
