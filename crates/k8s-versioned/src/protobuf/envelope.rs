//! The frame of every body: `k8s\0`, and a message with the kind and the object.

use super::field::Fields;
use super::message::Message;
use super::{Error, ProtobufCause, Sink, WireType};
use crate::wire::is_among;
use crate::{Kind, TypeMeta};

/// The first bytes of a body.
const PREFIX: &[u8] = b"k8s\0";

/// A body whose object is not decoded yet.
///
/// ```
/// # use k8s_versioned::meta::v1::Status;
/// use k8s_versioned::protobuf::{self, Envelope};
///
/// let body = protobuf::encode(&Status::default());
/// let envelope = Envelope::read(&body)?;
/// assert_eq!((envelope.api_version, envelope.kind), ("v1", "Status"));
/// # Ok::<(), protobuf::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Envelope<'a> {
    /// The `apiVersion` of the object; it may be empty.
    pub api_version: &'a str,
    /// The kind of the object; it may be empty.
    pub kind: &'a str,
    /// The object as a message.
    pub object: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// Returns `true` if the bytes begin as a body does.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(PREFIX)
    }

    /// Reads a body.
    ///
    /// # Errors
    ///
    /// The bytes are empty, begin in another way, or are cut off.
    pub fn read(body: &'a [u8]) -> Result<Self, Error> {
        if body.is_empty() || body == PREFIX {
            return Err(ProtobufCause::Empty.into());
        }
        let message = body.strip_prefix(PREFIX).ok_or(ProtobufCause::Prefix)?;
        let (mut envelope, mut fields) = (Self::default(), Fields::new(message));
        while let Some(field) = fields.next()? {
            match field.number() {
                1 => envelope
                    .read_type(field.message().map_err(|error| in_frame("typeMeta", error))?)?,
                2 => envelope.object = field.bytes().map_err(|error| in_frame("raw", error))?,
                3 => drop(field.bytes().map_err(|error| in_frame("contentEncoding", error))?),
                4 => drop(field.bytes().map_err(|error| in_frame("contentType", error))?),
                _ => field.skip()?,
            }
        }
        Ok(envelope)
    }

    /// A body that is cut off in its object, with the bytes of the object that are there.
    pub(super) fn read_cut(body: &'a [u8]) -> Option<Self> {
        let (mut envelope, mut fields) = (Self::default(), Fields::new(body.strip_prefix(PREFIX)?));
        loop {
            let field = fields.next().ok()??;
            match field.number() {
                1 => envelope.read_type(field.message().ok()?).ok()?,
                2 => {
                    envelope.object = field.cut_bytes()?;
                    return Some(envelope);
                }
                _ => return None,
            }
        }
    }

    fn read_type(&mut self, mut fields: Fields<'a>) -> Result<(), Error> {
        while let Some(field) = fields.next()? {
            match field.number() {
                1 => self.api_version = field.text().map_err(|error| error.inside("apiVersion"))?,
                2 => self.kind = field.text().map_err(|error| error.inside("kind"))?,
                _ => field.skip()?,
            }
        }
        Ok(())
    }

    /// Checks that the object is a `T`. An absent name is the name of the type.
    ///
    /// # Errors
    ///
    /// The object is of another kind.
    pub fn check<T: Kind>(&self) -> Result<(), Error> {
        let is = |accepted, found: &str| found.is_empty() || is_among(accepted, found);
        if is(T::ACCEPTED_API_VERSIONS, self.api_version) && is(T::KIND, self.kind) {
            return Ok(());
        }
        Err(self.other_kind(TypeMeta::of_kind::<T>().to_string()))
    }

    /// The error of an object that is not of the expected kind.
    #[doc(hidden)]
    pub fn other_kind(&self, expected: String) -> Error {
        let found = TypeMeta::new(self.api_version, self.kind).to_string();
        ProtobufCause::OtherKind { expected, found }.into()
    }
}

/// The error of a field of the frame. Servers name the field if its wire type is wrong, as they name the fields of objects.
fn in_frame(name: &str, error: Error) -> Error {
    if matches!(error.cause(), ProtobufCause::WireType { .. }) { error.inside(name) } else { error }
}

/// Writes an object in its envelope. The two texts at the end are always empty.
pub(super) fn write<T: Kind + Message>(object: &T, to: &mut impl Sink) {
    to.append(PREFIX);
    to.tag(1, WireType::Bytes);
    to.message(|to| {
        for (number, name) in [(1, T::API_VERSION), (2, T::KIND)] {
            to.tag(number, WireType::Bytes);
            to.bytes(name.as_bytes());
        }
    });
    to.value(2, object);
    to.append(&[0x1a, 0, 0x22, 0]);
}

/// An event of a watch, whose object is not decoded yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WatchEvent<'a> {
    /// The type, such as `ADDED`.
    pub event_type: &'a str,
    /// The body of the object, with its own [`Envelope`].
    pub object: &'a [u8],
}

impl<'a> WatchEvent<'a> {
    /// Reads a frame of a watch, without its length.
    ///
    /// # Errors
    ///
    /// The bytes are not an event.
    pub fn read(frame: &'a [u8]) -> Result<Self, Error> {
        let (mut event, mut fields) = (Self::default(), Fields::new(frame));
        while let Some(field) = fields.next()? {
            match field.number() {
                1 => event.event_type = field.text().map_err(|error| error.inside("type"))?,
                2 => {
                    let mut object = field.message()?;
                    while let Some(field) = object.next()? {
                        match field.number() {
                            1 => event.object = field.bytes()?,
                            _ => field.skip()?,
                        }
                    }
                }
                _ => field.skip()?,
            }
        }
        Ok(event)
    }
}

#[cfg(test)]
mod tests {
    use super::{Envelope, ProtobufCause};

    /// A tag with another wire type than that of the field of the frame, and the field that servers name.
    #[test]
    fn a_wrong_wire_type_in_the_frame_names_its_field() {
        let table = [(1, "typeMeta"), (2, "raw"), (3, "contentEncoding"), (4, "contentType")];
        for (number, name) in table {
            let body = [b"k8s\0", &[number << 3, 0][..]].concat();
            let error = Envelope::read(&body).unwrap_err();
            assert_eq!(error.path(), name);
            assert!(matches!(error.cause(), ProtobufCause::WireType { .. }), "{error}");
            let cut = [b"k8s\0", &[number << 3 | 2, 9][..]].concat();
            assert_eq!(Envelope::read(&cut).unwrap_err().path(), "");
        }
        let kind = b"k8s\0\x0a\x02\x10\x01";
        assert_eq!(Envelope::read(kind).unwrap_err().path(), "kind");
    }
}
