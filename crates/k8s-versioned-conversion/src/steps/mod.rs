//! The steps of generated conversions, one for each field of a plan.
//!
//! Programs call [`ConvertObject`](super::ConvertObject) and the other traits.

pub mod absent_to_zero;
mod context;
mod entries;
pub mod first_of_list;
pub mod only_here;
#[cfg(test)]
mod tests;
mod whole;

pub use super::json::{decode, deserialize};
pub use context::{Context, Places};
pub use entries::ANNOTATIONS_LIMIT;
pub use whole::{items, lossless};
