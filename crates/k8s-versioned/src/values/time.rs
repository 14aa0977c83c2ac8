//! Points in time as Kubernetes writes them.
//!
//! `jiff` knows the calendar. It knows fewer years than servers write, and refuses forms that they read, so texts are
//! read and written here.

use std::fmt;
use std::num::NonZeroU64;

use jiff::civil::{self, Date, DateTime};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};
use serde::Deserializer;
use serde::de::{self, Visitor};

use crate::ParseError;
use crate::values::split_digits;

/// The microseconds of a second.
const MICROS: i64 = 1_000_000;

/// The seconds of a day.
const DAY: i64 = 86_400;

/// The seconds of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097 * DAY;

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

/// The difference between the two types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Micro,
    Seconds,
}

impl Precision {
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

    /// Cuts the time to the unit, towards the past, as digits of a text are cut.
    const fn cut(self, time: i64) -> i64 {
        match time.checked_sub(time.rem_euclid(self.unit())) {
            Some(cut) => cut,
            None => i64::MIN / self.unit() * self.unit(),
        }
    }

    /// Reads a time as microseconds since 1970. It also reads forms that people write and API servers refuse.
    fn parse(self, text: &str) -> Result<i64, ParseError> {
        match usual(text.as_bytes()) {
            Some(time) => Ok(self.cut(time)),
            None => self.read(text).map(|(time, _)| time),
        }
    }

    /// Reads a time as API servers do, and refuses the forms that they refuse.
    fn parse_as_server(self, text: &str) -> Result<i64, ParseError> {
        let (time, parts) = self.read(text)?;
        if parts.is_read_by_servers(self) {
            return Ok(time);
        }
        let instead = format!("write `{}`", Text::from_micros(time, self).as_str());
        Err(ParseError::new(text, "a time that API servers read", instead))
    }

    fn read(self, text: &str) -> Result<(i64, Parts<'_>), ParseError> {
        let error = |expected| {
            let example = self.example();
            ParseError::new(text, expected, format!("expected a time such as `{example}`"))
        };
        let parts = Parts::read(text).ok_or_else(|| error("an RFC 3339 time"))?;
        let second = parts.second().ok_or_else(|| error("a time that exists"))?;
        let time = second.checked_mul(MICROS).and_then(|time| time.checked_add(parts.micro));
        Ok((self.cut(time.ok_or_else(|| error(self.range()))?), parts))
    }
}

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
                f.write_str(Text::from_micros(self.0.get(), $precision).as_str())
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
                serializer.serialize_str(Text::from_micros(self.0.get(), $precision).as_str())
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
/// It is written in UTC and always with six fractional digits, because API servers refuse any
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

/// Reads a text as servers write nearly all, as microseconds since 1970; `None` for any other text. Hot path, row `decode` of the benches.
#[allow(clippy::many_single_char_names, reason = "each is a letter of the text")]
fn usual(text: &[u8]) -> Option<i64> {
    let (&[y, e, a, r, b'-', m, o, b'-', d, t, b'T', h, u, b':', i, n, b':', s, c], end) =
        text.split_first_chunk()?
    else {
        return None;
    };
    let micro = match *end {
        [b'Z'] => 0,
        [b'.', a, b, c, d, e, f, b'Z'] => number([a, b, c, d, e, f])?,
        _ => return None,
    };
    let (hour, minute, second) = (number([h, u])?, number([i, n])?, number([s, c])?);
    if hour >= 24 || minute >= 60 || second >= 60 {
        return None;
    }
    let year = i16::try_from(number([y, e, a, r])?).ok()?;
    let month = i8::try_from(number([m, o])?).ok()?;
    let day = since_1970(year, month, i8::try_from(number([d, t])?).ok()?)?;
    Some((day + (hour * 60 + minute) * 60 + second) * MICROS + micro)
}

/// A number of a few digits.
#[inline]
fn number<const COUNT: usize>(digits: [u8; COUNT]) -> Option<i64> {
    let (mut number, mut all) = (0, true);
    for digit in digits {
        number = number * 10 + i64::from(digit) - i64::from(b'0');
        all &= digit.is_ascii_digit();
    }
    all.then_some(number)
}

/// The seconds from 1970 to the beginning of a day, if the day exists.
fn since_1970(year: i16, month: i8, day: i8) -> Option<i64> {
    let date = Date::new(year, month, day).ok()?;
    Some(date.duration_since(Date::constant(1970, 1, 1)).as_secs())
}

/// The parts of a text. Only their number of digits is checked.
struct Parts<'a> {
    /// Digits, and perhaps a sign.
    year: &'a str,
    month: i8,
    day: i8,
    hour: i64,
    minute: i64,
    second: i64,
    /// The digits after the dot or the comma.
    fraction: Option<&'a str>,
    /// The first six digits of the fraction.
    micro: i64,
    /// The hours and minutes of the offset from UTC, and its sign.
    offset: (i64, i64, i64),
    /// Whether `T` and `Z` are capital letters.
    capitals: bool,
}

