//! Reading times: the forms that API servers read, and a few more. `jiff` knows fewer years, and refuses forms that
//! servers read.

use super::civil::Date;
use super::{MICROS, Precision};
use crate::ParseError;

/// Reads a time as microseconds since 1970. It also reads forms that people write and API servers refuse.
pub(super) fn parse(text: &str, precision: Precision) -> Result<i64, ParseError> {
    match plain(text.as_bytes()) {
        Some(time) => Ok(time),
        None => read(text, precision).map(|(time, _)| time),
    }
}

/// Reads the form that servers write, in UTC with no or six fractional digits. Row: decode.
fn plain(text: &[u8]) -> Option<i64> {
    #[rustfmt::skip]
    let &[
        y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T',
        h1, h2, b':', n1, n2, b':', s1, s2, ref rest @ ..
    ] = text else {
        return None;
    };
    let micro = match *rest {
        [b'Z'] => 0,
        [b'.', f1, f2, f3, f4, f5, f6, b'Z'] => {
            let [high, middle, low] = [two(f1, f2)?, two(f3, f4)?, two(f5, f6)?].map(i64::from);
            (high * 100 + middle) * 100 + low
        }
        _ => return None,
    };
    let year = i64::from(two(y1, y2)?) * 100 + i64::from(two(y3, y4)?);
    let date = Date::new(year, two(m1, m2)?, two(d1, d2)?)?;
    let [hour, minute, second] = [two(h1, h2)?, two(n1, n2)?, two(s1, s2)?].map(i64::from);
    let exists = hour < 24 && minute < 60 && second < 60;
    let second = (hour * 60 + minute) * 60 + second;
    exists.then(|| (date.days() * 86_400 + second) * MICROS + micro)
}

/// Reads a time as API servers do, and refuses the forms that they refuse.
pub(super) fn parse_as_server(text: &str, precision: Precision) -> Result<i64, ParseError> {
    let (time, fields) = read(text, precision)?;
    if fields.is_read_by_servers(precision) {
        return Ok(time);
    }
    let instead = format!("write `{}`", precision.text(time).as_str());
    Err(ParseError::new(text, "a time that API servers read", instead))
}

fn read(text: &str, precision: Precision) -> Result<(i64, Fields<'_>), ParseError> {
    let error = |expected| {
        let example = precision.example();
        ParseError::new(text, expected, format!("expected a time such as `{example}`"))
    };
    let fields = Fields::split(text.as_bytes()).ok_or_else(|| error("an RFC 3339 time"))?;
    let nonexistent = || error("a time that exists");
    let date = fields.date().ok_or_else(nonexistent)?;
    let second = fields.second_of_day().ok_or_else(nonexistent)?;
    let offset = fields.offset.seconds().ok_or_else(nonexistent)?;
    let microsecond = fields.microsecond().ok_or_else(nonexistent)?;
    let second = date.days() * 86_400 + second - offset;
    if fields.has_leap_second() && !ends_a_month(second) {
        return Err(nonexistent());
    }
    let time = second.checked_mul(MICROS).and_then(|time| time.checked_add(microsecond));
    Ok((time.ok_or_else(|| error(precision.range()))?, fields))
}

/// Leap seconds are inserted at the end of a month in UTC, nowhere else.
fn ends_a_month(second: i64) -> bool {
    let date = Date::of_days(second.div_euclid(86_400));
    date.is_last_of_month() && second.rem_euclid(86_400) / 60 == 24 * 60 - 1
}

/// The parts of a text. Only their number of digits is checked.
struct Fields<'a> {
    /// Digits, and perhaps a sign.
    year: &'a [u8],
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    /// The digits after the dot or the comma.
    fraction: Option<&'a [u8]>,
    offset: Offset,
    /// True if `T` and `Z` are capital letters.
    capitals: bool,
}

impl<'a> Fields<'a> {
    fn split(text: &'a [u8]) -> Option<Self> {
        let (year, rest) = split_year(text)?;
        let &[b'-', m1, m2, b'-', d1, d2, t @ (b'T' | b't'), ref rest @ ..] = rest else {
            return None;
        };
        let (hour, rest) = split_hour(rest)?;
        let &[b':', n1, n2, b':', s1, s2, ref rest @ ..] = rest else {
            return None;
        };
        let (fraction, offset) = split_fraction(rest)?;
        Some(Self {
            year,
            month: two(m1, m2)?,
            day: two(d1, d2)?,
            hour,
            minute: two(n1, n2)?,
            second: two(s1, s2)?,
            fraction,
            offset: Offset::split(offset)?,
            capitals: t == b'T' && offset != b"z",
        })
    }

    fn has_leap_second(&self) -> bool {
        self.second == 60
    }

    fn date(&self) -> Option<Date> {
        // Six digits are enough for all microseconds that 64 bits can count.
        let year = str::from_utf8(self.year).ok()?;
        let year = year.parse().ok().filter(|year: &i64| year.abs() < 1_000_000);
        Date::new(year?, self.month, self.day)
    }

    /// The second of the day. A leap second reads as the second before it.
    fn second_of_day(&self) -> Option<i64> {
        let exists = self.hour < 24 && self.minute < 60 && self.second <= 60;
        let [hour, minute] = [self.hour, self.minute].map(i64::from);
        exists.then_some((hour * 60 + minute) * 60 + i64::from(self.second.min(59)))
    }

