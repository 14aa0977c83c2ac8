//! Dates and times.

use jiff::civil::Date;

use crate::values::time::has_form;

/// `2026-01-02`, as Go reads it: a day that exists, also of the year 0.
pub(super) fn date(text: &str) -> bool {
    has_form(text, "0000-00-00") && text.parse::<Date>().is_ok()
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
}
