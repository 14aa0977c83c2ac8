//! Rules in the Common Expression Language: `x-kubernetes-validations` of a schema.
//!
//! [`Rules::compile`] refuses what servers refuse when a definition is created, except for estimated costs, and
//! [`Rules::judge`] says what a server says of a value: the same messages, fields and reasons. What a server would say
//! may not be known here; then the outcome is [`Outcome::NotJudged`], and never that the value is valid.
//!
//! # Why not the crate `cel`
//!
//! Version 0.15 parses nearly all rules, but cannot carry the answer of a server: it has no type checker, so rules that
//! servers refuse (`self == 1.0` on an integer, an unknown field, `reverse()`) compile. It has one environment of
//! functions for all releases, and macros with two variables cannot be switched off. Values have no schema: sets and map lists
//! do not compare by their keys, data without a schema is visible, a null in a map is a value. `sum()` of an empty list needs the
//! static type. Errors have other texts than cel-go's, and its default build needs a runtime of ANTLR and the crates of
//! `chrono`. Nothing bounds the steps and the memory of an evaluation.
//!
//! # Not judged
//!
//! Rules that nest more than 120 expressions or schemas that nest more than 64 nodes; time zones by name on
//! a machine without a database of them; functions that
//! some servers of a release have (`first`, `last`, `unwrapOpt`); quantities beyond 10^29; hexadecimal doubles in texts;
//! rules that take more than a million steps.

mod ast;
mod checker;
mod data;
mod escape;
mod eval;
mod fold;
mod functions;
mod lexer;
mod library;
mod outcome;
mod parser;
mod rules;
mod schema;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod value;

pub(crate) use lexer::simple_escape;
pub use outcome::{Outcome, Part, RuleError, Violation};
pub(crate) use rules::Steps;
pub use rules::{Rules, Scope};
