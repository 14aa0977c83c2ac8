//! Single values: numbers, texts and messages.

use super::field::{Field, WireType};
use super::message::{Message, merge};
use super::{Cause, Error, Sink};
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

impl<M: Message> Value for M {
    const WIRE: WireType = WireType::Bytes;

    #[inline]
    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        let mut message = Self::zero_value();
        message.merge(field)?;
        Ok(message)
    }

    #[inline]
    fn merge(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        merge(self, field.message()?)
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.message(|to| self.write_fields(to));
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
        reason = "a call costs as much as the rest. Row: decode as protobuf"
    )]
    #[inline(always)]
    fn read(field: Field<'_, '_>) -> Result<Self, Error> {
        // The copy is aligned, which makes the check of it faster. Row: decode as protobuf.
        Self::from_utf8(field.bytes()?.to_vec()).map_err(|_| Cause::NotUtf8.into())
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
                // A known word needs no check for UTF-8. Row: decode as protobuf.
                $(if bytes == $word.as_bytes() {
                    return ::core::result::Result::Ok(Self::$variant);
                })*
                let text = ::core::str::from_utf8(bytes);
                ::core::result::Result::Ok(text.map_err(|_| $crate::protobuf::Cause::NotUtf8)?.into())
            }

            fn write(&self, to: &mut impl $crate::protobuf::Sink) {
                to.bytes(self.as_str().as_bytes());
            }
        }
    };
}
