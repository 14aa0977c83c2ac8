//! Regular expressions in texts.

use std::sync::Arc;

use super::Context;
use crate::eval::value::{Evaluated, Fault, Value};
use crate::regex::Pattern;

/// The work of compiling a pattern that is not a constant, in addition to its size.
const COMPILING: usize = 20_000;

/// How many marks are cleared in one step of work. An automaton has one for each of its states and each byte of a text.
const MARKS_PER_STEP: u64 = 512;

/// Spends the work of searching a text, and returns the compiled pattern.
fn pattern(
    text: &str,
    pattern: &str,
    prefix: &str,
    context: &Context<'_>,
) -> Evaluated<Arc<Pattern>> {
    let compiled = if let Some(constant) = context.patterns.get(pattern) {
        constant.clone()
    } else {
        context.meter.work(COMPILING + pattern.len())?;
        let compiled = Pattern::compile(pattern).map_err(|error| {
            let message = format!("{prefix}{error}");
            if error.is_refused() { Fault::error(message) } else { Fault::not_judged(message) }
        })?;
        context.meter.work(usize::try_from(compiled.weight()).unwrap_or(usize::MAX))?;
        Arc::new(compiled)
    };
    context.meter.work(usize::try_from(compiled.steps(text.len())).unwrap_or(usize::MAX))?;
    Ok(compiled)
}

pub(super) fn matches<'v>(text: &str, own: &str, context: &Context<'_>) -> Evaluated<Value<'v>> {
    Ok(Value::Bool(pattern(text, own, "", context)?.is_match(text)))
}

const ILLEGAL: &str = "Illegal regex: ";

pub(super) fn find<'v>(text: &str, own: &str, context: &Context<'_>) -> Evaluated<Value<'v>> {
    let pattern = pattern(text, own, ILLEGAL, context)?;
    Ok(Value::text(pattern.find(text).unwrap_or_default()))
}

/// The first matches, or all if the limit is negative.
pub(super) fn find_all<'v>(
    text: &str,
    own: &str,
    limit: i64,
    context: &Context<'_>,
) -> Evaluated<Value<'v>> {
    let pattern = pattern(text, own, ILLEGAL, context)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    // The engine clears its marks before each search.
    let marks = pattern.weight().saturating_mul(text.len() as u64) / MARKS_PER_STEP;
    let marks = usize::try_from(marks).unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    for part in pattern.matches(text).take(limit) {
        context.meter.work(marks.saturating_add(1))?;
        parts.push(Value::text(part));
    }
    Ok(Value::list(parts))
}
