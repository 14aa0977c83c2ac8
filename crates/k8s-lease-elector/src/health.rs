//! The health of an elector.

use std::fmt;
use std::time::Duration;

use crate::CallError;

/// The health of an elector, for a health check.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// True if it leads.
    pub leads: bool,
    /// The time since the last successful renewal was sent, if it holds the Lease.
    pub not_renewed_for: Option<Duration>,
    /// The number of requests that have failed since the last success.
    pub failures: u32,
    /// The error of the last of them.
    pub last_error: Option<CallError>,
    /// The longest time between two renewals of a healthy elector: two retry periods.
    pub(crate) late: Duration,
}

impl Health {
    /// True if requests succeed, and renewals come in time.
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
                write!(f, "; failed requests in a row: {}, the last: {error}", self.failures)
            }
            None => Ok(()),
        }
    }
}
