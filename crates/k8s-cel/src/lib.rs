#![doc = include_str!("../README.md")]

mod check;
pub mod cost;
mod eval;
mod expression;
mod facts;
pub mod formats;
mod functions;
#[doc(hidden)]
pub mod names;
pub mod regex;
mod rules;
mod syntax;
#[doc(hidden)]
pub mod values;

pub use eval::Budget;
pub use expression::{
    CompileError, Environment, Evaluation, EvaluationError, Expression, ExpressionFault,
    SchemaError,
};
pub use facts::{Beginning, FACTS, Fact, NEWEST, OLDEST, Since};
#[doc(no_inline)]
pub use k8s_versioned_names::Release;
#[doc(hidden)]
pub use rules::field_path;
pub use rules::{Estimate, Outcome, Part, RuleError, Rules, Scope, Violation};
