//! `text.format([…])`.

use std::fmt::Write as _;

use super::super::text::go_quote;
use super::super::types::Type;
use super::super::value::{Evaluated, Fault, Value};
use super::convert;

/// A clause such as `%.3f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Clause {
    verb: char,
    precision: usize,
}

/// A format text in pieces: texts, and clauses for one argument each.
enum Piece {
    Text(String),
    Clause(Clause),
}

const DEFAULT_PRECISION: usize = 6;
/// More digits than any number has; the text stays short.
const MAX_PRECISION: usize = 1000;

fn pieces(format: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut characters = format.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        if characters.next_if_eq(&'%').is_some() {
            text.push('%');
            continue;
        }
        let mut precision = DEFAULT_PRECISION;
        if characters.next_if_eq(&'.').is_some() {
            let mut digits = String::new();
            while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            precision = digits.parse().map_err(|_| {
                format!(
                    "could not parse formatting clause: error while parsing precision: {}",
                    go_quote(&digits)
                )
            })?;
        }
        let verb = characters.next().ok_or("unexpected end of string")?;
        if !"sdfeboxX".contains(verb) {
            return Err(format!(
                "could not parse formatting clause: unrecognized formatting clause {}",
                go_quote(&verb.to_string())
            ));
        }
        pieces.push(Piece::Text(std::mem::take(&mut text)));
        pieces.push(Piece::Clause(Clause { verb, precision: precision.min(MAX_PRECISION) }));
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

fn refusal(verb: char, kind: &str) -> String {
    let what = match verb {
        's' => {
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and \
             timestamps"
        }
        'd' => "decimal clause can only be used on integers",
        'f' => "fixed-point clause can only be used on doubles",
        'e' => "scientific clause can only be used on doubles",
        'b' => "only integers and bools can be formatted as binary",
        'o' => "octal clause can only be used on integers",
        _ => "only integers, byte buffers, and strings can be formatted as hex",
    };
    format!("error during formatting: {what}, was given {kind}")
}

/// Formats values.
pub(super) fn format<'v>(format: &str, arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
    let mut formatted = String::new();
    let mut next = 0;
    for piece in pieces(format).map_err(Fault::Error)? {
        match piece {
            Piece::Text(text) => formatted.push_str(&text),
            Piece::Clause(clause) => {
                let argument = arguments.get(next);
                let argument =
                    argument.ok_or_else(|| Fault::Error(format!("index {next} out of range")))?;
                formatted.push_str(&clause_text(clause, argument)?);
                next += 1;
            }
        }
    }
    Ok(Value::text(formatted))
}

/// Returns what servers say of a format with literal arguments when the rule is created, if they refuse it.
pub(in super::super) fn check(format: &str, arguments: &[Type]) -> Result<(), String> {
    let mut next = 0;
    for piece in pieces(format)? {
        let Piece::Clause(clause) = piece else { continue };
        let argument = arguments.get(next).ok_or_else(|| format!("index {next} out of range"))?;
        if !accepts(clause.verb, argument) {
            return Err(refusal(clause.verb, &argument.to_string()));
        }
        next += 1;
    }
    if arguments.len() > next {
        let count = arguments.len();
        return Err(format!(
            "too many arguments supplied to string.format (expected {next}, got {count})"
        ));
    }
    Ok(())
}

fn accepts(verb: char, argument: &Type) -> bool {
    use Type::{Bool, Bytes, Double, Dyn, Int, Object, Opaque, Optional, Parameter, String, Uint};
    match verb {
        _ if matches!(argument, Dyn | Parameter(_)) => true,
        's' => !matches!(argument, Opaque(_) | Optional(_) | Object(_)),
        'd' | 'o' => matches!(argument, Int | Uint),
        'f' | 'e' => matches!(argument, Double | String),
        'b' => matches!(argument, Int | Uint | Bool),
        _ => matches!(argument, Int | Uint | String | Bytes),
    }
}

fn clause_text(clause: Clause, argument: &Value<'_>) -> Evaluated<String> {
    let refuse = || Err(Fault::Error(refusal(clause.verb, argument.type_name())));
    Ok(match (clause.verb, argument) {
        ('s', _) => return string_text(argument),
        ('d', Value::Int(value)) => value.to_string(),
        ('d', Value::Uint(value)) => value.to_string(),
        ('b', Value::Int(value)) => signed(*value, |value| format!("{value:b}")),
        ('b', Value::Uint(value)) => format!("{value:b}"),
        ('b', Value::Bool(value)) => u8::from(*value).to_string(),
        ('o', Value::Int(value)) => signed(*value, |value| format!("{value:o}")),
        ('o', Value::Uint(value)) => format!("{value:o}"),
        ('x', Value::Int(value)) => signed(*value, |value| format!("{value:x}")),
        ('X', Value::Int(value)) => signed(*value, |value| format!("{value:X}")),
        ('x', Value::Uint(value)) => format!("{value:x}"),
        ('X', Value::Uint(value)) => format!("{value:X}"),
        ('x' | 'X', Value::Text(text)) => hex(text.as_bytes(), clause.verb == 'X'),
        ('x' | 'X', Value::Bytes(bytes)) => hex(bytes, clause.verb == 'X'),
        ('f' | 'e', Value::Double(value)) if value.is_finite() => decimal(clause, *value),
        ('f' | 'e', Value::Double(_)) => {
            return Err(Fault::not_judged("a double without end in a format"));
        }
        ('f' | 'e', Value::Text(text)) if matches!(&**text, "NaN" | "Infinity" | "-Infinity") => {
            return Err(Fault::not_judged("a double without end in a format"));
        }
        _ => return refuse(),
    })
}

