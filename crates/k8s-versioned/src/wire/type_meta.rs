//! `apiVersion` and `kind`, which are constants of a type and which the items of a list lack.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::de::{self, Unexpected, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Kind, Resource};

/// The `apiVersion` of a `K` as a field without size. It is written as the constant, and checked when it is read.
///
/// All values are equal, so a type with the field can derive the same traits as without it.
///
/// As for API servers, `null` and the empty string count as absent.
pub struct ApiVersion<K>(PhantomData<fn() -> K>);

/// The `kind` of a `K` as a field without size. It is written as the constant, and checked when it is read.
///
/// As for API servers, `null` and the empty string count as absent.
pub struct KindName<K>(PhantomData<fn() -> K>);

// Not derived: a derive would need the same trait for `K`.
macro_rules! constant {
    ($name:ident, $constant:ident) => {
        impl<K> Default for $name<K> {
            fn default() -> Self {
                Self(PhantomData)
            }
        }

        impl<K> Clone for $name<K> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<K> Copy for $name<K> {}

        impl<K> PartialEq for $name<K> {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }

        impl<K> Eq for $name<K> {}

        impl<K> Hash for $name<K> {
            fn hash<H: Hasher>(&self, _: &mut H) {}
        }

        impl<K: Kind> fmt::Debug for $name<K> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(K::$constant)
            }
        }

        impl<K: Kind> Serialize for $name<K> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(K::$constant)
            }
        }
    };
}

constant!(ApiVersion, API_VERSION);
constant!(KindName, KIND);

impl<'de, K: Kind> Deserialize<'de> for ApiVersion<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(Constant {
            field: "apiVersion",
            accepted: K::ACCEPTED_API_VERSIONS,
        })?;
        Ok(Self::default())
    }
}

impl<'de, K: Kind> Deserialize<'de> for KindName<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(Constant { field: "kind", accepted: K::KIND })?;
        Ok(Self::default())
    }
}

/// Returns `true` if `text` is one of the words in `accepted`.
pub(crate) fn is_among(accepted: &str, text: &str) -> bool {
    !text.is_empty() && accepted.split(' ').any(|word| word == text)
}

/// Accepts an absent value or one of a few words.
struct Constant {
    field: &'static str,
    accepted: &'static str,
}

impl<'de> Visitor<'de> for Constant {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accepted = self.accepted.replace(' ', "` or `");
        write!(f, "{} `{accepted}`", self.field)
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        if text.is_empty() || is_among(self.accepted, text) {
            Ok(())
        } else {
            Err(E::invalid_value(Unexpected::Str(text), &self))
        }
    }
}

/// Writes the items of a list as servers do: without `apiVersion` and `kind`, unless they are custom resources.
///
/// The items are structs that write both fields, as every generated object does.
pub(crate) struct Items<'a, T>(pub(crate) &'a [T]);

impl<T: Resource> Serialize for Items<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if T::TYPED_ITEMS {
            return serializer.collect_seq(self.0);
        }
        serializer.collect_seq(self.0.iter().map(Item))
    }
}

/// Writes an object without `apiVersion` and `kind`.
pub(crate) fn untyped<T: Serialize, S: Serializer>(
    object: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    object.serialize(WithoutTypeMeta(serializer))
}

struct Item<'a, T>(&'a T);

impl<T: Serialize> Serialize for Item<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        untyped(self.0, serializer)
    }
}

/// Leaves `apiVersion` and `kind` out of a struct. Any other value is written as it is.
struct WithoutTypeMeta<S>(S);

struct Fields<S>(S);

impl<S: SerializeStruct> SerializeStruct for Fields<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        match name {
            "apiVersion" | "kind" => Ok(()),
            _ => self.0.serialize_field(name, value),
        }
    }

    fn skip_field(&mut self, name: &'static str) -> Result<(), S::Error> {
        self.0.skip_field(name)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.0.end()
    }
}

/// Methods that call the inner serializer.
macro_rules! forward {
    ($($method:ident($($argument:ident: $of:ty),*) -> $answer:ident;)*) => {$(
        fn $method(self, $($argument: $of),*) -> Result<Self::$answer, S::Error> {
            self.0.$method($($argument),*)
        }
    )*};
}

impl<S: Serializer> Serializer for WithoutTypeMeta<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = S::SerializeSeq;
    type SerializeTuple = S::SerializeTuple;
    type SerializeTupleStruct = S::SerializeTupleStruct;
    type SerializeTupleVariant = S::SerializeTupleVariant;
    type SerializeMap = S::SerializeMap;
    type SerializeStruct = Fields<S::SerializeStruct>;
    type SerializeStructVariant = S::SerializeStructVariant;

    fn serialize_struct(
        self,
        name: &'static str,
        fields: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        let fields = fields.saturating_sub(2);
        self.0.serialize_struct(name, fields).map(Fields)
    }

    forward! {
        serialize_bool(value: bool) -> Ok;
        serialize_i8(value: i8) -> Ok;
        serialize_i16(value: i16) -> Ok;
        serialize_i32(value: i32) -> Ok;
        serialize_i64(value: i64) -> Ok;
        serialize_i128(value: i128) -> Ok;
        serialize_u8(value: u8) -> Ok;
        serialize_u16(value: u16) -> Ok;
        serialize_u32(value: u32) -> Ok;
        serialize_u64(value: u64) -> Ok;
        serialize_u128(value: u128) -> Ok;
        serialize_f32(value: f32) -> Ok;
        serialize_f64(value: f64) -> Ok;
        serialize_char(value: char) -> Ok;
        serialize_str(value: &str) -> Ok;
        serialize_bytes(value: &[u8]) -> Ok;
        serialize_none() -> Ok;
        serialize_unit() -> Ok;
        serialize_unit_struct(name: &'static str) -> Ok;
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> Ok;
        serialize_seq(length: Option<usize>) -> SerializeSeq;
        serialize_map(length: Option<usize>) -> SerializeMap;
        serialize_tuple(length: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, length: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> SerializeTupleVariant;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.serialize_some(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_variant(name, index, variant, value)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.collect_str(value)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}
