//! Times with whole seconds.

use super::instant::Instant;
use super::{MicroTime, Precision};

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
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Instant);

time_type!(Time, Precision::Seconds);

impl Time {
    /// A number of seconds since 1970.
    pub const fn from_unix(second: i64) -> Self {
        Self(Instant::new(second, 0))
    }
}

/// Cuts what is finer than a second, towards the past.
impl From<MicroTime> for Time {
    fn from(time: MicroTime) -> Self {
        Self::from_unix(time.unix_seconds())
    }
}
