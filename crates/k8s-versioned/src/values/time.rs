//! Points in time as Kubernetes writes them.

use std::fmt;
use std::num::NonZeroU64;

use jiff::{SignedDuration, Timestamp};
use serde::Deserializer;
use serde::de::{self, Visitor};

use super::time_text::{MICROS, Precision, TimeText};
use crate::ParseError;

/// The zero value of Go's time type, the first instant of year 1.
const GO_ZERO: i64 = -62_135_596_800 * MICROS;

/// Microseconds since 1970, without the least `i64`: an `Option` of them has no more than their 8 bytes. Hot path, row `memory` of the benches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Micros(NonZeroU64);

impl Micros {
    /// The other sign keeps the order, and makes zero of the least `i64`.
    const SIGN: u64 = 1 << 63;

    /// A time; instead of the least `i64` the next one.
    #[inline]
    const fn new(time: i64) -> Self {
        match NonZeroU64::new(time.cast_unsigned() ^ Self::SIGN) {
            Some(time) => Self(time),
            None => Self(NonZeroU64::MIN),
        }
    }

    #[inline]
    const fn get(self) -> i64 {
        (self.0.get() ^ Self::SIGN).cast_signed()
    }
}

/// The name that both types give a deserializer, so that one that reads as servers do can recognize them: it calls
/// `visit_bytes` instead of `visit_newtype_struct`.
///
/// The name of a newtype is all that serde tells a deserializer about the type that it reads: `RawValue` of `serde_json`
/// and `Datetime` of `toml` are recognized in the same way. A trait beside `Deserialize`, or a second walk by the schema,
/// would be more code for each type of a field, and slower.
pub(crate) const TEXT: &str = "k8s_versioned::Time";

