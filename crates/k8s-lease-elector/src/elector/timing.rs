//! The times for a Lease of one duration.

use std::time::Duration;

use k8s_coordination::v1::Lease;

use super::record::duration;
use crate::Settings;
use crate::settings::MOST_DRIFT;

const MILLION: u32 = 1_000_000;

/// The times for a Lease of one duration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// The duration less the margin for drift ρ. Our clock, if it is slow, shows `validity` after `validity / (1 - ρ)`.
    /// Another clock, if it is fast, shows the duration after `duration / (1 + ρ)`. Both are the same time.
    pub(crate) validity: Duration,
    pub(crate) renew_deadline: Duration,
    pub(crate) retry_period: Duration,
    /// The longest wait for an answer.
    pub(crate) timeout: Duration,
}

impl Timing {
    /// The times for the term of this record.
    pub(crate) fn for_record(settings: &Settings, lease: &Lease) -> Self {
        Self::new(settings, duration(lease).unwrap_or(settings.lease_duration))
    }

    /// The times for a Lease of this duration. In a coordinated election the server chooses the duration: then the deadline
    /// is at most two thirds of it, and the period at most a fifth.
    pub(crate) fn new(settings: &Settings, duration: Duration) -> Self {
        let drift = settings.clock_drift.min(MOST_DRIFT);
        let (mut renew_deadline, mut retry_period) =
            (settings.renew_deadline, settings.retry_period);
        if duration != settings.lease_duration {
            renew_deadline = renew_deadline.min(duration * 2 / 3);
            retry_period = retry_period.min(duration / 5);
        }
        Self {
            validity: duration.saturating_mul(MILLION - drift) / (MILLION + drift),
            renew_deadline,
            retry_period,
            timeout: (renew_deadline / 2).max(Duration::from_secs(1)),
        }
    }
}
