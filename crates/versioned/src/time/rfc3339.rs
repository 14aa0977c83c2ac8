//! What both time types have in common: RFC 3339 in, a fixed number of fractional digits out.

use jiff::civil;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use crate::Quoted;

/// The first instant of year 0, the earliest that four digits can write.
const FIRST: Timestamp = Timestamp::constant(-62_167_219_200, 0);

/// The zero value of Go's time type, the first instant of year 1.
pub(super) const GO_ZERO: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// A text or a timestamp that a time type cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeError {
    /// The text does not have the form of RFC 3339.
    #[error(
        "{} is not an RFC 3339 time: expected a time such as `{example}`",
        Quoted(found)
    )]
    Syntax {
        /// The text that was found.
        found: String,
        /// A text that would be read.
        example: &'static str,
    },
    /// The form is right, but there is no such date, time of day or offset.
    #[error(
        "{} does not exist: expected a time such as `{example}`",
        Quoted(found)
    )]
    Nonexistent {
        /// The text that was found.
        found: String,
        /// A text that would be read.
        example: &'static str,
    },
    /// The time is not in the years 0000 to 9999.
    #[error(
        "{} is out of range: expected a time from `{}` to `{}`",
        Quoted(found),
        FIRST,
        Timestamp::MAX
    )]
    OutOfRange {
        /// The text or the timestamp that was found.
        found: String,
    },
}

/// Reads an RFC 3339 time with up to nine fractional digits; further digits are cut.
pub(super) fn parse(text: &str, example: &'static str) -> Result<Timestamp, TimeError> {
    let found = || text.to_owned();
    let fields = Fields::split(text.as_bytes()).ok_or_else(|| TimeError::Syntax {
        found: found(),
        example,
    })?;
    let nonexistent = || TimeError::Nonexistent {
        found: found(),
        example,
    };
    let datetime = fields.datetime().ok_or_else(nonexistent)?;
    let offset = fields.offset.offset().ok_or_else(nonexistent)?;
    let time = offset
        .to_timestamp(datetime)
        .ok()
        .filter(|time| *time >= FIRST)
        .ok_or_else(|| TimeError::OutOfRange { found: found() })?;
    if fields.leap_second() && !ends_a_month(time) {
        return Err(nonexistent());
    }
    Ok(time)
}

/// A timestamp whose year has four digits.
pub(super) fn in_range(time: Timestamp) -> Result<Timestamp, TimeError> {
    if time >= FIRST {
        Ok(time)
    } else {
        Err(TimeError::OutOfRange {
            found: time.to_string(),
        })
    }
}

/// Cuts a time to a multiple of `unit` nanoseconds, towards the past: as digits of a text are cut.
pub(super) fn cut(time: Timestamp, unit: i32) -> Timestamp {
    let rest = time.subsec_nanosecond().rem_euclid(unit);
    // The earliest timestamp is a whole second, so there is always room below.
    time.checked_sub(SignedDuration::from_nanos(rest.into()))
        .unwrap_or(time)
}

/// The current time, in the range that both types can hold.
pub(super) fn now() -> Timestamp {
    Timestamp::now().max(FIRST)
}

/// Leap seconds are inserted at the end of a month in UTC, nowhere else.
fn ends_a_month(time: Timestamp) -> bool {
    let utc = Offset::UTC.to_datetime(time);
    utc.date() == utc.date().last_of_month() && (utc.hour(), utc.minute()) == (23, 59)
}

/// The numbers of an RFC 3339 text. They have the right number of digits, nothing else is checked.
struct Fields {
    date: [i16; 3],
    hour: i8,
    minute: i8,
    second: i8,
    nanosecond: i32,
    offset: FieldsOfOffset,
}

struct FieldsOfOffset {
    sign: i32,
    hours: i8,
    minutes: i8,
}

impl Fields {
    fn split(text: &[u8]) -> Option<Self> {
        #[rustfmt::skip]
        let &[
            y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T' | b't',
            h1, h2, b':', n1, n2, b':', s1, s2, ref rest @ ..
        ] = text else {
            return None;
        };
        let year = i16::from(two(y1, y2)?) * 100 + i16::from(two(y3, y4)?);
        let (fraction, offset) = split_fraction(rest)?;
        Some(Self {
            date: [year, two(m1, m2)?.into(), two(d1, d2)?.into()],
            hour: two(h1, h2)?,
            minute: two(n1, n2)?,
            second: two(s1, s2)?,
            nanosecond: nanosecond(fraction),
            offset: FieldsOfOffset::split(offset)?,
        })
    }

