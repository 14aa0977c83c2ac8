//! The health of an elector.

use std::fmt;
use std::time::Duration;

use crate::CallError;

/// The time after the end of a term in which a driver notices that the work has stopped.
const GRACE: Duration = Duration::from_secs(5);

/// The health of an elector, for a health check.
///
/// | question | answer |
/// |---|---|
/// | should the process be started again (`livenessProbe`)? | unless [`is_alive`](Self::is_alive) |
/// | should someone look (an alert, a status page)? | unless [`is_good`](Self::is_good) |
///
/// A new start does not help against an API server that refuses requests, so the first answer does not depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// Whether it leads.
    pub leads: bool,
    /// The time since the last successful renewal was sent, if it holds the Lease.
    pub not_renewed_for: Option<Duration>,
    /// The number of requests that have failed since the last success.
    pub failures: u32,
    /// The error of the last of them, with a hint.
    pub last_error: Option<CallError>,
    /// The longest time between two renewals of a healthy elector: two retry periods.
    pub(crate) late: Duration,
    /// The time after a renewal at which a term is over.
    pub(crate) over: Duration,
}

impl Health {
    /// Returns `true` unless the elector holds a Lease whose term is over: then its driver hangs, or the work does not stop.
    pub fn is_alive(&self) -> bool {
        self.not_renewed_for.is_none_or(|passed| passed <= self.over + GRACE)
    }

    /// Returns `true` if requests succeed, and renewals come in time.
    pub fn is_good(&self) -> bool {
        self.failures == 0 && self.not_renewed_for.is_none_or(|passed| passed <= self.late)
    }
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.leads { "leads" } else { "follows" })?;
        if let Some(passed) = self.not_renewed_for.filter(|passed| *passed > self.late) {
            write!(f, ", but has not renewed for {:.1} s", passed.as_secs_f64())?;
        }
        match &self.last_error {
            Some(error) => {
                write!(f, "; failed requests in a row: {}, the last: {error}", self.failures)?;
                error.hint.as_ref().map_or(Ok(()), |hint| write!(f, " (hint: {hint})"))
            }
            None => Ok(()),
        }
    }
}
