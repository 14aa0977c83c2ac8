//! The server's wall clock, known from the times that the server writes.

use k8s_coordination::meta::v1::{MicroTime, Time};

use crate::{Monotonic, Now};

/// The server's wall clock. In a coordinated election the server decides by it, so the elector writes its times.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerClock(Option<(MicroTime, Monotonic)>);

impl ServerClock {
    /// The clock by a time that the server wrote after this process sent a request. The answer may have come much later.
    pub(super) fn new(written: Option<Time>, sent: Monotonic) -> Self {
        Self(written.map(|written| (MicroTime::from(written), sent)))
    }

    /// Sets the clock forward to a time that the server wrote, if the clock is behind it.
    pub(super) fn at_least(&mut self, written: MicroTime, now: Now) {
        if self.show(now) < written {
            self.0 = Some((written, now.monotonic));
        }
    }

    /// The time on the server's clock; the time on our own wall clock if the server never wrote one.
    pub(super) fn show(&self, now: Now) -> MicroTime {
        self.0.map_or(now.wall, |(written, at)| written.saturating_add(now.monotonic.since(at)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::ServerClock;
    use crate::{Monotonic, Now};

    #[test]
    fn the_servers_clock_advances_by_our_monotonic_one() {
        let now = |seconds, wall: &str| Now {
            monotonic: Monotonic::since_start(Duration::from_secs(seconds)),
            wall: wall.parse().unwrap(),
        };
        let start = now(100, "1999-01-01T00:00:00Z");
        let unknown = ServerClock::new(None, start.monotonic);
        assert_eq!(unknown.show(start), start.wall);
        let mut clock = ServerClock::new("2026-01-02T03:04:05Z".parse().ok(), start.monotonic);
        let later = now(107, "2040-01-01T00:00:00Z");
        assert_eq!(clock.show(later).to_string(), "2026-01-02T03:04:12.000000Z");
        for (written, shown) in [("11.9", "12.000000"), ("12.1", "12.100000")] {
            let time = |seconds| format!("2026-01-02T03:04:{seconds}Z");
            clock.at_least(time(written).parse().unwrap(), later);
            assert_eq!(clock.show(later).to_string(), time(shown));
        }
    }
}
