//! The exact values of quantities, and the texts that servers read and write for them.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::ops::Neg;
use std::str::FromStr;

use crate::ParseError;

/// The unit in which an [`Amount`] is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuantityFormat {
    /// Powers of 1000: `n`, `u`, `m`, none, `k`, `M`, `G`, `T`, `P`, `E`.
    #[default]
    DecimalSi,
    /// Powers of 1024: `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei`.
    BinarySi,
    /// Powers of ten, as `e3`.
    DecimalExponent,
}

/// The exact value of a [`Quantity`](crate::Quantity).
///
/// It reads all forms that servers read, and like them it rounds up (away from zero) to a whole number of `n`, 10⁻⁹,
/// and cuts a number with a binary suffix at 2⁶³ - 1. It is written in the canonical form: no fraction, the largest
/// suffix with which that is possible, and the unit in which it was read.
///
/// ```
/// use k8s_versioned::Amount;
///
/// let amount: Amount = "1.5Gi".parse()?;
/// assert_eq!(amount.to_string(), "1536Mi");
/// assert_eq!(amount.to_i64(), Some(1_610_612_736));
/// assert_eq!("0.5".parse::<Amount>()?.to_string(), "500m");
/// assert_eq!("1000m".parse::<Amount>()?, Amount::from(1));
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
///
/// Amounts in different units are equal if their values are.
#[derive(Clone, Copy)]
pub struct Amount {
    /// It is not a multiple of ten.
    mantissa: i128,
    /// The power of ten by which the mantissa is multiplied: 0 if that is zero, and -9 at least.
    exponent: i32,
    format: QuantityFormat,
}

/// The smallest power of ten.
const NANO: i32 = -9;

/// One as a number of 10⁻⁹.
const NANOS: i128 = 1_000_000_000;

/// The largest power of ten whose zeros are written. A larger number has an exponent instead.
const MAX_ZEROS: i32 = 60;

/// The largest number with a binary suffix.
const MAX_BINARY: i128 = i64::MAX as i128;

impl Amount {
    /// The number `mantissa` × 10^`exponent`, rounded up to a whole number of 10⁻⁹. `None` if it has more than 38
    /// digits after that.
    fn new(mantissa: i128, exponent: i32, format: QuantityFormat) -> Option<Self> {
        let (mut mantissa, mut exponent) = (mantissa, exponent);
        if exponent < NANO {
            let unit = 10_i128.checked_pow(exponent.abs_diff(NANO)).unwrap_or(i128::MAX);
            let rest = i128::from(mantissa % unit != 0) * mantissa.signum();
            (mantissa, exponent) = (mantissa / unit + rest, NANO);
        }
        while mantissa != 0 && mantissa % 10 == 0 {
            (mantissa, exponent) = (mantissa / 10, exponent.checked_add(1)?);
        }
        let exponent = if mantissa == 0 { 0 } else { exponent };
        Some(Self { mantissa, exponent, format })
    }

    /// The number times 10^-`exponent`, if that is a whole number of at most 38 digits.
    fn over(self, exponent: i32) -> Option<i128> {
        let power = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        if self.mantissa == 0 {
            return Some(0);
        }
        self.mantissa.checked_mul(10_i128.checked_pow(power)?)
    }

    /// The number times 10^-`exponent`, rounded up (away from zero).
    fn ceil_over(self, exponent: i32) -> Option<i64> {
        let number = self.over(exponent).or_else(|| {
            let unit = 10_i128.checked_pow(exponent.abs_diff(self.exponent))?;
            let rest = i128::from(self.mantissa % unit != 0) * self.mantissa.signum();
            (self.exponent < exponent).then_some(self.mantissa / unit + rest)
        });
        number?.try_into().ok()
    }

    /// The unit in which it is written.
    pub fn format(self) -> QuantityFormat {
        self.format
    }

    /// The same value, written in another unit.
    #[must_use]
    pub fn with_format(self, format: QuantityFormat) -> Self {
        Self { format, ..self }
    }

