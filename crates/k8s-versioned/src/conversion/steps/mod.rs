//! The steps of generated conversions: a module for each kind of step, with the name of its rule in `conversions.toml`.
//!
//! Programs call [`ConvertObject`](crate::conversion::ConvertObject) and the other traits.

pub mod absent_to_zero;
pub mod custom;
pub mod embedded;
pub mod first_of_list;
mod form;
pub mod in_metadata;
pub mod keep_aside;
pub mod keyed_list;
pub mod leave_out_empty;
pub mod moved;
pub mod named_values;
pub mod nest;
pub mod part_of_text;
pub mod pattern;
pub mod schema;
pub mod text;
mod there_and_back;
pub mod units;
pub mod words;
pub mod wrap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wire::ZeroValue;

pub use crate::conversion::adopt::{Adopted, Written, adopt};
pub use crate::conversion::annotation::Lists;
pub use crate::conversion::context::{Context, FieldLocations, convert_kept};
pub use crate::conversion::convert::lossless;
pub use crate::conversion::decode::{decode, report_absent};
pub use crate::conversion::items;
pub use crate::conversion::json::convert_value;
pub use crate::conversion::stream::deserialize;

/// The value of a field: the type of every field of an object has these traits.
pub trait FieldValue: ZeroValue + PartialEq + Serialize + DeserializeOwned {}

impl<T: ZeroValue + PartialEq + Serialize + DeserializeOwned> FieldValue for T {}
