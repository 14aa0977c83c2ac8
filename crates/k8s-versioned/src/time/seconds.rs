//! Times with whole seconds.

use super::{MICROS, MicroTime, Precision};

/// A point in time with whole seconds, as the metadata of objects uses it.
///
/// It is written in UTC. It reads every form that servers read and write, and [more](MicroTime#accepted-forms). It cuts
/// fractions of a second.
///
/// It holds the years that a [`MicroTime`] holds.
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
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub(super) i64);

time_type!(Time, Precision::Seconds);

impl Time {
    /// A number of seconds since 1970. `None` if the time is out of range.
    pub fn from_unix(second: i64) -> Option<Self> {
        second.checked_mul(MICROS).map(Self)
    }
}

/// Cuts fractions of a second, towards the past.
impl From<MicroTime> for Time {
    fn from(time: MicroTime) -> Self {
        Self::cut(time.0)
    }
}
