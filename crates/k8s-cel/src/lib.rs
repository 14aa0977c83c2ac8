#![doc = include_str!("../README.md")]

mod check;
mod compile;
pub mod cost;
mod eval;
mod expression;
mod facts;
mod faults;
pub mod formats;
mod functions;
mod json;
#[doc(hidden)]
pub mod names;
pub mod regex;
mod rules;
mod since;
#[doc(hidden)]
pub mod steps;
mod syntax;
#[doc(hidden)]
pub mod values;

pub use eval::Budget;
pub use expression::{
    CompileError, Environment, Evaluation, EvaluationError, Expression, ExpressionFault,
    VariableError,
};
pub use facts::{FACTS, Fact};
#[doc(no_inline)]
pub use k8s_versioned_core::Release;
#[doc(hidden)]
pub use rules::field_path;
pub use rules::{
    Estimate, RuleError, RuleNode, RuleOutcome, RulePart, RuleScope, RuleViolation, Rules,
};
pub use since::{Beginning, Behaviour, NEWEST, OLDEST, Since};
#[doc(hidden)]
pub use since::{Facts, listed_twice};