    fn leap_second(&self) -> bool {
        self.second == 60
    }

    /// The date and time of day. A leap second has no timestamp: it reads as the second before.
    fn datetime(&self) -> Option<civil::DateTime> {
        let [year, month, day] = self.date;
        let date = civil::Date::new(year, month.try_into().ok()?, day.try_into().ok()?);
        let second = if self.leap_second() { 59 } else { self.second };
        let time = civil::Time::new(self.hour, self.minute, second, self.nanosecond);
        Some(civil::DateTime::from_parts(date.ok()?, time.ok()?))
    }
}

impl FieldsOfOffset {
    fn split(text: &[u8]) -> Option<Self> {
        let (sign, digits) = match text {
            [b'Z' | b'z'] => (1, b"00:00"),
            [b'+', digits @ ..] => (1, digits.try_into().ok()?),
            [b'-', digits @ ..] => (-1, digits.try_into().ok()?),
            _ => return None,
        };
        let &[h1, h2, b':', m1, m2] = digits else {
            return None;
        };
        Some(Self {
            sign,
            hours: two(h1, h2)?,
            minutes: two(m1, m2)?,
        })
    }

    fn offset(&self) -> Option<Offset> {
        if self.hours > 23 || self.minutes > 59 {
            return None;
        }
        let minutes = i32::from(self.hours) * 60 + i32::from(self.minutes);
        Offset::from_seconds(self.sign * minutes * 60).ok()
    }
}

/// Splits off a dot and its digits, of which there must be one at least.
fn split_fraction(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let Some(digits) = text.strip_prefix(b".") else {
        return Some((&[], text));
    };
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    digits.split_at_checked(end).filter(|_| end > 0)
}

/// The first nine digits of a fraction of a second.
fn nanosecond(fraction: &[u8]) -> i32 {
    let digits = fraction.iter().chain(std::iter::repeat(&b'0')).take(9);
    digits.fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'))
}

/// A number of two digits.
fn two(tens: u8, ones: u8) -> Option<i8> {
    let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
    digits.then(|| (tens - b'0').cast_signed() * 10 + (ones - b'0').cast_signed())
}

#[cfg(test)]
mod tests {
    use super::TimeError;
    use crate::{MicroTime, Time};
    use jiff::Timestamp;

    #[test]
    fn what_is_read() {
        // The text, and what it is as microseconds. As seconds it is the same without a fraction.
        let table = [
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000Z"),
            ("2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05.123456Z"),
            ("2026-01-02t03:04:05.5z", "2026-01-02T03:04:05.500000Z"),
            // Digits are cut, not rounded, before 1970 too.
            (
                "2026-01-02T03:04:05.999999999Z",
                "2026-01-02T03:04:05.999999Z",
            ),
            (
                "2026-01-02T03:04:05.12345678901234567890Z",
                "2026-01-02T03:04:05.123456Z",
            ),
            (
                "1969-12-31T23:59:59.999999999Z",
                "1969-12-31T23:59:59.999999Z",
            ),
            (
                "1969-12-31T23:59:59.0000001Z",
                "1969-12-31T23:59:59.000000Z",
            ),
            ("1900-03-01T00:00:00.1Z", "1900-03-01T00:00:00.100000Z"),
            // Offsets move the time to UTC.
            ("2026-01-02T03:04:05+01:00", "2026-01-02T02:04:05.000000Z"),
            ("2026-01-02T03:04:05.1-05:30", "2026-01-02T08:34:05.100000Z"),
            ("2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05.000000Z"),
            ("2026-01-01T00:30:00+23:59", "2025-12-31T00:31:00.000000Z"),
            // Leap days and leap seconds.
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000000Z"),
            (
                "2016-12-31T15:59:60.25-08:00",
                "2016-12-31T23:59:59.250000Z",
            ),
            // The ends.
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
            ("9999-12-30T22:00:00.999999Z", "9999-12-30T22:00:00.999999Z"),
        ];
        for (text, micro) in table {
            let time: MicroTime = text.parse().unwrap();
            assert_eq!(time.to_string(), micro, "{text}");
            let (seconds, _) = micro.split_once('.').unwrap();
            let time: Time = text.parse().unwrap();
            assert_eq!(time.to_string(), format!("{seconds}Z"), "{text}");
        }
    }

