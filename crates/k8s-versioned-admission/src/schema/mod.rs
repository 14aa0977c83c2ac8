//! The structural schema of a kind, compiled once: patterns, formats, defaults and rules are ready, and each part knows what
//! the parts below it need.

mod alternatives;
mod check;
mod enumeration;
mod fault;
mod findings;
mod go_number;
mod number;
mod old_values;
mod properties;
mod read;
mod rules;
mod text;
mod tree;

pub(crate) use check::Judge;
pub(crate) use findings::Findings;
pub(crate) use old_values::{Compared, Correlated};
#[cfg(test)]
pub(crate) use read::COMPILED;
pub use read::SchemaError;
pub(crate) use rules::{Old, RuleJudge};
pub(crate) use tree::{Additional, ListType, Member, Schema};
