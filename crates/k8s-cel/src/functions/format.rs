//! `text.format([…])`.

use super::Context;
use crate::check::types::{Substitution, Type};
use crate::eval::Meter;
use crate::eval::value::{Evaluated, Fault, Value};
use crate::facts::Fact;
use crate::functions::convert;
use crate::since::Facts;
use crate::values::text::go_quote;

/// A clause such as `%.3f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    verb: char,
    precision: usize,
}

/// An argument of a format, and what is known of it when the rule is created.
pub(crate) struct Argument {
    pub(crate) at: usize,
    pub(crate) kind: Type,
    /// The parts of a literal list or map.
    pub(crate) parts: Vec<Self>,
}

impl Argument {
    pub(crate) fn apply(&mut self, substitution: &Substitution) {
        self.kind = substitution.apply(&self.kind);
        for part in &mut self.parts {
            part.apply(substitution);
        }
    }
}

const DEFAULT_PRECISION: usize = 6;
/// More digits than any number has; the text stays short.
const MAX_PRECISION: usize = 1000;

/// When a format is read: servers look for an argument before or after the verb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Created,
    Evaluated,
}

/// Reads a format from left to right: servers report the first error. Returns the text and the number of clauses.
fn interpolate<E>(
    format: &str,
    count: usize,
    when: When,
    fail: impl Fn(String) -> E,
    mut write: impl FnMut(usize, Clause) -> Result<String, E>,
) -> Result<(String, usize), E> {
    let mut formatted = String::new();
    let mut next = 0;
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        formatted.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            formatted.push('%');
            rest = after;
            continue;
        }
        let at_end = after.is_empty();
        if next >= count && !(at_end && when == When::Created) {
            return Err(fail(format!("index {next} out of range")));
        }
        if at_end {
            return Err(fail("unexpected end of string".to_owned()));
        }
        let (clause, after) = clause(after)
            .map_err(|why| fail(format!("could not parse formatting clause: {why}")))?;
        formatted.push_str(&write(next, clause)?);
        next += 1;
        rest = after;
    }
    formatted.push_str(rest);
    Ok((formatted, next))
}

/// The clause at the start of a text, after `%`, and the rest.
fn clause(text: &str) -> Result<(Clause, &str), String> {
    let (precision, rest) = match text.strip_prefix('.') {
        Some(digits) => {
            precision(digits).map_err(|why| format!("error while parsing precision: {why}"))?
        }
        None => (DEFAULT_PRECISION, text),
    };
    // Servers read a byte.
    let verb = rest.bytes().next().map_or('%', char::from);
    if !"sdfeboxX".contains(verb) {
        return Err(format!("unrecognized formatting clause \"{verb}\""));
    }
    Ok((Clause { verb, precision }, rest.get(1..).unwrap_or_default()))
}

fn precision(text: &str) -> Result<(usize, &str), String> {
    let end = text.find(|character: char| !character.is_ascii_digit());
    let (digits, rest) = text.split_at(end.ok_or("could not find end of precision specifier")?);
    let Ok(precision) = digits.parse::<i64>() else {
        let why = if digits.is_empty() { "invalid syntax" } else { "value out of range" };
        return Err(format!(
            "error while converting precision to integer: strconv.Atoi: parsing {}: {why}",
            go_quote(digits)
        ));
    };
    Ok((usize::try_from(precision).unwrap_or(MAX_PRECISION).min(MAX_PRECISION), rest))
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
pub(crate) fn format<'v>(
    format: &str,
    arguments: &[Value<'v>],
    context: &Context<'_>,
) -> Evaluated<Value<'v>> {
    let write = |index: usize, clause| {
        arguments
            .get(index)
            .map_or_else(|| Ok(String::new()), |of| clause_text(clause, of, context))
    };
    let (formatted, _) =
        interpolate(format, arguments.len(), When::Evaluated, Fault::error, write)?;
    Ok(Value::text(formatted))
}

/// Returns the error of servers for a format with literal arguments when the rule is created, and its place, if they
/// refuse it.
pub(crate) fn check(
    format: &str,
    at: usize,
    arguments: &[Argument],
) -> Result<(), (usize, String)> {
    let write = |index: usize, clause: Clause| {
        let refused = arguments.get(index).and_then(|argument| refused(clause.verb, argument));
        refused.map_or_else(
            || Ok(String::new()),
            |of| Err((of.at, refusal(clause.verb, &of.kind.runtime_name()))),
        )
    };
    let fail = |message| (at, message);
    let (_, clauses) = interpolate(format, arguments.len(), When::Created, fail, write)?;
    if arguments.len() > clauses {
        let count = arguments.len();
        return Err(fail(format!(
            "too many arguments supplied to string.format (expected {clauses}, got {count})"
        )));
    }
    Ok(())
}

