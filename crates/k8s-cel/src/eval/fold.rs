//! What servers compute when a rule is created: conversions of constants, patterns and keys.

use crate::eval::value::{Fault, Value};
use crate::eval::{Patterns, evaluate, go_type};
use crate::facts::Facts;
use crate::syntax::ast::{Expr, Kind};

/// The conversions that servers compute of constants.
const CONVERSIONS: [&str; 10] =
    ["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"];

/// Computes the constants of an expression, and compiles its literal patterns.
///
/// # Errors
/// The server's words for the first constant without a value, even if a rule would never need it.
pub(crate) fn fold(expression: &Expr, facts: Facts, patterns: &mut Patterns) -> Result<(), String> {
    for part in expression.kind.parts() {
        fold(part, facts, patterns)?;
    }
    let Kind::Call(call) = &expression.kind else { return Ok(()) };
    match (&*call.function, call.arguments.as_slice()) {
        (function, [argument]) if is_conversion(function, call.has_receiver) => {
            if is_constant(argument) {
                value_of(expression, facts, patterns)?;
            }
            Ok(())
        }
        ("_[_]" | "_[?_]", [_, key]) if is_constant(key) => match value_of(key, facts, patterns)? {
            None
            | Some(
                Value::Text(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Bool(_),
            ) => Ok(()),
            Some(key) => Err(format!("invalid qualifier type: {}", go_type(&key))),
        },
        ("matches" | "find" | "findAll", [_, pattern, ..]) if is_constant(pattern) => {
            let text = match value_of(pattern, facts, patterns)? {
                Some(Value::Text(text)) => text.to_string(),
                _ => return Ok(()),
            };
            // A pattern too large for us is not an error, but rules that use it are not judged.
            match patterns.add(&text) {
                Err(error) if error.is_refused() => Err(error.to_string()),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn is_conversion(function: &str, has_receiver: bool) -> bool {
    !has_receiver && CONVERSIONS.contains(&function)
}

/// Returns `true` for what servers take for a constant: literals, lists and maps of constants, and their conversions.
pub(crate) fn is_constant(expression: &Expr) -> bool {
    match &expression.kind {
        Kind::Literal(_) | Kind::TypeName(_) => true,
        Kind::List(items) => items.iter().all(|item| !item.optional && is_constant(&item.value)),
        Kind::Map(entries) => entries
            .iter()
            .all(|entry| !entry.optional && is_constant(&entry.key) && is_constant(&entry.value)),
        Kind::Call(call) => match call.arguments.as_slice() {
            [argument] => is_conversion(&call.function, call.has_receiver) && is_constant(argument),
            _ => false,
        },
        _ => false,
    }
}

/// The value of a constant, or none if it is not known here.
fn value_of<'v>(
    constant: &'v Expr,
    facts: Facts,
    patterns: &'v Patterns,
) -> Result<Option<Value<'v>>, String> {
    const STEPS: usize = 100_000;
    match evaluate(constant, Vec::new(), facts, patterns, &mut { STEPS }) {
        Ok(value) => Ok(Some(value)),
        Err(Fault::NotJudged(_)) => Ok(None),
        Err(Fault::Error(error)) => Err(error),
    }
}
