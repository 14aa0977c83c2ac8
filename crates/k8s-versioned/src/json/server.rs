//! JSON as API servers read it. `serde_json` parses it, after the parts that it would refuse are replaced.

use std::borrow::Cow;
use std::fmt;

use k8s_versioned_names::json::{depth, is_number, utf8, whole_pairs};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Map, Value};

use super::is_minus_zero;
use crate::field::PathRef;

/// The most levels of lists and objects, as for servers.
const MAX_DEPTH: usize = 10_000;

/// The depth below which only the form is checked: deeper lists and objects are empty. No field of an object is so
/// deep, and code walks through a value by recursion.
const KEPT_DEPTH: usize = 400;

/// The most duplicates that servers name.
const MAX_DUPLICATES: usize = 100;

/// The most bytes of copies, as a multiple of the text: each level of duplicates in duplicates copies the levels inside.
const COPIED: usize = 4;

/// The member that servers keep as text.
const OPAQUE: &str = "fieldsV1";

/// The content of a text.
#[derive(Debug, Default)]
pub(crate) struct ServerJson {
    pub(crate) value: Value,
    /// The paths of members that occur again in their objects, in the order of the text.
    pub(crate) duplicates: Vec<String>,
    /// The pointers of members that occur again, and each of their values but the last. Servers read each value.
    pub(crate) replaced: Vec<(String, Value)>,
    /// The bytes that copies of values may still take.
    pub(crate) room: usize,
    /// The members `apiVersion` and `kind` of the outermost object, in the order of the text.
    pub(crate) type_meta: Vec<(&'static str, Value)>,
}

/// The member that names a part of an object's type. Servers ignore the case of these two names, and of no other.
pub(crate) fn type_field(name: &str) -> Option<&'static str> {
    ["apiVersion", "kind"].into_iter().find(|field| field.eq_ignore_ascii_case(name))
}

/// Reads a text as servers do.
///
/// It differs from `serde_json`: bytes that are not UTF-8 and halves of surrogate pairs are read as U+FFFD; of members
/// with one name the last counts, and two lists or two objects are merged; `-0` is an integer; a number beyond `f64` is
/// `1e308` or `-1e308`; and text nests deeper.
pub(crate) fn read(text: &[u8]) -> Result<ServerJson, Error> {
    if depth(text) > MAX_DEPTH {
        let message = format!("lists and objects nest deeper than {MAX_DEPTH} levels");
        return Err(de::Error::custom(message));
    }
    let text = numbers_in_range(whole_pairs(utf8(text)));
    let mut read = ServerJson { room: COPIED * text.len(), ..ServerJson::default() };
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    deserializer.disable_recursion_limit();
    let whole = Reading { path: PathRef::Root, depth: 0, opaque: false, read: &mut read };
    let value = whole.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(ServerJson { value, ..read })
}

/// The text with `1e308` or `-1e308` instead of each number beyond `f64`. Servers ignore such a number in a field that the kind
/// does not have, and refuse it elsewhere.
fn numbers_in_range(text: Cow<'_, str>) -> Cow<'_, str> {
    let (mut quoted, mut escaped, mut number) = (false, false, None);
    let (mut in_range, mut copied) = (String::new(), 0);
    for (at, char) in text.char_indices().chain([(text.len(), ' ')]) {
        let part = !quoted && matches!(char, '0'..='9' | '+' | '-' | '.' | 'e' | 'E');
        if let Some(start) = number.filter(|_| !part)
            && let Some(digits) = text.get(start..at)
            && digits.parse().is_ok_and(f64::is_infinite)
            && serde_json::from_str::<IgnoredAny>(digits).is_ok()
        {
            in_range.push_str(text.get(copied..start).unwrap_or_default());
            in_range.push_str(if digits.starts_with('-') { "-1e308" } else { "1e308" });
            copied = at;
        }
        // The letter of `true` and `false` is read, too; it is not a number.
        number = part.then_some(number.unwrap_or(at));
        quoted ^= char == '"' && !escaped;
        escaped = char == '\\' && !escaped;
    }
    if copied == 0 {
        return text;
    }
    in_range.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(in_range)
}

/// The reading of a value.
struct Reading<'a> {
    path: PathRef<'a>,
    /// The number of lists and objects around it.
    depth: usize,
    /// Whether it is inside a member that servers keep as text.
    opaque: bool,
    read: &'a mut ServerJson,
}

