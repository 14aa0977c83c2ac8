//! The errors in settings.

use std::ops::Deref;
use std::time::Duration;

use k8s_coordination::validation::FieldErrors;
use thiserror::Error;

/// The largest clock drift, 10 %. A clock with a larger drift is broken.
pub(crate) const MOST_DRIFT: u32 = 100_000;

/// The largest value of the field `leaseDurationSeconds`.
pub(crate) const MOST_SECONDS: u64 = i32::MAX as u64;

/// All errors in settings; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", lines(.0))]
pub struct SettingsErrors(pub(crate) Vec<SettingsError>);

impl Deref for SettingsErrors {
    type Target = [SettingsError];

    fn deref(&self) -> &[SettingsError] {
        &self.0
    }
}

/// One line for each error.
fn lines(errors: &[SettingsError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// An error in settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The identity is empty.
    #[error("the identity is empty: give each process its own")]
    NoIdentity,
    /// The lease duration is not a whole number of seconds that a Lease can hold.
    #[error(
        "the lease duration is {0:?}: it must be a whole number of seconds from 1 to {MOST_SECONDS}"
    )]
    LeaseDuration(Duration),
    /// The drift is more than 10 %.
    #[error("the clock drift is {0} millionths: at most {MOST_DRIFT} make sense")]
    ClockDrift(u32),
    /// The renew deadline leaves no time in which the work can stop.
    #[error(
        "the renew deadline is {deadline:?}: it must be less than {validity:?}, \
         the lease duration less the margin for drift"
    )]
    RenewDeadline {
        /// The renew deadline.
        deadline: Duration,
        /// The lease duration less the margin for drift.
        validity: Duration,
    },
    /// The retry period is zero, or too long for a second attempt before the renew deadline.
    #[error(
        "the retry period is {period:?}: it must be above 0, \
         and 1.2 times it must be less than the renew deadline of {deadline:?}"
    )]
    RetryPeriod {
        /// The retry period.
        period: Duration,
        /// The renew deadline.
        deadline: Duration,
    },
    /// A server would refuse the Lease because of its name or its namespace.
    #[error("the Lease would be refused: {0}")]
    Lease(FieldErrors),
    /// A server would refuse the candidate because of its name (the identity), a version or the strategy.
    #[error("the candidate would be refused: {0}")]
    Candidate(FieldErrors),
}
