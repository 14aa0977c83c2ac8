//! Points in time as Kubernetes writes them.

mod civil;
mod error;
mod instant;
mod micro;
mod rfc3339;
mod seconds;

pub use error::TimeError;
pub use micro::MicroTime;
pub use seconds::Time;

use instant::Instant;

/// What the two types differ in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Micro,
    Seconds,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Micro => "MicroTime",
            Self::Seconds => "Time",
        }
    }

    const fn example(self) -> &'static str {
        match self {
            Self::Micro => "2026-01-02T03:04:05.123456Z",
            Self::Seconds => "2026-01-02T03:04:05Z",
        }
    }

    /// The unit in nanoseconds.
    const fn unit(self) -> u32 {
        match self {
            Self::Micro => 1_000,
            Self::Seconds => 1_000_000_000,
        }
    }

    /// The text that servers write for an instant.
    fn text(self, time: Instant) -> String {
        match self {
            Self::Micro => format!("{time}.{:06}Z", time.nanosecond() / 1_000),
            Self::Seconds => format!("{time}Z"),
        }
    }
}
