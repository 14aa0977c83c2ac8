//! Times with microseconds.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::fmt::StdFmtWrite;
use jiff::fmt::temporal::DateTimePrinter;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{TimeError, rfc3339};
use crate::text;
use crate::wire::ZeroValue;

const EXAMPLE: &str = "2026-01-02T03:04:05.123456Z";
const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(6));

/// A point in time with microseconds, as leases use it.
///
/// It is written in UTC and always with six fractional digits, because API servers reject any
/// other number of digits in a field of this type. It reads every RFC 3339 time, and cuts what is
/// finer than a microsecond. A leap second reads as the second before it.
///
/// It holds the years 0000 to 9999, up to [`Timestamp::MAX`] two days before the end.
///
/// ```
/// use k8s_versioned::MicroTime;
///
/// let time: MicroTime = "2026-01-02T04:04:05+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-01-02T03:04:05.000000Z");
/// # Ok::<(), k8s_versioned::TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroTime(Timestamp);

impl MicroTime {
    /// The current time.
    pub fn now() -> Self {
        Self::cut(rfc3339::now())
    }

    /// The time as a timestamp of `jiff`.
    pub const fn timestamp(self) -> Timestamp {
        self.0
    }

    fn cut(time: Timestamp) -> Self {
        Self(rfc3339::cut(time, 1_000))
    }
}

impl fmt::Display for MicroTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PRINTER
            .print_timestamp(&self.0, StdFmtWrite(f))
            .map_err(|_| fmt::Error)
    }
}

impl FromStr for MicroTime {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        rfc3339::parse(text, EXAMPLE).map(Self::cut)
    }
}

impl TryFrom<Timestamp> for MicroTime {
    type Error = TimeError;

    /// Cuts what is finer than a microsecond. Fails before year 0.
    fn try_from(time: Timestamp) -> Result<Self, TimeError> {
        rfc3339::in_range(time).map(Self::cut)
    }
}

impl From<MicroTime> for Timestamp {
    fn from(time: MicroTime) -> Self {
        time.0
    }
}

// Not `Default`: Go's zero time, the start of year 1, is nothing to make by accident.
impl ZeroValue for MicroTime {
    fn zero_value() -> Self {
        Self(rfc3339::GO_ZERO)
    }
}

impl Serialize for MicroTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MicroTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text::deserialize(deserializer, "an RFC 3339 time")
    }
}
