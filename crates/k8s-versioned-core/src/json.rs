//! JSON values without duplicate keys, of limited depth.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Deserializer as JsonDeserializer, Error, Map, Number, Value};

use crate::Quoted;

/// The maximum depth of lists and objects that is read. `serde_json` stops at 128, and the managed fields of an
/// object can be deeper.
pub const MAX_DEPTH: usize = 400;

/// Refuses a text that nests deeper than [`MAX_DEPTH`].
///
/// # Errors
/// The text nests deeper.
pub fn limit_depth(json: &[u8]) -> Result<(), Error> {
    if depth(json) <= MAX_DEPTH {
        return Ok(());
    }
    let message = format_args!("lists and objects nest deeper than {MAX_DEPTH} levels");
    Err(de::Error::custom(message))
}

/// The number of levels of lists and objects in a JSON text.
pub fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in json {
        match byte {
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            b'"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = *byte == b'\\' && !escaped;
        deepest = deepest.max(depth);
    }
    deepest
}

/// The only key of the map that `serde_json` gives for a number if its feature `arbitrary_precision` is on. Any crate
/// of a build can switch it on.
const NUMBER: &str = "$serde_json::private::Number";

/// Returns `true` if a map with this key represents a number.
pub fn is_number(key: &str) -> bool {
    key == NUMBER && serde_json::from_str::<Number>("1e999").is_ok()
}

/// A JSON value in which no object has duplicate keys.
///
/// [`Value`] keeps the last of two such members without an error. Here they are an error:
///
/// ```
/// use k8s_versioned_core::json::StrictValue;
/// use serde_json::Value;
///
/// let text = r#"{"leaseName": "a", "leaseName": "b"}"#;
/// assert!(serde_json::from_str::<Value>(text).is_ok());
/// let error = serde_json::from_str::<StrictValue>(text).unwrap_err();
/// assert_eq!(error.to_string(), "the key `leaseName` occurs twice at line 1 column 30");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StrictValue(Value);

impl StrictValue {
    /// Reads a text that may nest up to [`MAX_DEPTH`] levels deep.
    ///
    /// # Errors
    /// The text is not JSON, has a key twice, or nests deeper.
    pub fn from_slice(json: &[u8]) -> Result<Self, Error> {
        limit_depth(json)?;
        let mut deserializer = JsonDeserializer::from_slice(json);
        deserializer.disable_recursion_limit();
        let value = Self::deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(value)
    }

    /// Returns the value itself.
    pub fn into_inner(self) -> Value {
        self.0
    }
}

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor).map(Self)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| E::custom("a number that JSON cannot hold"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(StrictValue(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            if is_number(&name) {
                let digits: String = access.next_value()?;
                return digits.parse().map(Value::Number).map_err(de::Error::custom);
            }
            match members.entry(name) {
                Entry::Vacant(place) => _ = place.insert(access.next_value::<StrictValue>()?.0),
                Entry::Occupied(before) => return Err(duplicate(before.key())),
            }
        }
        Ok(Value::Object(members))
    }
}

fn duplicate<E: de::Error>(name: &str) -> E {
    E::custom(format_args!("the key {} occurs twice", Quoted(name)))
}

/// The text of bytes, with U+FFFD instead of each byte that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(text)
}

/// The text with U+FFFD instead of each escaped half of a surrogate pair without its other half.
pub fn whole_pairs(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return text;
    }
    let (mut whole, mut rest) = (String::with_capacity(text.len()), &*text);
    while let Some((before, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        whole.push_str(before);
        let (length, shown) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, escape.get(..12)),
            (Some(0xd800..=0xdfff), _) => (6, Some("\\ufffd")),
            _ => {
                let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                (length, escape.get(..length))
            }
        };
        whole.push_str(shown.unwrap_or_default());
        rest = escape.get(length..).unwrap_or_default();
    }
    whole.push_str(rest);
    Cow::Owned(whole)
}

/// The number of an escape such as `\u00e9` at the start of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| plain)
}

/// The largest integer up to which every integer has a floating-point number of its own.
pub const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

/// Makes integers of the whole numbers up to `largest`, as Go writes and reads them: `15.0` is 15.
pub fn make_whole(value: &mut Value, largest: f64) {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64());
            let whole = float.filter(|float| float.fract() == 0.0 && float.abs() <= largest);
            #[allow(clippy::cast_possible_truncation, reason = "it is whole and within the limit")]
            if let Some(whole) = whole.map(|whole| whole as i64) {
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| make_whole(item, largest)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| make_whole(member, largest));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::StrictValue;

    #[test]
    fn reads_what_serde_json_reads() {
        let values = [
            "null",
            "true",
            "-7",
            "18446744073709551615",
            "0.5",
            r#""a\u00e9\n""#,
            r#"[1,[],{"a":{"b":[null]}}]"#,
        ];
        for text in values {
            let expected: Value = serde_json::from_str(text).unwrap();
            let found: StrictValue = serde_json::from_str(text).unwrap();
            assert_eq!(found.into_inner(), expected);
        }
    }

    #[test]
    fn a_key_twice_is_an_error_at_any_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":[],"a":2}}]"#, r#"{"a":1,"\u0061":2}"#]
        {
            let error = serde_json::from_str::<StrictValue>(text).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with("the key `a` occurs twice at line 1"), "{message}");
        }
        let error = serde_json::from_str::<StrictValue>(r#"{"\n":1,"\n":2}"#).unwrap_err();
        assert_eq!(error.to_string(), r#"the key "\n" occurs twice at line 1 column 12"#);
        assert!(serde_json::from_str::<StrictValue>(r#"[{"a":1},{"a":1}]"#).is_ok());
    }

    #[test]
    fn depth_is_limited() {
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let error = serde_json::from_str::<StrictValue>(&deep).unwrap_err();
        assert!(error.to_string().contains("recursion limit"), "{error}");
    }
}
