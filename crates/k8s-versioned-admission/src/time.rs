//! Times as Go reads and writes them in objects: RFC 3339, written in UTC with whole seconds.

/// Reads a time and writes it as servers store it.
///
/// # Errors
/// The text is not a time; the error is in Go's words.
pub(crate) fn normalise(text: &str) -> Result<String, String> {
    let (seconds, rest) = read(text)?;
    if rest.is_empty() {
        return Ok(write(seconds));
    }
    Err(format!("parsing time {text:?}: extra text: {rest:?}"))
}

/// The seconds since 1970, and the text after the time.
fn read(text: &str) -> Result<(i64, &str), String> {
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
        ("day", day, 1..=days_in(year, month)),
    ];
    for (name, value, range) in limits {
        if !range.contains(&value) {
            return Err(format!("parsing time {text:?}: {name} out of range"));
        }
    }
    let days = days_before(year, month, day);
    Ok((days * 86_400 + hour * 3_600 + minute * 60 + second - offset, reader.rest))
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

    fn digits(&mut self, count: usize, part: &str) -> Result<i64, String> {
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
    fn offset(&mut self) -> Result<i64, String> {
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
        Ok(sign * (hours * 3_600 + minutes * 60))
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from 1970-01-01 to a date of the Gregorian calendar, counted in eras of 400 years that begin in March.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn write(seconds: i64) -> String {
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let part = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * part + 2) / 5 + 1, (part + 2) % 12 + 1);
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
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
