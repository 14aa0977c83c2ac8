//! An object inside another one.

use std::collections::BTreeMap;
use std::iter;
use std::ops::{Deref, DerefMut};

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::Json;
use crate::wire::{self, Fields, Reader, Writer, ZeroValue};

/// An object inside another one, such as a claim in the `volumeClaimTemplates` of a `StatefulSet`.
///
/// It is written with `apiVersion` and `kind` if it came with one of them: servers keep both as they are sent.
///
/// ```
/// use k8s_versioned::{Embedded, meta::v1::DeleteOptions};
///
/// for json in [r#"{"apiVersion":"v1","kind":"DeleteOptions","orphanDependents":true}"#, r#"{"orphanDependents":true}"#] {
///     let options: Embedded<DeleteOptions> = serde_json::from_str(json)?;
///     assert_eq!(options.orphan_dependents, Some(true));
///     assert_eq!(serde_json::to_string(&options)?, json);
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Embedded<T> {
    /// The object, with a type of its own.
    pub object: T,
    /// `true` to write `apiVersion` and `kind`.
    pub typed: bool,
}

impl<T> From<T> for Embedded<T> {
    /// An object that is written without `apiVersion` and `kind`, as servers do not need them.
    fn from(object: T) -> Self {
        Self { object, typed: false }
    }
}

impl<T> Deref for Embedded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.object
    }
}

impl<T> DerefMut for Embedded<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.object
    }
}

impl<T: Fields + Serialize> Serialize for Embedded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.typed {
            self.object.serialize(serializer)
        } else {
            wire::write_untyped(&self.object, serializer)
        }
    }
}

impl<'de, T: Fields> Deserialize<'de> for Embedded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        wire::read::<Noting<T>, D>(deserializer).map(|noting| noting.0)
    }
}

/// An embedded object that is being read. It reads all fields as the object does, and notes whether it has a type.
struct Noting<T>(Embedded<T>);

impl<T: ZeroValue> ZeroValue for Noting<T> {
    fn zero_value() -> Self {
        Self(T::zero_value().into())
    }
}

impl<T: Fields> Fields for Noting<T> {
    const NAME: &'static str = T::NAME;
    const EXPECTED: Option<&'static str> = T::EXPECTED;
    const FIELDS: &'static [&'static str] = T::FIELDS;

    fn read_field<'de, R: Reader<'de>>(
        &mut self,
        field: usize,
        from: &mut R,
    ) -> Result<(), R::Error> {
        let Embedded { object, typed } = &mut self.0;
        match T::FIELDS.get(field) {
            Some(&("apiVersion" | "kind")) => {
                from.next_value_seed(TypeField { object, field, typed })
            }
            _ => object.read_field(field, from),
        }
    }

    fn write_fields<W: Writer>(&self, to: &mut W) -> Result<(), W::Error> {
        self.0.object.write_fields(to)
    }

    fn rest(&mut self) -> Option<&mut BTreeMap<String, Json>> {
        self.0.object.rest()
    }
}

/// A field with the type of an object. Unless its value is `null` or empty, it sets `typed`.
struct TypeField<'a, T> {
    object: &'a mut T,
    field: usize,
    typed: &'a mut bool,
}

impl<'de, T: Fields> DeserializeSeed<'de> for TypeField<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let value = Value::deserialize(deserializer)?;
        *self.typed |= !value.is_null() && value != "";
        let mut member = MapDeserializer::new(iter::once(("", value)));
        let read = member.next_key::<IgnoredAny>();
        let read = read.and_then(|_| self.object.read_field(self.field, &mut member));
        read.map_err(D::Error::custom)
    }
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Embedded<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<T>()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Embedded;
    use crate::field::PathRef;
    use crate::from_json;
    use crate::json::Noted;
    use crate::meta::v1::DeleteOptions;

    type Options = Embedded<DeleteOptions>;

    fn noted(value: &Value) -> (Result<Options, String>, Noted) {
        let mut noted = Noted::default();
        let read = noted.read(value, PathRef::Root);
        (read.map_err(|error| error.to_string()), noted)
    }

    #[test]
    fn an_object_inside_another_is_read_as_any_object() {
        let twice = br#"{"orphanDependents": true, "orphanDependents": true}"#;
        let error = from_json::<Options>(twice).unwrap_err().to_string();
        assert!(error.starts_with("duplicate field `orphanDependents`"), "{error}");

        let (read, found) = noted(&json!({"kind": "DeleteOptions", "colour": 1}));
        assert!(read.unwrap().typed);
        assert_eq!(found.unknown, [("colour".to_owned(), json!(1))]);
        for (value, path) in [
            (json!({"preconditions": {"uid": 1}}), "preconditions.uid"),
            (json!({"kind": "Pod"}), "kind"),
            (json!({"apiVersion": ["v1"]}), "apiVersion"),
        ] {
            let (read, found) = noted(&value);
            read.unwrap_err();
            assert_eq!(found.wrong.unwrap().path, path);
        }
    }

    #[test]
    fn an_absent_type_is_not_written() {
        for (value, typed) in [
            (json!({}), false),
            (json!({"apiVersion": null, "kind": ""}), false),
            (json!({"kind": "DeleteOptions"}), true),
        ] {
            let options: Options = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(options.typed, typed, "{value}");
        }
    }
}