fn signed(value: i64, write: impl Fn(u64) -> String) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", write(value.unsigned_abs()))
}

fn hex(bytes: &[u8], upper: bool) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = if upper { write!(text, "{byte:02X}") } else { write!(text, "{byte:02x}") };
    }
    text
}

/// As American English writes numbers: thousands have commas, and powers of ten are superscript.
fn decimal(clause: Clause, value: f64) -> String {
    let precision = clause.precision;
    if clause.verb == 'f' {
        let text = format!("{value:.precision$}");
        let (whole, fraction) =
            text.split_once('.').map_or((text.as_str(), None), |(whole, part)| (whole, Some(part)));
        let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
        return format!("{}{fraction}", with_commas(whole));
    }
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if exponent.starts_with('-') { "⁻" } else { "" };
    let digits = exponent.trim_start_matches('-');
    let power: String = format!("{digits:0>2}").chars().map(superscript).collect();
    format!("{mantissa}\u{202f}×\u{202f}10{sign}{power}")
}

fn superscript(digit: char) -> char {
    match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    }
}

fn with_commas(whole: &str) -> String {
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut text = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `%s`.
fn string_text(argument: &Value<'_>) -> Evaluated<String> {
    match argument {
        Value::Null => Ok("null".to_owned()),
        Value::List(_) | Value::Map(_) | Value::Data(_) => nested_text(argument),
        Value::Text(_)
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Uint(_)
        | Value::Double(_)
        | Value::Bytes(_)
        | Value::Timestamp(_)
        | Value::Duration(_)
        | Value::Type(_) => convert::to_text(argument),
        _ => Err(Fault::Error(refusal('s', argument.type_name()))),
    }
}

/// A value in a list or a map, as a literal of CEL.
fn nested_text(value: &Value<'_>) -> Evaluated<String> {
    Ok(match value {
        Value::Text(text) => go_quote(text),
        Value::Bytes(_) => format!("b{}", go_quote(&convert::to_text(value)?)),
        Value::Double(number) if number.is_finite() => format!("{number:.6}"),
        Value::Double(number) => go_quote(&super::super::text::go_float(*number)),
        Value::Timestamp(_) => format!("timestamp({})", go_quote(&convert::to_text(value)?)),
        Value::Duration(_) => format!("duration({})", go_quote(&convert::to_text(value)?)),
        Value::List(list) => {
            let items: Vec<String> =
                list.iter().map(|item| nested_text(&item?)).collect::<Evaluated<_>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::Map(entries) => {
            map_text(entries.iter().map(|(key, value)| Ok((key.clone(), value.clone()))))?
        }
        Value::Data(data) => map_text(data.keys().into_iter().map(|key| {
            let value = value.find(&key)?.unwrap_or(Value::Null);
            Ok((key, value))
        }))?,
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Type(_) => {
            string_text(value)?
        }
        _ => return Err(Fault::Error(format!("no formatting function for {}", value.type_name()))),
    })
}

fn map_text<'v>(
    entries: impl Iterator<Item = Evaluated<(Value<'v>, Value<'v>)>>,
) -> Evaluated<String> {
    let mut texts = Vec::new();
    for entry in entries {
        let (key, value) = entry?;
        texts.push((nested_text(&key)?, nested_text(&value)?));
    }
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    let texts: Vec<String> =
        texts.into_iter().map(|(key, value)| format!("{key}:{value}")).collect();
    Ok(format!("{{{}}}", texts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::{Type, Value, check, format};

    #[test]
    fn formats() {
        let t = |text: &'static str| Value::borrowed(text);
        let cases = [
            ("%s and %d", vec![t("str"), Value::Int(42)], "str and 42"),
            ("%%s: %s", vec![Value::Double(64.2)], "%s: 64.2"),
            ("%f", vec![Value::Double(3.5)], "3.500000"),
            ("%.1f", vec![Value::Double(1_234_567.89)], "1,234,567.9"),
            ("%e", vec![Value::Double(1234.5)], "1.234500\u{202f}×\u{202f}10⁰³"),
            ("%b", vec![Value::Int(5)], "101"),
            ("%x %X %o", vec![Value::Int(26), Value::Int(26), Value::Int(30)], "1a 1A 36"),
            ("%x", vec![t("hi")], "6869"),
            (
                "%s",
                vec![Value::list(vec![Value::Int(1), t("a"), Value::Bool(true)])],
                "[1, \"a\", true]",
            ),
            ("%s", vec![Value::Duration(6_347_000_000_000)], "6347s"),
        ];
        for (text, arguments, expected) in cases {
            let Ok(Value::Text(written)) = format(text, &arguments) else { panic!("{text}") };
            assert_eq!(&*written, expected);
        }
        assert!(format("%d", &[t("a")]).is_err());
        assert!(format("%d", &[]).is_err());
        assert!(format("%", &[]).is_err());
    }

    #[test]
    fn literal_formats_are_checked() {
        assert_eq!(check("%s %d", &[Type::String, Type::Int]), Ok(()));
        let error = "error during formatting: decimal clause can only be used on integers, was given string";
        assert_eq!(check("%d", &[Type::String]), Err(error.to_owned()));
        let error = "too many arguments supplied to string.format (expected 1, got 2)";
        assert_eq!(check("%s", &[Type::String, Type::String]), Err(error.to_owned()));
    }
}