impl Reading<'_> {
    /// The reading of a value inside this one.
    fn inside<'a>(&'a mut self, path: PathRef<'a>, opaque: bool) -> Reading<'a> {
        Reading { path, depth: self.depth + 1, opaque, read: self.read }
    }

    /// A copy of a value, if there is room for it.
    fn copy(&mut self, value: &Value) -> Option<Value> {
        let room = &mut self.read.room;
        *room = if *room == 0 { 0 } else { room.saturating_sub(size(value)) };
        (*room > 0).then(|| value.clone())
    }

    /// Notes a duplicate member and its value before.
    fn note_duplicate(&mut self, key: &str, before: Option<Value>) {
        let path = self.path.child(key);
        let ServerJson { duplicates, replaced, .. } = &mut *self.read;
        if replaced.len() == MAX_DUPLICATES {
            return;
        }
        replaced.extend(before.map(|before| (path.pointer(), before)));
        let path = format!("{path:#}");
        if duplicates.len() < MAX_DUPLICATES && !duplicates.contains(&path) {
            duplicates.push(path);
        }
    }
}

/// The bytes of a value in JSON, about.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| name.len() + size(member)).sum()
        }
        _ => 0,
    }
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
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(if is_minus_zero(value) { 0.into() } else { value.into() })
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        if self.depth >= KEPT_DEPTH {
            while access.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(items.into());
        }
        let (path, opaque) = (self.path, self.opaque);
        while let Some(item) =
            access.next_element_seed(self.inside(path.index(items.len()), opaque))?
        {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        if self.depth >= KEPT_DEPTH {
            while access.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(members.into());
        }
        let path = self.path;
        // Values of duplicates, alone. Others may follow them.
        let mut again = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if is_number(&key) {
                let number: f64 = access.next_value::<String>()?.parse().unwrap_or(f64::INFINITY);
                let finite = number.is_finite().then(|| self.visit_f64(number));
                return finite.unwrap_or_else(|| Err(de::Error::custom("number out of range")));
            }
            if let Some(first) = members.get(&key).filter(|_| !self.opaque) {
                let before = again.remove(&key).or_else(|| self.copy(first));
                self.note_duplicate(&key, before);
            }
            let opaque = self.opaque || key == OPAQUE;
            let value = access.next_value_seed(self.inside(path.child(&key), opaque))?;
            if self.depth == 0
                && let Some(field) = type_field(&key)
            {
                self.read.type_meta.push((field, value.clone()));
            }
            match members.get_mut(&key) {
                Some(first) => {
                    if !self.opaque {
                        again.extend(self.copy(&value).map(|copy| (key, copy)));
                    }
                    merge(first, value);
                }
                None => _ = members.insert(key, value),
            }
        }
        Ok(members.into())
    }
}

