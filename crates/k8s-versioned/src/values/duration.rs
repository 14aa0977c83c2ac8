//! Durations as Go writes them.

use std::fmt::{self, Write as _};

use jiff::SignedDuration;
use serde::de::{Deserialize, Deserializer};

use super::amount::split_digits;
use crate::ParseError;

/// A duration, such as `1m30s`, as the original text.
///
/// Two values are equal if their texts are. [`parse`](Self::parse) gives the duration. Servers store the durations of
/// custom resources as they are sent.
///
/// ```
/// use std::time;
/// use k8s_versioned::Duration;
///
/// let timeout = Duration::from("1.5h");
/// assert_eq!(timeout.parse()?.as_secs(), 5400);
/// assert_eq!(Duration::from(time::Duration::from_secs(90)).as_str(), "1m30s");
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Duration(Box<str>);

kept_text!(Duration);
written_as_text!(Duration);

/// The units, with their nanoseconds.
const UNITS: [(&str, u128); 8] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ns", 1),
];

impl Duration {
    /// The duration, cut to nanoseconds.
    ///
    /// # Errors
    ///
    /// The text is not a duration that Go reads: numbers with the units `h`, `m`, `s`, `ms`, `us` and `ns`, at most 292
    /// years.
    pub fn parse(&self) -> Result<SignedDuration, ParseError> {
        let duration = duration_nanoseconds(&self.0).map(SignedDuration::from_nanos);
        duration.ok_or_else(|| {
            ParseError::new(&self.0, "a duration", "expected numbers with units, such as `1m30s`")
        })
    }
}

/// The nanoseconds of a duration as `time.ParseDuration` of Go reads it, such as `1h30m` or `-1.5s`.
pub fn duration_nanoseconds(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mut rest, mut sum) = (unsigned, 0_u128);
    if rest == "0" {
        return Some(0);
    }
    while !rest.is_empty() || unsigned.is_empty() {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), split_digits);
        let end = after.find(|char: char| char == '.' || char.is_ascii_digit());
        let (unit, after) = after.split_at_checked(end.unwrap_or(after.len()))?;
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        // Further digits are less than a nanosecond.
        let fraction = fraction.get(..fraction.len().min(18))?;
        let scale = 10_u128.checked_pow(fraction.len().try_into().ok()?)?;
        let part = number(fraction)? * unit / scale;
        sum = sum.checked_add(number(whole)? * unit + part)?;
        rest = after;
    }
    let sum = i128::try_from(sum).ok()?;
    i64::try_from(if text.starts_with('-') { -sum } else { sum }).ok()
}

/// The number of some digits, which may be none; `None` if it has more than 64 bits.
fn number(digits: &str) -> Option<u128> {
    if digits.is_empty() { Some(0) } else { digits.parse::<u64>().ok().map(u128::from) }
}

/// Go's zero value, `0s`.
impl Default for Duration {
    fn default() -> Self {
        "0s".into()
    }
}

/// The text that Go writes.
impl From<SignedDuration> for Duration {
    fn from(duration: SignedDuration) -> Self {
        let nanos = duration.as_nanos().unsigned_abs();
        let sign = if duration.is_negative() { "-" } else { "" };
        let mut text = sign.to_owned();
        let (second, minute) = (1_000_000_000, 60_000_000_000);
        let (unit, name) = match nanos {
            0..1_000 => (1, "ns"),
            1_000..1_000_000 => (1_000, "µs"),
            1_000_000..1_000_000_000 => (1_000_000, "ms"),
            _ => (second, "s"),
        };
        let minutes = nanos / minute;
        // Writing to a text does not fail.
        let _ = match minutes {
            _ if nanos == 0 => write!(text, "0s"),
            0 => write!(text, "{}{name}", Decimal(nanos, unit)),
            1..60 => write!(text, "{minutes}m{}s", Decimal(nanos % minute, second)),
            _ => write!(
                text,
                "{}h{}m{}s",
                minutes / 60,
                minutes % 60,
                Decimal(nanos % minute, second)
            ),
        };
        text.into()
    }
}

/// The text that Go writes.
impl From<std::time::Duration> for Duration {
    fn from(duration: std::time::Duration) -> Self {
        SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX).into()
    }
}

/// A number of units, without zeros at the end of its fraction.
struct Decimal(u128, u128);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, unit) = self;
        write!(f, "{}", number / unit)?;
        let digits = usize::try_from(unit.ilog10()).unwrap_or_default();
        let fraction = format!("{:0digits$}", number % unit);
        match fraction.trim_end_matches('0') {
            "" => Ok(()),
            fraction => write!(f, ".{fraction}"),
        }
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use proptest::prelude::*;

    use super::Duration;

    /// A text, the text that Go writes for it, and its nanoseconds.
    #[test]
    fn texts_of_go_are_read_and_written() {
        let table = [
            ("0", "0s", 0),
            ("-0", "0s", 0),
            ("1ns", "1ns", 1),
            ("1100ns", "1.1µs", 1_100),
            ("2.2ms", "2.2ms", 2_200_000),
            ("3.3s", "3.3s", 3_300_000_000),
            ("+5m", "5m0s", 300_000_000_000),
            ("1.5h", "1h30m0s", 5_400_000_000_000),
            ("90s", "1m30s", 90_000_000_000),
            ("-1h15m30.918s", "-1h15m30.918s", -4_530_918_000_000),
            ("1s1s", "2s", 2_000_000_000),
            (".5s", "500ms", 500_000_000),
            ("1.s", "1s", 1_000_000_000),
            ("1us1µs1μs", "3µs", 3_000),
            ("0.0000000009s", "0s", 0),
            ("0.33333333333333333333h", "19m59.999999999s", 1_199_999_999_999),
            ("2562047h47m16.854775807s", "2562047h47m16.854775807s", i64::MAX),
            ("-9223372036854775808ns", "-2562047h47m16.854775808s", i64::MIN),
        ];
        for (text, written, nanos) in table {
            let duration = Duration::from(text);
            assert_eq!(duration.parse().unwrap(), SignedDuration::from_nanos(nanos), "{text}");
            assert_eq!(Duration::from(duration.parse().unwrap()).as_str(), written, "{text}");
            assert_eq!(duration.to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let texts = [
            "",
            "3",
            "-",
            "s",
            ".",
            "-.",
            ".s",
            "+.s",
            "1d",
            "1 s",
            "1h ",
            "1sm",
            "9223372036854775808ns",
            "3000000h",
            "-00",
            "٧s",
            "1.5.5s",
        ];
        for text in texts {
            assert!(Duration::from(text).parse().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn durations_survive(nanos in any::<i64>()) {
            let duration = SignedDuration::from_nanos(nanos);
            prop_assert_eq!(Duration::from(duration).parse().unwrap(), duration);
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = Duration::from(text).parse();
        }
    }
}
