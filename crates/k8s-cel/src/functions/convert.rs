//! Conversions between types: `int(…)`, `string(…)` and so on.

use k8s_versioned::duration_nanoseconds;

use crate::eval::value::{Evaluated, Fault, Value};
use crate::functions::operators::{INT_OVERFLOW, UINT_OVERFLOW};
use crate::functions::time;
use crate::values::go::parse_uint;
use crate::values::instant::{Unread, timestamp};
use crate::values::text::go_float;

/// `bytes(value)`.
pub(super) fn to_bytes<'v>(value: &Value<'v>) -> Value<'v> {
    match value {
        Value::Text(text) => Value::Bytes(text.as_bytes().into()),
        _ => value.clone(),
    }
}

fn refused<T>(value: &Value<'_>, to: &str) -> Evaluated<T> {
    Err(Fault::error(format!("type conversion error from '{}' to '{to}'", value.type_name())))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the range is checked before"
)]
pub(crate) fn to_int<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    Ok(Value::Int(match value {
        Value::Int(value) | Value::Duration(value) => *value,
        Value::Uint(value) => i64::try_from(*value).map_err(|_| Fault::error(INT_OVERFLOW))?,
        Value::Double(value) if *value > i64::MIN as f64 && *value < i64::MAX as f64 => {
            *value as i64
        }
        Value::Double(_) => return Err(Fault::error(INT_OVERFLOW)),
        Value::Timestamp(value) => time::seconds(*value),
        Value::Text(text) => {
            return text.parse().map(Value::Int).or_else(|_| refused(value, "int"));
        }
        _ => return refused(value, "int"),
    }))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the range is checked before"
)]
pub(crate) fn to_uint<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    Ok(Value::Uint(match value {
        Value::Uint(value) => *value,
        Value::Int(value) => u64::try_from(*value).map_err(|_| Fault::error(UINT_OVERFLOW))?,
        Value::Double(value) if *value >= 0.0 && *value < u64::MAX as f64 => *value as u64,
        Value::Double(_) => return Err(Fault::error(UINT_OVERFLOW)),
        Value::Text(text) => {
            return parse_uint(text).map(Value::Uint).or_else(|_| refused(value, "uint"));
        }
        _ => return refused(value, "uint"),
    }))
}

#[allow(clippy::cast_precision_loss, reason = "as servers do")]
pub(crate) fn to_double<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    Ok(Value::Double(match value {
        Value::Double(value) => *value,
        Value::Int(value) => *value as f64,
        Value::Uint(value) => *value as f64,
        Value::Text(text) => match parse_double(text)? {
            Some(parsed) => parsed,
            None => return refused(value, "double"),
        },
        _ => return refused(value, "double"),
    }))
}

/// Go and Rust agree on most texts of numbers. Go also reads `1_000` and `0x1p-2`.
fn parse_double(text: &str) -> Evaluated<Option<f64>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
        return Ok(parse_hexadecimal(digits)?.map(|value| sign * value));
    }
    let is = |word| unsigned.eq_ignore_ascii_case(word);
    if is("nan") && unsigned != text || !has_digits_around_underscores(text.as_bytes()) {
        return Ok(None);
    }
    let parsed: Option<f64> = if text.contains('_') {
        text.chars().filter(|digit| *digit != '_').collect::<String>().parse().ok()
    } else {
        text.parse().ok()
    };
    Ok(parsed.filter(|parsed| !parsed.is_infinite() || is("inf") || is("infinity")))
}

fn has_digits_around_underscores(text: &[u8]) -> bool {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let around = |at: usize| at.checked_sub(1).is_some_and(is_digit) && is_digit(at + 1);
    text.iter().enumerate().filter(|(_, byte)| **byte == b'_').all(|(at, _)| around(at))
}

/// A number such as `1.8p3`, whose digits are hexadecimal.
#[allow(clippy::cast_precision_loss, reason = "the mantissa is short")]
fn parse_hexadecimal(text: &str) -> Evaluated<Option<f64>> {
    let not_judged = || Fault::not_judged("a long hexadecimal number");
    let Some((mantissa, power)) = text.split_once(['p', 'P']) else { return Ok(None) };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let Ok(power) = power.parse::<i32>() else { return Ok(None) };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(None);
    }
    let value = u64::from_str_radix(&digits, 16).map_err(|_| not_judged())?;
    let places = i32::try_from(fraction.len()).map_err(|_| not_judged())?;
    let power = power.saturating_sub(places.saturating_mul(4));
    if value >= 1 << f64::MANTISSA_DIGITS || !(-1000..=900).contains(&power) {
        return Err(not_judged());
    }
    Ok(Some(value as f64 * f64::powi(2.0, power)))
}

