//! Quantities such as `1.5Gi`, as Kubernetes reads and compares them.

use super::super::value::{Evaluated, Fault, Value};

/// An amount in billionths, the smallest part that quantities have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Quantity(i128);

const UNIT: i128 = 1_000_000_000;

const WRONG_FORMAT: &str = "quantities must match the regular expression \
                            '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/// Why a text is not a quantity here.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The server's words.
    Invalid(&'static str),
    /// A quantity too large for us.
    TooLarge,
}

impl Refusal {
    fn fault(self) -> Fault {
        match self {
            Self::Invalid(message) => Fault::error(message),
            Self::TooLarge => Fault::not_judged("a quantity of this size is not computed here"),
        }
    }
}

/// The parts of a text that looks like a quantity.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
}

fn split(text: &str) -> Option<Parts<'_>> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits =
        |text: &str| text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (whole, rest) = rest.split_at_checked(digits(rest))?;
    let (fraction, suffix) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at_checked(digits(rest))?,
        None => ("", rest),
    };
    let after = suffix.trim_start_matches(|character| "eEinumkKMGTP".contains(character));
    let after = after.strip_prefix(['-', '+']).unwrap_or(after);
    after.bytes().all(|byte| byte.is_ascii_digit()).then_some(Parts {
        negative,
        whole,
        fraction,
        suffix,
    })
}

/// What the suffix multiplies with: a power of a base.
fn scale(suffix: &str) -> Option<(i128, i64)> {
    const DECIMAL: [(&str, i64); 11] = [
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
        ("+", 0),
    ];
    const BINARY: [(&str, i64); 6] =
        [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];
    let named = |table: &[(&str, i64)]| {
        table.iter().find(|(name, _)| *name == suffix).map(|(_, power)| *power)
    };
    if let Some(power) = named(DECIMAL.get(..10)?) {
        return Some((10, power));
    }
    if let Some(power) = named(&BINARY) {
        return Some((2, power));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    exponent.parse().ok().map(|power| (10, power))
}

/// Reads a quantity. Parts below a billionth round away from zero, as servers do.
pub(super) fn parse(text: &str) -> Result<Quantity, Refusal> {
    if text.is_empty() {
        return Err(Refusal::Invalid(WRONG_FORMAT));
    }
    let parts = split(text).ok_or(Refusal::Invalid(WRONG_FORMAT))?;
    let (base, power) =
        scale(parts.suffix).ok_or(Refusal::Invalid("unable to parse quantity's suffix"))?;
    let digits = format!("{}{}", parts.whole, parts.fraction);
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(Quantity(0));
    }
    if digits.len() > 36 {
        return Err(Refusal::TooLarge);
    }
    let mut amount: i128 = digits.parse().map_err(|_| Refusal::TooLarge)?;
    let fraction = i64::try_from(parts.fraction.len()).map_err(|_| Refusal::TooLarge)?;
    // In billionths, and without the fraction's point.
    let mut decimal = 9 - fraction;
    if base == 10 {
        decimal = decimal.checked_add(power).ok_or(Refusal::TooLarge)?;
    } else {
        let factor = 1_i128
            .checked_shl(u32::try_from(power).unwrap_or_default())
            .ok_or(Refusal::TooLarge)?;
        amount = amount.checked_mul(factor).ok_or(Refusal::TooLarge)?;
    }
    amount = shift(amount, decimal).ok_or(Refusal::TooLarge)?;
    let largest = i128::from(i64::MAX) * UNIT;
    // Short numbers keep their size; all others stop at the largest integer.
    if amount > largest && (base == 2 || digits.len() > 18) {
        amount = largest;
    }
    Ok(Quantity(if parts.negative { -amount } else { amount }))
}

/// Multiplies with a power of ten, and rounds up.
fn shift(amount: i128, power: i64) -> Option<i128> {
    let factor =
        u32::try_from(power.unsigned_abs()).ok().and_then(|power| 10_i128.checked_pow(power));
    if power >= 0 {
        return amount.checked_mul(factor?);
    }
    // A factor that is too large leaves the smallest part.
    Some(factor.map_or(1, |factor| amount / factor + i128::from(amount % factor != 0)))
}

/// `quantity(text)`.
pub(super) fn to_quantity<'v>(text: &str) -> Evaluated<Value<'v>> {
    parse(text).map(Value::Quantity).map_err(Refusal::fault)
}

/// `isQuantity(text)`. A quantity too large for us is one.
pub(super) fn is_quantity(text: &str) -> bool {
    !matches!(parse(text), Err(Refusal::Invalid(_)))
}

/// `isGreaterThan()`, `add()` and so on.
pub(super) fn method<'v>(
    function: &str,
    own: Quantity,
    arguments: &[Value<'v>],
) -> Evaluated<Value<'v>> {
    let sum = |other: Option<i128>| {
        let sum = other.and_then(|other| own.0.checked_add(other));
        sum.map(|sum| Value::Quantity(Quantity(sum))).ok_or_else(|| Refusal::TooLarge.fault())
    };
    let whole =
        (own.0 % UNIT == 0).then_some(own.0 / UNIT).and_then(|whole| i64::try_from(whole).ok());
    match (function, arguments) {
        ("isGreaterThan", [Value::Quantity(other)]) => Ok(Value::Bool(own > *other)),
        ("isLessThan", [Value::Quantity(other)]) => Ok(Value::Bool(own < *other)),
        ("compareTo", [Value::Quantity(other)]) => Ok(Value::Int(own.cmp(other) as i64)),
        ("isInteger", []) => Ok(Value::Bool(whole.is_some())),
        ("asInteger", []) => {
            whole.map(Value::Int).ok_or_else(|| Fault::error("cannot convert value to integer"))
        }
        #[allow(clippy::cast_precision_loss, reason = "the function says that it is approximate")]
        ("asApproximateFloat", []) => Ok(Value::Double(own.0 as f64 / UNIT as f64)),
        ("add", [Value::Quantity(other)]) => sum(Some(other.0)),
        ("sub", [Value::Quantity(other)]) => sum(Some(-other.0)),
        ("add", [Value::Int(other)]) => sum(i128::from(*other).checked_mul(UNIT)),
        ("sub", [Value::Int(other)]) => sum(i128::from(*other).checked_mul(-UNIT)),
        _ => Err(Fault::no_overload()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Quantity, Refusal, UNIT, WRONG_FORMAT, parse};

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
            let expected = expected.map(Quantity).map_err(Refusal::Invalid);
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
