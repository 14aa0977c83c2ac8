//! The fields that a manager owns, as text.

use std::any::type_name;
use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{self, Serialize, SerializeStruct, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::values::AnyFormat;
use crate::{StrictValue, from_json};

/// The name that asks `serde_json` for the text of a value, and the only key of the map that holds the text. For other
/// formats it is the name of a type. `RawValue`, which has the name, works only with `serde_json`.
///
/// The name is private to `serde_json`, so it is asked of `RawValue`, and tried. `None` only costs time: the text then goes
/// through a [`Value`].
static RAW: LazyLock<Option<&str>> = LazyLock::new(|| {
    let name = Cell::new("");
    // The name is all that matters here.
    let _ = Box::<RawValue>::deserialize(NewtypeName(&name));
    is_raw(name.get()).then(|| name.get())
});

/// Returns `true` if `serde_json` writes text under this name as it is.
fn is_raw(name: &'static str) -> bool {
    serde_json::to_string(&Raw(name, "[1]")).is_ok_and(|text| text == "[1]")
}

/// A deserializer without input that keeps the name of the newtype that it is asked for.
struct NewtypeName<'n>(&'n Cell<&'static str>);

impl<'de> Deserializer<'de> for NewtypeName<'_> {
    type Error = de::value::Error;

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.set(name);
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("no input"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Text for `serde_json`, under the name of `RawValue`.
struct Raw<'a>(&'static str, &'a str);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(name, text) = *self;
        let mut raw = serializer.serialize_struct(name, 1)?;
        raw.serialize_field(name, text)?;
        raw.end()
    }
}

/// The fields that a manager owns, as JSON that programs pass on and rarely read.
///
/// It is kept as one text, without white space. The text is JSON; the text of a protobuf body, which is kept as it is, is
/// checked when it is written as JSON. A clone shares the text, and so do objects with equal texts that one thread reads after each
/// other.
///
/// Two values are equal if their JSON is equal, in any order of the keys. Equal values have one
/// [`canonical`](Self::canonical) text.
///
/// The JSON may nest deeper than servers store it: reading and writing use no recursion. Every other self-describing
/// serde format also holds it.
///
/// ```
/// use k8s_versioned::FieldsV1;
///
/// let fields = FieldsV1::from_json(r#"{"f:spec": {"f:b": {}, "f:a": {}}}"#)?;
/// assert_eq!(fields.as_json(), r#"{"f:spec":{"f:b":{},"f:a":{}}}"#);
/// assert_eq!(fields.canonical(), r#"{"f:spec":{"f:a":{},"f:b":{}}}"#);
/// assert_eq!(fields, FieldsV1::from_json(&fields.canonical())?);
/// assert_eq!(FieldsV1::default().as_json(), "{}");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FieldsV1(
    /// JSON without white space, or [`UNCHECKED`] and any text.
    Arc<str>,
);

/// The first character of a text that nobody has checked. JSON without white space never begins with it.
const UNCHECKED: char = ' ';

impl FieldsV1 {
    /// Reads JSON text.
    ///
    /// # Errors
    ///
    /// The text is not JSON.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// From the bytes of a text that may be anything.
    #[cfg(feature = "protobuf")]
    pub(crate) fn unchecked(text: &[u8]) -> Result<Self, std::str::Utf8Error> {
        let is_text = |kept: &str| kept.strip_prefix(UNCHECKED).map(str::as_bytes) == Some(text);
        let write = |to: &mut String| {
            to.push(UNCHECKED);
            to.push_str(str::from_utf8(text)?);
            Ok(())
        };
        shared(is_text, write).map(Self)
    }

    /// The text, without white space. The text of a protobuf body is as the body has it.
    pub fn as_json(&self) -> &str {
        self.0.strip_prefix(UNCHECKED).unwrap_or(&self.0)
    }

    /// The text that all equal values share: keys sorted, without duplicates (the last one counts). A value that nests
    /// deeper than 400 levels keeps its text.
    pub fn canonical(&self) -> String {
        self.to_value().map_or_else(|_| self.to_string(), |value| value.to_string())
    }

    /// The JSON as a value, with sorted keys.
    ///
    /// # Errors
    ///
    /// It nests deeper than 400 levels, or has a number that [`Value`] cannot hold.
    pub fn to_value(&self) -> Result<Value, serde_json::Error> {
        let mut value: Value = from_json(self.as_json().as_bytes())?;
        value.sort_all_objects();
        Ok(value)
    }
}

impl From<Value> for FieldsV1 {
    fn from(value: Value) -> Self {
        Self(value.to_string().into())
    }
}

impl PartialEq for FieldsV1 {
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json() || self.canonical() == other.canonical()
    }
}