    #[test]
    fn what_has_another_form() {
        let texts = [
            "",
            "now",
            "2026-01-02",
            "2026-01-02T03:04Z",
            "2026-01-02T03:04:05",
            "2026-01-02 03:04:05Z",
            "2026-01-02_03:04:05Z",
            "20260102T030405Z",
            "2026-01-02T030405Z",
            "2026-1-2T3:4:5Z",
            "+002026-01-02T03:04:05Z",
            "-000001-01-02T03:04:05Z",
            "12026-01-02T03:04:05Z",
            "2026-01-02T03:04:05.Z",
            "2026-01-02T03:04:05.5",
            "2026-01-02T03:04:05,5Z",
            "2026-01-02T03:04:05+01",
            "2026-01-02T03:04:05+0100",
            "2026-01-02T03:04:05+01:00:00",
            "2026-01-02T03:04:05+1:00",
            "2026-01-02T03:04:05UTC",
            "2026-01-02T03:04:05Z[UTC]",
            "2026-01-02T03:04:05+01:00[Europe/Paris]",
            "2026-01-02T03:04:05Z ",
            " 2026-01-02T03:04:05Z",
            "2026-01-02T03:04:05\u{2212}01:00",
            "2026-01-02T03:04:0٥Z",
        ];
        for text in texts {
            let expected = TimeError::Syntax {
                found: text.to_owned(),
                example: "2026-01-02T03:04:05Z",
            };
            assert_eq!(text.parse::<Time>(), Err(expected));
        }
    }

    #[test]
    fn what_does_not_exist() {
        let texts = [
            "2026-00-02T03:04:05Z",
            "2026-13-02T03:04:05Z",
            "2026-01-00T03:04:05Z",
            "2026-01-32T03:04:05Z",
            "2025-02-29T03:04:05Z",
            "2026-01-02T24:00:00Z",
            "2026-01-02T03:60:05Z",
            "2026-01-02T03:04:61Z",
            "2026-01-02T03:04:05+24:00",
            "2026-01-02T03:04:05+01:60",
            // Leap seconds that cannot be.
            "2026-01-02T03:04:60Z",
            "2016-12-30T23:59:60Z",
            "2016-12-31T23:59:60-08:00",
        ];
        for text in texts {
            let error = text.parse::<MicroTime>().unwrap_err();
            let expected = format!(
                "`{text}` does not exist: expected a time such as `2026-01-02T03:04:05.123456Z`"
            );
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn what_is_out_of_range() {
        let texts = [
            "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "9999-12-30T22:00:01Z",
        ];
        for text in texts {
            let error = text.parse::<Time>().unwrap_err();
            let expected = format!(
                "`{text}` is out of range: \
                 expected a time from `0000-01-01T00:00:00Z` to `9999-12-30T22:00:00.999999999Z`"
            );
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn timestamps_are_cut() {
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
            let found = MicroTime::try_from(time).unwrap();
            assert_eq!(Timestamp::from(found).as_nanosecond(), micro);
            let found = Time::try_from(time).unwrap();
            assert_eq!(Timestamp::from(found).as_nanosecond(), seconds);
        }
        assert!(MicroTime::try_from(Timestamp::MAX).is_ok());
        let error = Time::try_from(Timestamp::MIN).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`-009999-01-02T01:59:59Z` is out of range")
        );
    }

    #[test]
    fn now_is_cut_and_passes() {
        let before = Timestamp::now();
        let now = MicroTime::now().timestamp();
        assert_eq!(now.subsec_nanosecond() % 1_000, 0);
        assert!(before.duration_until(now).as_micros() >= -1);
        assert_eq!(Time::now().timestamp().subsec_nanosecond(), 0);
    }

    #[test]
    fn go_has_its_own_zero() {
        let zero: MicroTime = crate::wire::zero();
        assert_eq!(zero.to_string(), "0001-01-01T00:00:00.000000Z");
        assert_eq!(
            crate::wire::zero::<Time>().to_string(),
            "0001-01-01T00:00:00Z"
        );
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
