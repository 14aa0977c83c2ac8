//! Times with microseconds.

use super::{MICROS, Precision, Time};

/// A point in time with microseconds, as leases use it.
///
/// It is written in UTC and always with six fractional digits, because API servers reject any
/// other number of digits in a field of this type. It reads every form that servers read and write, and
/// [more](#accepted-forms): any number of fractional digits, of which it cuts those after the sixth.
///
/// It holds the microseconds since 1970 in 64 bits. Servers write the year 10000 and years before 0, so it reads them,
/// too.
///
/// ```
/// use std::time::Duration;
/// use k8s_versioned::MicroTime;
///
/// let time: MicroTime = "2026-01-02T04:04:05+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-01-02T03:04:05.000000Z");
/// let later = time.saturating_add(Duration::from_secs(15));
/// assert!(later > time);
/// assert_eq!(later.duration_since(time).as_secs(), 15);
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
///
/// # Accepted forms
///
/// API servers read more than RFC 3339 in some places and less in others. [`MicroTime`] and [`Time`] read all forms
/// that servers read, all that they write, and a few more for people. [`parse_as_server`](Self::parse_as_server) reads
/// only the forms that servers read. Each row was sent to servers of 1.31 and 1.36:
///
/// | text | a server | here | recording (`…-odd`) |
/// |---|---|---|---|
/// | `9999-12-31T23:59:59.999999Z` | reads it | the same | `time-acquireTime-01` |
/// | `9999-12-31T23:59:59.999999-01:00` | writes `10000-01-01T00:59:59.999999Z` | the same | `time-renewTime-02` |
/// | `0000-01-01T00:00:00.000000+01:00` | writes `-0001-12-31T23:00:00.000000Z` | the same | `time-acquireTime-03` |
/// | `0000-01-01T00:00:00.000000Z` | reads it | the same | `time-renewTime-04` |
/// | `0001-01-01T00:00:00.000000Z` | writes `null`: it is Go's zero value | reads it | `time-acquireTime-05` |
/// | `2026-01-02T3:04:05.000000Z` | reads it | the same | `time-renewTime-06` |
/// | `2026-01-02T03:04:05,000000Z` | reads it | the same | `time-acquireTime-07` |
/// | `2026-01-02T03:04:05.000000+24:00` | reads it | the same | `time-renewTime-08` |
/// | `2026-01-02T03:04:05.000000-24:00` | reads it | the same | `time-acquireTime-09` |
/// | `2026-01-02T03:04:05.000000+24:30` | reads it | the same | `time-renewTime-10` |
/// | `2026-01-02T03:04:05.000000+01:60` | reads two hours | the same | `time-acquireTime-11` |
/// | `2026-01-02T03:04:05.000000+25:00` | refuses it | the same | `time-renewTime-12` |
/// | `2026-01-02t03:04:05.000000Z` | refuses it | reads it | `time-acquireTime-13` |
/// | `2026-01-02T03:04:05.000000z` | refuses it | reads it | `time-renewTime-14` |
/// | `2026-12-31T23:59:60.000000Z` | refuses it | reads the second before | `time-acquireTime-15` |
/// | `2026-01-02T03:04:60.000000Z` | refuses it | the same | `time-renewTime-16` |
/// | `2026-01-02T24:00:00.000000Z` | refuses it | the same | `time-acquireTime-17` |
/// | `2026-01-02T03:04:05Z` | refuses it for a [`MicroTime`] | reads it | `time-renewTime-18` |
/// | `2026-01-02T03:04:05.1Z` | refuses it for a [`MicroTime`] | reads it | `time-acquireTime-19` |
/// | `2026-01-02T03:04:05.123456789Z` | refuses it for a [`MicroTime`] | cuts it | `time-renewTime-20` |
/// | `2026-02-29T03:04:05.000000Z` | refuses it | the same | `time-acquireTime-21` |
/// | `2024-02-29T03:04:05.000000Z` | reads it | the same | `time-renewTime-22` |
/// | `2026-01-02 03:04:05.000000Z` | refuses it | the same | `time-acquireTime-23` |
/// | `2026-01-02T03:04:05.000000` | refuses it | the same | `time-renewTime-24` |
/// | `10000-01-01T00:00:00.000000Z` | refuses it, although it writes such texts | reads it | `time-acquireTime-25` |
/// | `-0001-01-01T00:00:00.000000Z` | refuses it, although it writes such texts | reads it | `time-renewTime-26` |
/// | `2026-1-02T03:04:05.000000Z` | refuses it | the same | `time-acquireTime-27` |
/// | `2026-01-02T03:04:05.000000+00:00` | reads it | the same | `time-renewTime-28` |
/// | `2026-01-02T03:04:05.000000-00:00` | reads it | the same | `time-acquireTime-29` |
/// | the empty text | refuses it | the same | `time-renewTime-30` |
///
/// A [`Time`] may have any number of fractional digits or none (`creationTimestamp` and others); a server
/// cuts them when it writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroTime(pub(super) i64);

time_type!(MicroTime, Precision::Micro);

impl MicroTime {
    /// A number of seconds since 1970, and microseconds after them. `None` if these are a second or more, or the time
    /// is out of range.
    pub fn from_unix(second: i64, microsecond: u32) -> Option<Self> {
        let microsecond = i64::from(microsecond);
        let time = second.checked_mul(MICROS)?.checked_add(microsecond)?;
        (microsecond < MICROS).then_some(Self(time))
    }

    /// The microseconds after the whole second, from 0 to 999,999.
    pub fn subsec_microseconds(self) -> u32 {
        u32::try_from(self.0.rem_euclid(MICROS)).unwrap_or_default()
    }
}

impl From<Time> for MicroTime {
    fn from(time: Time) -> Self {
        Self(time.0)
    }
}