impl Eq for FieldsV1 {}

impl Hash for FieldsV1 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl Default for FieldsV1 {
    fn default() -> Self {
        Self("{}".into())
    }
}

impl fmt::Display for FieldsV1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_json())
    }
}

/// Compact JSON gets the text as it is. Hot path, row `encode` of the benches. Indented JSON and other formats get the value, and so does any serializer that
/// is not recognised, which only costs time. Only its name tells the type of a serializer: it may borrow, so it has no `TypeId`.
impl Serialize for FieldsV1 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.0.strip_prefix(UNCHECKED) {
            return match text {
                "" => serializer.serialize_none(),
                text => Self::from_json(text).map_err(ser::Error::custom)?.serialize(serializer),
            };
        }
        let is_compact_json =
            type_name::<S>() == type_name::<&mut serde_json::Serializer<&mut Vec<u8>>>();
        if let Some(name) = RAW.filter(|_| is_compact_json) {
            return Raw(name, &self.0).serialize(serializer);
        }
        match self.to_value() {
            Ok(value) => AnyFormat(&value).serialize(serializer),
            Err(_) => serde_json::from_str::<&RawValue>(&self.0)
                .map_err(ser::Error::custom)?
                .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for FieldsV1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(RAW.unwrap_or("FieldsV1"), AnyInput)
    }
}

/// JSON text, or a value in any other format.
struct AnyInput;

impl<'de> Visitor<'de> for AnyInput {
    type Value = FieldsV1;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON can hold")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<FieldsV1, A::Error> {
        match members.next_key::<&str>()? {
            Some(name) if Some(name) == *RAW => members.next_value_seed(Text),
            _ => Err(de::Error::custom("expected JSON text")),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<FieldsV1, D::Error> {
        Ok(StrictValue::deserialize(value)?.into_inner().into())
    }
}

/// The JSON text that `serde_json` gives.
struct Text;

impl<'de> de::DeserializeSeed<'de> for Text {
    type Value = FieldsV1;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FieldsV1, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text {
    type Value = FieldsV1;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON text")
    }

