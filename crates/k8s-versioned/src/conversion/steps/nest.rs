//! Fields of a sub-object in one version, and fields of the object around it in another.

use serde_json::{Map, Value};

use super::keep_aside::read_object;
use super::{Context, FieldLocations, FieldValue};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::wire::is_zero;

/// Makes an optional sub-object of fields. Where they are all empty it is `present` or absent, unless the annotation has
/// the other. A kept value of a field inside counts: the sub-object has to be there for the field to come back.
#[inline]
pub fn nest<T: FieldValue, P>(
    places: FieldLocations,
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
    places: FieldLocations,
    fields: T,
    present: bool,
    filled: &str,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let empty = fields == read_object(filled, context);
    restore(places, fields, (present, empty), context)
}

/// [`nest()`] of a sub-object with `required` fields whose steps make up or fill a value: it is empty if all of them do, and the others
/// have no values than `filled`, which is JSON.
pub fn nest_required<T: FieldValue, P>(
    places: FieldLocations,
    required: &[FieldLocations],
    fields: T,
    present: bool,
    filled: &str,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let is_empty = fields == read_object(filled, context) && context.makes_up_all(required);
    let nested = restore(places, fields, (present, is_empty), context);
    if nested.is_none() {
        context.forget_filled(required);
    }
    nested
}

fn restore<T: FieldValue, P>(
    places: FieldLocations,
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
        // The fields are made up.
        Some(kept) if empty && is_zero(kept) => {
            let value = Value::Object(Map::new());
            context.report_target(places, ConversionFinding::Restored { value });
            return Some(fields);
        }
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
    places: FieldLocations,
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
    places: FieldLocations,
    nested: Option<T>,
    present: bool,
    filled: &str,
    context: &mut Context<'_, P>,
) -> T {
    let is_empty = nested.as_ref().is_some_and(|nested| *nested == read_object(filled, context));
    let nested = unnest(places, nested, (present, is_empty), context);
    nested.unwrap_or_else(|| read_object(filled, context))
}

/// [`flatten()`] of a sub-object with `required` fields whose steps know values that conversions have made up or filled.
pub fn flatten_required<T: FieldValue, P>(
    places: FieldLocations,
    required: &[FieldLocations],
    nested: Option<T>,
    present: bool,
    filled: &str,
    context: &mut Context<'_, P>,
) -> T {
    let Some(nested) = nested else {
        unnest::<T, P>(places, None, (present, false), context);
        context.note_absent(required);
        return T::zero_value();
    };
    let is_empty = nested == read_object(filled, context) && context.has_made_up_all(required);
    context.reduce(places, &Value::Object(Map::new()), present || !is_empty);
    nested
}

fn unnest<T: FieldValue, P>(
    places: FieldLocations,
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
    if nested.as_ref().is_some_and(is_zero) {
        // Its required fields are empty: another version of it can lack them.
        context.reduce(places, &Value::Object(Map::new()), comes_back);
    } else {
        context.reduce(places, &nested, comes_back);
    }
    nested
}
