//! What an elector is told, checked as a whole.

use std::fmt;
use std::time::Duration;

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_coordination::k8s_versioned::MicroTime;
use k8s_coordination::validation::{FieldErrors, Prepare, Validate};

use crate::record;

/// What an elector is told. [`LeaderElector::new`](crate::LeaderElector::new) checks it.
///
/// The times must be in this order, with room between them:
/// lease duration > renew deadline > 1.2 × retry period.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The namespace of the Lease.
    pub namespace: String,
    /// The name of the Lease.
    pub lease_name: String,
    /// What to write as `holderIdentity`: it must differ from that of every other process. In a coordinated election it
    /// is also the name of the candidate.
    pub identity: String,
    /// For how long the others leave the Lease alone after a renewal: whole seconds. Default: 15 s.
    pub lease_duration: Duration,
    /// After what time without a successful renewal the work is stopped. Default: 10 s.
    pub renew_deadline: Duration,
    /// The time between two attempts. Default: 2 s.
    pub retry_period: Duration,
    /// By how much a clock may run fast or slow, in millionths. Default: 10,000, which is 1 %.
    ///
    /// A term ends that much before the Lease runs out for the others: 297 ms of 15 s.
    pub clock_drift: u32,
    /// Whether to wait for one lease duration before leading by a Lease that was not there at the first look.
    ///
    /// Without this, a process that starts just after somebody deleted the Lease can lead beside the holder that has not
    /// noticed yet. With it, the very first start takes one duration longer. Default: `false`.
    pub wait_for_absent: bool,
    /// How to stand in a coordinated election; `None` for plain election. Default: `None`.
    pub candidate: Option<CandidateSettings>,
    /// Where the random waits between attempts begin. Give each process another number.
    pub seed: u64,
}

/// How to stand in a coordinated election, in which the API server picks the leader.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CandidateSettings {
    /// The version of the program, such as `1.36.0`.
    pub binary_version: String,
    /// The version that the program behaves as. The lowest is elected.
    pub emulation_version: String,
    /// How the leader is to be picked. With a strategy other than `OldestEmulationVersion` the server picks nobody:
    /// somebody has to write the holder. Default: `OldestEmulationVersion`.
    pub strategy: CoordinatedLeaseStrategy,
    /// Whether to go over to plain election if the server has no coordinated one. Default: `true`.
    ///
    /// All processes that contend for the Lease should agree in this.
    pub fall_back: bool,
}

impl Settings {
    /// Settings for plain election with the usual times.
    pub fn new(
        namespace: impl Into<String>,
        lease_name: impl Into<String>,
        identity: impl Into<String>,
    ) -> Self {
        Self {
            namespace: namespace.into(),
            lease_name: lease_name.into(),
            identity: identity.into(),
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
            clock_drift: 10_000,
            wait_for_absent: false,
            candidate: None,
            seed: 0,
        }
    }

    /// The same settings for coordinated election.
    #[must_use]
    pub fn with_candidate(mut self, candidate: CandidateSettings) -> Self {
        self.candidate = Some(candidate);
        self
    }

    /// Everything that is wrong.
    pub(crate) fn check(&self, now: MicroTime) -> Result<(), SettingsErrors> {
        let mut errors = Vec::new();
        if self.identity.is_empty() {
            errors.push(SettingsError::NoIdentity);
        }
        self.check_times(&mut errors);
        let lease = record::created(self, now, 0);
        let lease = lease.to_created_in(&self.namespace).validate();
        errors.extend(lease.err().map(SettingsError::Lease));
        if let Some(candidate) = &self.candidate {
            let candidate = record::candidate((self, candidate), NEWEST, None, now);
            let candidate = candidate.to_created_in(&self.namespace).validate();
            errors.extend(candidate.err().map(SettingsError::Candidate));
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(SettingsErrors(errors))
        }
    }

    fn check_times(&self, errors: &mut Vec<SettingsError>) {
        let seconds = self.lease_duration.as_secs();
        if self.lease_duration.subsec_nanos() != 0 || !(1..=MOST_SECONDS).contains(&seconds) {
            errors.push(SettingsError::LeaseDuration(self.lease_duration));
        }
        if self.clock_drift > MOST_DRIFT {
            errors.push(SettingsError::ClockDrift(self.clock_drift));
        }
        let validity = self.timing(self.lease_duration).validity;
        if self.renew_deadline >= validity {
            let deadline = self.renew_deadline;
            errors.push(SettingsError::RenewDeadline { deadline, validity });
        }
        let least = self.retry_period.saturating_mul(6) / 5;
        if self.retry_period.is_zero() || self.renew_deadline <= least {
            let (period, deadline) = (self.retry_period, self.renew_deadline);
            errors.push(SettingsError::RetryPeriod { period, deadline });
        }
    }

    /// The times for a Lease of this duration. A server that elects gives another one than the settings.
    pub(crate) fn timing(&self, duration: Duration) -> Timing {
        let drift = self.clock_drift.min(MOST_DRIFT);
        let validity = duration.saturating_mul(MILLION - drift) / (MILLION + drift);
        let own = duration == self.lease_duration;
        let renew_deadline = if own {
            self.renew_deadline
        } else {
            self.renew_deadline.min(duration * 2 / 3)
        };
        let retry_period = if own {
            self.retry_period
        } else {
            self.retry_period.min(duration / 5)
        };
        Timing {
            validity,
            renew_deadline,
            retry_period,
            timeout: (renew_deadline / 2).max(Duration::from_secs(1)),
        }
    }
}

const NEWEST: LeaseCandidateVersion = LeaseCandidateVersion::V1beta1;
const MILLION: u32 = 1_000_000;
/// 10 %. A clock that is further off is broken.
const MOST_DRIFT: u32 = 100_000;
/// What the field `leaseDurationSeconds` can hold.
const MOST_SECONDS: u64 = i32::MAX as u64;

impl CandidateSettings {
    /// A candidate that asks for `OldestEmulationVersion`, with both versions the same.
    pub fn new(version: impl Into<String>) -> Self {
        let version = version.into();
        Self {
            binary_version: version.clone(),
            emulation_version: version,
            strategy: CoordinatedLeaseStrategy::OldestEmulationVersion,
            fall_back: true,
        }
    }

    /// Sets the version that the program behaves as.
    #[must_use]
    pub fn with_emulation_version(mut self, version: impl Into<String>) -> Self {
        self.emulation_version = version.into();
        self
    }
}

/// The times for a Lease of one duration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// The duration less the margin for drift. With a drift of ρ, a slow clock of ours shows `validity` after
    /// `validity / (1 - ρ)`, and a fast clock of another shows the duration after `duration / (1 + ρ)`: the same.
    pub(crate) validity: Duration,
    pub(crate) renew_deadline: Duration,
    pub(crate) retry_period: Duration,
    /// How long to wait for an answer.
    pub(crate) timeout: Duration,
}

/// Everything that is wrong with settings; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsErrors(Vec<SettingsError>);

impl SettingsErrors {
    /// The errors.
    pub fn iter(&self) -> std::slice::Iter<'_, SettingsError> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a SettingsErrors {
    type Item = &'a SettingsError;
    type IntoIter = std::slice::Iter<'a, SettingsError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for SettingsErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsErrors {}

/// What is wrong with a setting.
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
            Self::ClockDrift(drift) => write!(
                f,
                "the clock drift is {drift} millionths: at most {MOST_DRIFT} make sense"
            ),
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