    /// The number, if it is whole and fits.
    pub fn to_i64(self) -> Option<i64> {
        self.over(0)?.try_into().ok()
    }

    /// The number, rounded up (away from zero); `None` if it does not fit. (In Go: `Value`.)
    pub fn ceil(self) -> Option<i64> {
        self.ceil_over(0)
    }

    /// The number of thousandths, rounded up (away from zero); `None` if it does not fit. (In Go: `MilliValue`.)
    pub fn ceil_milli(self) -> Option<i64> {
        self.ceil_over(-3)
    }

    /// The number of 10⁻⁹, which is exact; `None` if it does not fit.
    pub fn to_nanos(self) -> Option<i128> {
        self.over(NANO)
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        let text = format!("{}e{}", self.mantissa, self.exponent);
        text.parse().unwrap_or(f64::NAN)
    }

    /// The sum, in the unit of this amount (of the other, if this is zero). `None` if it has more than 38 digits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let format = if self.mantissa == 0 { other.format } else { self.format };
        if self.mantissa == 0 || other.mantissa == 0 {
            let sum = if self.mantissa == 0 { other } else { self };
            return Some(sum.with_format(format));
        }
        let exponent = self.exponent.min(other.exponent);
        let sum = self.over(exponent)?.checked_add(other.over(exponent)?)?;
        Self::new(sum, exponent, format)
    }

    /// The difference, in the unit of this amount (of the other, if this is zero). `None` if it has more than 38
    /// digits.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(-other)
    }

    /// The place of the first digit, as a power of ten.
    fn magnitude(self) -> i64 {
        i64::from(self.mantissa.unsigned_abs().checked_ilog10().unwrap_or(0))
            + i64::from(self.exponent)
    }

    /// Compares without the sign. Neither is zero.
    fn cmp_absolute(self, other: Self) -> Ordering {
        let exponent = self.exponent.min(other.exponent);
        // Numbers of one magnitude differ by a few powers of ten; at most one of them is not in the smaller unit.
        let digits = |amount: Self| amount.over(exponent).map_or(u128::MAX, i128::unsigned_abs);
        let magnitude = self.magnitude().cmp(&other.magnitude());
        magnitude.then_with(|| digits(self).cmp(&digits(other)))
    }
}

impl Neg for Amount {
    type Output = Self;

    fn neg(self) -> Self {
        // It has the digits of a positive number.
        Self { mantissa: self.mantissa.saturating_neg(), ..self }
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = self.mantissa.signum();
        sign.cmp(&other.mantissa.signum()).then_with(|| match sign {
            0 => Ordering::Equal,
            1 => self.cmp_absolute(*other),
            _ => other.cmp_absolute(*self),
        })
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        (self.mantissa, self.exponent) == (other.mantissa, other.exponent)
    }
}

impl Eq for Amount {}

impl Hash for Amount {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.mantissa, self.exponent).hash(state);
    }
}

impl From<i64> for Amount {
    fn from(number: i64) -> Self {
        let zero = Self { mantissa: 0, exponent: 0, format: QuantityFormat::DecimalSi };
        Self::new(number.into(), 0, QuantityFormat::DecimalSi).unwrap_or(zero)
    }
}

impl FromStr for Amount {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = |reason: &'static str| ParseError::new(text, "a quantity", reason);
        let parts = QuantityParts::split(text)
            .ok_or_else(|| error("expected digits and a suffix, such as `500m` or `1Gi`"))?;
        let unit = QuantityUnit::read(parts.suffix).ok_or_else(|| {
            error("expected the suffix n, u, m, k, M, G, T, P, E, Ki to Ei, or e with a number")
        })?;
        parts.amount(unit).ok_or_else(|| error("it has more than 38 digits"))
    }
}

