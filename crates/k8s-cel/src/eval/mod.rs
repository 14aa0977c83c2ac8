//! Values, and how expressions get theirs.

mod data;
mod index;
mod meter;
mod plan;
mod run;
pub(crate) mod value;

pub(crate) use index::Items;
pub use meter::Budget;
pub(crate) use meter::{BYTES_PER_STEP, Meter};
pub(crate) use plan::{Patterns, Program, literal_value, plan};
pub(crate) use run::run;
