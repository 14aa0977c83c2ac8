//! The clocks.

use std::time::Duration;

use k8s_coordination::meta::v1::MicroTime;
use k8s_lease_elector::{Monotonic, Now};
use tokio::time::Instant;

/// A monotonic clock that also counts the time for which the machine is suspended, where there is one.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    start: Instant,
    #[cfg(target_os = "linux")]
    boot: Duration,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self {
            start: Instant::now(),
            #[cfg(target_os = "linux")]
            boot: suspended_for(),
        }
    }

    pub(super) fn monotonic(&self) -> Monotonic {
        let passed = self.start.elapsed();
        #[cfg(target_os = "linux")]
        let passed = passed.saturating_add(suspended_for().saturating_sub(self.boot));
        Monotonic::since_start(passed)
    }

    pub(super) fn now(&self) -> Now {
        Now { monotonic: self.monotonic(), wall: MicroTime::now() }
    }
}

/// For how long the machine has been suspended since it was started: what one clock counts and the other does not.
#[cfg(target_os = "linux")]
fn suspended_for() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let read = |clock| {
        let time = clock_gettime(clock);
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
        Duration::new(seconds, nanoseconds)
    };
    // In this order, so that the difference is never too large.
    let boot = read(ClockId::Boottime);
    boot.saturating_sub(read(ClockId::Monotonic))
}
