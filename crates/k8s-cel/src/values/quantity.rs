//! Quantities such as `1.5Gi`, as Kubernetes reads and compares them.

use k8s_versioned::{Amount, QuantityFormat, QuantityParts, QuantityUnit};

/// An amount, and how servers hold it, which decides whether it is an integer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    /// In billionths, the smallest part that quantities have.
    pub(crate) amount: i128,
    form: Form,
}

/// How servers hold an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// An integer times a power of ten: a number with few digits.
    Short { value: i64, power: i64 },
    /// A decimal with this power of ten at its end, which is never an integer to servers, as `1Pi` and `1.5Gi`.
    Long { power: i64 },
}

/// Two amounts are equal however they are held.
impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.amount == other.amount
    }
}

impl Eq for Quantity {}

impl Quantity {
    /// The integer as servers see it.
    pub(crate) fn integer(self) -> Option<i64> {
        match self.form {
            Form::Short { value, power } => shift_up(value, power),
            Form::Long { .. } => None,
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "the function says that it is approximate")]
    pub(crate) fn approximate(self) -> f64 {
        let (base, power) = match self.form {
            Form::Short { value, power } => (value as f64, power),
            Form::Long { power } => ((self.amount / billionths(power)) as f64, power),
        };
        if power == 0 { base } else { base * format!("1e{power}").parse().unwrap_or(1.0) }
    }

    /// The sum, or `None` if it does not fit here.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let amount = self.amount.checked_add(other.amount)?;
        let form = match (self.form, other.form) {
            (Form::Short { .. }, Form::Short { value: 0, .. }) => self.form,
            (Form::Short { value: 0, .. }, Form::Short { .. }) => other.form,
            (Form::Short { value: a, power: of_a }, Form::Short { value: b, power: of_b }) => {
                let power = of_a.min(of_b);
                let value = shift_up(a, of_a - power).zip(shift_up(b, of_b - power));
                match value.and_then(|(a, b)| a.checked_add(b)) {
                    Some(value) => Form::Short { value, power },
                    None => Form::Long { power },
                }
            }
            (
                Form::Short { power: a, .. } | Form::Long { power: a },
                Form::Short { power: b, .. } | Form::Long { power: b },
            ) => Form::Long { power: a.min(b) },
        };
        Some(Self { amount, form })
    }

    pub(crate) const fn negated(self) -> Self {
        let form = match self.form {
            Form::Short { value, power } => Form::Short { value: value.wrapping_neg(), power },
            long @ Form::Long { .. } => long,
        };
        Self { amount: -self.amount, form }
    }

    pub(crate) fn of(value: i64) -> Self {
        Self { amount: i128::from(value) * UNIT, form: Form::Short { value, power: 0 } }
    }
}

/// A value times a power of ten that is not negative, if both fit.
fn shift_up(value: i64, power: i64) -> Option<i64> {
    let power = u32::try_from(power).ok()?;
    if value == 0 { Some(0) } else { value.checked_mul(10_i64.checked_pow(power)?) }
}

const UNIT: i128 = 1_000_000_000;

const WRONG_FORMAT: &str = "quantities must match the regular expression \
                            '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/// Why a text is not a quantity here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The server's words.
    Invalid(&'static str),
    /// The quantity does not fit here.
    TooLarge,
}

/// The parts of a text that looks like a quantity.
fn split(text: &str) -> Option<QuantityParts<'_>> {
    let parts = QuantityParts::split(text).filter(|_| text.trim() == text)?;
    let after = parts.suffix.trim_start_matches(|character| "eEinumkKMGTP".contains(character));
    let after = after.strip_prefix(['-', '+']).unwrap_or(after);
    after.bytes().all(|byte| byte.is_ascii_digit()).then_some(parts)
}

fn unit(suffix: &str) -> Option<QuantityUnit> {
    QuantityUnit::read(suffix).or_else(|| {
        let power: i64 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
        // The exponent has 64 bits, and no number is so large or so small.
        let power = if power > 0 { 1000 } else { -1000 };
        Some(QuantityUnit { power, format: QuantityFormat::DecimalExponent })
    })
}

/// Reads a quantity. Parts below a billionth round away from zero, as servers do.
pub(crate) fn parse(text: &str) -> Result<Quantity, Refusal> {
    let parts = split(text).ok_or(Refusal::Invalid(WRONG_FORMAT))?;
    let unit = unit(parts.suffix).ok_or(Refusal::Invalid("unable to parse quantity's suffix"))?;
    let amount = parts.amount(unit).and_then(Amount::to_nanos).ok_or(Refusal::TooLarge)?;
    let largest = i128::from(i64::MAX) * UNIT;
    let form = if unit.format == QuantityFormat::BinarySi && amount.abs() == largest {
        Form::Long { power: 0 }
    } else {
        short_form(&parts, unit, amount).unwrap_or(Form::Long { power: -9 })
    };
    Ok(Quantity { amount, form })
}