/// The parts of a text. A server reads a text without digits as zero.
#[derive(Clone, Copy, Debug)]
pub struct QuantityParts<'a> {
    negative: bool,
    /// The digits before the dot.
    pub whole: &'a str,
    /// The digits after the dot.
    pub fraction: &'a str,
    /// All after the digits.
    pub suffix: &'a str,
}

impl<'a> QuantityParts<'a> {
    /// The parts of a text that is not empty. What follows the digits may be no suffix.
    pub fn split(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, rest) = split_digits(unsigned);
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => split_digits(rest),
            None => ("", rest),
        };
        let negative = text.starts_with('-');
        (!text.is_empty()).then_some(Self { negative, whole, fraction, suffix })
    }

    /// The amount in a unit. `None` if it has more than 38 digits.
    pub fn amount(&self, unit: QuantityUnit) -> Option<Amount> {
        let amount = match unit.format {
            QuantityFormat::BinarySi => self.binary(unit.power)?,
            QuantityFormat::DecimalSi | QuantityFormat::DecimalExponent => self.decimal(unit)?,
        };
        Some(if self.negative { -amount } else { amount })
    }

    /// The number, multiplied by a power of ten.
    fn decimal(&self, QuantityUnit { power, format }: QuantityUnit) -> Option<Amount> {
        let exponent = power.saturating_sub(self.fraction.len().try_into().ok()?);
        // Digits below 10⁻⁹ only decide if the number is rounded up.
        let below = usize::try_from(NANO.saturating_sub(exponent)).unwrap_or_default();
        let digits = self.whole.len() + self.fraction.len();
        let below = below.min(digits);
        let mut text = self.whole.bytes().chain(self.fraction.bytes());
        let (mantissa, zeros) = significant(text.by_ref().take(digits - below))?;
        let exponent = exponent.checked_add(below.try_into().ok()?)?;
        if text.all(|digit| digit == b'0') {
            return Amount::new(mantissa, exponent.checked_add(zeros.try_into().ok()?)?, format);
        }
        let mantissa = mantissa.checked_mul(10_i128.checked_pow(zeros + 1)?)?.checked_add(1)?;
        Amount::new(mantissa, exponent.checked_sub(1)?, format)
    }

    /// The number, multiplied by a power of two. It is cut at [`MAX_BINARY`], so any number of digits has a result.
    fn binary(&self, power: i32) -> Option<Amount> {
        let format = QuantityFormat::BinarySi;
        let factor = 1_i128.checked_shl(power.unsigned_abs())?;
        let max = Amount::new(MAX_BINARY, 0, format)?;
        let whole = significant(self.whole.bytes());
        let whole =
            whole.and_then(|(digits, zeros)| digits.checked_mul(10_i128.checked_pow(zeros)?));
        let Some(whole) =
            whole.and_then(|whole| whole.checked_mul(factor)).filter(|whole| *whole <= MAX_BINARY)
        else {
            return Some(max);
        };
        let nanos = whole.checked_mul(NANOS)?.checked_add(self.nanos_of_fraction(factor))?;
        let amount = Amount::new(nanos, NANO, format)?.min(max);
        let below_one = amount < Amount::from(1) && amount.mantissa != 0;
        Some(if below_one { amount.with_format(QuantityFormat::DecimalSi) } else { amount })
    }
}

impl QuantityParts<'_> {
    /// The fraction times a factor up to 2⁶⁰, as a number of 10⁻⁹ that is rounded up: long multiplication from the last digit on.
    fn nanos_of_fraction(&self, factor: i128) -> i128 {
        let (mut carry, mut nanos, mut unit, mut rest) = (0, 0, 1, 0);
        for (place, digit) in self.fraction.bytes().enumerate().rev() {
            carry += i128::from(digit - b'0') * factor;
            if place < NANO.unsigned_abs() as usize {
                nanos += carry % 10 * unit;
                unit *= 10;
            } else if carry % 10 != 0 {
                rest = 1;
            }
            carry /= 10;
        }
        // A short fraction has fewer places.
        (carry * unit + nanos) * (NANOS / unit) + rest
    }
}

