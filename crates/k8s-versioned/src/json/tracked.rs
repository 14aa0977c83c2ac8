//! Reading a JSON value while noting its unknown fields and the place of an error.
//!
//! `serde_ignored` and `serde_path_to_error` would add two more visitors around each type, and this deserializer would
//! still be needed: it refuses lists for objects and checks times.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Value};

use super::typed::is_minus_zero;
use crate::pointer::child;
use crate::time;

/// Notes about a value that is read.
#[derive(Debug, Default)]
pub struct Noted {
    /// The unknown fields, with their values.
    pub unknown: Vec<(String, Value)>,
    /// The place of the error.
    pub wrong: Option<Place>,
    /// `true` to read times as API servers do.
    pub as_server: bool,
}

/// The place of a value, as a path and as a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// As a field path.
    pub path: String,
    /// As a JSON pointer.
    pub pointer: String,
}

impl From<&Path<'_>> for Place {
    fn from(path: &Path<'_>) -> Self {
        Self { pointer: path.pointer(), path: path.to_string() }
    }
}

/// A value and its path.
pub struct Tracked<'de, 'a> {
    value: &'de Value,
    path: Path<'a>,
    noted: &'a mut Noted,
}

impl<'de, 'a> Tracked<'de, 'a> {
    /// A value at `path`.
    pub fn new(value: &'de Value, path: Path<'a>, noted: &'a mut Noted) -> Self {
        Self { value, path, noted }
    }
}

/// The place of a value.
#[derive(Clone, Copy)]
pub enum Path<'a> {
    /// The whole value.
    Root,
    /// A member of an object.
    Field(&'a Path<'a>, &'a str),
    /// An item of a list.
    Item(&'a Path<'a>, usize),
}

impl Path<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Item(of, index) => child(&of.pointer(), index),
            Self::Field(of, key) => child(&of.pointer(), key),
        }
    }
}

/// Writes a field path, with keys that are not names in quotation marks. `{:#}` writes any key as it is, as servers do.
impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Item(of, index) => {
                of.fmt(f)?;
                write!(f, "[{index}]")
            }
            // Any text can be a key.
            Self::Field(of, key) if !f.alternate() && !is_name(key) => {
                of.fmt(f)?;
                write!(f, "[{key:?}]")
            }
            Self::Field(Path::Root, key) => f.write_str(key),
            Self::Field(of, key) => {
                of.fmt(f)?;
                write!(f, ".{key}")
            }
        }
    }
}

fn is_name(key: &str) -> bool {
    let other = |byte: u8| !byte.is_ascii_alphanumeric() && byte != b'_' && byte != b'-';
    !key.is_empty() && !key.bytes().any(other)
}

impl<'de> Tracked<'de, '_> {
    fn read<V: Visitor<'de>>(
        self,
        read: impl FnOnce(&'de Value, &Path<'_>, &mut Noted) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        let Self { value, path, noted } = self;
        read(value, &path, noted).inspect_err(|_| {
            // The innermost value that fails is the wrong one.
            noted.wrong.get_or_insert_with(|| (&path).into());
        })
    }
}

impl<'de> Tracked<'de, '_> {
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.as_f64().is_some_and(is_minus_zero) {
            return visitor.visit_i64(0);
        }
        self.deserialize_any(visitor)
    }
}

