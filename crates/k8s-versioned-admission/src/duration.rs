//! Durations as Go reads them, and as the format `duration` does.

/// A second in nanoseconds.
pub(crate) const SECOND: i64 = 1_000_000_000;

/// Units of durations by their names, in nanoseconds.
const UNITS: [(&str, i64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3600 * SECOND),
];

/// Further units that the format `duration` knows: names, the last of which may have an ending, and nanoseconds.
const LENIENT_UNITS: [(&[&str], i64); 8] = [
    (&["ns", "nano"], 1),
    (&["us", "µs", "micro"], 1_000),
    (&["ms", "milli"], 1_000_000),
    (&["s", "sec"], SECOND),
    (&["m", "min"], 60 * SECOND),
    (&["h", "hr", "hour"], 3600 * SECOND),
    (&["d", "day"], 24 * 3600 * SECOND),
    (&["w", "wk", "week"], 7 * 24 * 3600 * SECOND),
];

/// Reads a duration as `time.ParseDuration` does, such as `1h30m` or `-1.5s`, in nanoseconds.
pub(crate) fn read(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), split_digits);
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after
            .find(|character: char| character == '.' || character.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        let (_, nanoseconds) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let whole: i128 = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()?.into() };
        total = total.checked_add(whole.checked_mul(i128::from(*nanoseconds))?)?;
        total = total.checked_add(fraction_of(fraction, *nanoseconds))?;
        rest = after;
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

/// The digits at the start of a text, and the rest.
fn split_digits(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    (text.strip_suffix(rest).unwrap_or(text), rest)
}

/// The fraction of a unit, cut to nanoseconds.
pub(crate) fn fraction_of(fraction: &str, unit: i64) -> i128 {
    let (mut value, mut scale) = (0_i128, 1_i128);
    for digit in fraction.bytes().take(18) {
        value = value * 10 + i128::from(digit - b'0');
        scale *= 10;
    }
    value * i128::from(unit) / scale
}

/// Reads a duration as the format `duration` does: also `3 days` and the like.
pub(crate) fn read_lenient(text: &str) -> Option<i64> {
    if let Some(duration) = read(text) {
        return Some(duration);
    }
    let (mut total, mut has_unit) = (0_i64, false);
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let (_, from) = rest.split_at_checked(start)?;
        let (factor, after) = split_digits(from);
        let after = after.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let end = after
            .find(|character: char| !(character.is_ascii_alphabetic() || character == 'µ'))
            .unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        rest = after;
        if unit.is_empty() {
            continue;
        }
        let factor: i64 = factor.parse().ok()?;
        let unit = unit.to_lowercase();
        for (names, nanoseconds) in LENIENT_UNITS {
            let known =
                names.contains(&&*unit) || names.last().is_some_and(|last| unit.starts_with(last));
            if known {
                has_unit = true;
                total = total.wrapping_add(factor.wrapping_mul(nanoseconds));
            }
        }
    }
    has_unit.then_some(total)
}

#[cfg(test)]
mod tests {
    use super::{SECOND, read, read_lenient};

    #[test]
    fn durations() {
        let cases = [
            ("1h30m", Some(5_400_000_000_000)),
            ("-1.5s", Some(-1_500_000_000)),
            ("0", Some(0)),
            (".5ms", Some(500_000)),
            ("1.s", Some(1_000_000_000)),
            ("5", None),
            ("", None),
            ("1d", None),
            ("1h 30m", None),
            ("9223372036854775808ns", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read_lenient("3 days"), Some(3 * 24 * 3_600_000_000_000));
        assert_eq!(read_lenient("2hours"), Some(2 * 3_600_000_000_000));
        assert_eq!(read_lenient("x"), None);
        assert_eq!(read_lenient("2 wk"), Some(14 * 24 * 3600 * SECOND));
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
            assert_eq!(read_lenient(text).is_some(), valid, "{text}");
        }
    }
}
