//! Scalars and numbers as Go reads and writes them: what `kubectl` makes of YAML. Its library is `sigs.k8s.io/yaml`, which reads
//! YAML by the rules of version 1.1, and writes JSON.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The content of a scalar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar<'t> {
    Null,
    Bool(bool),
    Integer(i64),
    /// An integer beyond `i64`.
    Unsigned(u64),
    Float(f64),
    Text(Cow<'t, str>),
    /// The key `<<` without quotes.
    Merge,
}

/// The content of a scalar without quotes and without a tag.
pub(crate) fn plain(text: Cow<'_, str>) -> Scalar<'_> {
    match untagged(&text) {
        Some(scalar) => scalar,
        None => Scalar::Text(text),
    }
}

/// The content of a scalar that is not a text.
fn untagged(text: &str) -> Option<Scalar<'static>> {
    let first = text.as_bytes().first().copied().unwrap_or(b'~');
    match first {
        b'+' | b'-' | b'.' | b'0'..=b'9' => word(text).or_else(|| number(text)),
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' | b'<' => {
            word(text)
        }
        _ => None,
    }
}

fn word(text: &str) -> Option<Scalar<'static>> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Scalar::Bool(false)
        }
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        "<<" => Scalar::Merge,
        _ => return None,
    })
}

fn number(text: &str) -> Option<Scalar<'static>> {
    if text.starts_with('.') {
        // `strconv.ParseFloat` accepts underscores only in hexadecimal numbers.
        return is_float(text).then(|| float(text)).flatten();
    }
    let text = without_underscores(text);
    integer(&text).or_else(|| is_float(&text).then(|| float(&text)).flatten())
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { text.replace('_', "").into() } else { text.into() }
}

/// `strconv.ParseInt` and `ParseUint` with base 0.
fn integer(text: &str) -> Option<Scalar<'static>> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let is_signed = digits.len() < text.len();
    let lower = |prefix: char| {
        digits.strip_prefix(['0'])?.strip_prefix([prefix, prefix.to_ascii_uppercase()])
    };
    let (radix, digits) = if let Some(rest) = lower('x') {
        (16, rest)
    } else if let Some(rest) = lower('o') {
        (8, rest)
    } else if let Some(rest) = lower('b') {
        (2, rest)
    } else if let Some(rest) = digits.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        (8, rest)
    } else {
        (10, digits)
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_alphanumeric()) {
        return None;
    }
    let number = u64::from_str_radix(digits, radix).ok()?;
    if negative {
        return 0_i64.checked_sub_unsigned(number).map(Scalar::Integer);
    }
    match i64::try_from(number) {
        Ok(number) => Some(Scalar::Integer(number)),
        // Go's `ParseUint` takes no sign.
        Err(_) => (!is_signed).then_some(Scalar::Unsigned(number)),
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    let is_mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
        None => is_digits(mantissa),
    };
    is_mantissa && exponent.is_none_or(is_digits)
}

/// A number beyond `f64` is a text.
fn float(text: &str) -> Option<Scalar<'static>> {
    text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Scalar::Float)
}

/// The content of a scalar with a tag of YAML, such as `!!int`.
///
/// # Errors
/// The tag is of another type than the scalar.
pub(crate) fn tagged<'t>(tag: &str, text: Cow<'t, str>) -> Result<Scalar<'t>, String> {
    let found = match tag {
        "binary" => return binary(&text).map(|text| Scalar::Text(text.into())),
        "null" | "bool" | "int" | "float" | "timestamp" | "merge" => untagged(&text),
        // Also of `!!str`: to Go, a scalar with any other tag is a text.
        _ => return Ok(Scalar::Text(text)),
    };
    match (tag, found) {
        ("null", Some(found @ Scalar::Null))
        | ("bool", Some(found @ Scalar::Bool(_)))
        | ("int", Some(found @ (Scalar::Integer(_) | Scalar::Unsigned(_))))
        | ("merge", Some(found @ Scalar::Merge))
        | ("float", Some(found @ Scalar::Float(_))) => Ok(found),
        #[allow(clippy::cast_precision_loss, reason = "Go also converts it")]
        ("float", Some(Scalar::Integer(number))) => Ok(Scalar::Float(number as f64)),
        ("timestamp", None) => Ok(Scalar::Text(text)),
        _ => Err(format!("`{text}` is not of the type `!!{tag}`")),
    }
}