impl<'a> Parts<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (year, rest) = split_year(text)?;
        let (month, rest) = two(rest.strip_prefix('-')?)?;
        let (day, rest) = two(rest.strip_prefix('-')?)?;
        let rest_of_day = rest.strip_prefix(['T', 't'])?;
        // Servers read an hour of one digit.
        let (hour, minutes) = match rest_of_day.as_bytes() {
            [hour @ b'0'..=b'9', b':', ..] => (i64::from(hour - b'0'), rest_of_day.get(1..)?),
            _ => two(rest_of_day)?,
        };
        let (minute, seconds) = two(minutes.strip_prefix(':')?)?;
        let (second, end) = two(seconds.strip_prefix(':')?)?;
        let (fraction, zone) = match end.strip_prefix(['.', ',']).map(split_digits) {
            Some(("", _)) => return None,
            Some((digits, zone)) => (Some(digits), zone),
            None => (None, end),
        };
        let six = fraction.unwrap_or_default().bytes().chain(std::iter::repeat(b'0')).take(6);
        Some(Self {
            year,
            month: month.try_into().ok()?,
            day: day.try_into().ok()?,
            hour,
            minute,
            second,
            fraction,
            micro: six.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')),
            offset: offset(zone)?,
            capitals: rest.starts_with('T') && zone != "z",
        })
    }

    /// The second since 1970, if the time exists. Servers read offsets of 24 hours, and 60 minutes.
    fn second(&self) -> Option<i64> {
        // Six digits are enough for all microseconds that 64 bits can count.
        let year: i64 =
            self.year.parse().ok().filter(|year: &i64| year.unsigned_abs() < 1_000_000)?;
        let in_era = i16::try_from(year.rem_euclid(400) + 2000).ok()?;
        let day = since_1970(in_era, self.month, self.day)?;
        let (hours, minutes, sign) = self.offset;
        // A leap second, at the end of a month in UTC, reads as the second before it.
        let leap = self.second == 60;
        let exists =
            self.hour < 24 && self.minute < 60 && self.second <= 60 && hours <= 24 && minutes <= 60;
        let eras = (year - i64::from(in_era)) / 400;
        let (hour, minute) = (self.hour - sign * hours, self.minute - sign * minutes);
        let second = eras * ERA + day + (hour * 60 + minute) * 60 + self.second.min(59);
        let ends_month = || {
            let next = civil(second + 1);
            next.day() == 1 && next.time() == civil::Time::midnight()
        };
        (exists && (!leap || ends_month())).then_some(second)
    }

    fn is_read_by_servers(&self, precision: Precision) -> bool {
        let six = self.fraction.is_some_and(|fraction| fraction.len() == 6);
        self.capitals
            && self.year.len() == 4
            && self.second < 60
            && (six || precision == Precision::Seconds)
    }
}

/// The date and time of a second since 1970, in the same year of the 400 years from 1970 on.
fn civil(second: i64) -> DateTime {
    Offset::UTC.to_datetime(Timestamp::from_second(second.rem_euclid(ERA)).unwrap_or_default())
}

/// Splits off a year of four or more digits, which may be negative.
fn split_year(text: &str) -> Option<(&str, &str)> {
    let (digits, rest) = split_digits(text.strip_prefix('-').unwrap_or(text));
    let year = text.get(..text.len() - rest.len())?;
    (digits.len() >= 4).then_some((year, rest))
}

/// Splits off a number of two digits.
fn two(text: &str) -> Option<(i64, &str)> {
    let &[tens @ b'0'..=b'9', ones @ b'0'..=b'9', ..] = text.as_bytes() else {
        return None;
    };
    Some((i64::from((tens - b'0') * 10 + (ones - b'0')), text.get(2..)?))
}

/// The hours, the minutes and the sign of an offset.
fn offset(text: &str) -> Option<(i64, i64, i64)> {
    let sign = match text.as_bytes().first()? {
        b'Z' | b'z' if text.len() == 1 => return Some((0, 0, 1)),
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, rest) = two(text.get(1..)?)?;
    let (minutes, rest) = two(rest.strip_prefix(':')?)?;
    rest.is_empty().then_some((hours, minutes, sign))
}

/// The text that servers write for a time. Hot path, row `encode` of the benches.
struct Text {
    /// The text, and zeros: texts of 16 bytes are checked at once.
    bytes: [u8; 48],
    length: usize,
}

impl Text {
    /// The text of a number of microseconds since 1970.
    #[allow(clippy::many_single_char_names, reason = "each is a letter of the text")]
    fn from_micros(time: i64, precision: Precision) -> Self {
        let (second, micro) = (time.div_euclid(MICROS), time.rem_euclid(MICROS));
        let civil = civil(second);
        let year = i64::from(civil.year()) + second.div_euclid(ERA) * 400;
        let mut text = Self { bytes: [0; 48], length: 0 };
        if let Ok(year @ 0..10_000) = u32::try_from(year) {
            text.push(digits::<4>(year));
        } else {
            let sign = if year < 0 { "-" } else { "" };
            let year = format!("{sign}{:04}", year.abs());
            year.bytes().for_each(|byte| text.push([byte]));
        }
        let two = |number: i8| digits::<2>(number.unsigned_abs().into());
        let ([m, o], [d, t]) = (two(civil.month()), two(civil.day()));
        let ([h, u], [i, n]) = (two(civil.hour()), two(civil.minute()));
        let [s, c] = two(civil.second());
        text.push([b'-', m, o, b'-', d, t, b'T', h, u, b':', i, n, b':', s, c]);
        if precision == Precision::Micro {
            let [a, b, c, d, e, f] = digits(micro.try_into().unwrap_or_default());
            text.push([b'.', a, b, c, d, e, f]);
        }
        text.push([b'Z']);
        text
    }

    /// Adds a few bytes. There is room for all.
    fn push<const COUNT: usize>(&mut self, part: [u8; COUNT]) {
        let rest = self.bytes.get_mut(self.length..);
        if let Some(room) = rest.and_then(|rest| rest.first_chunk_mut()) {
            *room = part;
            self.length += COUNT;
        }
    }

    fn as_str(&self) -> &str {
        let text = str::from_utf8(&self.bytes).ok();
        text.and_then(|text| text.get(..self.length)).unwrap_or_default()
    }
}

/// The last digits of a number.
fn digits<const COUNT: usize>(mut number: u32) -> [u8; COUNT] {
    let mut text = [b'0'; COUNT];
    for digit in text.iter_mut().rev() {
        *digit += u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
    text
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
