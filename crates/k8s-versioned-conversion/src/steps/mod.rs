//! The steps of generated conversions: a module for each kind of step, with the name of its rule in `conversions.toml`.
//!
//! Programs call [`ConvertObject`](crate::ConvertObject) and the other traits.

pub mod absent_to_zero;
pub mod first_of_list;
pub mod keep_aside;
pub mod nest;
pub mod text;
pub mod words;
pub mod wrap;

pub use crate::context::{Context, Places, over};
pub use crate::items;
pub use crate::json::{decode, lossless, report_absent};
pub use crate::stream::deserialize;
