//! Objects as protobuf: the bodies that API servers call `application/vnd.kubernetes.protobuf`.
//!
//! [`decode`] reads a body, and [`encode`] writes the bytes that Go's types write: a body that an API server wrote is
//! equal after a round trip.
//!
//! ```
//! # use k8s_versioned::meta::v1::Status;
//! use k8s_versioned::protobuf;
//!
//! let status = Status::default().with_code(404).with_reason("NotFound");
//! let body = protobuf::encode(&status);
//! assert!(body.starts_with(b"k8s\0"));
//! assert_eq!(protobuf::decode::<Status>(&body)?, status);
//! # Ok::<(), protobuf::Error>(())
//! ```
//!
//! | Go | on the wire | in Rust |
//! |---|---|---|
//! | a value (`name`, `generation`) | always written, also when it is empty or zero | an empty or zero value of an `Option` is `None` |
//! | a pointer (`holderIdentity`, `renewTime`) | written if it is set, also when it is empty or zero | `Some("")` stays `Some("")` |
//! | a list, a map | each item or entry is a field | `Vec`, `BTreeMap` |
//! | a time | seconds and nanoseconds; the zero time is an empty message | a zero [`Time`](crate::Time) of a pointer is the first instant of year 1, of a value it is `None` |
//!
//! Reading takes fields in any order. A message that occurs twice is merged, as is a list; of other fields the last one
//! counts. Unknown fields are skipped and lost, as in JSON. Texts must be UTF-8, which Go does not check. The text of
//! [`FieldsV1`](crate::FieldsV1) is kept as it is, and checked when it is written as JSON.

mod body;
mod codec;
mod envelope;
mod error;
mod field;
mod message;
mod read;
mod special;
mod value;
mod write;

pub use body::{FromEnvelope, decode, encode};
pub use codec::Codec;
pub use envelope::{Envelope, WatchEvent};
pub use error::{Error, ProtobufCause};
pub use field::{Field, WireType};
pub use message::{Message, decode_message};
pub use value::{Sink, Value};

/// The media type of bodies.
pub const CONTENT_TYPE: &str = "application/vnd.kubernetes.protobuf";
