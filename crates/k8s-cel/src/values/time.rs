//! Times as Go reads and writes them in objects: RFC 3339, written in UTC with whole seconds.

use std::borrow::Cow;

use jiff::SignedDuration;
use jiff::civil::DateTime;

type Range = std::ops::RangeInclusive<i8>;

/// The time in the form in which servers store it.
///
/// # Errors
/// The text is not a time; the error is in Go's words.
pub fn normalise(text: &str) -> Result<Cow<'_, str>, String> {
    let (time, offset) = read(text)?;
    // Nearly every time: `2006-01-02T15:04:05Z`.
    if text.len() == 20 && text.ends_with('Z') {
        return Ok(Cow::Borrowed(text));
    }
    // A `Timestamp` of `jiff` ends before the year 9999 does.
    let time = time.checked_sub(SignedDuration::from_secs(offset.into()));
    let out_of_range = |_| format!("parsing time {}: year out of range", quoted(text));
    let time = time.map_err(out_of_range)?;
    Ok(Cow::Owned(format!("{}Z", time.strftime("%Y-%m-%dT%H:%M:%S"))))
}

/// The date and time, and the seconds east of Greenwich.
fn read(text: &str) -> Result<(DateTime, i32), String> {
    let mut reader = Reader { text, rest: text };
    let year = reader.digits(4, "2006")?;
    reader.literal("-")?;
    let month = reader.number("01", "month", 1..=12)?;
    reader.literal("-")?;
    let day = reader.digits(2, "02")?;
    reader.literal("T")?;
    // The hour may have one digit.
    let hour_has_two_digits = reader.rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    let hour = reader.digits(if hour_has_two_digits { 2 } else { 1 }, "15")?;
    let hour = reader.in_range(hour, "hour", 0..=23)?;
    reader.literal(":")?;
    let minute = reader.number("04", "minute", 0..=59)?;
    reader.literal(":")?;
    let second = reader.number("05", "second", 0..=59)?;
    reader.fraction();
    let offset = reader.offset()?;
    if !reader.rest.is_empty() {
        return Err(reader.fault(&format!("extra text: {}", quoted(reader.rest))));
    }
    // The day is compared with the month at the end.
    let time = DateTime::new(year, month, i8::try_from(day).unwrap_or(-1), hour, minute, second, 0);
    Ok((time.map_err(|_| reader.fault("day out of range"))?, offset))
}

/// A text in quotes, as errors about times show it: what is not printable ASCII is shown as bytes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '..='\u{7f}' => quoted.push(character),
            other => {
                let mut buffer = [0; 4];
                let bytes = other.encode_utf8(&mut buffer).bytes();
                quoted.extend(bytes.map(|byte| format!("\\x{byte:02x}")));
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Returns `true` if a text has digits where the form has zeros, and is equal elsewhere.
pub fn has_form(text: &str, form: &str) -> bool {
    let fits =
        |(own, form): (u8, u8)| if form == b'0' { own.is_ascii_digit() } else { own == form };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Reader<'_> {
    fn error(&self, part: &str) -> String {
        let [text, rest, part] = [self.text, self.rest, part].map(quoted);
        format!(
            "parsing time {text} as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest} as {part}"
        )
    }

    fn fault(&self, fault: &str) -> String {
        format!("parsing time {}: {fault}", quoted(self.text))
    }

    fn digits(&mut self, count: usize, part: &str) -> Result<i16, String> {
        let (digits, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.error(part))?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(part));
        }
        let number = digits.parse().map_err(|_| self.error(part))?;
        self.rest = rest;
        Ok(number)
    }

    /// Two digits in a range.
    fn number(&mut self, part: &str, name: &str, range: Range) -> Result<i8, String> {
        let number = self.digits(2, part)?;
        self.in_range(number, name, range)
    }

    fn in_range(&self, number: i16, name: &str, range: Range) -> Result<i8, String> {
        let number = i8::try_from(number).ok().filter(|number| range.contains(number));
        number.ok_or_else(|| self.fault(&format!("{name} out of range")))
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
        self.in_range(hours, "time zone offset hour", 0..=24)?;
        self.in_range(minutes, "time zone offset minute", 0..=60)?;
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
            ("2026-01-02T3:04:05Z", "2026-01-02T03:04:05Z"),
            ("2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05Z"),
            ("9999-12-31T23:59:59.9Z", "9999-12-31T23:59:59Z"),
            ("9999-12-31T23:59:59+00:00", "9999-12-31T23:59:59Z"),
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
            ("2026-13-45", "parsing time \"2026-13-45\": month out of range".to_owned()),
            (
                "2026-01-02T03:04:05+25:00",
                "parsing time \"2026-01-02T03:04:05+25:00\": time zone offset hour out of range"
                    .to_owned(),
            ),
            (
                "é",
                format!(
                    "parsing time \"\\xc3\\xa9\" as \"{layout}\": cannot parse \"\\xc3\\xa9\" as \"2006\""
                ),
            ),
            (
                "2026-02-30T03:04:05Zx",
                "parsing time \"2026-02-30T03:04:05Zx\": extra text: \"x\"".to_owned(),
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