pub(crate) fn to_bool<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::Text(text) => match &**text {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(Value::Bool(false)),
            _ => refused(value, "bool"),
        },
        _ => refused(value, "bool"),
    }
}

/// The text of a value, as `string(…)` gives it.
pub(crate) fn to_text(value: &Value<'_>) -> Evaluated<String> {
    Ok(match value {
        Value::Text(text) => text.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => go_float(*value),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => return Err(Fault::error("invalid UTF-8 in bytes, cannot convert to string")),
        },
        Value::Timestamp(time) => time::timestamp_text(*time),
        Value::Duration(nanoseconds) => time::duration_text(*nanoseconds),
        Value::Type(name) => (*name).to_owned(),
        Value::Ip(address) => address.to_string(),
        Value::Cidr(network) => network.to_string(),
        _ => return refused(value, "string"),
    })
}

pub(crate) fn to_timestamp<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    match value {
        Value::Timestamp(_) => Ok(value.clone()),
        Value::Int(seconds) => time::from_seconds(*seconds),
        Value::Text(text) => match timestamp(text) {
            Ok(time) => time::or_overflow(Some(time)),
            Err(Unread::Range) => time::or_overflow(None),
            Err(Unread::Form) => refused(value, "google.protobuf.Timestamp"),
        },
        _ => refused(value, "google.protobuf.Timestamp"),
    }
}

pub(crate) fn to_duration<'v>(value: &Value<'v>) -> Evaluated<Value<'v>> {
    match value {
        Value::Duration(_) => Ok(value.clone()),
        Value::Int(nanoseconds) => Ok(Value::Duration(*nanoseconds)),
        Value::Text(text) => duration_nanoseconds(text).map_or_else(
            || refused(value, "google.protobuf.Duration"),
            |own| Ok(Value::Duration(own)),
        ),
        _ => refused(value, "google.protobuf.Duration"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Value, to_text};
    use crate::functions::library;
    use crate::since::Facts;

    #[test]
    fn conversions() {
        let t = |text: &'static str| Value::borrowed(text);
        let cases = [
            ("int", t("12"), "Ok(\"12\")"),
            ("int", t("1_000"), "Err(Error(\"type conversion error from 'string' to 'int'\"))"),
            ("int", Value::Double(-1.9), "Ok(\"-1\")"),
            ("int", Value::Double(1e19), "Err(Error(\"integer overflow\"))"),
            ("int", Value::Uint(u64::MAX), "Err(Error(\"integer overflow\"))"),
            ("uint", Value::Int(-1), "Err(Error(\"unsigned integer overflow\"))"),
            ("uint", t("+1"), "Err(Error(\"type conversion error from 'string' to 'uint'\"))"),
            ("double", t("1e3"), "Ok(\"1000\")"),
            (
                "double",
                t("1e400"),
                "Err(Error(\"type conversion error from 'string' to 'double'\"))",
            ),
            ("double", t("nan"), "Ok(\"NaN\")"),
            // As `strconv.ParseFloat`.
            ("double", t("-1_0.5"), "Ok(\"-10.5\")"),
            (
                "double",
                t("1__0"),
                "Err(Error(\"type conversion error from 'string' to 'double'\"))",
            ),
            ("double", t("-0x1.8p3"), "Ok(\"-12\")"),
            ("double", t("0x1"), "Err(Error(\"type conversion error from 'string' to 'double'\"))"),
            ("double", t("-Infinity"), "Ok(\"-Inf\")"),
            ("bool", t("True"), "Ok(\"true\")"),
            ("bool", t("yes"), "Err(Error(\"type conversion error from 'string' to 'bool'\"))"),
            ("string", Value::Double(1e6), "Ok(\"1e+06\")"),
            ("string", Value::Duration(1_500_000_000), "Ok(\"1.5s\")"),
            (
                "duration",
                t("5"),
                "Err(Error(\"type conversion error from 'string' to 'google.protobuf.Duration'\"))",
            ),
            ("duration", t("1h"), "Ok(\"3600s\")"),
            ("timestamp", t("2026-01-02T00:00:00Z"), "Ok(\"2026-01-02T00:00:00Z\")"),
            ("timestamp", t("2026-01-02T00:00:00+05:30"), "Ok(\"2026-01-02T00:00:00+05:30\")"),
            ("timestamp", t("9999-12-31T23:59:59-01:00"), "Err(Error(\"timestamp overflow\"))"),
            ("timestamp", Value::Int(0), "Ok(\"1970-01-01T00:00:00Z\")"),
        ];
        for (function, value, expected) in cases {
            let converted = library::call(function, std::slice::from_ref(&value), Facts::NEWEST)
                .and_then(|value| to_text(&value))
                .map_err(Fault::into_cause);
            assert_eq!(format!("{converted:?}"), expected, "{function}({value:?})");
        }
    }
}
