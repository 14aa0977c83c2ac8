//! Durations as the format `duration` reads them.

use k8s_versioned::{duration_nanoseconds, split_digits};

/// A second in nanoseconds.
pub const SECOND: i64 = 1_000_000_000;

/// The units of the format `duration` that Go does not have: their names and their nanoseconds. The last name may have an ending.
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

/// Reads a duration as the format `duration` does, which also accepts `3 days`.
pub fn read(text: &str) -> Option<i64> {
    if let Some(duration) = duration_nanoseconds(text) {
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
    use super::{SECOND, read};

    #[test]
    fn durations() {
        assert_eq!(read("3 days"), Some(3 * 24 * 3_600_000_000_000));
        assert_eq!(read("2hours"), Some(2 * 3_600_000_000_000));
        assert_eq!(read("x"), None);
        assert_eq!(read("2 wk"), Some(14 * 24 * 3600 * SECOND));
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
            assert_eq!(read(text).is_some(), valid, "{text}");
        }
    }
}
