//! JSON as API servers read it. `serde_json` parses it, after the parts that it would refuse are replaced.

use std::borrow::Cow;
use std::fmt;

use k8s_versioned_core::json::{depth, is_number, utf8, whole_pairs};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Error, Map, Number, Value};

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

/// The most bytes of the paths and pointers that name duplicates, as a multiple of the text; at least a megabyte. A long name
/// around many duplicates would be copied for each.
const PATHS: usize = 4;

/// The member that servers keep as text.
const OPAQUE: &str = "fieldsV1";

/// What a server reads a body into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The type of a built-in kind. Of members with one name, two lists or two objects are merged; a number beyond `f64` is
    /// `1e308` or `-1e308`.
    Type,
    /// Maps, as for custom resources. Of members with one name, the last counts; an integer beyond `i64` is a float, and a
    /// number beyond `f64` is an error.
    Maps,
}

/// The content of a text.
#[derive(Debug, Default)]
pub struct ServerJson {
    /// The value.
    pub value: Value,
    /// The paths of members that occur again in their objects, in the order of the text.
    pub duplicates: Vec<String>,
    /// The pointers of members that occur again, and each of their values but the last. Servers read each value into a type.
    pub replaced: Vec<(String, Value)>,
    /// The members `apiVersion` and `kind` of the outermost object, in the order of the text. Only types use them.
    pub type_meta: Vec<(&'static str, Value)>,
    /// Whether values deeper than 400 levels were left out.
    pub is_cut: bool,
    /// Whether a number is a float.
    pub has_floats: bool,
    /// Whether a value is null.
    pub has_nulls: bool,
}

/// Why a text cannot be read.
#[derive(Debug)]
pub enum ServerJsonError {
    /// It is not JSON, or a number is too large.
    Json(Error),
    /// It nests deeper than servers read.
    TooDeep,
}

impl fmt::Display for ServerJsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::TooDeep => {
                write!(f, "lists and objects nest deeper than {MAX_DEPTH} levels")
            }
        }
    }
}

/// The member that names a part of an object's type. Servers ignore the case only of these two names.
pub(crate) fn type_field(name: &str) -> Option<&'static str> {
    ["apiVersion", "kind"].into_iter().find(|field| field.eq_ignore_ascii_case(name))
}

/// Reads a text as servers do.
///
/// It differs from `serde_json`: bytes that are not UTF-8 and halves of surrogate pairs are read as U+FFFD; members can have
/// one name; `-0` is an integer unless the text also has a `-0.0`; and text nests deeper.
///
/// # Errors
/// The text is not JSON, or it nests deeper than 10,000 levels.
pub fn read(text: &[u8], target: Target) -> Result<ServerJson, ServerJsonError> {
    let plain = utf8(text);
    match read_text(&plain, target) {
        Ok(json) if !json.is_cut => Ok(json),
        read => read_odd(text, plain, target, read),
    }
}

/// Reads a text that is too deep, or has a part that only `serde_json` refuses. Such texts are rare. Hot path, row `answer` of the benches.
#[cold]
fn read_odd(
    text: &[u8],
    plain: Cow<'_, str>,
    target: Target,
    read: Result<ServerJson, Error>,
) -> Result<ServerJson, ServerJsonError> {
    let json = read.or_else(|_| {
        let whole = whole_pairs(plain);
        match target {
            Target::Type => read_text(&numbers_in_range(whole), target),
            Target::Maps => read_text(&whole, target),
        }
    });
    if json.as_ref().map_or(true, |json| json.is_cut) && depth(text) > MAX_DEPTH {
        return Err(ServerJsonError::TooDeep);
    }
    json.map_err(ServerJsonError::Json)
}

