//! Dates, times and durations.

use std::ops::Range;

/// `2026-01-02`, as Go reads it: a day that exists, also of the year 0.
pub(super) fn date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let number = |range: Range<usize>| -> Option<u32> {
        let digits = bytes.get(range)?;
        digits.iter().try_fold(0, |sum, digit| {
            digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit.wrapping_sub(b'0')))
        })
    };
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    bytes.len() == 10
        && bytes.get(4) == Some(&b'-')
        && bytes.get(7) == Some(&b'-')
        && (1..=days).contains(&day)
}

/// A date, `t`, and a time. What follows a second `t` is ignored, as the server ignores it.
pub(super) fn date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(first), Some(second)) = (parts.next(), parts.next()) else { return false };
    date(first) && time(second)
}

/// `03:04:05`, a fraction after any character, and `z` or an offset of any size.
fn time(text: &str) -> bool {
    let pair = |text: &str, most: u32| {
        text.len() == 2
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && text.parse().is_ok_and(|n: u32| n <= most)
    };
    let (Some(clock), Some(rest)) = (text.get(..8), text.get(8..)) else { return false };
    let mut fields = clock.split(':');
    let fields = [fields.next(), fields.next(), fields.next()].map(Option::unwrap_or_default);
    let [hours, minutes, seconds] = fields;
    let zone = match rest.strip_suffix('z') {
        Some(fraction) => Some(fraction),
        None => rest.rfind(['+', '-']).and_then(|at| {
            let (fraction, offset) = (rest.get(..at)?, rest.get(at + 1..)?);
            let (hours, minutes) = offset.split_once(':')?;
            (pair(hours, 99) && pair(minutes, 99)).then_some(fraction)
        }),
    };
    let is_fraction = |fraction: &str| {
        let mut characters = fraction.chars();
        let separator = characters.next();
        let digits = characters.as_str();
        separator.is_none_or(|separator| {
            separator != '\n' && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
        })
    };
    pair(hours, 23) && pair(minutes, 59) && pair(seconds, 59) && zone.is_some_and(is_fraction)
}

/// A duration of Go, or else a text with a number and a unit somewhere in it.
pub(super) fn duration(text: &str) -> bool {
    go_duration(text).is_some() || lax_duration(text)
}

const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The nanoseconds of `-1h2.5m`, as `time.ParseDuration` of Go reads it, without the sign.
fn go_duration(text: &str) -> Option<u64> {
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    let mut total = 0u64;
    loop {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), split_digits);
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, next) = after.split_at_checked(end)?;
        let (_, nanoseconds) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a fraction of a unit"
        )]
        let part = (format!("0.{fraction}0").parse::<f64>().ok()? * *nanoseconds as f64) as u64;
        total = total.checked_add(whole.checked_mul(*nanoseconds)?.checked_add(part)?)?;
        rest = next;
        if rest.is_empty() {
            let most = i64::MAX.unsigned_abs() + u64::from(text.starts_with('-'));
            return (total <= most).then_some(total);
        }
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (text.get(..text.len() - rest.len()).unwrap_or_default(), rest)
}

/// Returns `true` if a number with a unit is in the text, such as `2 days`, and each number before letters is an `i64`.
fn lax_duration(text: &str) -> bool {
    let mut found = false;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (number, after) = split_digits(rest.get(start..).unwrap_or_default());
        let word = after.trim_start_matches(['\t', '\n', '\u{C}', '\r', ' ']);
        let next = word.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == 'µ');
        let unit = word.get(..word.len() - next.len()).unwrap_or_default();
        if unit.is_empty() {
            rest = after;
            continue;
        }
        if number.parse::<i64>().is_err() {
            return false;
        }
        found |= is_unit(&unit.to_lowercase());
        rest = next;
    }
    found
}

/// Returns `true` if the word in lower case is a short name of a unit, or begins with a long one.
fn is_unit(word: &str) -> bool {
    const SHORT: [&str; 12] = ["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk", "μs"];
    const LONG: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];
    SHORT.contains(&word) || LONG.iter().any(|long| word.starts_with(long))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_exist() {
        for (text, valid) in [
            ("2024-02-29", true),
            ("1900-02-29", false),
            ("2000-02-29", true),
            ("2026-04-31", false),
            ("2026-00-01", false),
            ("", false),
        ] {
            assert_eq!(date(text), valid, "{text}");
        }
    }

    #[test]
    fn times_have_zones() {
        for (text, valid) in [
            ("2026-01-02T03:04:05+99:99", true),
            ("2026-01-02T24:04:05Z", false),
            ("2026-01-02T03:04:05Ztea", true),
            ("2026-01-02T03:04:05.Z", false),
            ("2026-01-02T03:04:05x1-01:00", true),
            ("2026-01-02T03:04:05-01:00:00", false),
            ("2026-01-02T3:04:05Z", false),
            ("2026-01-02T03:04:05é1Z", true),
        ] {
            assert_eq!(date_time(text), valid, "{text}");
        }
    }

    #[test]
    fn durations_of_go_and_others() {
        for (text, valid) in [
            ("-1.5h", true),
            ("1.h", true),
            ("-9223372036854775808ns", true),
            ("9223372036854775808ns", false),
            ("99999999999h", true),
            ("1x", false),
            ("1x2s", true),
            ("a1 s", true),
            ("99999999999999999999h", false),
            ("+", false),
            ("00000", false),
            ("1.5", false),
        ] {
            assert_eq!(duration(text), valid, "{text}");
        }
    }
}