    fn visit_str<E: de::Error>(self, json: &str) -> Result<FieldsV1, E> {
        let write = |to: &mut String| {
            without_space(json, to);
            Ok(())
        };
        shared(|kept| kept == json, write).map(FieldsV1)
    }
}

/// Writes JSON text without the white space between its tokens. Servers send none.
fn without_space(json: &str, to: &mut String) {
    // Without an early end, which would need a branch for each byte. Hot path, row `decode` of the benches.
    if json.bytes().fold(u8::MAX, u8::min) > b' ' {
        return to.push_str(json);
    }
    let (mut quoted, mut escaped) = (false, false);
    to.extend(json.chars().filter(|&char| {
        let kept = quoted || char > ' ';
        quoted ^= char == '"' && !escaped;
        escaped = char == '\\' && !escaped;
        kept
    }));
}

/// A text that this thread has read before, or a new one. The objects of a list often have the same managers, and equal texts. Sharing
/// one saves an allocation for each, and a sixth of the memory of a candidate (rows: decode, memory).
fn shared<E>(
    is_text: impl Fn(&str) -> bool,
    write: impl FnOnce(&mut String) -> Result<(), E>,
) -> Result<Arc<str>, E> {
    let mut recent = RECENT.try_with(Cell::take).unwrap_or_default();
    let text = recent.read(is_text, write);
    // A thread that ends keeps nothing.
    let _ = RECENT.try_with(|kept| kept.set(recent));
    text
}

thread_local! {
    static RECENT: Cell<Recent> = Cell::default();
}

/// The last texts of a thread.
#[derive(Default)]
struct Recent {
    texts: [Option<Arc<str>>; 4],
    /// The place of the next text.
    next: usize,
    /// Where a text is written before its length is known.
    buffer: String,
}

/// The bytes of the longest text that a thread keeps.
const LONGEST_RECENT: usize = 4096;

impl Recent {
    fn read<E>(
        &mut self,
        is_text: impl Fn(&str) -> bool,
        write: impl FnOnce(&mut String) -> Result<(), E>,
    ) -> Result<Arc<str>, E> {
        if let Some(known) = self.texts.iter().flatten().find(|known| is_text(known)) {
            return Ok(Arc::clone(known));
        }
        self.buffer.clear();
        write(&mut self.buffer)?;
        let text: Arc<str> = self.buffer.as_str().into();
        if text.len() > LONGEST_RECENT {
            self.buffer = String::new();
        } else if let Some(place) = self.texts.get_mut(self.next) {
            *place = Some(Arc::clone(&text));
            self.next = (self.next + 1) % self.texts.len();
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{FieldsV1, LONGEST_RECENT, RAW, is_raw};

    #[test]
    fn equal_texts_are_shared_by_what_a_thread_reads() {
        let read = |text: &str| FieldsV1::from_json(text).unwrap();
        let is_shared = |one: &FieldsV1, other: &FieldsV1| Arc::ptr_eq(&one.0, &other.0);
        let (first, second) = (read(r#"{"f:spec":{}}"#), read(r#"{"f:status":{}}"#));
        assert!(is_shared(&first, &read(r#"{"f:spec":{}}"#)));
        assert!(is_shared(&second, &read(r#"{"f:status":{}}"#)));
        assert!(!is_shared(&first, &read(r#"{"f:spec": {}}"#)), "read as another text");
        let long = format!("[{}]", vec!["1"; LONGEST_RECENT].join(","));
        assert!(!is_shared(&read(&long), &read(&long)));
        (0..4).for_each(|index| drop(read(&format!("[{index}]"))));
        assert!(!is_shared(&first, &read(r#"{"f:spec":{}}"#)), "four others were read since");
    }

    /// A text of protobuf is not the equal text of JSON, which has been checked.
    #[cfg(feature = "protobuf")]
    #[test]
    fn texts_of_protobuf_are_shared_among_themselves() {
        let json = FieldsV1::from_json("[7]").unwrap();
        let [one, other] = [(); 2].map(|()| FieldsV1::unchecked(b"[7]").unwrap());
        assert!(Arc::ptr_eq(&one.0, &other.0) && !Arc::ptr_eq(&one.0, &json.0));
        assert_eq!((one.as_json(), &one), ("[7]", &json));
        assert!(FieldsV1::unchecked(b"\xff").is_err());
    }

    /// The text is neither read nor sorted where `serde_json` takes it as it is, and equal where it does not.
    #[test]
    fn only_what_serde_json_takes_as_text_is_given_as_text() {
        assert!(RAW.is_some_and(is_raw));
        assert!(!is_raw("RawValue"));
        let text = r#"{"b":1,"a":[{}]}"#;
        let fields = FieldsV1::from_json(text).unwrap();
        assert_eq!(serde_json::to_string(&fields).unwrap(), text);
        let mut bytes = std::io::Cursor::new(Vec::new());
        serde_json::to_writer(&mut bytes, &fields).unwrap();
        assert_eq!(bytes.into_inner(), br#"{"a":[{}],"b":1}"#);
    }

    #[test]
    fn texts_that_are_not_json_are_errors() {
        for text in ["", "{", "{]", "{} {}", "{1:2}", "nul", r#"{"a"}"#] {
            assert!(FieldsV1::from_json(text).is_err(), "{text}");
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        // Every object is out of order.
        let objects = |depth: usize| {
            let inner = r#"{"b":0,"a":"#.repeat(depth);
            format!("{inner}1{}", "}".repeat(depth))
        };
        for depth in [100, 400, 1_000, 10_000] {
            let fields = FieldsV1::from_json(&lists(depth)).unwrap();
            assert_eq!(fields.as_json(), lists(depth));
            assert_eq!(serde_json::to_string(&fields).unwrap(), lists(depth));
            assert_eq!(fields.to_value().is_ok(), depth <= 400);
            let fields = FieldsV1::from_json(&objects(depth)).unwrap();
            let ordered = format!("{}1{}", r#"{"a":"#.repeat(depth), r#","b":0}"#.repeat(depth));
            assert_eq!(fields.canonical() == ordered, depth <= 400);
        }
        // Siblings are not levels.
        let wide = format!("[{}]", vec!["[{}]"; 20_000].join(","));
        assert_eq!(FieldsV1::from_json(&wide).unwrap().as_json(), wide);
    }

    #[test]
    fn only_white_space_is_removed() {
        let table = [
            (r#"{"b":{},"a":{}}"#, r#"{"b":{},"a":{}}"#),
            (
                r#"{"a":[null,true,"1"],"a":{"k:{\"x\":\"\\\"}":{}}}"#,
                r#"{"a":[null,true,"1"],"a":{"k:{\"x\":\"\\\"}":{}}}"#,
            ),
            (r#"{"b":0, "a":1.50}"#, r#"{"b":0,"a":1.50}"#),
            (r#"{"b":{}, "a":{}}"#, r#"{"b":{},"a":{}}"#),
            (r#"{"b\" " : "\/ \\" }"#, r#"{"b\" ":"\/ \\"}"#),
        ];
        for (json, expected) in table {
            assert_eq!(FieldsV1::from_json(json).unwrap().as_json(), expected);
        }
    }
}
