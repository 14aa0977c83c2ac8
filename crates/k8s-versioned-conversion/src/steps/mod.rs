//! The steps of generated conversions: a module for each kind of step, with the name of its rule in `conversions.toml`.
//!
//! Programs call [`ConvertObject`](crate::ConvertObject) and the other traits.

pub mod absent_to_zero;
pub mod first_of_list;
pub mod keep_aside;
pub mod nest;
pub mod schema;
pub mod text;
pub mod words;
pub mod wrap;

use k8s_versioned::wire::ZeroValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::context::{Context, Places, over};
pub use crate::items;
pub use crate::json::{decode, lossless, report_absent};
pub use crate::stream::deserialize;

/// The value of a field: the type of every field of an object has these traits.
pub trait FieldValue: ZeroValue + PartialEq + Serialize + DeserializeOwned {}

impl<T: ZeroValue + PartialEq + Serialize + DeserializeOwned> FieldValue for T {}
