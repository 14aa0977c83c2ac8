//! Times as Go reads and writes them in objects: RFC 3339, written in UTC with whole seconds.

use std::borrow::Cow;

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

/// The time in the form in which servers store it.
///
/// # Errors
/// The text is not a time; the error is in Go's words.
pub(crate) fn normalise(text: &str) -> Result<Cow<'_, str>, String> {
    let (time, offset, rest) = read(text)?;
    if !rest.is_empty() {
        return Err(format!("parsing time {text:?}: extra text: {rest:?}"));
    }
    // Nearly every time: `2006-01-02T15:04:05Z`.
    if text.len() == 20 && text.ends_with('Z') {
        return Ok(Cow::Borrowed(text));
    }
    let out_of_range = |_| format!("parsing time {text:?}: year out of range");
    let zone = TimeZone::fixed(Offset::from_seconds(offset).map_err(out_of_range)?);
    let time = zone.to_timestamp(time).map_err(out_of_range)?;
    let time = TimeZone::UTC.to_datetime(time);
    Ok(Cow::Owned(format!("{}Z", time.strftime("%Y-%m-%dT%H:%M:%S"))))
}

/// The date and time, the seconds east of Greenwich, and the text after the time.
fn read(text: &str) -> Result<(DateTime, i32, &str), String> {
    let mut reader = Reader { text, rest: text };
    let year = reader.digits(4, "2006")?;
    reader.literal("-")?;
    let month = reader.digits(2, "01")?;
    reader.literal("-")?;
    let day = reader.digits(2, "02")?;
    reader.literal("T")?;
    let hour = reader.digits(2, "15")?;
    reader.literal(":")?;
    let minute = reader.digits(2, "04")?;
    reader.literal(":")?;
    let second = reader.digits(2, "05")?;
    reader.fraction();
    let offset = reader.offset()?;
    let limits = [
        ("month", month, 1..=12),
        ("hour", hour, 0..=23),
        ("minute", minute, 0..=59),
        ("second", second, 0..=59),
    ];
    let wrong = limits.into_iter().find(|(_, value, range)| !range.contains(value));
    let part = wrong.map_or("day", |(name, ..)| name);
    let [month, day, hour, minute, second] =
        [month, day, hour, minute, second].map(|part| i8::try_from(part).unwrap_or(-1));
    let time = DateTime::new(year, month, day, hour, minute, second, 0)
        .map_err(|_| format!("parsing time {text:?}: {part} out of range"))?;
    Ok((time, offset, reader.rest))
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Reader<'_> {
    fn error(&self, part: &str) -> String {
        let (text, rest) = (self.text, self.rest);
        format!(
            "parsing time {text:?} as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest:?} as {part:?}"
        )
    }

    fn digits(&mut self, count: usize, part: &str) -> Result<i16, String> {
        let (digits, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.error(part))?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(part));
        }
        self.rest = rest;
        digits.parse().map_err(|_| self.error(part))
    }

    fn literal(&mut self, literal: &str) -> Result<(), String> {
        self.rest = self.rest.strip_prefix(literal).ok_or_else(|| self.error(literal))?;
        Ok(())
    }

    fn fraction(&mut self) {
        if let Some(digits) = self.rest.strip_prefix(['.', ','])
            && digits.starts_with(|digit: char| digit.is_ascii_digit())
        {
            self.rest = digits.trim_start_matches(|digit: char| digit.is_ascii_digit());
        }
    }

    /// The seconds east of Greenwich.
    fn offset(&mut self) -> Result<i32, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let part = "Z07:00";
        let before = Self { text: self.text, rest: self.rest };
        let sign = match self.rest.chars().next() {
            Some('+') => 1,
            Some('-') => -1,
            _ => return Err(self.error(part)),
        };
        self.rest = self.rest.get(1..).unwrap_or_default();
        let mut number = || self.digits(2, part).map_err(|_| before.error(part));
        let hours = number()?;
        self.literal(":").map_err(|_| before.error(part))?;
        let minutes = self.digits(2, part).map_err(|_| before.error(part))?;
        Ok(sign * (i32::from(hours) * 3_600 + i32::from(minutes) * 60))
    }
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn times_are_written_in_utc() {
        let table = [
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
            ("2026-01-02T00:04:05.999+01:00", "2026-01-01T23:04:05Z"),
            ("2024-02-29T23:59:59-00:30", "2024-03-01T00:29:59Z"),
            ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ];
        for (text, stored) in table {
            assert_eq!(normalise(text).as_deref(), Ok(stored), "{text}");
        }
        let layout = "2006-01-02T15:04:05Z07:00";
        let errors = [
            ("x", format!("parsing time \"x\" as \"{layout}\": cannot parse \"x\" as \"2006\"")),
            (
                "2026-02-30T00:00:00Z",
                "parsing time \"2026-02-30T00:00:00Z\": day out of range".to_owned(),
            ),
            (
                "2026-01-02T03:04:05Zx",
                "parsing time \"2026-01-02T03:04:05Zx\": extra text: \"x\"".to_owned(),
            ),
        ];
        for (text, error) in errors {
            assert_eq!(normalise(text), Err(error));
        }
    }
}
