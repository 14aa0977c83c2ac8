//! Values, and how expressions get theirs.

mod constant;
mod data;
mod equality;
mod fault;
mod index;
mod items;
mod meter;
mod patterns;
mod plan;
mod program;
mod run;
pub(crate) mod value;

pub(crate) use items::Items;
pub use meter::Budget;
pub(crate) use meter::{BYTES_PER_STEP, Meter};
pub(crate) use patterns::Patterns;
pub(crate) use plan::plan;
pub(crate) use program::Program;
pub(crate) use run::run;
pub(crate) use value::literal_value;
