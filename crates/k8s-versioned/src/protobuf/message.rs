//! Messages, and bodies with one.

use super::envelope::{self, Envelope};
use super::field::{Field, Fields};
use super::write;
use super::{Error, Sink};
use crate::wire::ZeroValue;
use crate::{Kind, List, Resource};

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
pub(super) fn merge<M: Message>(message: &mut M, mut fields: Fields<'_>) -> Result<(), Error> {
    while let Some(field) = fields.next()? {
        let number = field.number();
        message.merge_field(field).map_err(|error| error.inside_field(M::FIELDS, number))?;
    }
    Ok(())
}

/// What a body can hold: an object of one kind, or of one of several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no protobuf",
    label = "this type is JSON alone",
    note = "custom resources have no protobuf: servers read and write them as JSON"
)]
pub trait Body: Sized {
    /// Reads the object of a body.
    ///
    /// # Errors
    ///
    /// The object is of another kind, or cannot be decoded.
    fn from_envelope(envelope: &Envelope<'_>) -> Result<Self, Error>;
}

impl<T: Kind + Message> Body for T {
    fn from_envelope(envelope: &Envelope<'_>) -> Result<Self, Error> {
        envelope.check::<T>()?;
        decode_message(envelope.object)
    }
}

/// Decodes a body.
///
/// An absent `apiVersion` or `kind` defaults to the type's, as in API servers.
///
/// # Errors
///
/// The bytes are not a body, or hold an object of another kind.
pub fn decode<T: Body>(body: &[u8]) -> Result<T, Error> {
    let envelope = Envelope::read(body).map_err(|error| cut_off::<T>(body, error))?;
    T::from_envelope(&envelope)
}

/// The error of a body without a whole object: the field in which the bytes end, if it is in the object.
#[cold]
fn cut_off<T: Body>(body: &[u8], error: Error) -> Error {
    let inside = Envelope::read_cut(body).and_then(|envelope| T::from_envelope(&envelope).err());
    inside.filter(|inside| inside.cause() == error.cause()).unwrap_or(error)
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

/// Encodes an object as a body.
pub fn encode<T: Kind + Message>(object: &T) -> Vec<u8> {
    write::write(|count| envelope::write(object, count), |buffer| envelope::write(object, buffer))
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
