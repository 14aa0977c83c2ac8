//! Reading a JSON text as a type, where serde and API servers differ.

use std::fmt;

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, IgnoredAny, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::de::Read;

/// Reads a JSON text as a `T`.
///
/// A list is never an object: derived code would read it as the fields in their order. `-0` is an integer.
///
/// # Errors
///
/// Those of `serde_json`.
pub fn read<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, serde_json::Error> {
    // One check of all bytes is faster than one of each string. Rows: tolerant, registry, watch.
    match std::str::from_utf8(json) {
        Ok(text) => read_from(serde_json::Deserializer::from_str(text)),
        // The error names the line; text that is not UTF-8 in an unknown field is skipped.
        Err(_) => read_from(serde_json::Deserializer::from_slice(json)),
    }
}

pub(super) fn read_from<'a, R: Read<'a>, T: Deserialize<'a>>(
    mut deserializer: serde_json::Deserializer<R>,
) -> Result<T, serde_json::Error> {
    let value = T::deserialize(Typed::new(&mut deserializer))?;
    deserializer.end()?;
    Ok(value)
}

/// A deserializer, or a part of one, with the rules of [`read`].
pub struct Typed<T> {
    inner: T,
    skipped: Fields,
}

/// The fields of the metadata of objects that are skipped.
type Fields = &'static [&'static str];

impl<T> Typed<T> {
    /// A deserializer with the rules of [`read`].
    pub fn new(inner: T) -> Self {
        let skipped = &[];
        Self { inner, skipped }
    }

    /// Skips some fields of the metadata of every object.
    pub(super) fn skipping(inner: T, skipped: Fields) -> Self {
        Self { inner, skipped }
    }
}

/// A visitor, and the type that it expects.
struct Asking<V> {
    visitor: V,
    hint: Hint,
    skipped: Fields,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    Object,
    /// The metadata of an object.
    Metadata,
    Integer,
    Any,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Typed<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Asking { visitor, hint: Hint::Any, skipped: self.skipped };
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let hint = match name {
            "ObjectMeta" => Hint::Metadata,
            _ => Hint::Object,
        };
        let visitor = Asking { visitor, hint, skipped: self.skipped };
        self.inner.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_str(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_string(visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Asking { visitor, hint: Hint::Integer, skipped: self.skipped };
        self.inner.deserialize_i32(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Asking { visitor, hint: Hint::Integer, skipped: self.skipped };
        self.inner.deserialize_i64(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Asking { visitor, hint: Hint::Any, skipped: self.skipped };
        self.inner.deserialize_option(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = Asking { visitor, hint: Hint::Any, skipped: self.skipped };
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

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_ignored_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Asking<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<V::Value, E> {
        self.visitor.visit_bool(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<V::Value, E> {
        self.visitor.visit_i64(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<V::Value, E> {
        self.visitor.visit_u64(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<V::Value, E> {
        if self.hint == Hint::Integer && is_minus_zero(value) {
            self.visitor.visit_i64(0)
        } else {
            self.visitor.visit_f64(value)
        }
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<V::Value, E> {
        self.visitor.visit_str(value)
    }

    fn visit_borrowed_str<E: de::Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.visitor.visit_borrowed_str(value)
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<V::Value, E> {
        self.visitor.visit_string(value)
    }

    fn visit_none<E: de::Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: de::Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Typed::skipping(deserializer, self.skipped))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(Typed::skipping(deserializer, self.skipped))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        if matches!(self.hint, Hint::Object | Hint::Metadata) {
            return Err(de::Error::invalid_type(Unexpected::Seq, &self));
        }
        self.visitor.visit_seq(Typed::skipping(items, self.skipped))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Members {
            inner: members,
            skipped: self.skipped,
            skips: self.hint == Hint::Metadata && !self.skipped.is_empty(),
        })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(variant)
    }
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Typed<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T::Value, D::Error> {
        self.inner.deserialize(Typed::skipping(deserializer, self.skipped))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Typed<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.inner.next_element_seed(Typed::skipping(seed, self.skipped))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// The members of an object.
struct Members<A> {
    inner: A,
    skipped: Fields,
    /// True if the object has fields that are skipped.
    skips: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        mut seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        if !self.skips {
            return self.inner.next_key_seed(seed);
        }
        let skipped = self.skipped;
        while let Some(key) = self.inner.next_key_seed(Key { seed, skipped })? {
            match key {
                Ok(key) => return Ok(Some(key)),
                Err(again) => seed = again,
            }
            self.inner.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.next_value_seed(Typed::skipping(seed, self.skipped))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// A key; the seed if the key is skipped.
struct Key<K> {
    seed: K,
    skipped: Fields,
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for Key<K> {
    type Value = Result<K::Value, K>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for Key<K> {
    type Value = Result<K::Value, K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<Self::Value, E> {
        if self.skipped.contains(&key) {
            return Ok(Err(self.seed));
        }
        self.seed.deserialize(key.into_deserializer()).map(Ok)
    }
}

/// `serde_json` reads `-0` as this.
pub(crate) fn is_minus_zero(number: f64) -> bool {
    number == 0.0 && number.is_sign_negative()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::read;
    use crate::{FieldsV1, MicroTime, wire};

    #[derive(Debug, Deserialize, PartialEq)]
    struct Outer {
        #[serde(default, deserialize_with = "wire::list")]
        items: Vec<Inner>,
        time: Option<MicroTime>,
        fields: Option<FieldsV1>,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    struct Inner {
        count: i32,
    }

    #[test]
    fn reads_what_serde_reads() {
        let deep = "[".repeat(300) + &"]".repeat(300);
        let text = format!(
            r#"{{"items": [{{"count": 3}}, null], "time": "2026-01-02T03:04:05Z", "fields": {deep}, "more": {deep}}}"#
        );
        let found: Outer = read(text.as_bytes()).unwrap();
        assert_eq!(found, serde_json::from_str(&text).unwrap());
        assert_eq!(read::<Inner>(br#"{"count": -0}"#).unwrap(), Inner::default());
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
}
