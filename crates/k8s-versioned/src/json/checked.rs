//! One deserializer around any other, with the rules of API servers where derived code has others.

use std::fmt;
use std::marker::PhantomData;

use k8s_versioned_core::path_room::PathRoom;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value};

use super::number::{is_minus_zero, visit_number};
use super::server::size;
use crate::field::PathRef;
use crate::quoted::{Short, place};
use crate::values::time;

/// A value that does not decode, with the path of the wrong field.
#[derive(Debug)]
#[non_exhaustive]
pub struct LocatedError {
    /// The wrong field, such as `items[3].spec.leaseName`. It is empty for the whole value, and for a text that is not
    /// JSON or has a field twice: then the reason has the line.
    pub path: String,
    /// The reason. It is part of the message.
    pub reason: Error,
}

impl fmt::Display for LocatedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", place(&self.path), Short(&self.reason.to_string()))
    }
}

impl std::error::Error for LocatedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.reason)
    }
}

impl LocatedError {
    /// An error of the field at a path.
    pub(crate) fn new(path: &str, message: impl fmt::Display) -> Self {
        Self { path: path.to_owned(), reason: de::Error::custom(message) }
    }
}

impl From<Error> for LocatedError {
    /// The error of the whole value.
    fn from(reason: Error) -> Self {
        Self { path: String::new(), reason }
    }
}

/// What is noted about one value that is read.
#[derive(Debug, Default)]
pub struct Noted {
    /// The paths of unknown fields, and their values.
    pub unknown: Vec<(String, Value)>,
    /// The room for these paths; it counts those that it does not have.
    pub room: PathRoom,
    /// The fields of the struct that has no field of the last name among `unknown`.
    pub known: &'static [&'static str],
    /// The place of the error.
    pub wrong: Option<BodyPosition>,
    /// `true` to read times only in the forms that API servers read, and to write paths as they do.
    pub as_server: bool,
}

impl Noted {
    /// The error for which the reading ended, with the path of the wrong field.
    pub fn located(&self, reason: Error) -> LocatedError {
        let wrong = self.wrong.as_ref();
        LocatedError { path: wrong.map(|wrong| wrong.path.clone()).unwrap_or_default(), reason }
    }

    /// Reads the value at a path as a `T`, with the rules of [`Checked`], and notes what it finds.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    pub fn read<'a, T>(&mut self, value: &'a Value, path: PathRef<'_>) -> Result<T, Error>
    where
        T: Deserialize<'a>,
    {
        let read = self.read_once(value, path);
        if self.room.left_out() == 0 {
            return read;
        }
        // Rare, so that no other value is measured. Hot path, row `convert` of the benches.
        self.unknown.clear();
        self.room = PathRoom::of(size(value));
        self.read_once(value, path)
    }

    fn read_once<'a, T>(&mut self, value: &'a Value, path: PathRef<'_>) -> Result<T, Error>
    where
        T: Deserialize<'a>,
    {
        let notes = At { path, noted: self, known: &[] };
        Checked { inner: PhantomData::<T>, notes }.deserialize(value)
    }
}

/// The place of a value, as a path and as a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyPosition {
    /// The place as a field path, such as `spec.ports[0].name`.
    pub path: String,
    /// The place as a JSON pointer, such as `/spec/ports/0/name`.
    pub pointer: String,
}

/// A deserializer, or a part of one, with the rules of API servers: a list is never an object (serde's
/// derive accepts a sequence for a struct; servers reject it), and `-0` is an integer.
///
/// With notes it also keeps the paths of unknown fields and of the error, and can refuse times that servers reject.
/// `serde_ignored` and `serde_path_to_error` would add two more visitors around each type, and this one would still be
/// needed.
#[derive(Debug)]
pub struct Checked<T, N = ()> {
    inner: T,
    notes: N,
}

impl<T> Checked<T> {
    /// Reads what another deserializer reads, without notes.
    pub fn new(inner: T) -> Self {
        Self { inner, notes: () }
    }
}

