//! Times with whole seconds.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::instant::Instant;
use super::{Kind, MicroTime, TimeError, rfc3339};
use crate::text;
use crate::wire::ZeroValue;

const KIND: Kind = Kind::Seconds;

/// A point in time with whole seconds, as the metadata of objects uses it.
///
/// It is written in UTC. It reads what servers read and write, and [more](MicroTime#what-is-read). It cuts what is
/// finer than a second.
///
/// It holds every instant whose seconds since 1970 fit into 64 bits. Servers hand out the year 10000 and
/// years before 0, so these are read too.
///
/// ```
/// use std::time::Duration;
/// use k8s_versioned::Time;
///
/// let time: Time = "2026-01-02T04:04:05.678+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-01-02T03:04:05Z");
/// let later = time.saturating_add(Duration::from_secs(15));
/// assert!(later > time);
/// assert_eq!(later.duration_since(time).as_secs(), 15);
/// # Ok::<(), k8s_versioned::TimeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Instant);

impl Time {
    /// The earliest time that it can hold, billions of years ago.
    pub const MIN: Self = Self(Instant::MIN);

    /// The latest time that it can hold.
    pub const MAX: Self = Self::cut(Instant::MAX);

    /// The current time, as the system has it.
    pub fn now() -> Self {
        Self::cut(Instant::now())
    }

    /// A number of seconds since 1970.
    pub const fn from_unix(second: i64) -> Self {
        Self(Instant::new(second, 0))
    }

    /// The seconds since 1970.
    pub const fn unix_seconds(self) -> i64 {
        self.0.second()
    }

    /// Reads a text as API servers do: what they refuse is an error.
    ///
    /// The [`FromStr`] implementation reads more than servers.
    ///
    /// # Errors
    ///
    /// The text is no time, or servers do not read it in this form.
    pub fn parse_as_server(text: &str) -> Result<Self, TimeError> {
        rfc3339::parse_as_server(text, KIND).map(Self::cut)
    }

    /// The time so much later; `None` if it is later than [`MAX`](Self::MAX).
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration).map(Self::cut)
    }

    /// The time so much earlier; `None` if it is earlier than [`MIN`](Self::MIN).
    #[must_use]
    pub fn checked_sub(self, duration: Duration) -> Option<Self> {
        self.0.checked_sub(duration).map(Self::cut)
    }

    /// The time so much later, [`MAX`](Self::MAX) at most.
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        self.checked_add(duration).unwrap_or(Self::MAX)
    }

    /// The time so much earlier, [`MIN`](Self::MIN) at least.
    #[must_use]
    pub fn saturating_sub(self, duration: Duration) -> Self {
        self.checked_sub(duration).unwrap_or(Self::MIN)
    }

    /// How much time has passed since another time; negative if the other is later.
    ///
    /// What is longer than a [`SignedDuration`] can hold becomes the longest one.
    pub fn duration_since(self, other: Self) -> SignedDuration {
        self.0.duration_since(other.0)
    }

    const fn cut(time: Instant) -> Self {
        Self(time.cut(KIND.unit()))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KIND.text(self.0).as_str())
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Time({self})")
    }
}

impl FromStr for Time {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        rfc3339::parse(text, KIND).map(Self::cut)
    }
}

/// Cuts what is finer than a second, towards the past.
impl From<MicroTime> for Time {
    fn from(time: MicroTime) -> Self {
        Self::from_unix(time.unix_seconds())
    }
}

/// Cuts what is finer than a second, towards the past.
impl From<Timestamp> for Time {
    fn from(time: Timestamp) -> Self {
        Self::cut(Instant::of_timestamp(time))
    }
}

impl TryFrom<Time> for Timestamp {
    type Error = TimeError;

    /// Fails outside of the years -9999 to 9999, which are all that `jiff` knows.
    fn try_from(time: Time) -> Result<Self, TimeError> {
        let timestamp = time.0.to_timestamp();
        timestamp.ok_or_else(|| Instant::out_of_range(&time, "jiff::Timestamp"))
    }
}

impl TryFrom<SystemTime> for Time {
    type Error = TimeError;

    /// Cuts what is finer than a second, towards the past. Fails where the system's clock counts further.
    fn try_from(time: SystemTime) -> Result<Self, TimeError> {
        let instant = Instant::of_system(time).map(Self::cut);
        instant.ok_or_else(|| Instant::out_of_range(&"the system's time", KIND.name()))
    }
}

impl TryFrom<Time> for SystemTime {
    type Error = TimeError;

    /// Fails where the system's clock does not reach.
    fn try_from(time: Time) -> Result<Self, TimeError> {
        let system = time.0.to_system();
        system.ok_or_else(|| Instant::out_of_range(&time, "std::time::SystemTime"))
    }
}

// Not `Default`: Go's zero time, the start of year 1, is nothing to make by accident.
impl ZeroValue for Time {
    fn zero_value() -> Self {
        Self(Instant::GO_ZERO)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(KIND.text(self.0).as_str())
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text::deserialize_named(deserializer, KIND.token(), "an RFC 3339 time")
    }
}
