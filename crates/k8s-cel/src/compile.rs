//! From the text of an expression to what is evaluated, with all that servers check when an expression is created.

use std::sync::Arc;

use crate::check::checker::{self, Refusal};
use crate::check::schema::Shape;
use crate::check::types::Type;
use crate::cost::estimate::estimate;
use crate::eval::{Program, literal_value, plan};
use crate::faults::{Fault, Faults};
use crate::functions::convert;
use crate::regex::Pattern;
use crate::since::Facts;
use crate::syntax::ast::{Expr, Kind, Literal};
use crate::syntax::parser::{ParseError, parse};

/// An expression without faults.
pub(crate) struct Compiled {
    pub(crate) program: Program,
    pub(crate) result: Type,
    pub(crate) uses_old_self: bool,
    /// The estimated cost of one evaluation.
    pub(crate) cost: u64,
}

/// Why an expression is not compiled.
#[derive(Debug)]
pub(crate) enum Failure {
    Faults(Faults),
    /// It is not of the type that is expected.
    Type,
    /// The server's words for a constant without a value.
    NotPlanned(String),
    /// What a server makes of it is not known here.
    NotJudged(String),
}

/// Compiles an expression with these variables. The limits in the shape of the first one bound its cost.
pub(crate) fn compile(
    text: &str,
    variables: Vec<(Arc<str>, Type)>,
    shape: Option<&Shape>,
    expected: Option<&Type>,
    facts: Facts,
) -> Result<Compiled, Failure> {
    let mut expression = parse(text, facts).map_err(|error| match error {
        ParseError::Syntax(faults) => Failure::Faults(faults),
        ParseError::TooDeep => {
            Failure::NotJudged("the expression nests deeper than is evaluated here".to_owned())
        }
    })?;
    let names: Vec<Arc<str>> = variables.iter().map(|(name, _)| name.clone()).collect();
    let checked =
        checker::check(&mut expression, variables, facts).map_err(|refusal| match refusal {
            Refusal::NotJudged(reason) => Failure::NotJudged(reason),
            Refusal::Errors(faults) => Failure::Faults(faults),
        })?;
    check_constants(&expression).map_err(|fault| Failure::Faults(fault.into()))?;
    if expected.is_some_and(|expected| !checked.result.same(expected)) {
        return Err(Failure::Type);
    }
    let program = plan(&expression, &names, facts).map_err(Failure::NotPlanned)?;
    let cost = estimate(&expression, shape, facts);
    Ok(Compiled { program, result: checked.result, uses_old_self: checked.uses_old_self, cost })
}

/// Literal patterns, durations and times are checked when an expression is created.
fn check_constants(expression: &Expr) -> Result<(), Fault> {
    for part in expression.kind.parts() {
        check_constants(part)?;
    }
    let Kind::Call(call) = &expression.kind else { return Ok(()) };
    let function = &*call.function;
    let Some((literal, at)) = call.arguments.last().and_then(literal) else { return Ok(()) };
    let is_valid = match (function, literal) {
        ("matches", Literal::String(pattern)) => Pattern::check(pattern).is_ok(),
        ("duration", literal) => convert::to_duration(&literal_value(literal)).is_ok(),
        ("timestamp", literal) => convert::to_timestamp(&literal_value(literal)).is_ok(),
        _ => true,
    };
    if is_valid { Ok(()) } else { Err(Fault::new(at, format!("invalid {function} argument"))) }
}

fn literal(argument: &Expr) -> Option<(&Literal, usize)> {
    match &argument.kind {
        Kind::Literal(literal) => Some((literal, argument.at)),
        _ => None,
    }
}
