//! Points in time as Kubernetes writes them.

mod civil;
mod rfc3339;
mod text;
#[macro_use]
mod time_type;
mod micro;
mod seconds;

pub use micro::MicroTime;
pub use seconds::Time;

use crate::ParseError;
use text::Text;

/// The microseconds of a second.
const MICROS: i64 = 1_000_000;

/// The zero value of Go's time type, the first instant of year 1.
const GO_ZERO: i64 = -62_135_596_800 * MICROS;

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

    /// The name that the type gives a deserializer, so that one that reads as servers do can recognize it.
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

    /// The unit in microseconds.
    const fn unit(self) -> i64 {
        match self {
            Self::Micro => 1,
            Self::Seconds => MICROS,
        }
    }

    /// The text that servers write for a number of microseconds since 1970.
    fn text(self, time: i64) -> Text {
        Text::of(time, self)
    }
}

/// Checks the text for a type with this name, if the type is one of the times.
pub(crate) fn check_as_server(token: &str, text: &str) -> Result<(), ParseError> {
    let both = [Precision::Micro, Precision::Seconds];
    match both.into_iter().find(|precision| precision.token() == token) {
        Some(precision) => rfc3339::parse_as_server(text, precision).map(drop),
        None => Ok(()),
    }
}