fn read_text(text: &str, target: Target) -> Result<ServerJson, Error> {
    let mut state = State::new(text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let path = PathRef::Root;
    let whole = Reading { path, depth: 0, target, opaque: false, state: &mut state };
    let value = whole.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(ServerJson { value, ..state.json })
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
        // The first letter of `true` and `false` is also read; it is not a number.
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

/// Returns `true` if a text has a `-0` with a fraction or an exponent, which is not an integer. `serde_json` reads both forms as one
/// float.
#[cold]
fn has_float_minus_zero(text: &str) -> bool {
    text.match_indices("-0").any(|(at, minus_zero)| {
        let (before, after) = text.split_at_checked(at).unwrap_or_default();
        let is_start =
            before.is_empty() || before.ends_with([':', ',', '[', ' ', '\t', '\n', '\r']);
        let after = after.strip_prefix(minus_zero).unwrap_or_default();
        is_start && after.starts_with(['.', 'e', 'E'])
    })
}

/// The reading of a value.
struct Reading<'a, 't> {
    path: PathRef<'a>,
    /// The number of lists and objects around it.
    depth: usize,
    target: Target,
    /// Whether it is inside a member that servers keep as text.
    opaque: bool,
    state: &'a mut State<'t>,
}

/// What is known about the whole text while it is read.
struct State<'t> {
    text: &'t str,
    json: ServerJson,
    /// The bytes that copies of values may still take.
    room: usize,
    /// The bytes that paths of duplicates may still take.
    room_for_paths: usize,
    /// Whether the text has a `-0` that is a float; unknown until there is one.
    has_float_minus_zero: Option<bool>,
}

impl<'t> State<'t> {
    fn new(text: &'t str) -> Self {
        const MEGABYTE: usize = 1 << 20;
        Self {
            text,
            json: ServerJson::default(),
            room: COPIED * text.len(),
            room_for_paths: MEGABYTE.max(PATHS * text.len()),
            has_float_minus_zero: None,
        }
    }

    /// Whether a `-0` is an integer. The text is searched once for all of them.
    fn is_minus_zero_integer(&mut self, target: Target) -> bool {
        let text = self.text;
        let search = || has_float_minus_zero(text);
        target == Target::Type || !*self.has_float_minus_zero.get_or_insert_with(search)
    }
}

impl<'t> Reading<'_, 't> {
    /// The reading of a value inside this one.
    fn inside<'a>(&'a mut self, path: PathRef<'a>, opaque: bool) -> Reading<'a, 't> {
        let Self { target, depth, .. } = *self;
        Reading { path, depth: depth + 1, target, opaque, state: self.state }
    }

    /// A copy of a value, if there is room for it.
    fn copy(&mut self, value: &Value) -> Option<Value> {
        let room = &mut self.state.room;
        *room = if *room == 0 { 0 } else { room.saturating_sub(size(value)) };
        (*room > 0).then(|| value.clone())
    }

    /// Notes a duplicate member and its value before.
    fn note_replaced(&mut self, key: &str, before: Option<Value>) {
        let State { json, room_for_paths, .. } = &mut *self.state;
        if json.replaced.len() >= MAX_DUPLICATES || *room_for_paths == 0 {
            return;
        }
        if let Some(before) = before {
            let pointer = self.path.child(key).pointer();
            *room_for_paths = room_for_paths.saturating_sub(pointer.len());
            json.replaced.push((pointer, before));
        }
        let next = json.duplicates.len();
        self.note_duplicate(key, next);
    }

    /// Notes a duplicate member at a position of the list.
    fn note_duplicate(&mut self, key: &str, at: usize) {
        let State { json, room_for_paths, .. } = &mut *self.state;
        let duplicates = &mut json.duplicates;
        if duplicates.len() >= MAX_DUPLICATES || *room_for_paths == 0 {
            return;
        }
        let path = format!("{:#}", self.path.child(key));
        *room_for_paths = room_for_paths.saturating_sub(path.len());
        if !duplicates.contains(&path) {
            duplicates.insert(at.min(duplicates.len()), path);
        }
    }

    /// A number of a build in which `serde_json` keeps numbers as text.
    fn number(self, digits: &str) -> Option<Value> {
        if let Ok(integer) = digits.parse::<i64>() {
            return Some(integer.into());
        }
        self.state.json.has_floats = true;
        digits.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number)
    }

    /// Reads a member. A server reads the values of one name into one value, and each of them has to fit.
    fn read_into_type<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        access: &mut A,
        members: &mut Map<String, Value>,
        again: &mut Option<Map<String, Value>>,
    ) -> Result<(), A::Error> {
        if let Some(first) = members.get(&key).filter(|_| !self.opaque) {
            let before = again.as_mut().and_then(|again| again.remove(&key));
            let before = before.or_else(|| self.copy(first));
            self.note_replaced(&key, before);
        }
        let (path, opaque) = (self.path, self.opaque || key == OPAQUE);
        let value = access.next_value_seed(self.inside(path.child(&key), opaque))?;
        if self.depth == 0
            && let Some(field) = type_field(&key)
        {
            self.state.json.type_meta.push((field, value.clone()));
        }
        match members.get_mut(&key) {
            Some(first) => {
                if !self.opaque {
                    let copy = self.copy(&value).map(|copy| (key, copy));
                    again.get_or_insert_default().extend(copy);
                }
                merge(first, value);
            }
            None => _ = members.insert(key, value),
        }
        Ok(())
    }

    /// Reads a member, which replaces one with its name.
    fn read_into_map<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        access: &mut A,
        members: &mut Map<String, Value>,
    ) -> Result<(), A::Error> {
        let (path, noted) = (self.path, self.state.json.duplicates.len());
        let value = access.next_value_seed(self.inside(path.child(&key), false))?;
        match members.entry(key) {
            Entry::Vacant(place) => _ = place.insert(value),
            Entry::Occupied(mut first) => {
                // Duplicates inside of the value come after it.
                self.note_duplicate(first.key(), noted);
                first.insert(value);
            }
        }
        Ok(())
    }
}

