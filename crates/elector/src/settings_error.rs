//! The errors in settings.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use k8s_coordination::validation::FieldErrors;

/// The largest clock drift, 10 %. A clock that is further off is broken.
pub(crate) const MOST_DRIFT: u32 = 100_000;

/// The largest value of the field `leaseDurationSeconds`.
pub(crate) const MOST_SECONDS: u64 = i32::MAX as u64;

/// All errors in settings; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsErrors(pub(crate) Vec<SettingsError>);

impl Deref for SettingsErrors {
    type Target = [SettingsError];

    fn deref(&self) -> &[SettingsError] {
        &self.0
    }
}

impl fmt::Display for SettingsErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for SettingsErrors {}

/// An error in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsError {
    /// The identity is empty.
    NoIdentity,
    /// The lease duration is not a whole number of seconds that a Lease can hold.
    LeaseDuration(Duration),
    /// The drift is more than 10 %.
    ClockDrift(u32),
    /// The renew deadline leaves no time in which the work can stop.
    RenewDeadline {
        /// The renew deadline.
        deadline: Duration,
        /// The lease duration less the margin for drift.
        validity: Duration,
    },
    /// The retry period is zero, or too long for a second attempt before the renew deadline.
    RetryPeriod {
        /// The retry period.
        period: Duration,
        /// The renew deadline.
        deadline: Duration,
    },
    /// A server would refuse the Lease: the name, or the namespace.
    Lease(FieldErrors),
    /// A server would refuse the candidate: the identity as its name, a version, or the strategy.
    Candidate(FieldErrors),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIdentity => f.write_str("the identity is empty: give each process its own"),
            Self::LeaseDuration(duration) => write!(
                f,
                "the lease duration is {duration:?}: it must be a whole number of seconds from 1 to {MOST_SECONDS}"
            ),
            Self::ClockDrift(drift) => {
                write!(f, "the clock drift is {drift} millionths: at most {MOST_DRIFT} make sense")
            }
            Self::RenewDeadline { deadline, validity } => write!(
                f,
                "the renew deadline is {deadline:?}: it must be less than {validity:?}, \
                 the lease duration less the margin for drift"
            ),
            Self::RetryPeriod { period, deadline } => write!(
                f,
                "the retry period is {period:?}: it must be above 0, \
                 and 1.2 times it must be less than the renew deadline of {deadline:?}"
            ),
            Self::Lease(errors) => write!(f, "the Lease would be refused: {errors}"),
            Self::Candidate(errors) => write!(f, "the candidate would be refused: {errors}"),
        }
    }
}

impl std::error::Error for SettingsError {}