fn binary(text: &str) -> Result<String, String> {
    let packed: String = text.chars().filter(|char| !char.is_ascii_whitespace()).collect();
    let bytes =
        STANDARD.decode(packed).map_err(|error| format!("`!!binary` is not Base64: {error}"))?;
    String::from_utf8(bytes).map_err(|_| "`!!binary` is not text in UTF-8".to_owned())
}

impl<'t> Scalar<'t> {
    /// The name of a member, for a scalar that is a key.
    ///
    /// # Errors
    /// The scalar cannot be a key.
    pub(crate) fn into_key(self) -> Result<Cow<'t, str>, String> {
        Ok(match self {
            Self::Text(text) => text,
            Self::Merge => "<<".into(),
            Self::Bool(bool) => if bool { "true" } else { "false" }.into(),
            Self::Integer(number) => number.to_string().into(),
            #[allow(
                clippy::cast_possible_truncation,
                reason = "the library writes keys with this precision"
            )]
            Self::Float(number) => key_of(number as f32).into(),
            Self::Null => return Err("`null`".to_owned()),
            Self::Unsigned(number) => return Err(format!("the number {number}")),
        })
    }
}

/// `strconv.FormatFloat(number, 'g', -1, 32)`, with YAML's words for what is not a number. The shortest form has an exponent from
/// six digits before the point on.
fn key_of(number: f32) -> String {
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let exponential = format!("{number:e}");
    match exponential.split_once('e') {
        Some((digits, exponent)) if !(-4..6).contains(&exponent.parse().unwrap_or(0)) => {
            two_digits(digits, exponent)
        }
        _ => number.to_string(),
    }
}

/// Go writes an exponent with a sign and at least two digits.
fn two_digits(digits: &str, exponent: &str) -> String {
    let (sign, exponent) =
        exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// A number as `encoding/json` writes it.
///
/// # Errors
/// JSON has no such number.
pub(crate) fn json_float(number: f64) -> Result<String, String> {
    if !number.is_finite() {
        let name = if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "+Inf"
        } else {
            "-Inf"
        };
        return Err(format!("JSON has no number {name}"));
    }
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let exponential = format!("{number:e}");
        return Ok(if exponential.contains("e-") {
            exponential
        } else {
            exponential.replacen('e', "e+", 1)
        });
    }
    // Whole numbers have no fraction.
    Ok(number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_a_fraction_has_the_precision_of_32_bits() {
        let table = [
            ("1e3", "1000"),
            ("123456.5", "123456.5"),
            ("1e6", "1e+06"),
            ("12345678.0", "1.2345678e+07"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("0.1", "0.1"),
            ("3.14159265358979", "3.1415927"),
            ("-.inf", "-.inf"),
        ];
        for (text, expected) in table {
            assert_eq!(plain(text.into()).into_key().as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn numbers_are_written_as_go_writes_them() {
        let table = [
            (1.0, "1"),
            (-0.0, "-0"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (0.000_001, "0.000001"),
            (1e-7, "1e-7"),
        ];
        for (number, expected) in table {
            assert_eq!(json_float(number).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn a_tag_decides_the_type() {
        let text = |text: &str| Ok(Scalar::Text(Cow::Owned(text.to_owned())));
        let table = [
            ("str", "5", text("5")),
            ("int", "5", Ok(Scalar::Integer(5))),
            ("float", "5", Ok(Scalar::Float(5.0))),
            ("bool", "yes", Ok(Scalar::Bool(true))),
            ("null", "", Ok(Scalar::Null)),
            ("binary", "YQ==", text("a")),
            ("timestamp", "2026-01-02", text("2026-01-02")),
            ("int", "a", Err("`a` is not of the type `!!int`".to_owned())),
            ("bool", "1", Err("`1` is not of the type `!!bool`".to_owned())),
        ];
        for (tag, scalar, expected) in table {
            assert_eq!(tagged(tag, scalar.into()), expected, "!!{tag} {scalar}");
        }
        assert!(tagged("binary", "-".into()).is_err());
    }
}
