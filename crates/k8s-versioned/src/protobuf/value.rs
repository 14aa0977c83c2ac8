//! Single values: numbers, texts and messages.

use super::field::{Field, WireType};
use super::message::{Message, merge};
use super::{Error, Sink};
use crate::wire::ZeroValue;

/// A value of a field: a number, a text, or a message.
pub trait Value: Sized {
    /// Its form on the wire.
    const WIRE: WireType;

    /// Reads the value of a field. A message keeps what it has, and is merged with the fields that are there; other
    /// values are replaced.
    ///
    /// # Errors
    ///
    /// The value of the field is not of this type.
    fn merge(&mut self, field: Field<'_>) -> Result<(), Error>;

    /// Writes the value without the number of its field. Bytes begin with their length.
    fn write(&self, to: &mut impl Sink);
}

impl<M: Message> Value for M {
    const WIRE: WireType = WireType::Bytes;

    #[inline]
    fn merge(&mut self, field: Field<'_>) -> Result<(), Error> {
        merge(self, field.message()?)
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        let before = to.written();
        self.write_fields(to);
        to.length_since(before);
    }
}

/// A list that is a type of its own in Go, or the value of a map: a message with the items as field 1.
impl<T: Value + ZeroValue> Value for Vec<T> {
    const WIRE: WireType = WireType::Bytes;

    fn merge(&mut self, field: Field<'_>) -> Result<(), Error> {
        let mut fields = field.message()?;
        while let Some(field) = fields.next()? {
            if field.number() == 1 {
                field.list(self)?;
            }
        }
        Ok(())
    }

    fn write(&self, to: &mut impl Sink) {
        let before = to.written();
        to.list(1, self);
        to.length_since(before);
    }
}

impl Value for String {
    const WIRE: WireType = WireType::Bytes;

    #[inline]
    fn merge(&mut self, field: Field<'_>) -> Result<(), Error> {
        field.text()?.clone_into(self);
        Ok(())
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.bytes(self.as_bytes());
    }
}

impl Value for bool {
    const WIRE: WireType = WireType::Varint;

    #[inline]
    fn merge(&mut self, field: Field<'_>) -> Result<(), Error> {
        *self = field.varint()? != 0;
        Ok(())
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.varint(u64::from(*self));
    }
}

impl Value for i64 {
    const WIRE: WireType = WireType::Varint;

    #[inline]
    fn merge(&mut self, field: Field<'_>) -> Result<(), Error> {
        *self = field.varint()?.cast_signed();
        Ok(())
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
    fn merge(&mut self, field: Field<'_>) -> Result<(), Error> {
        #[allow(clippy::cast_possible_truncation, reason = "see above")]
        let number = field.varint()? as u32;
        *self = number.cast_signed();
        Ok(())
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        i64::from(*self).write(to);
    }
}

impl Value for f64 {
    const WIRE: WireType = WireType::Fixed64;

    #[inline]
    fn merge(&mut self, field: Field<'_>) -> Result<(), Error> {
        *self = Self::from_le_bytes(field.fixed64()?);
        Ok(())
    }

    #[inline]
    fn write(&self, to: &mut impl Sink) {
        to.prepend(&self.to_le_bytes());
    }
}

/// Implements [`Value`] for an open enum: a text.
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum_protobuf {
    ($name:ident) => {
        impl $crate::protobuf::Value for $name {
            const WIRE: $crate::protobuf::WireType = $crate::protobuf::WireType::Bytes;

            fn merge(
                &mut self,
                field: $crate::protobuf::Field<'_>,
            ) -> ::core::result::Result<(), $crate::protobuf::Error> {
                *self = Self::from(field.text()?);
                ::core::result::Result::Ok(())
            }

            fn write(&self, to: &mut impl $crate::protobuf::Sink) {
                to.bytes(self.as_str().as_bytes());
            }
        }
    };
}