/// The number of some digits without the zeros at the end, and their count. `None` if it has more than 38 digits.
fn significant(digits: impl Iterator<Item = u8>) -> Option<(i128, u32)> {
    let (mut number, mut zeros) = (0_i128, 0);
    for digit in digits {
        if digit == b'0' {
            zeros += u32::from(number != 0);
            continue;
        }
        let shifted = number.checked_mul(10_i128.checked_pow(zeros + 1)?)?;
        number = shifted.checked_add(i128::from(digit - b'0'))?;
        zeros = 0;
    }
    Some((number, zeros))
}

/// The digits at the beginning of a text, and the rest.
pub fn split_digits(text: &str) -> (&str, &str) {
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The meaning of a suffix: a power of ten, or of two.
#[derive(Clone, Copy, Debug)]
pub struct QuantityUnit {
    /// The power.
    pub power: i32,
    /// What it is a power of: of two for [`QuantityFormat::BinarySi`].
    pub format: QuantityFormat,
}

/// The suffixes of powers of ten, and their powers.
const DECIMAL: [(&str, i32); 10] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];

/// The suffixes of powers of two, and their powers.
const BINARY: [(&str, i32); 6] =
    [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

impl QuantityUnit {
    /// The unit of a suffix.
    pub fn read(suffix: &str) -> Option<Self> {
        let find = |table: &[(&str, i32)], format| {
            let row = table.iter().find(|(name, _)| *name == suffix);
            row.map(|(_, power)| Self { power: *power, format })
        };
        let known = find(&DECIMAL, QuantityFormat::DecimalSi)
            .or_else(|| find(&BINARY, QuantityFormat::BinarySi));
        known.or_else(|| {
            let power = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
            Some(Self { power, format: QuantityFormat::DecimalExponent })
        })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.format, self.to_i64()) {
            (QuantityFormat::BinarySi, Some(number)) if number.unsigned_abs() >= 1024 => {
                let power = (number.trailing_zeros() / 10 * 10).min(60);
                let suffix = BINARY.iter().find(|(_, of)| of.unsigned_abs() == power);
                write!(f, "{}{}", number >> power, suffix.map_or("", |(suffix, _)| suffix))
            }
            (format, _) => {
                let e = format == QuantityFormat::DecimalExponent || self.exponent > MAX_ZEROS;
                let most = if e { i32::MAX } else { 18 };
                let power = self.exponent.min(most).div_euclid(3) * 3;
                write!(f, "{}", self.mantissa)?;
                let zeros = if self.mantissa == 0 { 0 } else { self.exponent - power };
                (0..zeros).try_for_each(|_| f.write_char('0'))?;
                match DECIMAL.iter().find(|(_, of)| *of == power) {
                    _ if power == 0 => Ok(()),
                    Some((suffix, _)) if !e => f.write_str(suffix),
                    _ => write!(f, "e{power}"),
                }
            }
        }
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Amount({self})")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Amount, QuantityFormat};

    fn amount(text: &str) -> Amount {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    /// A text, its canonical form, and its number of 10⁻⁹.
    #[test]
    fn texts_have_a_canonical_form() {
        let table = [
            ("0", "0", 0),
            ("0.000", "0", 0),
            ("-0", "0", 0),
            ("0Ki", "0", 0),
            ("0e9", "0", 0),
            ("1", "1", 1_000_000_000),
            ("+1", "1", 1_000_000_000),
            ("01", "1", 1_000_000_000),
            ("1.", "1", 1_000_000_000),
            (".5", "500m", 500_000_000),
            ("-1.5", "-1500m", -1_500_000_000),
            ("1000m", "1", 1_000_000_000),
            ("100", "100", 100_000_000_000),
            ("1000", "1k", 1_000_000_000_000),
            ("1500k", "1500k", 1_500_000_000_000_000),
            ("1n", "1n", 1),
            ("0.1n", "1n", 1),
            ("-0.1n", "-1n", -1),
            ("1.0000000001", "1000000001n", 1_000_000_001),
            ("1e-100", "1e-9", 1),
            ("1.5Gi", "1536Mi", 1_610_612_736_000_000_000),
            ("1Ki", "1Ki", 1_024_000_000_000),
            ("1024Mi", "1Gi", 1_073_741_824_000_000_000),
            ("0.5Ki", "512", 512_000_000_000),
            ("1.1Ki", "1126400m", 1_126_400_000_000),
            ("0.0001Ki", "102400u", 102_400_000),
            ("1023Ki", "1023Ki", 1_047_552_000_000_000),
            ("100E", "100E", 100_000_000_000_000_000_000_000_000_000),
            ("1e3", "1e3", 1_000_000_000_000),
            ("12e4", "120e3", 120_000_000_000_000),
            ("1E-3", "1e-3", 1_000_000),
            ("1e0", "1", 1_000_000_000),
            ("  2  ", "2", 2_000_000_000),
            ("9Ei", "9223372036854775807", 9_223_372_036_854_775_807_000_000_000),
            (
                "100000000000000000000000000000000000000000Ki",
                "9223372036854775807",
                9_223_372_036_854_775_807_000_000_000,
            ),
            ("-8Ei", "-9223372036854775807", -9_223_372_036_854_775_807_000_000_000),
        ];
        for (text, canonical, nanos) in table {
            let found = amount(text);
            assert_eq!(
                (found.to_string().as_str(), found.to_nanos()),
                (canonical, Some(nanos)),
                "{text}"
            );
            assert_eq!(amount(canonical), found);
        }
        assert_eq!(amount("1e1000").to_string(), "10e999");
        assert_eq!(amount("1000E").to_string(), "1000E");
        assert_eq!(amount("1000E").to_nanos(), Some(10_i128.pow(30)));
        assert_eq!(amount("1e1000").to_nanos(), None);
        let one = |zeros| format!("1{}", "0".repeat(zeros));
        assert_eq!(amount(&one(60)).to_string(), one(42) + "E");
        assert_eq!(amount(&one(70_000)).to_string(), "10e69999");
        let huge = amount("1e2147483647").with_format(QuantityFormat::DecimalSi);
        assert_eq!(huge.to_string(), "10e2147483646");
    }

    /// All digits of a fraction count: a rest below 10⁻⁹ rounds up.
    #[test]
    fn digits_below_a_billionth_round_up() {
        for zeros in [8, 9, 20, 39, 100] {
            let fraction = format!("1.{}1", "0".repeat(zeros));
            let decimal = amount(&fraction).to_nanos();
            assert_eq!(decimal, Some(1_000_000_001));
            let binary = amount(&format!("{fraction}Ki")).to_nanos();
            let nanos = if zeros == 8 {
                1024
            } else if zeros == 9 {
                103
            } else {
                1
            };
            assert_eq!(binary, Some(1_024_000_000_000 + nanos), "{zeros}");
        }
        let nines = format!("7.{}Ei", "9".repeat(90));
        assert_eq!(amount(&nines).to_i64(), Some(i64::MAX));
        assert_eq!(amount(&format!("0.{}1Ki", "0".repeat(50))).to_string(), "1n");
    }

    #[test]
    fn other_texts_are_refused() {
        let texts = [
            "",
            " ",
            "1.1.M",
            "1+1.0M",
            "0.1mi",
            "0.1am",
            "aoeu",
            ".5i",
            "1i",
            "-3.01i",
            "-3.01e-",
            "1e",
            "1 k",
            "1e1.5",
            "--1",
            "1K",
            "1KI",
            "٧",
            "1e99999999999",
            "1234567890123456789012345678901234567891",
        ];
        for text in texts {
            let error = text.parse::<Amount>().unwrap_err();
            assert!(!error.reason().is_empty(), "{text}");
        }
    }

    #[test]
    fn numbers_come_out_exactly_or_rounded_up() {
        let table = [
            ("1500m", None, Some(2), Some(1500), 1.5),
            ("-1500m", None, Some(-2), Some(-1500), -1.5),
            ("1u", None, Some(1), Some(1), 0.000_001),
            ("-1u", None, Some(-1), Some(-1), -0.000_001),
            ("3", Some(3), Some(3), Some(3000), 3.0),
            ("9Ei", Some(i64::MAX), Some(i64::MAX), None, 9_223_372_036_854_775_807.0),
            ("100E", None, None, None, 1e20),
            ("1e400", None, None, None, f64::INFINITY),
        ];
        for (text, whole, ceil, milli, float) in table {
            let found = amount(text);
            assert_eq!(
                (found.to_i64(), found.ceil(), found.ceil_milli()),
                (whole, ceil, milli),
                "{text}"
            );
            assert_eq!(found.to_f64().to_bits(), f64::to_bits(float), "{text}");
        }
    }

    #[test]
    fn values_are_compared_and_added_whatever_their_units() {
        let ascending = [
            "-1e1000",
            "-100E",
            "-1",
            "-1n",
            "0",
            "1n",
            "1u",
            "999u",
            "1m",
            "0.5",
            "1",
            "1000.5m",
            "1023",
            "1Ki",
            "1025",
            "1e30",
            "170000000000000000000000000000000000000",
            "1e38",
            "2e38",
            "1e1000",
        ];
        let ascending = ascending.map(|text| (text, amount(text)));
        for (index, (_, one)) in ascending.iter().enumerate() {
            for (of, (text, other)) in ascending.iter().enumerate() {
                if !["1000.5m", "170000000000000000000000000000000000000", "1e38"].contains(text) {
                    assert_eq!(one.cmp(other), index.cmp(&of), "{one} {other}");
                }
            }
        }
        let table = [
            ("1", "500m", Some("1500m")),
            ("1Ki", "1", Some("1025")),
            ("1Ki", "1Ki", Some("2Ki")),
            ("0", "1Ki", Some("1Ki")),
            ("1Ki", "0", Some("1Ki")),
            ("1", "-1", Some("0")),
            ("1e3", "1", Some("1001")),
            ("1n", "100E", Some("100000000000000000000000000001n")),
            ("1e1000", "1", None),
        ];
        for (one, other, sum) in table {
            let found = amount(one).checked_add(amount(other)).map(|sum| sum.to_string());
            assert_eq!(found.as_deref(), sum, "{one} + {other}");
        }
        assert_eq!(amount("1Gi").checked_sub(amount("1Mi")), Some(amount("1023Mi")));
    }

    proptest! {
        #[test]
        fn the_canonical_text_has_the_same_value(
            text in r"[+-]?[0-9]{0,12}(\.[0-9]{0,12})?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]{1,2})?",
        ) {
            if let Ok(found) = text.parse::<Amount>() {
                let canonical = found.to_string();
                prop_assert_eq!(amount(&canonical), found);
                prop_assert_eq!(amount(&canonical).to_string(), canonical);
                prop_assert!(found.to_nanos().is_some() || found.format() != QuantityFormat::BinarySi);
            }
        }

        #[test]
        fn sums_and_order_are_those_of_whole_numbers(a in any::<i64>(), b in any::<i64>()) {
            let nanos = |number: i64| format!("{number}n").parse::<Amount>().unwrap();
            prop_assert_eq!(nanos(a).cmp(&nanos(b)), a.cmp(&b));
            let sum = nanos(a).checked_add(nanos(b)).and_then(Amount::to_nanos);
            prop_assert_eq!(sum, Some(i128::from(a) + i128::from(b)));
            let found = nanos(a).ceil().unwrap();
            let up = a.unsigned_abs().div_ceil(1_000_000_000);
            prop_assert_eq!((found.unsigned_abs(), found.signum()), (up, a.signum()));
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = text.parse::<Amount>();
        }
    }
}
