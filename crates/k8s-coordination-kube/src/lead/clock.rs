//! The clocks of a driver.

#[cfg(target_os = "linux")]
use std::time::Duration;

use k8s_coordination::meta::v1::MicroTime;
use k8s_lease_elector::{Monotonic, Now};
use tokio::time::Instant;

/// A monotonic clock. On Linux it also counts the time for which the machine is suspended.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    #[cfg(target_os = "linux")]
    start_since_boot: Duration,
    start: Instant,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self {
            // Before `start`, so that a suspension between the two counts.
            #[cfg(target_os = "linux")]
            start_since_boot: since_boot(),
            start: Instant::now(),
        }
    }

    pub(super) fn monotonic(&self) -> Monotonic {
        let passed = self.start.elapsed();
        // `start` is ahead only in tests, in which `tokio` advances the time.
        #[cfg(target_os = "linux")]
        let passed = passed.max(since_boot().saturating_sub(self.start_since_boot));
        Monotonic::since_start(passed)
    }

    pub(super) fn now(&self) -> Now {
        Now { monotonic: self.monotonic(), wall: MicroTime::now() }
    }
}

/// The time since the machine was started, with the time for which it was suspended.
#[cfg(target_os = "linux")]
fn since_boot() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}