/// The notes about one value.
trait Notes {
    /// The notes about a part of the value.
    type Inside<'b>: Notes
    where
        Self: 'b;

    /// `false` if nothing is noted.
    const ON: bool;

    fn same(&mut self) -> Self::Inside<'_>;
    fn field<'b>(&'b mut self, name: &'b str) -> Self::Inside<'b>;
    fn item(&mut self, index: usize) -> Self::Inside<'_>;
    fn known(&mut self, _: &'static [&'static str]) {}
    fn unknown(&mut self, _: Value) {}
    fn wrong(&mut self) {}
    fn as_server(&self) -> bool {
        false
    }
}

impl Notes for () {
    type Inside<'b> = ();

    const ON: bool = false;

    fn same(&mut self) {}

    fn field<'b>(&'b mut self, _: &'b str) {}

    fn item(&mut self, _: usize) {}
}

/// Notes about the value at a path.
struct At<'a> {
    path: PathRef<'a>,
    noted: &'a mut Noted,
    /// The fields of the struct around the value; once a struct is read, its own fields.
    known: &'static [&'static str],
}

impl Notes for At<'_> {
    type Inside<'b>
        = At<'b>
    where
        Self: 'b;

    const ON: bool = true;

    fn same(&mut self) -> At<'_> {
        At { path: self.path, noted: self.noted, known: self.known }
    }

    fn field<'b>(&'b mut self, name: &'b str) -> At<'b> {
        At { path: self.path.child(name), noted: self.noted, known: self.known }
    }

    fn item(&mut self, index: usize) -> At<'_> {
        At { path: self.path.index(index), noted: self.noted, known: self.known }
    }

    fn known(&mut self, fields: &'static [&'static str]) {
        self.known = fields;
    }

    fn unknown(&mut self, value: Value) {
        let path = self.path;
        let Noted { room, as_server, .. } = self.noted;
        let path = match as_server {
            true => room.write(&format_args!("{path:#}")),
            false => room.write(&path),
        };
        self.noted.unknown.extend(path.map(|path| (path, value)));
        self.noted.known = self.known;
    }

    /// The innermost value that fails is the wrong one.
    fn wrong(&mut self) {
        let path = self.path;
        let place = || BodyPosition { path: path.to_string(), pointer: path.pointer() };
        self.noted.wrong.get_or_insert_with(place);
    }

    fn as_server(&self) -> bool {
        self.noted.as_server
    }
}

