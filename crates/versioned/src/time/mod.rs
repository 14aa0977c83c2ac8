//! Points in time as Kubernetes writes them.

mod civil;
mod instant;
mod rfc3339;
mod text;
#[macro_use]
mod time_type;
mod micro;
mod seconds;

pub use micro::MicroTime;
pub use seconds::Time;

use crate::ParseError;
use instant::Instant;
use text::Text;

/// The difference between the two types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Micro,
    Seconds,
}

impl Precision {
    const fn name(self) -> &'static str {
        match self {
            Self::Micro => "MicroTime",
            Self::Seconds => "Time",
        }
    }

    /// By this name the type asks a deserializer for its text, so that one that reads as servers do can tell it.
    const fn token(self) -> &'static str {
        match self {
            Self::Micro => "k8s_versioned::MicroTime",
            Self::Seconds => "k8s_versioned::Time",
        }
    }

    const fn example(self) -> &'static str {
        match self {
            Self::Micro => "2026-01-02T03:04:05.123456Z",
            Self::Seconds => "2026-01-02T03:04:05Z",
        }
    }

    /// Completes "… is not".
    const fn range(self) -> &'static str {
        match self {
            Self::Micro => "in the range of `MicroTime`",
            Self::Seconds => "in the range of `Time`",
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
    fn text(self, time: Instant) -> Text {
        Text::of(time, self)
    }
}

/// Checks a text that a type is about to read which names itself so, if it is one of the times.
pub(crate) fn check_as_server(token: &str, text: &str) -> Result<(), ParseError> {
    let both = [Precision::Micro, Precision::Seconds];
    match both.into_iter().find(|precision| precision.token() == token) {
        Some(precision) => rfc3339::parse_as_server(text, precision).map(drop),
        None => Ok(()),
    }
}
