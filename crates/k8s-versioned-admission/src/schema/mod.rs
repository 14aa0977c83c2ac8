//! The structural schema of a kind, compiled once: patterns, formats and defaults are ready, and each part knows what
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
pub use read::SchemaError;
#[cfg(test)]
pub(crate) use rules::COMPILED;
pub(crate) use rules::{Old, RuleJudge, RuleTree};
pub(crate) use tree::{Additional, ListType, Member, Schema};
