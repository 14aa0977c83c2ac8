//! A value that a function converts, and one of the other direction gives back.

use super::{Context, FieldLocations, FieldValue};
use crate::conversion::context::json;
use crate::wire::is_zero;

/// Converts a value, of which a function has `made` another one; `back` is the function of the other direction. The annotation keeps a value
/// that does not come back by it, and gives back a kept one that still has this result.
pub(super) fn there_and_back<S: FieldValue, T: FieldValue, P>(
    keep: FieldLocations,
    restore: FieldLocations,
    value: &S,
    (made, back): (T, impl Fn(&T) -> S),
    context: &mut Context<'_, P>,
) -> T {
    // A made-up value is not a kept one: it comes back as absent.
    let is_made_up = context.is_made_up(keep, value, is_zero(value));
    let result = match context.take_kept::<T>(restore) {
        Some(kept) => {
            let unedited = back(&kept) == *value;
            context.restore(restore, kept, unedited, made, json(value))
        }
        None => made,
    };
    context.reduce(keep, value, is_made_up || back(&result) == *value);
    result
}
