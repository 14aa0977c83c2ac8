//! Values, and the evaluation of expressions.

pub(crate) mod budget;
mod condition;
mod constant;
mod data;
mod equality;
mod fault;
mod index;
mod ints;
mod items;
mod member;
mod memo;
mod path;
mod patterns;
mod plan;
mod program;
mod run;
mod stack;
pub(crate) mod value;
mod visit;

pub use budget::Budget;
pub(crate) use budget::Meter;
pub(crate) use equality::json_weight;
pub(crate) use fault::Cause;
pub(crate) use items::IndexedItems;
pub(crate) use patterns::Patterns;
pub(crate) use plan::plan;
pub(crate) use program::Program;
pub(crate) use run::run;
pub(crate) use value::literal_value;