/// Servers hold a number with few digits as an integer.
fn short_form(parts: &QuantityParts<'_>, unit: QuantityUnit, amount: i128) -> Option<Form> {
    let whole = parts.whole.trim_start_matches('0').len().max(1);
    let (power, room) = match (unit.format, parts.fraction) {
        (QuantityFormat::BinarySi, "") => (0, usize::try_from(14 - unit.power * 3 / 10).ok()),
        (QuantityFormat::BinarySi, _) => return None,
        (_, fraction) => (unit.power, 18_usize.checked_sub(fraction.len())),
    };
    // The power of ten of the last digit.
    let power = i64::from(power) - i64::try_from(parts.fraction.len()).ok()?;
    let is_short = power >= -9 && whole <= room?;
    let value = i64::try_from(amount / billionths(power)).ok().filter(|_| is_short)?;
    Some(Form::Short { value, power })
}

/// The billionths of a power of ten, or more than any amount has.
fn billionths(power: i64) -> i128 {
    10_i128.saturating_pow(u32::try_from(power.saturating_add(9)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{Refusal, UNIT, WRONG_FORMAT, parse};

    #[test]
    fn quantities() {
        let cases = [
            ("1", Ok(UNIT)),
            ("1Gi", Ok((1 << 30) * UNIT)),
            ("1024Mi", Ok((1 << 30) * UNIT)),
            ("1e9", Ok(1_000_000_000 * UNIT)),
            ("1500m", Ok(UNIT * 3 / 2)),
            ("-0.5", Ok(-UNIT / 2)),
            (".5", Ok(UNIT / 2)),
            ("1.", Ok(UNIT)),
            ("+", Ok(0)),
            ("0.0000000001", Ok(1)),
            ("1E", Ok(1_000_000_000_000_000_000 * UNIT)),
            ("1E3", Ok(1000 * UNIT)),
            ("100Ei", Ok(i128::from(i64::MAX) * UNIT)),
            ("", Err(WRONG_FORMAT)),
            ("abc", Err(WRONG_FORMAT)),
            ("1 Gi", Err(WRONG_FORMAT)),
            ("1GiB", Err(WRONG_FORMAT)),
            ("1kk", Err("unable to parse quantity's suffix")),
            ("1e", Err("unable to parse quantity's suffix")),
        ];
        for (text, expected) in cases {
            let expected = expected.map_err(Refusal::Invalid);
            assert_eq!(parse(text).map(|quantity| quantity.amount), expected, "{text}");
        }
    }

    /// `ParseQuantity`, `AsInt64` and `AsApproximateFloat64` in `k8s.io/apimachinery/pkg/api/resource`.
    #[test]
    fn what_servers_take_for_an_integer() {
        let cases = [
            ("50k", Some(50_000)),
            ("0", Some(0)),
            ("1e3", Some(1000)),
            ("100Gi", Some(100 << 30)),
            ("99Ti", Some(99 << 40)),
            ("123456789012345678", Some(123_456_789_012_345_678)),
            // A fraction, even of zeros.
            ("1.0", None),
            ("1000m", None),
            ("1.5k", Some(1500)),
            // Too many digits to be short.
            ("1.5Gi", None),
            ("100Ti", None),
            ("1Pi", None),
            ("9223372036854775807", None),
            ("10E", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).unwrap().integer(), expected, "{text}");
        }
        let sum = |a: &str, b: &str| parse(a).unwrap().plus(parse(b).unwrap()).unwrap();
        assert_eq!(sum("50k", "20").integer(), Some(50_020));
        assert_eq!(sum("0", "1500m").integer(), None);
        assert_eq!(sum("1", "0.0").integer(), Some(1));
        assert_eq!(sum("9E", "1E").integer(), None);
        assert_eq!(sum("9E", "1E"), parse("10E").unwrap());
        for (text, expected) in
            [("50.703k", 50703.0), ("0.1", 0.1), ("1.5Gi", 1_610_612_736_000_000_000.0 * 1e-9)]
        {
            assert_eq!(
                parse(text).unwrap().approximate().to_bits(),
                f64::to_bits(expected),
                "{text}"
            );
        }
        let large = parse("9999999999999999999").unwrap();
        assert!(large.amount > i128::from(i64::MAX) * UNIT && large.integer().is_none());
    }
}
