//! Types, and the checker that finds what servers reject when a rule is created.

pub(crate) mod checker;
pub(crate) mod schema;
pub(crate) mod types;