/// The bytes of a value in JSON, about.
pub fn size(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| name.len() + size(member)).sum()
        }
        _ => 0,
    }
}

impl<'de> DeserializeSeed<'de> for Reading<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        self.state.json.has_nulls = true;
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
        if self.target == Target::Type {
            return Ok(value.into());
        }
        self.state.json.has_floats |= i64::try_from(value).is_err();
        Ok(i64::try_from(value).map_or_else(|_| (value as f64).into(), Value::from))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        self.state.json.has_floats = true;
        let is_integer = is_minus_zero(value) && self.state.is_minus_zero_integer(self.target);
        Ok(if is_integer { 0.into() } else { value.into() })
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        if self.depth >= KEPT_DEPTH {
            self.state.json.is_cut = true;
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
            self.state.json.is_cut = true;
            while access.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(members.into());
        }
        // Only values of duplicates. Others may follow them.
        let mut again = None;
        while let Some(key) = access.next_key::<String>()? {
            if is_number(&key) {
                let digits: String = access.next_value()?;
                let out_of_range = || de::Error::custom("number out of range");
                return self.number(&digits).ok_or_else(out_of_range);
            }
            match self.target {
                Target::Type => {
                    self.read_into_type(key, &mut access, &mut members, &mut again)?;
                }
                Target::Maps => self.read_into_map(key, &mut access, &mut members)?,
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

    use super::{ServerJson, ServerJsonError, Target, type_field};

    fn read(text: &[u8]) -> Result<ServerJson, ServerJsonError> {
        super::read(text, Target::Type)
    }

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
            let json = read(text.as_bytes()).unwrap();
            assert_eq!(json.value, value, "{text}");
            assert_eq!(json.duplicates.join(" "), duplicates, "{text}");
        }
        let value = read(b"\"a\xe2\x82b\xff\"").unwrap().value;
        assert_eq!(value, "a\u{fffd}\u{fffd}b\u{fffd}");
    }

    /// A text, its value, and the duplicates in it.
    #[test]
    fn maps_are_read_as_servers_do() {
        let table = [
            (r#"{"a":[1,{"b":[]},-0,1.5e1]}"#, json!({"a": [1, {"b": []}, 0, 15.0]}), ""),
            (r#"{"b-0.1":-0,":-":0.5}"#, json!({"b-0.1": 0, ":-": 0.5}), ""),
            ("[-0.0, -0e1]", json!([-0.0, -0.0]), ""),
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
            let json = super::read(text.as_bytes(), Target::Maps).unwrap();
            assert_eq!(json.value, value, "{text}");
            assert_eq!(json.duplicates.join(" "), duplicates, "{text}");
        }
        assert!(super::read(b"[1e999]", Target::Maps).is_err());
    }

    /// The text would be searched for each `-0`, and a long name copied for each duplicate below it.
    #[test]
    fn work_grows_with_the_text() {
        let minus_zeros = format!("[{}0]", "-0,".repeat(100_000));
        let text = minus_zeros.as_str();
        let mut state = super::State::new(text);
        assert!(state.is_minus_zero_integer(Target::Maps));
        // Nobody looks again.
        state.text = "-0.0";
        assert!(state.is_minus_zero_integer(Target::Maps));
        assert!(!super::State::new("[-0.0]").is_minus_zero_integer(Target::Maps));
        let json = super::read(text.as_bytes(), Target::Maps).unwrap();
        assert_eq!(json.value[99_999], json!(0));

        let name = "x".repeat(1 << 18);
        let twice = |at: usize| format!(r#""a{at}":0,"a{at}":0,"#);
        let distinct = (0..60).map(twice).collect::<Vec<_>>().concat();
        let repeated = r#""a":0,"#.repeat(100_000);
        for members in [distinct, repeated] {
            let text = format!(r#"{{"{name}":{{{members}"b":0}}}}"#);
            for target in [Target::Type, Target::Maps] {
                let json = super::read(text.as_bytes(), target).unwrap();
                let pointers = json.replaced.iter().map(|(pointer, _)| pointer);
                let written: usize = json.duplicates.iter().chain(pointers).map(String::len).sum();
                assert!(!json.duplicates.is_empty() && written <= 6 * text.len(), "{written}");
            }
        }
    }

    /// To move the rest of the text for each number would take minutes.
    #[test]
    fn many_numbers_beyond_the_range_are_replaced_in_one_pass() {
        let start = Instant::now();
        let text = format!("[{}0]", "1e1000,".repeat(500_000));
        let value = read(text.as_bytes()).unwrap().value;
        assert_eq!(value.as_array().map(Vec::len), Some(500_001));
        assert_eq!(value[499_999], 1e308);
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
            let json = read(text.as_bytes()).unwrap();
            let kept: usize = json.replaced.iter().map(|(_, it)| it.to_string().len()).sum();
            assert!(kept <= 8 * text.len(), "{kept} bytes of {}", text.len());
            assert!(!json.duplicates.is_empty());
        }
    }

    /// A server reads each of them.
    #[test]
    fn each_value_before_the_last_is_kept() {
        let json = read(br#"{"m":{"a":1},"m":{"b":2},"m":{"c":3},"m":4}"#).unwrap();
        let kept = json.replaced.iter().map(|(pointer, value)| format!("{pointer} {value}"));
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
        let json = read(nested(10_000).as_bytes()).unwrap();
        let mut depth = 0;
        let mut value = &json.value;
        while let Value::Array(items) = value {
            depth += 1;
            value = items.first().unwrap_or(&Value::Null);
        }
        assert_eq!(depth, super::KEPT_DEPTH + 1);
        let text = nested(10_001);
        assert!(matches!(read(text.as_bytes()), Err(ServerJsonError::TooDeep)));
        assert!(read("[".repeat(300_000).as_bytes()).is_err());
    }
}
