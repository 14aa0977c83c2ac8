//! The health of an elector.

use std::fmt;
use std::time::Duration;

use crate::{CallError, StopCause};

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
    /// The reason why the work must stop, until it has stopped. The Lease is held until then, unless it was lost.
    pub stops: Option<StopCause>,
    /// The time since the last successful renewal was sent, if it holds the Lease.
    pub not_renewed_for: Option<Duration>,
    /// The number of requests that have failed since the last success.
    pub failures: u32,
    /// The error of the last of them, with a hint.
    pub last_error: Option<CallError>,
    /// Whether the election is plain although the settings ask for coordinated election: the server has none, and
    /// [`fall_back`](crate::CandidateSettings::fall_back) is `true`.
    pub fell_back: bool,
    /// Whether another process has the same identity and renews the Lease under it. Known only in plain election.
    pub identity_is_shared: bool,
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

    /// Returns `true` if requests succeed, renewals come in time, and no other process has this identity.
    pub fn is_good(&self) -> bool {
        let alone = self.failures == 0 && !self.identity_is_shared;
        alone && self.not_renewed_for.is_none_or(|passed| passed <= self.late)
    }
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stops {
            Some(cause) => {
                let holds = if cause.is_voluntary() { "holds the Lease, and " } else { "" };
                write!(f, "{holds}stops: {cause}")?;
            }
            None => f.write_str(if self.leads { "leads" } else { "follows" })?,
        }
        if self.fell_back {
            f.write_str(" in a plain election, as the server has no coordinated one")?;
        }
        if self.identity_is_shared {
            f.write_str(", and another process has its identity")?;
        }
        if let Some(passed) = self.not_renewed_for.filter(|passed| *passed > self.late) {
            let but = if self.stops.is_some() { "and" } else { "but" };
            write!(f, ", {but} has not renewed for {:.1} s", passed.as_secs_f64())?;
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
