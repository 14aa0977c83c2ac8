//! A value that functions of the program convert.

use super::there_and_back::there_and_back;
use super::{Context, FieldValue, Places};

/// The result by the kept value of a third version; `None` without one.
pub type ByThird<'f, S, T, P> = &'f dyn Fn(&S, &mut Context<'_, P>) -> Option<T>;

/// Converts a value by a function; `back` is the one of the other direction. A kept value of a third version says more than the value, if
/// that is what its version makes of it.
pub fn convert<S: FieldValue, T: FieldValue, P>(
    keep: Places,
    restore: Places,
    value: &S,
    (there, back): (impl Fn(&S) -> T, impl Fn(&T) -> S),
    thirds: &[ByThird<'_, S, T, P>],
    context: &mut Context<'_, P>,
) -> T {
    // Each is asked: a stale value goes.
    let found: Vec<T> = thirds.iter().filter_map(|third| third(value, context)).collect();
    let made = found.into_iter().next().unwrap_or_else(|| there(value));
    there_and_back(keep, restore, value, (made, back), context)
}

/// The result by the kept value of another version, which stays in the annotation if this value is what it becomes.
pub fn third<V: FieldValue, S: FieldValue, T, P>(
    places: Places,
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
