//! A value that functions of the program convert.

use super::there_and_back::there_and_back;
use super::{Context, FieldLocations, FieldValue};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;

/// What a kept value of a third version says: the result by it, if there is one, and what happens to it beside a result.
pub type Third<'f, S, T, P> =
    (&'f dyn Fn(&S, &mut Context<'_, P>) -> Option<T>, &'f dyn Fn(&T, &mut Context<'_, P>));

/// Converts a value by a function; `back` is the one of the other direction. A kept value of a third version says more than the value, if
/// that is what its version makes of it.
pub fn convert<S: FieldValue, T: FieldValue, P>(
    keep: FieldLocations,
    restore: FieldLocations,
    value: &S,
    (there, back): (impl Fn(&S) -> T, impl Fn(&T) -> S),
    thirds: &[Third<'_, S, T, P>],
    context: &mut Context<'_, P>,
) -> T {
    // Each is asked: a stale value goes.
    let found: Vec<T> = thirds.iter().filter_map(|(third, _)| third(value, context)).collect();
    let made = found.into_iter().next().unwrap_or_else(|| there(value));
    let result = there_and_back(keep, restore, value, (made, back), context);
    for (_, settle) in thirds {
        settle(&result, context);
    }
    result
}

/// The result by the kept value of another version, which stays in the annotation if this value is what it becomes.
pub fn third<V: FieldValue, S: FieldValue, T, P>(
    places: FieldLocations,
    value: &S,
    (to_source, to_target): (impl Fn(&V) -> S, impl Fn(&V) -> T),
    context: &mut Context<'_, P>,
) -> Option<T> {
    let kept: V = context.kept_value(places)?;
    if to_source(&kept) == *value {
        return Some(to_target(&kept));
    }
    context.keep_nothing(places, value);
    None
}

/// Drops the kept value of another version that the result says as well.
pub fn settle<V: FieldValue, T, P>(
    places: FieldLocations,
    result: &T,
    to_third: impl Fn(&T) -> V,
    context: &mut Context<'_, P>,
) {
    let kept = context.kept_value::<V>(places).filter(|kept| *kept == to_third(result));
    if let Some(kept) = kept {
        context.take(places);
        context.report_target(places, ConversionFinding::Redundant { value: json(&kept) });
    }
}