impl<'de> Deserializer<'de> for Tracked<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.read::<V>(|value, path, noted| match value {
            Value::Array(items) => {
                visitor.visit_seq(Items { rest: items.iter().enumerate(), path, noted })
            }
            Value::Object(members) => visitor.visit_map(Members::new(members, path, noted)),
            scalar => scalar.deserialize_any(visitor),
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    /// A struct is an object. Derived code would read a list as its fields in their order; servers do not.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.value.is_array() {
            return self.read::<V>(|_, _, _| Err(Error::invalid_type(Unexpected::Seq, &visitor)));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let (true, Value::String(text)) = (self.noted.as_server, self.value)
            && let Err(error) = time::check_as_server(name, text)
        {
            return self.read::<V>(|_, _, _| Err(Error::custom(error)));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.read::<V>(|value, _, _| value.deserialize_enum(name, variants, visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let path =
            if self.noted.as_server { format!("{:#}", self.path) } else { self.path.to_string() };
        self.noted.unknown.push((path, self.value.clone()));
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier
    }
}

struct Items<'de, 'a> {
    rest: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
    path: &'a Path<'a>,
    noted: &'a mut Noted,
}

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some((index, value)) = self.rest.next() else {
            return Ok(None);
        };
        let path = Path::Item(self.path, index);
        let noted = &mut *self.noted;
        seed.deserialize(Tracked { value, path, noted }).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct Members<'de, 'a> {
    rest: serde_json::map::Iter<'de>,
    member: Option<(&'de str, &'de Value)>,
    path: &'a Path<'a>,
    noted: &'a mut Noted,
}

impl<'de, 'a> Members<'de, 'a> {
    fn new(members: &'de Map<String, Value>, path: &'a Path<'a>, noted: &'a mut Noted) -> Self {
        Self { rest: members.iter(), member: None, path, noted }
    }
}

impl<'de> MapAccess<'de> for Members<'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some((key, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.member = Some((key, value));
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        // serde asks for a key before each value.
        let (key, value) = self.member.take().unwrap_or(("", &Value::Null));
        let path = Path::Field(self.path, key);
        let noted = &mut *self.noted;
        seed.deserialize(Tracked { value, path, noted })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{Noted, Path, Tracked};
    use crate::{FieldsV1, MicroTime, RawExtension, wire};

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase")]
    struct Outer {
        #[serde(default = "wire::zero", deserialize_with = "wire::null_is_zero")]
        name: String,
        time: Option<MicroTime>,
        #[serde(default, deserialize_with = "wire::list")]
        items: Vec<Inner>,
        #[serde(default, deserialize_with = "wire::map")]
        labels: BTreeMap<String, String>,
        fields: Option<FieldsV1>,
        raw: Option<RawExtension>,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    struct Inner {
        count: i32,
    }

    fn read(value: &Value) -> (Result<Outer, String>, Noted) {
        let mut noted = Noted::default();
        let outer = Outer::deserialize(Tracked::new(value, Path::Root, &mut noted));
        (outer.map_err(|error| error.to_string()), noted)
    }

    #[test]
    fn reads_as_without_tracking() {
        let value = json!({
            "name": null,
            "time": "2026-01-02T03:04:05Z",
            "items": [{"count": 1}, null],
            "labels": {"a": "b", "c": null},
            "fields": {"f:spec": {"unknown": {}}},
            "raw": [{"unknown": 1}],
        });
        let (outer, noted) = read(&value);
        assert_eq!(outer.unwrap(), Outer::deserialize(&value).unwrap());
        assert!(noted.unknown.is_empty() && noted.wrong.is_none(), "{noted:?}");
    }

    #[test]
    fn unknown_fields_are_noted_with_their_paths() {
        let value = json!({
            "extra": null,
            "items": [{"count": 1}, {"count": 2, "more": {"deep": 1}}],
            "odd key\u{1b}": 1,
            "": 2,
        });
        let (outer, mut noted) = read(&value);
        outer.unwrap();
        noted.unknown.sort_by(|a, b| a.0.cmp(&b.0));
        let expected = [
            (r#"[""]"#, json!(2)),
            (r#"["odd key\u{1b}"]"#, json!(1)),
            ("extra", json!(null)),
            ("items[1].more", json!({"deep": 1})),
        ];
        let expected = expected.map(|(path, value)| (path.to_owned(), value));
        assert_eq!(noted.unknown, expected);
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
            let (outer, noted) = read(&value);
            outer.unwrap_err();
            assert_eq!(noted.wrong.unwrap().path, expected, "{value}");
        }
    }
}
