//! Writing the items of a list, which have no `apiVersion` and no `kind`.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::Resource;

/// Writes the items of a list as servers do: without `apiVersion` and `kind`, unless they are custom resources.
///
/// The items are structs that write both fields, as every generated object does.
///
/// # Errors
///
/// Those of the serializer.
pub fn items<T: Resource, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    if T::TYPED_ITEMS {
        return serializer.collect_seq(items);
    }
    serializer.collect_seq(items.iter().map(Item))
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
