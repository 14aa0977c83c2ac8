//! The check of the settings of an elector, and its errors.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::validation::{FieldErrors, Prepare, Validate};
use thiserror::Error;

use crate::elector::record;
use crate::elector::timing::Timing;
use crate::settings::{MOST_DRIFT, Settings};

/// The largest value of the field `leaseDurationSeconds`.
const MOST_SECONDS: u64 = i32::MAX as u64;

impl Settings {
    /// Checks all settings.
    pub(crate) fn check(&self, now: MicroTime) -> Result<(), SettingsErrors> {
        let mut errors = Vec::new();
        if self.identity.is_empty() {
            errors.push(SettingsError::NoIdentity);
        }
        self.check_times(&mut errors);
        let lease = record::created(self, now, 0).to_created_in(&self.namespace);
        errors.extend(lease.validate().err().map(SettingsError::Lease));
        if let Some(candidate) = &self.candidate {
            let candidate = candidate.object(self).to_created_in(&self.namespace);
            errors.extend(candidate.validate().err().map(SettingsError::Candidate));
        }
        if errors.is_empty() { Ok(()) } else { Err(SettingsErrors(errors)) }
    }

    fn check_times(&self, errors: &mut Vec<SettingsError>) {
        let seconds = self.lease_duration.as_secs();
        if self.lease_duration.subsec_nanos() != 0 || !(1..=MOST_SECONDS).contains(&seconds) {
            errors.push(SettingsError::LeaseDuration(self.lease_duration));
        }
        if self.clock_drift > MOST_DRIFT {
            errors.push(SettingsError::ClockDrift(self.clock_drift));
        }
        let (deadline, period) = (self.renew_deadline, self.retry_period);
        let validity = Timing::new(self, self.lease_duration).validity;
        if deadline >= validity {
            errors.push(SettingsError::RenewDeadline { deadline, validity });
        }
        if period.is_zero() || deadline <= period.saturating_mul(6) / 5 {
            errors.push(SettingsError::RetryPeriod { period, deadline });
        }
    }
}

/// All errors in settings; never empty.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{}", lines(.0))]
pub struct SettingsErrors(pub(crate) Vec<SettingsError>);

/// A `main` that returns the error prints it by `Debug`: people read the message.
impl fmt::Debug for SettingsErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

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
    #[error("the clock drift is {0} millionths: it must be at most {MOST_DRIFT}")]
    ClockDrift(u32),
    /// The renew deadline leaves no time in which the work can stop.
    #[error(
        "the renew deadline is {deadline:?}: it must be less than {validity:?}, \
         the lease duration less the margin for drift"
    )]
    RenewDeadline {
        /// The renew deadline of the settings.
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
        /// The retry period of the settings.
        period: Duration,
        /// The renew deadline of the settings.
        deadline: Duration,
    },
    /// A server would refuse the Lease because of its name or its namespace.
    #[error("the Lease would be refused: {0}")]
    Lease(FieldErrors),
    /// A server would refuse the candidate because of its name (the identity), a version or the strategy.
    #[error("the candidate would be refused: {0}")]
    Candidate(FieldErrors),
}
