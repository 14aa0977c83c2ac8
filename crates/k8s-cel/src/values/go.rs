//! Values as Go writes them into messages.

use std::fmt::{self, Write};

use serde_json::{Number, Value};

/// Reads an unsigned number, as `strconv.ParseUint` of Go does with the base 10: only digits.
///
/// # Errors
/// The words of Go.
pub fn parse_uint(text: &str) -> Result<u64, String> {
    let fault = |what: &str| format!("strconv.ParseUint: parsing {}: {what}", GoQuoted(text));
    if text.is_empty() {
        return Err(fault("invalid syntax"));
    }
    let mut number = 0_u64;
    for character in text.chars() {
        let digit = character.to_digit(10).ok_or_else(|| fault("invalid syntax"))?;
        let next = number.checked_mul(10).and_then(|number| number.checked_add(digit.into()));
        number = next.ok_or_else(|| fault("value out of range"))?;
    }
    Ok(number)
}

/// A text in double quotes, as Go's verb `%q` writes it.
#[derive(Debug)]
pub struct GoQuoted<'a>(pub &'a str);

impl fmt::Display for GoQuoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                ' '..='~' => f.write_char(character)?,
                '\u{7}' => f.write_str("\\a")?,
                '\u{8}' => f.write_str("\\b")?,
                '\u{c}' => f.write_str("\\f")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\u{b}' => f.write_str("\\v")?,
                '\0'..='\u{1f}' | '\u{7f}' => write!(f, "\\x{:02x}", u32::from(character))?,
                _ if is_printable(character) => f.write_char(character)?,
                '\0'..='\u{ffff}' => write!(f, "\\u{:04x}", u32::from(character))?,
                _ => write!(f, "\\U{:08x}", u32::from(character))?,
            }
        }
        f.write_char('"')
    }
}

fn is_printable(character: char) -> bool {
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    k8s_versioned_core::syntax::first_unprintable(text).is_none()
}

/// A value as Go's verb `%v` writes it: lists and maps without commas, texts without quotes.
#[derive(Debug)]
pub struct GoValue<'a>(pub &'a Value);

impl fmt::Display for GoValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("<nil>"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(number) => PlainNumber(number).fmt(f),
            Value::String(text) => f.write_str(text),
            Value::Array(items) => {
                f.write_char('[')?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if at > 0 { " " } else { "" }, GoValue(item))?;
                }
                f.write_char(']')
            }
            Value::Object(members) => {
                f.write_str("map[")?;
                for (at, (name, member)) in members.iter().enumerate() {
                    write!(f, "{}{name}:{}", if at > 0 { " " } else { "" }, GoValue(member))?;
                }
                f.write_char(']')
            }
        }
    }
}

/// A value in the syntax of Go, as the verb `%#v` writes it.
#[derive(Debug)]
pub struct GoSyntax<'a>(pub &'a Value);

impl fmt::Display for GoSyntax<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Null => f.write_str("interface {}(nil)"),
            Value::String(text) => GoQuoted(text).fmt(f),
            Value::Array(items) => {
                f.write_str("[]interface {}{")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if at > 0 { ", " } else { "" }, GoSyntax(item))?;
                }
                f.write_char('}')
            }
            Value::Object(members) => {
                f.write_str("map[string]interface {}{")?;
                for (at, (name, member)) in members.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    write!(f, "{comma}{}:{}", GoQuoted(name), GoSyntax(member))?;
                }
                f.write_char('}')
            }
            Value::Number(number) => PlainNumber(number).fmt(f),
            Value::Bool(value) => write!(f, "{value}"),
        }
    }
}

/// A value as JSON without blanks, with `<`, `>` and `&` escaped, as Go writes it.
pub fn json(value: &Value) -> String {
    let mut text = String::new();
    write_json(value, &mut text);
    text
}

fn write_json(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => text.push_str(&json_number(number)),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_json(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (at, (name, member)) in members.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_json_text(name, text);
                text.push(':');
                write_json(member, text);
            }
            text.push('}');
        }
        Value::String(string) => write_json_text(string, text),
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
    }
}

fn write_json_text(string: &str, text: &mut String) {
    let is_special =
        |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2);
    if !string.bytes().any(is_special) {
        text.extend(["\"", string, "\""]);
        return;
    }
    let quoted = serde_json::to_string(string).unwrap_or_default();
    let mut rest = quoted.as_str();
    // The byte e2 begins the two separators of lines and paragraphs, among others.
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'<' | b'>' | b'&' | 0xe2)) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.push_str(before);
        let mut letters = from.chars();
        match letters.next() {
            Some('<') => text.push_str("\\u003c"),
            Some('>') => text.push_str("\\u003e"),
            Some('&') => text.push_str("\\u0026"),
            Some('\u{2028}') => text.push_str("\\u2028"),
            Some('\u{2029}') => text.push_str("\\u2029"),
            other => text.extend(other),
        }
        rest = letters.as_str();
    }
    text.push_str(rest);
}

/// A number as `%v` writes it.
struct PlainNumber<'a>(&'a Number);

impl fmt::Display for PlainNumber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_f64().filter(|_| self.0.is_f64()) {
            Some(value) => f.write_str(&float(value)),
            None => write!(f, "{}", self.0),
        }
    }
}

/// A float as `%v` and `%#v` write it: the shortest text, with an exponent below 1e-4 and from 1e6.
pub fn float(value: f64) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let power = scientific.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok());
    if power.is_some_and(|power| (-4..6).contains(&power)) {
        format!("{value}")
    } else {
        exponent(value)
    }
}

/// A number as Go's JSON encoder writes it.
fn json_number(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(zero @ 0.0) => float(zero),
        Some(float) if (1e-6..1e21).contains(&float.abs()) => format!("{float}"),
        Some(float) => exponent(float).replace("e-0", "e-"),
        None => number.to_string(),
    }
}

/// A float with an exponent of at least two digits and a sign.
fn exponent(value: f64) -> String {
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, power)) => {
            let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
            format!("{digits}e{sign}{power:0>2}")
        }
        None => text,
    }
}

/// The name of the Go type that a server reads a value into.
pub const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{GoQuoted, GoSyntax, GoValue, float, json};

    #[test]
    fn values_are_written_as_go_writes_them() {
        let value = json!({"b": [1, 2.5, "x<y"], "a": {"n": null, "t": true}});
        assert_eq!(GoValue(&value).to_string(), "map[a:map[n:<nil> t:true] b:[1 2.5 x<y]]");
        assert_eq!(json(&value), r#"{"a":{"n":null,"t":true},"b":[1,2.5,"x\u003cy"]}"#);
        assert_eq!(
            GoSyntax(&value).to_string(),
            r#"map[string]interface {}{"a":map[string]interface {}{"n":interface {}(nil), "t":true}, "b":[]interface {}{1, 2.5, "x<y"}}"#
        );
        assert_eq!(GoQuoted("a\"\\\n\u{1}é\u{200b}😀").to_string(), r#""a\"\\\n\x01é\u200b😀""#);
    }

    #[test]
    fn floats_have_an_exponent_where_go_gives_them_one() {
        let table = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.5, "1.5"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (100_000.0, "100000"),
            (2_147_483_647.0, "2.147483647e+09"),
            (-1.25e300, "-1.25e+300"),
        ];
        for (value, text) in table {
            assert_eq!(float(value), text);
        }
    }
}