/// The argument that a clause does not accept, or the part of it.
fn refused(verb: char, argument: &Argument) -> Option<&Argument> {
    if !accepts(verb, &argument.kind) {
        return Some(argument);
    }
    let parts = argument.parts.iter().filter(|_| verb == 's');
    parts.into_iter().find_map(|part| refused(verb, part))
}

fn accepts(verb: char, argument: &Type) -> bool {
    use Type::{Bool, Bytes, Double, Dyn, Int, Object, Opaque, Optional, Parameter, String, Uint};
    match verb {
        _ if matches!(argument, Dyn | Type::Error | Parameter(_)) => true,
        's' => !matches!(argument, Opaque(_) | Optional(_) | Object(_)),
        'd' | 'o' => matches!(argument, Int | Uint),
        'f' | 'e' => matches!(argument, Double | String),
        'b' => matches!(argument, Int | Uint | Bool),
        _ => matches!(argument, Int | Uint | String | Bytes),
    }
}

/// Digits after the point are computed one by one.
const DIGITS_PER_STEP: usize = 8;

fn clause_text(clause: Clause, argument: &Value<'_>, context: &Context<'_>) -> Evaluated<String> {
    let decimal = |value| decimal(clause, value, context.facts);
    context.meter.read(argument.bytes())?;
    context.meter.work(clause.precision / DIGITS_PER_STEP)?;
    let refuse = || Err(Fault::error(refusal(clause.verb, argument.type_name())));
    Ok(match (clause.verb, argument) {
        ('s', _) => return string_text(argument, context.meter),
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
        ('f' | 'e', Value::Double(value)) => decimal(*value),
        ('f' | 'e', Value::Text(text)) => match &**text {
            "NaN" => decimal(f64::NAN),
            "Infinity" => decimal(f64::INFINITY),
            "-Infinity" => decimal(f64::NEG_INFINITY),
            _ => return refuse(),
        },
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
        let digits = [byte >> 4, byte & 0xf].map(|digit| char::from_digit(digit.into(), 16));
        text.extend(digits.into_iter().flatten());
    }
    if upper { text.to_ascii_uppercase() } else { text }
}

/// As American English writes numbers: thousands have commas, and powers of ten are superscript.
fn decimal(clause: Clause, value: f64, facts: Facts) -> String {
    let precision = clause.precision;
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    // Zero has no sign.
    let value = value + 0.0;
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
    let power: String = format!("{digits:0>2}").chars().filter_map(superscript).collect();
    let blank = if facts.hold(Fact::ExponentsWithoutBlanks) { "" } else { "\u{202f}" };
    format!("{mantissa}{blank}×{blank}10{sign}{power}")
}

fn superscript(digit: char) -> Option<char> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)?.try_into().ok()?)
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
fn string_text(argument: &Value<'_>, meter: &Meter) -> Evaluated<String> {
    meter.read(argument.bytes())?;
    match argument {
        Value::Null => Ok("null".to_owned()),
        Value::List(_) | Value::Map(_) | Value::Data(_) => nested_text(argument, meter),
        Value::Text(_)
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Uint(_)
        | Value::Double(_)
        | Value::Bytes(_)
        | Value::Timestamp(_)
        | Value::Duration(_)
        | Value::Type(_) => convert::to_text(argument),
        _ => Err(Fault::error(refusal('s', argument.type_name()))),
    }
}

