//! The functions of a kind, for programs that choose a kind at run time.

use std::fmt;

use super::{Error, Message, decode, encode};
use crate::{DecodedObject, Kind};

type Decoded = Result<Box<dyn DecodedObject>, Error>;

/// Reads and writes the bodies of one kind of a [`Registry`](crate::Registry): see
/// [`KindEntry::protobuf`](crate::KindEntry::protobuf).
#[derive(Clone, Copy)]
pub struct Codec {
    decode: fn(&[u8]) -> Decoded,
    encode: fn(&dyn DecodedObject) -> Option<Vec<u8>>,
}

impl Codec {
    /// The codec of a kind.
    pub const fn of<T: Kind + Message + DecodedObject>() -> Self {
        Self {
            decode: |body| Ok(Box::new(decode::<T>(body)?)),
            encode: |object| object.as_any().downcast_ref::<T>().map(encode),
        }
    }

    /// Decodes a body.
    ///
    /// # Errors
    ///
    /// The bytes are not a body, or hold an object of another kind.
    pub fn decode(&self, body: &[u8]) -> Decoded {
        (self.decode)(body)
    }

    /// Encodes an object; `None` if it is not of the kind.
    pub fn encode(&self, object: &dyn DecodedObject) -> Option<Vec<u8>> {
        (self.encode)(object)
    }
}

impl fmt::Debug for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec").finish_non_exhaustive()
    }
}
