//! Structs as messages.

use super::field::Fields;
use super::{Error, Field, Sink, Value, WireType};
use crate::wire::ZeroValue;
use crate::{List, Resource};

/// A struct as a message. The implementations are generated.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no protobuf",
    label = "this type is JSON alone",
    note = "custom resources have no protobuf: servers read and write them as JSON",
    note = "types of other groups have it with the feature `protobuf` of their package, if that has field numbers"
)]
pub trait Message: ZeroValue {
    /// The numbers of the fields, and their names in JSON.
    const FIELDS: &'static [(u32, &'static str)];

    /// Reads a field into the message; skips it if the number is unknown.
    ///
    /// # Errors
    ///
    /// The value is not of the field's type.
    fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error>;

    /// Writes the fields in the order of their numbers.
    fn write_fields(&self, to: &mut impl Sink);
}

/// Merges fields into a message.
#[inline]
fn merge<M: Message>(message: &mut M, mut fields: Fields<'_>) -> Result<(), Error> {
    while let Some(field) = fields.next()? {
        let number = field.number();
        message.merge_field(field).map_err(|error| error.inside_field(M::FIELDS, number))?;
    }
    Ok(())
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

/// Decodes a message without an envelope, such as an item of a list.
///
/// # Errors
///
/// The bytes are not such a message.
pub fn decode_message<M: Message>(bytes: &[u8]) -> Result<M, Error> {
    let mut message = M::zero_value();
    merge(&mut message, Fields::new(bytes))?;
    Ok(message)
}

/// All lists have the same numbers.
impl<T: Resource + Message> Message for List<T> {
    const FIELDS: &'static [(u32, &'static str)] = &[(1, "metadata"), (2, "items")];

    #[inline]
    fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        match field.number() {
            1 => field.value(&mut self.metadata),
            2 => field.list(&mut self.items),
            _ => field.skip(),
        }
    }

    fn write_fields(&self, to: &mut impl Sink) {
        to.value(1, &self.metadata);
        to.list(2, &self.items);
    }
}