/// A value in a list or a map, as a literal of CEL.
fn nested_text(value: &Value<'_>, meter: &Meter) -> Evaluated<String> {
    meter.read(value.bytes())?;
    Ok(match value {
        Value::Text(text) => go_quote(text),
        Value::Bytes(_) => format!("b{}", go_quote(&convert::to_text(value)?)),
        Value::Double(number) if number.is_finite() => format!("{number:.6}"),
        Value::Double(number) => go_quote(&crate::values::text::go_float(*number)),
        Value::Timestamp(_) => format!("timestamp({})", go_quote(&convert::to_text(value)?)),
        Value::Duration(_) => format!("duration({})", go_quote(&convert::to_text(value)?)),
        Value::List(list) => {
            let items: Vec<String> = list
                .iter(meter)
                .map(|item| nested_text(&item?, meter))
                .collect::<Evaluated<_>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::Map(entries) => {
            let entries = entries.entries.iter();
            map_text(&mut entries.map(|(key, value)| Ok((key.clone(), value.clone()))), meter)?
        }
        Value::Data(data) => map_text(
            &mut data.keys().into_iter().map(|key| {
                let value = value.find(&key, meter)?.unwrap_or(Value::Null);
                Ok((key, value))
            }),
            meter,
        )?,
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Type(_) => {
            string_text(value, meter)?
        }
        _ => {
            let kind = value.type_name();
            let message = format!("error during formatting: no formatting function for {kind}");
            return Err(Fault::error(message));
        }
    })
}

fn map_text<'v>(
    entries: &mut dyn Iterator<Item = Evaluated<(Value<'v>, Value<'v>)>>,
    meter: &Meter,
) -> Evaluated<String> {
    let mut texts = Vec::new();
    for entry in entries {
        let (key, value) = entry?;
        texts.push((nested_text(&key, meter)?, nested_text(&value, meter)?));
    }
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    let texts: Vec<String> =
        texts.into_iter().map(|(key, value)| format!("{key}:{value}")).collect();
    Ok(format!("{{{}}}", texts.join(", ")))
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;

    use super::{Argument, Evaluated, Facts, Type, Value, check};

    fn format_in<'v>(text: &'v str, arguments: &[Value<'v>], facts: Facts) -> Evaluated<Value<'v>> {
        let arguments = Value::list(arguments.to_vec());
        crate::functions::library::call("format", &[Value::borrowed(text), arguments], facts)
    }

    fn format<'v>(text: &'v str, arguments: &[Value<'v>]) -> Evaluated<Value<'v>> {
        format_in(text, arguments, Facts::NEWEST)
    }

    #[test]
    fn formats() {
        let t = |text: &'static str| Value::borrowed(text);
        let cases = [
            ("%s and %d", vec![t("str"), Value::Int(42)], "str and 42"),
            ("%%s: %s", vec![Value::Double(64.2)], "%s: 64.2"),
            ("%f", vec![Value::Double(3.5)], "3.500000"),
            ("%.1f", vec![Value::Double(1_234_567.89)], "1,234,567.9"),
            ("%e", vec![Value::Double(1234.5)], "1.234500×10⁰³"),
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
        let before = Facts::at(Release::new(1, 32));
        let Ok(Value::Text(written)) = format_in("%e", &[Value::Double(3.25)], before) else {
            panic!()
        };
        assert_eq!(&*written, "3.250000\u{202f}×\u{202f}10⁰⁰");
        assert!(format("%d", &[t("a")]).is_err());
        assert!(format("%d", &[]).is_err());
        assert!(format("%", &[]).is_err());
    }

    /// `FormatString` and its neighbours in cel-go's `ext/formatting.go`, and the numbers of `golang.org/x/text/message`.
    #[test]
    fn numbers_are_written_as_in_american_english() {
        let t = |text: &'static str| Value::borrowed(text);
        let cases = [
            ("%f", Value::Double(f64::NAN), "NaN"),
            ("%e", Value::Double(f64::INFINITY), "∞"),
            ("%.2f", t("-Infinity"), "-∞"),
            ("%f", Value::Double(-0.0), "0.000000"),
            ("%.0f", Value::Double(-0.5), "-0"),
            ("%.0e", Value::Double(9.9995), "1×10⁰¹"),
            ("%e", Value::Double(-0.5), "-5.000000×10⁻⁰¹"),
            ("%.3f", Value::Double(9.9995), "9.999"),
        ];
        for (text, argument, expected) in cases {
            let Ok(Value::Text(written)) = format(text, &[argument]) else { panic!("{text}") };
            assert_eq!(&*written, expected);
        }
    }

    #[test]
    fn literal_formats_are_checked() {
        let of = |at, kind| Argument { at, kind, parts: Vec::new() };
        let integers = "decimal clause can only be used on integers, was given";
        let cases = [
            ("%s %d", vec![of(1, Type::String), of(2, Type::Int)], Ok(())),
            (
                "%d %a",
                vec![of(1, Type::String), of(2, Type::Int)],
                Err((1, format!("error during formatting: {integers} string"))),
            ),
            (
                "%d",
                vec![of(3, Type::list(Type::Int))],
                Err((3, format!("error during formatting: {integers} list"))),
            ),
            (
                "%d",
                vec![of(3, Type::Null)],
                Err((3, format!("error during formatting: {integers} null_type"))),
            ),
            (
                "%s",
                vec![of(1, Type::String), of(2, Type::String)],
                Err((
                    9,
                    "too many arguments supplied to string.format (expected 1, got 2)".to_owned(),
                )),
            ),
            ("a%", vec![], Err((9, "unexpected end of string".to_owned()))),
            ("%a", vec![], Err((9, "index 0 out of range".to_owned()))),
            (
                "%.34",
                vec![of(1, Type::Double)],
                Err((
                    9,
                    "could not parse formatting clause: error while parsing precision: could not \
                     find end of precision specifier"
                        .to_owned(),
                )),
            ),
            (
                "%.f",
                vec![of(1, Type::Double)],
                Err((
                    9,
                    "could not parse formatting clause: error while parsing precision: error while \
                     converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax"
                        .to_owned(),
                )),
            ),
        ];
        for (format, arguments, expected) in cases {
            assert_eq!(check(format, 9, &arguments), expected, "{format}");
        }
    }
}