/// Merges a duplicate member as servers do: they read it into the value of the first.
fn merge(first: &mut Value, second: Value) {
    match (first, second) {
        (Value::Object(members), Value::Object(others)) => {
            for (key, other) in others {
                match members.get_mut(&key) {
                    Some(member) if key != OPAQUE => merge(member, other),
                    _ => _ = members.insert(key, other),
                }
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            items.truncate(others.len());
            for (index, other) in others.into_iter().enumerate() {
                match items.get_mut(index) {
                    Some(item) => merge(item, other),
                    None => items.push(other),
                }
            }
        }
        (Value::Object(_), Value::Null) => {}
        (first, second) => *first = second,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};

    use super::{read, type_field};

    /// A text, its value, and the duplicates in it.
    #[test]
    fn reads_as_servers_do() {
        let table = [
            ("null", json!(null), ""),
            (" [ ] ", json!([]), ""),
            (r#"{"a":[1,{"b":[]},-0,1.5e1]}"#, json!({"a": [1, {"b": []}, 0, 15.0]}), ""),
            ("18446744073709551615", json!(u64::MAX), ""),
            ("1e999", json!(1e308), ""),
            (
                r#"[true,{"1e999":-1e400,"\"":[2E+999]}]"#,
                json!([true, {"1e999": -1e308, "\"": [1e308]}]),
                "",
            ),
            (r#""\u00e9\n\/\ud83d\ude00""#, json!("é\n/😀"), ""),
            (r#""\ud800""#, json!("\u{fffd}"), ""),
            (r#""\ud800\u0041\udc00""#, json!("\u{fffd}A\u{fffd}"), ""),
            (r#""\\ud800\ud83d\uDE00\ud83d""#, json!("\\ud800😀\u{fffd}"), ""),
            (r#"{"a":1,"a":2}"#, json!({"a": 2}), "a"),
            (
                r#"{"m":{"a":1},"m":{"b":2},"l":[{"x":1},0],"l":[{"y":2}]}"#,
                json!({"m": {"a": 1, "b": 2}, "l": [{"x": 1, "y": 2}]}),
                "m l",
            ),
            (
                r#"{"l":[{},{"a.b":1,"\u0061.b":2,"a.b":3}],"fieldsV1":{"a":1,"a":2}}"#,
                json!({"l": [{}, {"a.b": 3}], "fieldsV1": {"a": 2}}),
                "l[1].a.b",
            ),
            (
                r#"{"m":{"a":1},"m":null,"t":"x","t":null}"#,
                json!({"m": {"a": 1}, "t": null}),
                "m t",
            ),
        ];
        for (text, value, duplicates) in table {
            let found = read(text.as_bytes()).unwrap();
            assert_eq!(found.value, value, "{text}");
            assert_eq!(found.duplicates.join(" "), duplicates, "{text}");
        }
        let found = read(b"\"a\xe2\x82b\xff\"").unwrap().value;
        assert_eq!(found, "a\u{fffd}\u{fffd}b\u{fffd}");
    }

    /// To move the rest of the text for each number would take minutes.
    #[test]
    fn many_numbers_beyond_the_range_are_replaced_in_one_pass() {
        let start = Instant::now();
        let text = format!("[{}0]", "1e1000,".repeat(500_000));
        let found = read(text.as_bytes()).unwrap().value;
        assert_eq!(found.as_array().map(Vec::len), Some(500_001));
        assert_eq!(found[499_999], 1e308);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }

    /// A duplicate keeps what the first has, so copies of both together would grow with each.
    #[test]
    fn duplicates_take_little_memory() {
        let long = format!(r#"{{"x":[{}0],"y":"{}"}}"#, "0,".repeat(1_000), "y".repeat(1_000));
        let flat = format!(r#"{{"a":{long}{}}}"#, r#","a":{}"#.repeat(90));
        let inner = |inner, _| format!(r#"{{"a":{inner},"a":{{}}}}"#);
        let nested = (0..90).fold(long.clone(), inner);
        let other = |inner, _| format!(r#"{{"a":{{}},"a":{inner}}}"#);
        for text in [flat, nested, (0..90).fold(long, other)] {
            let found = read(text.as_bytes()).unwrap();
            let kept: usize = found.replaced.iter().map(|(_, it)| it.to_string().len()).sum();
            assert!(kept <= 8 * text.len(), "{kept} bytes of {}", text.len());
            assert!(!found.duplicates.is_empty());
        }
    }

    /// A server reads each of them.
    #[test]
    fn each_value_before_the_last_is_kept() {
        let found = read(br#"{"m":{"a":1},"m":{"b":2},"m":{"c":3},"m":4}"#).unwrap();
        let kept = found.replaced.iter().map(|(pointer, value)| format!("{pointer} {value}"));
        let kept: Vec<_> = kept.collect();
        assert_eq!(kept, [r#"/m {"a":1}"#, r#"/m {"b":2}"#, r#"/m {"c":3}"#]);
    }

    #[test]
    fn texts_that_are_not_json_are_refused() {
        let texts: [&[u8]; 17] = [
            b"",
            b"\xef\xbb\xbf{}",
            b"/* c */{}",
            b"{\"a\":1,\n}",
            b"{'a':1}",
            b"{\"a\" 1}",
            b"{} x",
            b"[1,]",
            b"[1 2]",
            b"NaN",
            b"-x",
            b"01",
            b"+1e999",
            b"01e999",
            b"1.e999",
            b"\"a\nb\"",
            b"\"\\u12+4\"",
        ];
        for text in texts {
            assert!(read(text).is_err(), "{text:?}");
        }
        let error = read(b"{\"a\":1,\n}").unwrap_err().to_string();
        assert_eq!(error, "trailing comma at line 2 column 1");
    }

    #[test]
    fn case_makes_no_difference_for_two_members() {
        let table = [
            ("Kind", Some("kind")),
            ("KIND", Some("kind")),
            ("\u{212a}ind", None),
            ("APIversion", Some("apiVersion")),
            ("kinds", None),
            ("metadata", None),
        ];
        for (name, expected) in table {
            assert_eq!(type_field(name), expected, "{name}");
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let found = read(nested(10_000).as_bytes()).unwrap();
        let mut depth = 0;
        let mut value = &found.value;
        while let Value::Array(items) = value {
            depth += 1;
            value = items.first().unwrap_or(&Value::Null);
        }
        assert_eq!(depth, super::KEPT_DEPTH + 1);
        assert!(read(nested(10_001).as_bytes()).is_err());
        assert!(read("[".repeat(3_000_000).as_bytes()).is_err());
    }
}