/// Implements a time type around a number of microseconds since 1970, which it cuts to its precision.
macro_rules! time_type {
    ($name:ident, $precision:expr) => {
        impl $name {
            /// The earliest time that it can hold, in the year -290,308.
            pub const MIN: Self =
                Self(Micros::new(i64::MIN / $precision.unit() * $precision.unit()));

            /// The latest time that it can hold, in the year 294,247.
            pub const MAX: Self = Self(Micros::new($precision.cut(i64::MAX)));

            /// The current time of the system.
            pub fn now() -> Self {
                Timestamp::now().into()
            }

            /// The whole seconds since 1970.
            #[inline]
            pub const fn unix_seconds(self) -> i64 {
                self.0.get().div_euclid(MICROS)
            }

            /// Reads a text as API servers do.
            ///
            /// The [`FromStr`](std::str::FromStr) implementation reads more than servers.
            ///
            /// # Errors
            ///
            /// The text is not a time, or not in a form that servers read.
            pub fn parse_as_server(text: &str) -> Result<Self, ParseError> {
                $precision.parse_as_server(text).map(Micros::new).map(Self)
            }

            /// The time plus a duration; `None` if it is later than [`MAX`](Self::MAX).
            #[must_use]
            pub fn checked_add(self, duration: std::time::Duration) -> Option<Self> {
                let micros = i64::try_from(duration.as_micros()).ok()?;
                Some(Self(Micros::new($precision.cut(self.0.get().checked_add(micros)?))))
            }

            /// The time minus a duration; `None` if it is earlier than [`MIN`](Self::MIN).
            #[must_use]
            pub fn checked_sub(self, duration: std::time::Duration) -> Option<Self> {
                let micros = i64::try_from(duration.as_nanos().div_ceil(1_000)).ok()?;
                let time = self.0.get().checked_sub(micros)?;
                (time >= Self::MIN.0.get()).then_some(Self(Micros::new($precision.cut(time))))
            }

            /// The time plus a duration, [`MAX`](Self::MAX) at most.
            #[must_use]
            pub fn saturating_add(self, duration: std::time::Duration) -> Self {
                self.checked_add(duration).unwrap_or(Self::MAX)
            }

            /// The time minus a duration, [`MIN`](Self::MIN) at least.
            #[must_use]
            pub fn saturating_sub(self, duration: std::time::Duration) -> Self {
                self.checked_sub(duration).unwrap_or(Self::MIN)
            }

            /// The duration since another time; negative if the other is later.
            pub fn duration_since(self, other: Self) -> SignedDuration {
                SignedDuration::from_micros(self.0.get())
                    - SignedDuration::from_micros(other.0.get())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(TimeText::from_micros(self.0.get(), $precision).as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl std::str::FromStr for $name {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $precision.parse(text).map(Micros::new).map(Self)
            }
        }

        /// Cuts the time to the precision of the type, towards the past.
        impl From<Timestamp> for $name {
            fn from(time: Timestamp) -> Self {
                let micros = time.as_nanosecond().div_euclid(1_000);
                Self(Micros::new($precision.cut(i64::try_from(micros).unwrap_or(i64::MAX))))
            }
        }

        /// Fails outside the years -9999 to 9999, the range of `jiff`.
        impl TryFrom<$name> for Timestamp {
            type Error = jiff::Error;

            fn try_from(time: $name) -> Result<Self, jiff::Error> {
                Timestamp::from_microsecond(time.0.get()).map_err(|_| {
                    jiff::Error::from_args(format_args!(
                        "`{time}` is out of the range of jiff::Timestamp"
                    ))
                })
            }
        }

        // Not `Default`: a program should not make Go's zero time, the start of year 1, by accident.
        impl crate::wire::ZeroValue for $name {
            fn zero_value() -> Self {
                Self(Micros::new(GO_ZERO))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(TimeText::from_micros(self.0.get(), $precision).as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let time =
                    deserializer.deserialize_newtype_struct(TEXT, TimeVisitor($precision))?;
                Ok(Self(Micros::new(time)))
            }
        }
    };
}

/// A point in time with microseconds, as leases use it.
///
/// It is written in UTC and always with six fractional digits, because API servers reject any
/// other number of digits in a field of this type. It reads every form that servers read and write, and
/// [more](#accepted-forms): any number of fractional digits, but it cuts them after the sixth.
///
/// It holds the microseconds since 1970 in 64 bits. Servers write the year 10000 and years before 0, so it also reads
/// them.
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
pub struct MicroTime(Micros);

time_type!(MicroTime, Precision::Micro);

impl MicroTime {
    /// A number of seconds since 1970, and microseconds after them. `None` if these are a second or more, or the time
    /// is out of range.
    pub fn from_unix(second: i64, microsecond: u32) -> Option<Self> {
        let microsecond = i64::from(microsecond);
        let time = second.checked_mul(MICROS)?.checked_add(microsecond)?;
        (microsecond < MICROS).then_some(Self(Micros::new(time)))
    }

    /// The microseconds after the whole second, from 0 to 999,999.
    #[inline]
    pub fn subsec_microseconds(self) -> u32 {
        u32::try_from(self.0.get().rem_euclid(MICROS)).unwrap_or_default()
    }
}

impl From<Time> for MicroTime {
    fn from(time: Time) -> Self {
        Self(time.0)
    }
}

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
pub struct Time(Micros);

time_type!(Time, Precision::Seconds);

impl Time {
    /// A number of seconds since 1970. `None` if the time is out of range.
    pub fn from_unix(second: i64) -> Option<Self> {
        second.checked_mul(MICROS).map(Micros::new).map(Self)
    }
}

/// Cuts fractions of a second, towards the past.
impl From<MicroTime> for Time {
    fn from(time: MicroTime) -> Self {
        Self(Micros::new(Precision::Seconds.cut(time.0.get())))
    }
}

/// Reads a text as microseconds since 1970. Bytes are a text that is read as servers read it.
struct TimeVisitor(Precision);

impl<'de> Visitor<'de> for TimeVisitor {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an RFC 3339 time")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<i64, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<i64, E> {
        self.0.parse(text).map_err(E::custom)
    }

    fn visit_bytes<E: de::Error>(self, text: &[u8]) -> Result<i64, E> {
        let text = str::from_utf8(text).map_err(E::custom)?;
        self.0.parse_as_server(text).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{MicroTime, ParseError, Time};
    use jiff::{SignedDuration, Timestamp};

    /// A text, the time that it means, and `true` if servers read it as a `MicroTime` and as a `Time`.
    const READ: &[(&str, &str, bool, bool)] = &[
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000Z", false, true),
        ("2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05.123456Z", true, true),
        ("2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05.500000Z", false, true),
        ("2026-01-02T3:04:05.123456Z", "2026-01-02T03:04:05.123456Z", true, true),
        ("2026-01-02t03:04:05.5z", "2026-01-02T03:04:05.500000Z", false, false),
        ("2026-01-02T03:04:05.123456z", "2026-01-02T03:04:05.123456Z", false, false),
        // Digits are cut, not rounded, also before 1970.
        ("2026-01-02T03:04:05.999999999Z", "2026-01-02T03:04:05.999999Z", false, true),
        ("2026-01-02T03:04:05.12345678901234567890Z", "2026-01-02T03:04:05.123456Z", false, true),
        ("1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z", false, true),
        ("1900-03-01T00:00:00.1Z", "1900-03-01T00:00:00.100000Z", false, true),
        // Offsets move the time to UTC.
        ("2026-01-02T03:04:05+01:00", "2026-01-02T02:04:05.000000Z", false, true),
        ("2026-01-02T03:04:05.1-05:30", "2026-01-02T08:34:05.100000Z", false, true),
        ("2026-01-02T03:04:05.000000-00:00", "2026-01-02T03:04:05.000000Z", true, true),
        ("2026-01-02T00:30:00.000000+24:60", "2025-12-31T23:30:00.000000Z", true, true),
        // Leap days and leap seconds.
        ("2024-02-29T00:00:00.000000Z", "2024-02-29T00:00:00.000000Z", true, true),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000000Z", false, false),
        ("2016-12-31T15:59:60.25-08:00", "2016-12-31T23:59:59.250000Z", false, false),
        // Years without four digits: servers write them, and read them only with an offset.
        ("0000-01-01T00:00:00.000000Z", "0000-01-01T00:00:00.000000Z", true, true),
        ("0000-01-01T00:00:00.000000+01:00", "-0001-12-31T23:00:00.000000Z", true, true),
        ("-0001-12-31T23:00:00.000000Z", "-0001-12-31T23:00:00.000000Z", false, false),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z", true, true),
        ("9999-12-31T23:59:59.999999-01:00", "10000-01-01T00:59:59.999999Z", true, true),
        ("10000-01-01T00:59:59.999999Z", "10000-01-01T00:59:59.999999Z", false, false),
        ("294247-01-10T04:00:54.775807Z", "294247-01-10T04:00:54.775807Z", false, false),
        ("-290308-12-21T19:59:06.000000Z", "-290308-12-21T19:59:06.000000Z", false, false),
    ];

    #[test]
    fn accepted_forms_are_read() {
        for &(text, written, micro, seconds) in READ {
            let time: MicroTime = text.parse().unwrap();
            assert_eq!(time.to_string(), written, "{text}");
            let refused = |instead: &str| {
                let instead = format!("write `{instead}`");
                ParseError::new(text, "a time that API servers read", instead)
            };
            let expected = if micro { Ok(time) } else { Err(refused(written)) };
            assert_eq!(MicroTime::parse_as_server(text), expected, "{text}");

            let (whole, _) = written.split_once('.').unwrap();
            let time: Time = text.parse().unwrap();
            let written = format!("{whole}Z");
            assert_eq!(time.to_string(), written, "{text}");
            let expected = if seconds { Ok(time) } else { Err(refused(&written)) };
            assert_eq!(Time::parse_as_server(text), expected, "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let texts = [
            "",
            "now",
            "2026-01-02",
            "2026-01-02T03:04Z",
            "2026-01-02T03:04:05",
            "2026-01-02 03:04:05Z",
            "20260102T030405Z",
            "2026-01-02T030405Z",
            "2026-1-2T3:4:5Z",
            "2026-01-02T:04:05Z",
            "2026-01-02T003:04:05Z",
            "026-01-02T03:04:05Z",
            "+002026-01-02T03:04:05Z",
            "--2026-01-02T03:04:05Z",
            "2026-01-02T03:04:05.Z",
            "2026-01-02T03:04:05.5",
            "2026-01-02T03:04:05.+12345Z",
            "2026-01-02T03:04:05.+123456Z",
            "2026-01-02T03:04:05.+01:00",
            "2026-01-02T03:04:05+01",
            "2026-01-02T03:04:05+0100",
            "2026-01-02T03:04:05+01:00:00",
            "2026-01-02T03:04:05+1:00",
            "2026-01-02T03:04:05UTC",
            "2026-01-02T03:04:05Z[UTC]",
            "2026-01-02T03:04:05Z ",
            " 2026-01-02T03:04:05Z",
            "2026-01-02T03:04:05\u{2212}01:00",
            "2026-01-02T03:04:0٥Z",
        ];
        for text in texts {
            let expected = ParseError::new(
                text,
                "an RFC 3339 time",
                "expected a time such as `2026-01-02T03:04:05Z`",
            );
            assert_eq!(text.parse::<Time>(), Err(expected));
        }
    }

    #[test]
    fn times_that_do_not_exist_are_refused() {
        let texts = [
            "2026-00-02T03:04:05Z",
            "2026-13-02T03:04:05Z",
            "2026-01-00T03:04:05Z",
            "2026-01-32T03:04:05Z",
            "2025-02-29T03:04:05Z",
            "2026-01-02T24:00:00Z",
            "2026-01-02T03:60:05Z",
            "2026-01-02T03:04:61Z",
            "2026-01-02T03:04:05+25:00",
            "2026-01-02T03:04:05+01:61",
            "1000000-01-02T03:04:05Z",
            "-9223372036854775808-01-02T03:04:05Z",
            // Leap seconds that cannot be.
            "2026-01-02T03:04:60Z",
            "2016-12-30T23:59:60Z",
            "2016-12-31T23:59:60-08:00",
        ];
        for text in texts {
            let error = text.parse::<MicroTime>().unwrap_err();
            let expected = format!(
                "`{text}` is not a time that exists: expected a time such as `2026-01-02T03:04:05.123456Z`"
            );
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn times_out_of_range_are_refused() {
        for text in
            ["294247-01-10T04:00:55Z", "-290308-12-21T19:59:06+00:01", "999999-01-01T00:00:00Z"]
        {
            let error = text.parse::<Time>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "`{text}` is not in the range of `Time`: expected a time such as `2026-01-02T03:04:05Z`"
                )
            );
        }
        let far: MicroTime = "9999-12-31T23:59:59.000000Z".parse().unwrap();
        let error = Timestamp::try_from(far).unwrap_err();
        let expected = "`9999-12-31T23:59:59.000000Z` is out of the range of jiff::Timestamp";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn other_times_are_cut() {
        // Nanoseconds since 1970, as microseconds, as seconds.
        let table = [
            (0, 0, 0),
            (1_999, 1_000, 0),
            (-1, -1_000, -1_000_000_000),
            (-1_000, -1_000, -1_000_000_000),
            (-1_000_000_000, -1_000_000_000, -1_000_000_000),
            (-1_000_000_001, -1_000_001_000, -2_000_000_000),
        ];
        for (nanoseconds, micro, seconds) in table {
            let time = Timestamp::from_nanosecond(nanoseconds).unwrap();
            let found = Timestamp::try_from(MicroTime::from(time)).unwrap();
            assert_eq!(found.as_nanosecond(), micro);
            let found = Timestamp::try_from(Time::from(time)).unwrap();
            assert_eq!(found.as_nanosecond(), seconds);
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let day = Duration::from_secs(86_400);
        for start in ["-0801-12-31T23:59:59Z", "1899-12-31T23:59:59Z", "9999-12-31T23:59:59Z"] {
            let mut time: Time = start.parse().unwrap();
            for _ in 0..146_097 {
                time = time.checked_add(day).unwrap();
                let text = time.to_string();
                assert_eq!(text.parse(), Ok(time));
                // In small letters it is read in another way.
                if text.contains("-01T") {
                    assert_eq!(text.to_lowercase().parse(), Ok(time));
                }
            }
            // 400 years later.
            let year = |text: &str| text.rsplit_once("-12-31").unwrap().0.parse::<i32>().unwrap();
            assert_eq!(year(&time.to_string()), year(start) + 400);
        }
    }

    #[test]
    fn sums_stay_in_range() {
        let step = Duration::new(1, 2_500);
        let time = MicroTime::from_unix(-1, 999_999).unwrap();
        assert_eq!((time.unix_seconds(), time.subsec_microseconds()), (-1, 999_999));
        assert_eq!(time.checked_add(step), MicroTime::from_unix(1, 1));
        assert_eq!(time.checked_sub(step), MicroTime::from_unix(-2, 999_996));
        assert_eq!(time.checked_add(Duration::MAX), None);
        assert_eq!(MicroTime::MIN.saturating_sub(step), MicroTime::MIN);
        assert_eq!(Time::MIN.checked_sub(Duration::from_micros(1)), None);
        assert_eq!(MicroTime::MAX.saturating_add(step), MicroTime::MAX);
        let all = MicroTime::MAX.duration_since(MicroTime::MIN);
        assert_eq!(all.as_micros(), i128::from(u64::MAX) - 1);
        assert_eq!(MicroTime::MIN.duration_since(MicroTime::MAX), -all);
        let micros = time.duration_since(MicroTime::from_unix(0, 0).unwrap());
        assert_eq!(micros, SignedDuration::from_micros(-1));
        assert_eq!(MicroTime::from_unix(0, 1_000_000), None);
        assert_eq!(MicroTime::from(Time::from(time)), MicroTime::from_unix(-1, 0).unwrap());
    }

    #[test]
    fn an_optional_time_has_the_size_of_a_time() {
        assert_eq!([size_of::<Option<MicroTime>>(), size_of::<Option<Time>>()], [8, 8]);
        let times = [-1, 0, 1].map(|second| MicroTime::from_unix(second, 0).unwrap());
        assert!(MicroTime::MIN < times[0] && times.is_sorted() && times[2] < MicroTime::MAX);
    }

    #[test]
    fn now_is_the_time_of_the_system() {
        let before = MicroTime::from(Timestamp::now());
        let now = MicroTime::now();
        assert!(now >= before && now.duration_since(before).as_secs() < 60);
        assert!(Time::now() >= Time::from(before));
    }

    #[test]
    fn the_zero_value_is_that_of_go() {
        let zero: MicroTime = crate::wire::zero();
        assert_eq!(zero.to_string(), "0001-01-01T00:00:00.000000Z");
        assert_eq!(crate::wire::zero::<Time>(), Time::from(zero));
    }

    #[test]
    fn serde_uses_the_text() {
        let json = r#""2026-01-02T03:04:05.123456Z""#;
        let time: MicroTime = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&time).unwrap(), json);
        assert_eq!(
            serde_json::from_value::<MicroTime>(json.trim_matches('"').into()).unwrap(),
            time
        );
        for other in ["1767323045", "null", r#""2026-01-02""#] {
            assert!(serde_json::from_str::<MicroTime>(other).is_err(), "{other}");
        }
    }
}
