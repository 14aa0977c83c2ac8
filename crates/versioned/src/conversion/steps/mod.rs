//! What generated conversions are composed of: a step for each field of a plan.
//!
//! Programs need none of it: they call [`Convert`](super::Convert) and its like.

pub mod absent_to_zero;
mod aside;
mod envelope;
pub mod first_of_list;
mod kept;
pub mod only_here;
#[cfg(test)]
mod testing;
mod whole;

pub use super::json::decode;
pub use aside::{Aside, discard};
pub use envelope::ANNOTATIONS_LIMIT;
pub use kept::Kept;
pub use whole::{items, lossless};
