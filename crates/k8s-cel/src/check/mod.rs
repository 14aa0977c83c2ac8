//! Types, and the checker that finds what servers refuse when a rule is created.

pub(crate) mod checker;
pub(crate) mod schema;
pub(crate) mod types;
