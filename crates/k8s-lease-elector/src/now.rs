//! The times that the caller passes in.

use std::time::Duration;

use k8s_coordination::meta::v1::MicroTime;

/// A time on a clock that never goes back: the time since a start.
///
/// The caller chooses the start, once. The clock must also count the time for which the machine is suspended:
/// on Linux that is `CLOCK_BOOTTIME`. [`std::time::Instant`] does not count it there, so a program on a machine
/// that can be suspended must not use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monotonic(Duration);

impl Monotonic {
    /// The time that is this much after the start.
    pub const fn since_start(passed: Duration) -> Self {
        Self(passed)
    }

    /// The time since the start.
    pub const fn passed(self) -> Duration {
        self.0
    }

    /// The time that is this much later.
    #[must_use]
    pub const fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }

    /// The time since an earlier time; zero if that time is later.
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// The times on the clocks of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The clock by which the elector decides.
    pub monotonic: Monotonic,
    /// The wall clock. The elector only writes it into the Lease, for people and for the server, and decides nothing
    /// by it.
    pub wall: MicroTime,
}
