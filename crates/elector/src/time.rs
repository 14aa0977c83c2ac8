//! Time as callers pass it in, and times as they are written.

use std::time::Duration;

use k8s_coordination::k8s_versioned::{MicroTime, Time};

/// A time on a clock that never goes back: how much has passed since some start.
///
/// The caller chooses the start, once. The clock must also count the time for which the machine is suspended:
/// on Linux that is `CLOCK_BOOTTIME`. [`std::time::Instant`] does not count it there, so a program on a machine
/// that can be suspended must not use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monotonic(Duration);

impl Monotonic {
    /// The time at which this much has passed since the start.
    pub const fn since_start(passed: Duration) -> Self {
        Self(passed)
    }

    /// How much has passed since the start.
    pub const fn passed(self) -> Duration {
        self.0
    }

    /// The time this much later.
    #[must_use]
    pub const fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }

    /// How much has passed since an earlier time; nothing if it is later.
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// What the clocks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The clock by which the elector judges.
    pub monotonic: Monotonic,
    /// The wall clock. Its times are written for people and for the server; nothing is judged by them.
    pub wall: MicroTime,
}

/// The server's wall clock, as far as it can be told from the last time that the server wrote.
///
/// In a coordinated election the server judges by its own clock, so the elector writes times of that clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ServerClock(Option<(MicroTime, Monotonic)>);

impl ServerClock {
    /// Takes note of a time that the server wrote after a request was sent. The answer may have waited for us.
    pub(crate) fn set(&mut self, written: Option<Time>, sent: Monotonic) {
        let written = written.map(|written| (MicroTime::from(written), sent));
        self.0 = written.or(self.0);
    }

    /// Takes note of a time that the server wrote some time ago.
    pub(crate) fn at_least(&mut self, written: MicroTime, now: Now) {
        if self.show(now) < written {
            self.0 = Some((written, now.monotonic));
        }
    }

    /// What the server's clock shows; what our own shows if the server never wrote a time.
    pub(crate) fn show(&self, now: Now) -> MicroTime {
        self.0.map_or(now.wall, |(written, at)| {
            written.saturating_add(now.monotonic.since(at))
        })
    }
}

/// The time to write for a sign of life: never the one that is there, so that others see a change.
pub(crate) fn unlike(time: MicroTime, there: Option<MicroTime>) -> MicroTime {
    if there == Some(time) {
        time.saturating_add(Duration::from_micros(1))
    } else {
        time
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Monotonic, Now, ServerClock, unlike};

    #[test]
    fn the_clock_of_the_server_goes_on_by_our_monotonic_one() {
        let now = |seconds, wall: &str| Now {
            monotonic: Monotonic::since_start(Duration::from_secs(seconds)),
            wall: wall.parse().unwrap(),
        };
        let mut clock = ServerClock::default();
        let start = now(100, "1999-01-01T00:00:00Z");
        assert_eq!(clock.show(start), start.wall);
        clock.set("2026-01-02T03:04:05Z".parse().ok(), start.monotonic);
        let later = now(107, "2040-01-01T00:00:00Z");
        assert_eq!(clock.show(later).to_string(), "2026-01-02T03:04:12.000000Z");
        for (written, shown) in [("11.9", "12.000000"), ("12.1", "12.100000")] {
            clock.at_least(
                format!("2026-01-02T03:04:{written}Z").parse().unwrap(),
                later,
            );
            assert_eq!(
                clock.show(later).to_string(),
                format!("2026-01-02T03:04:{shown}Z")
            );
        }
    }

    #[test]
    fn a_sign_of_life_is_a_change() {
        let time = "2026-01-02T03:04:05.999999Z".parse().unwrap();
        assert_eq!(unlike(time, None), time);
        let text = unlike(time, Some(time)).to_string();
        assert_eq!(text, "2026-01-02T03:04:06.000000Z");
    }
}