impl<'de, D: Deserializer<'de>, N: Notes> Deserializer<'de> for Checked<D, N> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(Checked { inner: visitor, notes: self.notes })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.notes.known(fields);
        self.deserialize_map(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(Checked { inner: visitor, notes: self.notes })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_seq(Checked { inner: visitor, notes: self.notes })
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_str(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_string(visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(Integer(visitor))
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(Integer(visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_option(Checked { inner: visitor, notes: self.notes })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if N::ON && name == time::TEXT && self.notes.as_server() {
            return self.inner.deserialize_str(ServerTime(visitor));
        }
        let visitor = Checked { inner: visitor, notes: self.notes };
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_enum(name, variants, visitor)
    }

    /// Derived code ignores the fields that it does not know.
    fn deserialize_ignored_any<V: Visitor<'de>>(
        mut self,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if N::ON {
            self.notes.unknown(Value::deserialize(self.inner)?);
            return visitor.visit_unit();
        }
        self.inner.deserialize_ignored_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct identifier
    }
}

impl<'de, V: Visitor<'de>, N: Notes> Visitor<'de> for Checked<V, N> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<V::Value, E> {
        self.inner.visit_bool(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<V::Value, E> {
        self.inner.visit_i64(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<V::Value, E> {
        self.inner.visit_u64(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<V::Value, E> {
        self.inner.visit_f64(value)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<V::Value, E> {
        self.inner.visit_str(value)
    }

    fn visit_borrowed_str<E: de::Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.inner.visit_borrowed_str(value)
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<V::Value, E> {
        self.inner.visit_string(value)
    }

    fn visit_none<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Checked { inner, notes: self.notes })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Checked { inner, notes: self.notes })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(CheckedItems { inner, index: 0, notes: self.notes })
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Members { inner, key: "", notes: self.notes })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(variant)
    }
}

/// Reads an integer. `-0` is one.
struct Integer<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Integer<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<V::Value, E> {
        self.0.visit_i64(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<V::Value, E> {
        self.0.visit_u64(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<V::Value, E> {
        if is_minus_zero(value) { self.0.visit_i64(0) } else { self.0.visit_f64(value) }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        visit_number(map, self)
    }
}

/// Reads a time in a form that servers read.
struct ServerTime<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for ServerTime<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<V::Value, E> {
        self.0.visit_bytes(value.as_bytes())
    }
}

impl<'de, T: DeserializeSeed<'de>, N: Notes> DeserializeSeed<'de> for Checked<T, N> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(mut self, inner: D) -> Result<T::Value, D::Error> {
        let read = self.inner.deserialize(Checked { inner, notes: self.notes.same() });
        if N::ON && read.is_err() {
            self.notes.wrong();
        }
        read
    }
}

struct CheckedItems<A, N> {
    inner: A,
    index: usize,
    notes: N,
}

impl<'de, A: SeqAccess<'de>, N: Notes> SeqAccess<'de> for CheckedItems<A, N> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        let notes = self.notes.item(self.index);
        self.index += 1;
        self.inner.next_element_seed(Checked { inner: seed, notes })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

struct Members<'de, A, N> {
    inner: A,
    /// The last key, for notes.
    key: &'de str,
    notes: N,
}

impl<'de, A: MapAccess<'de>, N: Notes> MapAccess<'de> for Members<'de, A, N> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        if !N::ON {
            return self.inner.next_key_seed(seed);
        }
        // Notes are taken of a `Value`, which lends its keys.
        let Some(key) = self.inner.next_key()? else {
            return Ok(None);
        };
        self.key = key;
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let notes = self.notes.field(self.key);
        self.inner.next_value_seed(Checked { inner: seed, notes })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

    use super::Noted;
    use crate::field::PathRef;
    use crate::json::read;
    use crate::{FieldsV1, MicroTime, RawExtension};

    #[derive(Debug, Default, PartialEq)]
    struct Outer {
        name: String,
        time: Option<MicroTime>,
        items: Vec<Inner>,
        labels: BTreeMap<String, String>,
        fields: Option<FieldsV1>,
        raw: Option<RawExtension>,
    }

    crate::fields!(Outer {
        0 "name" => name: value, value;
        1 "time" => time: option, option;
        2 "items" => items: list, unless_zero;
        3 "labels" => labels: map, map;
        4 "fields" => fields: option, option;
        5 "raw" => raw: option, option;
    });

    #[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
    struct Inner {
        count: i32,
    }

    fn noted(value: &Value, as_server: bool) -> (Result<Outer, String>, Noted) {
        let mut noted = Noted { as_server, ..Noted::default() };
        let outer = noted.read(value, PathRef::Root);
        (outer.map_err(|error| error.to_string()), noted)
    }

    #[test]
    fn text_is_utf8_everywhere() {
        for text in [&b"{\n\"name\": \"\xff\"}"[..], b"{\n\"more\": \"\xff\"}"] {
            let error = read::<Outer>(text).unwrap_err().to_string();
            assert!(error.starts_with("invalid unicode code point at line 2"), "{error}");
        }
        let error = read::<Outer>(b"{}\xff").unwrap_err().to_string();
        assert_eq!(error, "trailing characters at line 1 column 3");
    }

    #[test]
    fn good_input_is_read_as_by_serde() {
        let deep = "[".repeat(300) + &"]".repeat(300);
        let text = format!(
            r#"{{"items": [{{"count": 3}}, null], "time": "2026-01-02T03:04:05Z", "fields": {deep}, "more": {deep}}}"#
        );
        let found: Outer = read(text.as_bytes()).unwrap();
        assert_eq!(found, serde_json::from_str(&text).unwrap());
        assert_eq!(read::<Inner>(br#"{"count": -0}"#).unwrap(), Inner::default());

        let value = json!({
            "name": null,
            "time": "2026-01-02T03:04:05Z",
            "items": [{"count": 1}, null, {"count": -0.0}],
            "labels": {"a": "b", "c": null},
            "fields": {"f:spec": {"unknown": {}}},
            "raw": [{"unknown": 1}],
        });
        let (outer, noted) = noted(&value, false);
        assert_eq!(outer.unwrap(), read::<Outer>(value.to_string().as_bytes()).unwrap());
        assert!(noted.unknown.is_empty() && noted.wrong.is_none(), "{noted:?}");
    }

    #[test]
    fn a_list_is_not_an_object() {
        for text in [
            "[]",
            "[[]]",
            r#"{"items": [[7]]}"#,
            r#"{"items": 1}"#,
            r#"{"items": [{"count": 0.5}]}"#,
        ] {
            assert!(read::<Outer>(text.as_bytes()).is_err(), "{text}");
        }
        assert!(read::<Inner>(b"[7]").unwrap_err().to_string().contains("sequence"));
        assert!(read::<Inner>(br#"{"count": 1} x"#).is_err());
    }

    #[test]
    fn unknown_fields_are_noted_with_their_paths() {
        let value = json!({
            "extra": null,
            "items": [{"count": 1}, {"count": 2, "more": {"deep": 1}}],
            "odd key\u{1b}": 1,
            "": 2,
        });
        for (as_server, odd) in
            [(false, [r#"[""]"#, r#"["odd key\u001b"]"#]), (true, ["", "odd key\u{1b}"])]
        {
            let (outer, mut noted) = noted(&value, as_server);
            outer.unwrap();
            noted.unknown.sort_by_key(|(_, value)| value.to_string());
            let expected = [
                (odd[1], json!(1)),
                (odd[0], json!(2)),
                ("extra", json!(null)),
                ("items[1].more", json!({"deep": 1})),
            ];
            let expected = expected.map(|(path, value)| (path.to_owned(), value));
            assert_eq!(noted.unknown, expected);
        }
    }

    #[test]
    fn the_innermost_wrong_value_is_named() {
        let table = [
            (json!({"items": [{"count": "1"}]}), "items[0].count"),
            (json!({"items": [{}]}), "items[0]"),
            (json!({"items": 1}), "items"),
            (json!({"items": [[7]]}), "items[0]"),
            (json!([]), ""),
            (json!({"time": "now"}), "time"),
            (json!({"labels": {"a.b": 1}}), r#"labels["a.b"]"#),
            (json!(1), ""),
        ];
        for (value, expected) in table {
            let (outer, noted) = noted(&value, false);
            outer.unwrap_err();
            let wrong = noted.wrong.unwrap();
            assert_eq!(wrong.path, expected, "{value}");
            assert!(value.pointer(&wrong.pointer).is_some(), "{value}");
        }
    }

    #[test]
    fn times_are_read_as_servers_read_them_if_that_is_asked_for() {
        let table = [
            ("2026-01-02T03:04:05.000000Z", true),
            ("2026-01-02T03:04:05Z", false),
            ("10000-01-01T00:00:00.000000Z", false),
        ];
        for (text, accepted) in table {
            let value = json!({"time": text, "name": text, "labels": {"a": text}});
            assert!(noted(&value, false).0.is_ok(), "{text}");
            let (outer, noted) = noted(&value, true);
            assert_eq!(outer.is_ok(), accepted, "{text}");
            assert_eq!(noted.wrong.map(|wrong| wrong.path), (!accepted).then(|| "time".to_owned()));
        }
    }
}
