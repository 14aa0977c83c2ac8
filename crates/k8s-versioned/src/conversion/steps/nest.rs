//! Fields of a sub-object in one version, and fields of the object around it in another.

use super::keep_aside::read;
use super::{Context, FieldValue, Places};
use crate::conversion::context::json;
use crate::wire::is_zero;

/// Makes an optional sub-object of fields. Where they are all empty it is `present` or absent, unless the annotation has
/// the other. A kept value of a field inside counts: the sub-object has to be there for the field to come back.
#[inline]
pub fn nest<T: FieldValue, P>(
    places: Places,
    fields: T,
    present: bool,
    context: &mut Context<'_, P>,
) -> Option<T> {
    // Nearly every object. The fields are made where they stay. Hot path, row `convert claims` of the benches.
    if context.keeps_nothing_yet() && (present || !is_zero(&fields)) {
        return Some(fields);
    }
    let empty = is_zero(&fields);
    restore(places, fields, (present, empty), context)
}

/// [`nest()`] of a sub-object in which rules state values: it is empty if it has no others than `filled`, which is JSON.
pub fn nest_filled<T: FieldValue, P>(
    places: Places,
    fields: T,
    present: bool,
    filled: &str,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let empty = is_zero(&fields) || fields == read(filled);
    restore(places, fields, (present, empty), context)
}

fn restore<T: FieldValue, P>(
    places: Places,
    fields: T,
    (present, empty): (bool, bool),
    context: &mut Context<'_, P>,
) -> Option<T> {
    let kept = context.take_kept::<Option<T>>(places);
    let is_empty = empty && !context.keeps_inside(places);
    let back = |fields| Some(fields).filter(|_| present || !is_empty);
    let Some(kept) = kept else {
        let nested = back(fields);
        if nested.is_none() {
            context.take_back_inside(places);
        }
        return nested;
    };
    let unedited = match &kept {
        Some(kept) => *kept == fields,
        None => is_empty,
    };
    let live = json(&fields);
    let nested = context.restore(places, kept, unedited, back(fields), live);
    if nested.is_none() {
        context.take_back_inside(places);
    }
    nested
}

/// Takes the fields out of an optional sub-object.
pub fn flatten<T: FieldValue, P>(
    places: Places,
    nested: Option<T>,
    present: bool,
    context: &mut Context<'_, P>,
) -> T {
    let is_empty = nested.as_ref().is_some_and(is_zero);
    unnest(places, nested, (present, is_empty), context).unwrap_or_else(T::zero_value)
}

/// [`flatten()`] of a sub-object in which rules state values: it is empty if it has no others than `filled`, which is JSON. An absent
/// one has these.
pub fn flatten_filled<T: FieldValue, P>(
    places: Places,
    nested: Option<T>,
    present: bool,
    filled: &str,
    context: &mut Context<'_, P>,
) -> T {
    let is_empty = nested.as_ref().is_some_and(|nested| is_zero(nested) || *nested == read(filled));
    unnest(places, nested, (present, is_empty), context).unwrap_or_else(|| read(filled))
}

fn unnest<T: FieldValue, P>(
    places: Places,
    nested: Option<T>,
    (present, is_empty): (bool, bool),
    context: &mut Context<'_, P>,
) -> Option<T> {
    let comes_back = match &nested {
        Some(_) => present || !is_empty || context.keeps_inside(places),
        None => !present,
    };
    if nested.is_none() {
        context.discard_inside(places);
    }
    context.reduce(places, &nested, comes_back);
    nested
}
