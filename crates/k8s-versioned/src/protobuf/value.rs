//! The values of fields, and where they are written.

use std::collections::BTreeMap;

use super::{Error, Field, ProtobufCause, WireType};
use crate::wire::ZeroValue;

/// A value of a field: a number, a text, or a message.
pub trait Value: Sized {
    /// The wire type that writers use.
    const WIRE: WireType;

    /// Reads the value of a field.
    ///
    /// # Errors
    ///
    /// The value of the field is not of this type.
    fn read(field: Field<'_, '_>) -> Result<Self, Error>;

    /// Reads the value of a field. A message keeps what it has, and is merged with the fields that are there; other
    /// values are replaced.
    ///
    /// # Errors
    ///
    /// The value of the field is not of this type.
    #[inline]
    fn merge(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        *self = Self::read(field)?;
        Ok(())
    }

    /// Writes the value without the number of its field. Bytes begin with their length.
    fn write(&self, to: &mut impl Sink);
}

/// Where a message is written, in the order of the numbers of its fields.
///
/// Generated code calls the functions for fields. Each is for one way in which a Go type holds values.
pub trait Sink: Sized {
    /// Writes bytes.
    fn append(&mut self, bytes: &[u8]);

    /// Writes a number.
    fn varint(&mut self, number: u64);

    /// Writes the length of a message, and the fields that the function writes.
    fn message(&mut self, fields: impl FnOnce(&mut Self));

    /// Writes the length of bytes, and the bytes.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.append(bytes);
    }

    /// Writes the number of a field and its wire type.
    #[inline]
    fn tag(&mut self, number: u32, wire: WireType) {
        self.varint(u64::from(number) << 3 | wire as u64);
    }

    /// Writes a value that is not a pointer in Go: always.
    #[inline]
    fn value<T: Value>(&mut self, number: u32, value: &T) {
        self.tag(number, T::WIRE);
        value.write(self);
    }

    /// Writes what is a pointer in Go: if there is a value.
    #[inline]
    fn pointer<T: Value>(&mut self, number: u32, value: &Option<T>) {
        if let Some(value) = value {
            self.value(number, value);
        }
    }

    /// Writes what is not a pointer in Go, and is an `Option` here: always.
    #[inline]
    fn or_zero<T: Value + ZeroValue>(&mut self, number: u32, value: &Option<T>) {
        match value {
            Some(value) => self.value(number, value),
            None => self.value(number, &T::zero_value()),
        }
    }

    /// Writes a list: a field for each item.
    #[inline]
    fn list<T: Value>(&mut self, number: u32, items: &[T]) {
        for item in items {
            self.value(number, item);
        }
    }

    /// Writes a map: a message of the key, 1, and the value, 2, for each entry, in the order of the keys.
    #[inline]
    fn map<T: Value>(&mut self, number: u32, entries: &BTreeMap<String, T>) {
        for (key, value) in entries {
            self.tag(number, WireType::Bytes);
            self.message(|to| {
                to.value(1, key);
                to.value(2, value);
            });
        }
    }

    /// Writes the fields of a struct that Go embeds in another: always, also without fields.
    #[inline]
    fn embedded(&mut self, number: u32, fields: impl FnOnce(&mut Self)) {
        self.tag(number, WireType::Bytes);
        self.message(fields);
    }

    /// Writes a list that is a type of its own in Go, unless it is empty.
    fn list_message<T: Value + ZeroValue>(&mut self, number: u32, items: &Vec<T>) {
        if !items.is_empty() {
            self.value(number, items);
        }
    }
}

/// A list that is a type of its own in Go, or the value of a map: a message with the items as field 1.
impl<T: Value + ZeroValue> Value for Vec<T> {
    const WIRE: WireType = WireType::Bytes;

    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let mut items = Self::new();
        items.merge(field)?;
        Ok(items)
    }

    fn merge(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        let mut fields = field.message()?;
        while let Some(field) = fields.next()? {
            if field.number() == 1 {
                field.list(self)?;
            } else {
                field.skip()?;
            }
        }
        Ok(())
    }

    fn write(&self, to: &mut impl Sink) {
        to.message(|to| to.list(1, self));
    }
}

impl Value for String {
    const WIRE: WireType = WireType::Bytes;

    #[allow(
        clippy::inline_always,
        reason = "a call costs as much as the rest. Hot path, row `decode as protobuf` of the benches"
    )]
    #[inline(always)]
    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        // The copy is aligned, which makes the check of it faster. Hot path, row `decode as protobuf` of the benches.
        Self::from_utf8(field.bytes()?.to_vec()).map_err(|_| ProtobufCause::NotUtf8.into())
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.bytes(self.as_bytes());
    }
}

impl Value for bool {
    const WIRE: WireType = WireType::Varint;

    #[inline]
    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        Ok(field.varint()? != 0)
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.varint(u64::from(*self));
    }
}

impl Value for i64 {
    const WIRE: WireType = WireType::Varint;

    #[inline]
    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        Ok(field.varint()?.cast_signed())
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.varint(self.cast_unsigned());
    }
}

/// Written as an `i64`: a negative number has 10 bytes. As Go, reading keeps the low 32 bits.
impl Value for i32 {
    const WIRE: WireType = WireType::Varint;

    #[inline]
    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        #[allow(clippy::cast_possible_truncation, reason = "see above")]
        let number = field.varint()? as u32;
        Ok(number.cast_signed())
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        i64::from(*self).write(to);
    }
}

impl Value for f64 {
    const WIRE: WireType = WireType::Fixed64;

    #[inline]
    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        Ok(Self::from_le_bytes(field.fixed64()?))
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.append(&self.to_le_bytes());
    }
}

/// Implements [`Value`] for an open enum: a text.
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum_protobuf {
    ($name:ident; $($variant:ident = $word:literal;)*) => {
        impl $crate::protobuf::Value for $name {
            const WIRE: $crate::protobuf::WireType = $crate::protobuf::WireType::Bytes;

            fn read(
                field: $crate::protobuf::Field<'_, '_>,
            ) -> ::core::result::Result<Self, $crate::protobuf::Error> {
                let bytes = field.bytes()?;
                // A known word needs no check for UTF-8. Hot path, row `decode as protobuf` of the benches.
                $(if bytes == $word.as_bytes() {
                    return ::core::result::Result::Ok(Self::$variant);
                })*
                let text = ::core::str::from_utf8(bytes);
                ::core::result::Result::Ok(text.map_err(|_| $crate::protobuf::ProtobufCause::NotUtf8)?.into())
            }

            fn write(&self, to: &mut impl $crate::protobuf::Sink) {
                to.bytes(self.as_str().as_bytes());
            }
        }
    };
}
