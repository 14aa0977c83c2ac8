//! Objects whose version is known at run time only, as JSON.

mod decode;
mod document;
mod error;
mod list;
mod tracked;

pub use decode::decode;
pub use document::{convert_slice, convert_value};
pub use error::JsonError;
pub use list::AnyList;

use decode::{TypeMeta, object};
pub(super) use document::from_value;
