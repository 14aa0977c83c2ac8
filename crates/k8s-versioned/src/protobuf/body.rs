//! Bodies with an object: a message in its envelope.

use super::envelope::{self, Envelope};
use super::message::{Message, decode_message};
use super::{Error, write};
use crate::Kind;

/// What a body can hold: an object of one kind, or of one of several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no protobuf",
    label = "this type is JSON alone",
    note = "custom resources have no protobuf: servers read and write them as JSON"
)]
pub trait FromEnvelope: Sized {
    /// Reads the object of a body.
    ///
    /// # Errors
    ///
    /// The object is of another kind, or cannot be decoded.
    fn from_envelope(envelope: &Envelope<'_>) -> Result<Self, Error>;
}

impl<T: Kind + Message> FromEnvelope for T {
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
pub fn decode<T: FromEnvelope>(body: &[u8]) -> Result<T, Error> {
    let envelope = Envelope::read(body).map_err(|error| cut_off::<T>(body, error))?;
    T::from_envelope(&envelope)
}

/// The error of a body without a whole object: the field in which the bytes end, if it is in the object.
#[cold]
fn cut_off<T: FromEnvelope>(body: &[u8], error: Error) -> Error {
    let inside = Envelope::read_cut(body).and_then(|envelope| T::from_envelope(&envelope).err());
    inside.filter(|inside| inside.cause() == error.cause()).unwrap_or(error)
}

/// Encodes an object as a body.
pub fn encode<T: Kind + Message>(object: &T) -> Vec<u8> {
    write::write(|count| envelope::write(object, count), |buffer| envelope::write(object, buffer))
}
