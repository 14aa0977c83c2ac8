//! Objects whose version is known at run time only, as JSON.

mod decode;
mod document;
mod error;
mod list;
mod stream;
mod type_meta;

pub use decode::decode;
pub use error::JsonError;
pub use list::AnyList;
pub use stream::deserialize;

pub(super) use decode::from_value;
pub(super) use document::convert;
