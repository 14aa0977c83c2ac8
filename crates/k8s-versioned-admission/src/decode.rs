//! Reads a body as servers read it: of members with one name the last counts, and numbers are integers if they are written
//! so.

use std::borrow::Cow;
use std::fmt;

use k8s_versioned_names::json::{depth, is_number, utf8, whole_pairs};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Error, Map, Number, Value};

use crate::path::Path;

/// The most levels of lists and objects, as for servers.
const MAX_DEPTH: usize = 10_000;

/// The depth below which lists and objects are empty. No field of an object is so deep, and code walks through a value by
/// recursion.
const KEPT_DEPTH: usize = 400;

/// The most duplicates that servers name.
const MAX_DUPLICATES: usize = 100;

/// Why a body cannot be read, in Go's words where there are words for it.
#[derive(Debug, PartialEq)]
pub(crate) enum ReadError {
    /// It is not JSON.
    Json(String),
    /// It is, but a number is too large.
    Number(String),
}

/// The content of a body.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub(crate) value: Value,
    /// The paths of members that occur again in their objects, in the order of the text.
    pub(crate) duplicates: Vec<String>,
    /// Whether something deeper than 400 levels was left out.
    pub(crate) is_cut: bool,
    /// Whether a number is a float.
    pub(crate) has_floats: bool,
    /// Whether a value is null.
    pub(crate) has_nulls: bool,
}

/// Reads a body.
///
/// # Errors
/// The text is not JSON, a number is too large, or it nests too deep.
pub(crate) fn read(bytes: &[u8]) -> Result<Body, ReadError> {
    let text = utf8(bytes);
    let read = match read_text(&text) {
        // Half of a surrogate pair is an error for `serde_json` alone.
        Err(_) if text.contains("\\u") => read_text(&whole_pairs(Cow::Borrowed(&text))),
        read => read,
    };
    let body = read.map_err(|error| in_words(&error, &text))?;
    if body.is_cut && depth(bytes) > MAX_DEPTH {
        return Err(ReadError::Json("exceeded max depth".to_owned()));
    }
    Ok(body)
}

fn read_text(text: &str) -> Result<Body, Error> {
    let mut body = Body::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let whole = Reading { path: Path::Root, depth: 0, body: &mut body };
    let value = whole.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(Body { value, ..body })
}

fn in_words(error: &Error, text: &str) -> ReadError {
    let message = error.to_string();
    if error.is_eof() {
        return ReadError::Json("unexpected end of JSON input".to_owned());
    }
    if !message.starts_with("number out of range") {
        return ReadError::Json(message);
    }
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let is_part = |byte: char| byte.is_ascii_digit() || "+-.eE".contains(byte);
    let before = line.get(..error.column()).unwrap_or(line);
    let start = before.trim_end_matches(is_part).len();
    let digits = line.get(start..).unwrap_or_default();
    let end = digits.find(|byte| !is_part(byte)).unwrap_or(digits.len());
    let digits = digits.get(..end).unwrap_or_default();
    let target = "Go value of type float64";
    ReadError::Number(format!("json: cannot unmarshal number {digits} into {target}"))
}

/// The reading of a value.
struct Reading<'a> {
    path: Path<'a>,
    /// The number of lists and objects around it.
    depth: usize,
    body: &'a mut Body,
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        self.body.has_nulls = true;
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    #[allow(clippy::cast_precision_loss, reason = "servers read a larger integer as a float")]
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        self.body.has_floats |= i64::try_from(value).is_err();
        Ok(i64::try_from(value).map_or_else(|_| (value as f64).into(), Value::from))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        self.body.has_floats = true;
        // `-0` is an integer.
        Ok(if value == 0.0 && value.is_sign_negative() { 0.into() } else { value.into() })
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        let Self { path, depth, body } = self;
        if depth >= KEPT_DEPTH {
            body.is_cut = true;
            while access.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(items.into());
        }
        loop {
            let path = path.index(items.len());
            match access.next_element_seed(Reading { path, depth: depth + 1, body })? {
                Some(item) => items.push(item),
                None => return Ok(items.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        let Self { path, depth, body } = self;
        if depth >= KEPT_DEPTH {
            body.is_cut = true;
            while access.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(members.into());
        }
        while let Some(key) = access.next_key::<String>()? {
            if is_number(&key) {
                let digits: String = access.next_value()?;
                body.has_floats = true;
                return number(&digits).ok_or_else(|| de::Error::custom("number out of range"));
            }
            let noted = body.duplicates.len();
            let inner = Reading { path: path.field(&key), depth: depth + 1, body };
            let value = access.next_value_seed(inner)?;
            match members.entry(key) {
                Entry::Vacant(place) => _ = place.insert(value),
                Entry::Occupied(mut first) => {
                    note(&mut body.duplicates, noted, &path.field(first.key()));
                    first.insert(value);
                }
            }
        }
        Ok(members.into())
    }
}

/// A number of a build in which `serde_json` keeps numbers as text.
fn number(digits: &str) -> Option<Value> {
    if let Ok(integer) = digits.parse::<i64>() {
        return Some(integer.into());
    }
    let float = digits.parse::<f64>().ok().and_then(Number::from_f64)?;
    Some(Value::Number(float))
}

/// Notes a duplicate before the duplicates inside its value.
fn note(duplicates: &mut Vec<String>, at: usize, path: &Path<'_>) {
    let path = path.to_string();
    if duplicates.len() < MAX_DUPLICATES && !duplicates.contains(&path) {
        duplicates.insert(at.min(duplicates.len()), path);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ReadError, read};

    /// A text, its value, and the duplicates in it.
    #[test]
    fn reads_as_servers_do() {
        let table = [
            (r#"{"a":[1,{"b":[]},-0,1.5e1]}"#, json!({"a": [1, {"b": []}, 0, 15.0]}), ""),
            ("9223372036854775808", json!(9_223_372_036_854_775_808_f64), ""),
            (r#""\ud800\u0041\ud83d\ude00""#, json!("\u{fffd}A😀"), ""),
            (r#"{"m":{"a":1},"m":{"b":2}}"#, json!({"m": {"b": 2}}), "m"),
            (
                r#"{"l":[{},{"a":{"x":1},"a":{"y":1,"y":2},"a":3}]}"#,
                json!({"l": [{}, {"a": 3}]}),
                "l[1].a l[1].a.y",
            ),
        ];
        for (text, value, duplicates) in table {
            let body = read(text.as_bytes()).unwrap();
            assert_eq!(body.value, value, "{text}");
            assert_eq!(body.duplicates.join(" "), duplicates, "{text}");
        }
        assert_eq!(read(b"\"a\xe2\x82b\xff\"").unwrap().value, "a\u{fffd}\u{fffd}b\u{fffd}");
    }

    #[test]
    fn depth_is_limited() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(!read(nested(400).as_bytes()).unwrap().is_cut);
        assert!(read(nested(10_000).as_bytes()).unwrap().is_cut);
        let error = ReadError::Json("exceeded max depth".to_owned());
        assert_eq!(read(nested(10_001).as_bytes()).unwrap_err(), error);
    }

    #[test]
    fn errors_are_in_the_words_of_go() {
        let number = "json: cannot unmarshal number 1e999 into Go value of type float64".to_owned();
        assert_eq!(read(b"{\"a\":\n [1e999, 2]}").unwrap_err(), ReadError::Number(number));
        let end = "unexpected end of JSON input".to_owned();
        assert_eq!(read(b"{\"a\"").unwrap_err(), ReadError::Json(end));
    }
}
