//! The texts of times: the forms that people and servers write, and the form that is written.
//!
//! `jiff` knows the calendar. It knows fewer years than servers write, and refuses forms that they read, so texts are
//! read and written here.

use jiff::Timestamp;
use jiff::civil::{self, Date, DateTime};
use jiff::tz::Offset;

use crate::ParseError;
use crate::values::split_digits;

/// The microseconds of a second.
pub(super) const MICROS: i64 = 1_000_000;

/// The seconds of a day.
const DAY: i64 = 86_400;

/// The seconds of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097 * DAY;

/// The difference between the two types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
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
    pub(super) const fn unit(self) -> i64 {
        match self {
            Self::Micro => 1,
            Self::Seconds => MICROS,
        }
    }

    /// Cuts the time to the unit, towards the past, as digits of a text are cut.
    pub(super) const fn cut(self, time: i64) -> i64 {
        match time.checked_sub(time.rem_euclid(self.unit())) {
            Some(cut) => cut,
            None => i64::MIN / self.unit() * self.unit(),
        }
    }

    /// Reads a time as microseconds since 1970. It also reads forms that people write and API servers reject.
    pub(super) fn parse(self, text: &str) -> Result<i64, ParseError> {
        match usual(text.as_bytes()) {
            Some(time) => Ok(self.cut(time)),
            None => self.read(text).map(|(time, _)| time),
        }
    }

    /// Reads a time as API servers do, and refuses the forms that they refuse.
    pub(super) fn parse_as_server(self, text: &str) -> Result<i64, ParseError> {
        let (time, parts) = self.read(text)?;
        if parts.is_read_by_servers(self) {
            return Ok(time);
        }
        let instead = format!("write `{}`", TimeText::from_micros(time, self).as_str());
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
pub(super) struct TimeText {
    /// The text, and zeros: texts of 16 bytes are checked at once.
    bytes: [u8; 48],
    length: usize,
}

impl TimeText {
    /// The text of a number of microseconds since 1970.
    #[allow(clippy::many_single_char_names, reason = "each is a letter of the text")]
    pub(super) fn from_micros(time: i64, precision: Precision) -> Self {
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

    pub(super) fn as_str(&self) -> &str {
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