    /// The first six digits of the fraction. Servers read a sign as its first digit; it counts as zero.
    fn microsecond(&self) -> Option<i64> {
        let fraction = self.fraction.unwrap_or_default();
        let digits = fraction.iter().chain(std::iter::repeat(&b'0')).take(6);
        let digits = digits.map(|byte| if is_sign(*byte) { 0 } else { byte - b'0' });
        let microsecond = digits.fold(0, |sum, digit| sum * 10 + i64::from(digit));
        let negative = fraction.starts_with(b"-") && microsecond > 0;
        (!negative).then_some(microsecond)
    }

    fn is_read_by_servers(&self, precision: Precision) -> bool {
        let fraction = match (precision, self.fraction) {
            (Precision::Micro, fraction) => fraction.is_some_and(|fraction| fraction.len() == 6),
            (Precision::Seconds, fraction) => fraction.is_none_or(is_digits),
        };
        let year = self.year.len() == 4 && is_digits(self.year);
        fraction && year && self.capitals && !self.has_leap_second()
    }
}

/// The offset from UTC.
struct Offset {
    sign: i64,
    hours: u8,
    minutes: u8,
}

impl Offset {
    fn split(text: &[u8]) -> Option<Self> {
        let (sign, digits) = match text {
            [b'Z' | b'z'] => (1, b"00:00".as_slice()),
            [b'+', digits @ ..] => (1, digits),
            [b'-', digits @ ..] => (-1, digits),
            _ => return None,
        };
        let &[h1, h2, b':', m1, m2] = digits else {
            return None;
        };
        Some(Self { sign, hours: two(h1, h2)?, minutes: two(m1, m2)? })
    }

    /// The offset in seconds. Servers read offsets of 24 hours, and 60 minutes.
    fn seconds(&self) -> Option<i64> {
        let exists = self.hours <= 24 && self.minutes <= 60;
        let minutes = i64::from(self.hours) * 60 + i64::from(self.minutes);
        exists.then_some(self.sign * minutes * 60)
    }
}

/// Splits off a year of four or more digits, which may be negative.
fn split_year(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let length = digits.iter().position(|byte| *byte == b'-')?;
    let sign = text.len() - digits.len();
    let (year, rest) = text.split_at_checked(sign + length)?;
    let number = year.get(sign..).is_some_and(is_digits);
    (number && length >= 4).then_some((year, rest))
}

/// Splits off an hour of one or two digits.
fn split_hour(text: &[u8]) -> Option<(u8, &[u8])> {
    match text {
        [h1, rest @ ..] if rest.starts_with(b":") => Some((two(b'0', *h1)?, rest)),
        [h1, h2, rest @ ..] => Some((two(*h1, *h2)?, rest)),
        _ => None,
    }
}

/// Splits off a dot or a comma with its digits, or with a sign and five digits.
fn split_fraction(text: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let [b'.' | b',', fraction @ ..] = text else {
        return Some((None, text));
    };
    let sign = usize::from(fraction.first().is_some_and(|byte| is_sign(*byte)));
    let digits = fraction.get(sign..)?;
    let length = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    let (fraction, offset) = fraction.split_at_checked(sign + length)?;
    let complete = if sign == 0 { length > 0 } else { length == 5 };
    complete.then_some((Some(fraction), offset))
}

fn is_sign(byte: u8) -> bool {
    byte == b'+' || byte == b'-'
}

fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// A number of two digits.
fn two(tens: u8, ones: u8) -> Option<u8> {
    let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
    digits.then(|| (tens - b'0') * 10 + (ones - b'0'))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

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
        // A sign takes the place of a digit.
        ("2026-01-02T03:04:05.+12345Z", "2026-01-02T03:04:05.012345Z", true, false),
        ("2026-01-02T03:04:05.-00000Z", "2026-01-02T03:04:05.000000Z", true, false),
        // Digits are cut, not rounded, before 1970 too.
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
            "2026-01-02T03:04:05.+1234Z",
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
            "2026-01-02T03:04:05.-00001Z",
            "1000000-01-02T03:04:05Z",
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
        assert_eq!(MicroTime::from(SystemTime::try_from(far).unwrap()), far);
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
            let system = SystemTime::from(time);
            for found in [MicroTime::from(time), system.into()] {
                assert_eq!(Timestamp::try_from(found).unwrap().as_nanosecond(), micro);
                let system = SystemTime::try_from(found).unwrap();
                assert_eq!(Timestamp::try_from(system).unwrap().as_nanosecond(), micro);
            }
            for found in [Time::from(time), system.into()] {
                assert_eq!(Timestamp::try_from(found).unwrap().as_nanosecond(), seconds);
            }
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
        assert_eq!(all.as_micros(), i128::from(u64::MAX));
        assert_eq!(MicroTime::MIN.duration_since(MicroTime::MAX), -all);
        let micros = time.duration_since(MicroTime::from_unix(0, 0).unwrap());
        assert_eq!(micros, SignedDuration::from_micros(-1));
        assert_eq!(MicroTime::from_unix(0, 1_000_000), None);
        assert_eq!(MicroTime::from(Time::from(time)), MicroTime::from_unix(-1, 0).unwrap());
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
