//! A value in one version, a field of an object in another.

use std::mem;

use serde::Serialize;

use super::{Context, FieldLocations, FieldValue, words};
use crate::conversion::context::json;
use crate::wire::{is_zero, value_of};

/// Makes an object whose field is a value: the kept object if it still has this value, else one that has the `defaults` of other
/// fields, which are JSON, and nothing else. The `required` fields that it lacks then are reported.
pub fn wrap<T: FieldValue, F: PartialEq + Serialize, P>(
    places: FieldLocations,
    value: F,
    field: impl Fn(&mut T) -> &mut F,
    required: &[&str],
    defaults: &str,
    context: &mut Context<'_, P>,
) -> T {
    let Some(mut kept) = context.take_kept::<T>(places) else {
        return made(places, alone(value, field, defaults), required, context);
    };
    let (unedited, live) = (*field(&mut kept) == value, json(&value));
    let object = alone(value, field, defaults);
    let object = if unedited { object } else { made(places, object, required, context) };
    context.restore(places, kept, unedited, object, live)
}

/// Reports the required fields that a new object lacks, and notes that it is made up.
fn made<T: FieldValue, P>(
    places: FieldLocations,
    object: T,
    required: &[&str],
    context: &mut Context<'_, P>,
) -> T {
    if !required.is_empty() {
        context.report_lacking(places, required);
        context.make_up(places, &object);
    }
    object
}

/// Makes an object whose field is a word: the two forms have types of their own, which hold any text.
pub fn wrap_word<T: FieldValue, F: FieldValue, P>(
    places: FieldLocations,
    word: impl Serialize,
    field: impl Fn(&mut T) -> &mut F,
    required: &[&str],
    defaults: &str,
    context: &mut Context<'_, P>,
) -> T {
    wrap(places, words::convert(word, &[]), field, required, defaults, context)
}

/// Makes an optional object whose field can be absent.
pub fn wrap_optional<T: FieldValue, F: PartialEq + Serialize, P>(
    places: FieldLocations,
    value: Option<F>,
    field: impl Fn(&mut T) -> &mut Option<F>,
    required: &[&str],
    defaults: &str,
    context: &mut Context<'_, P>,
) -> Option<T> {
    let mut kept = context.take_kept::<T>(places);
    let unedited = kept.as_mut().is_some_and(|kept| *field(kept) == value);
    let live = json(&value);
    let mut object = value.map(|value| alone(Some(value), field, defaults));
    if !unedited {
        object = object.map(|object| made(places, object, required, context));
    }
    if kept.is_none() {
        return object;
    }
    context.restore(places, kept, unedited, object, live)
}

/// Takes a value that can be absent out of an optional object. Its other `required` fields are kept, even if they are empty.
pub fn unwrap_optional<T: FieldValue, F: FieldValue, P>(
    places: FieldLocations,
    object: Option<T>,
    field: impl Fn(&mut T) -> &mut Option<F>,
    required: &[&str],
    defaults: &str,
    context: &mut Context<'_, P>,
) -> Option<F> {
    let mut object = object?;
    let is_whole = required.is_empty() || context.is_made_up(places, &object, false);
    let value = field(&mut object).take();
    let comes_back = value.is_some() && is_whole && is_new(&object, defaults);
    *field(&mut object) = value;
    context.reduce(places, &object, comes_back);
    field(&mut object).take()
}

/// Takes the value out of its object. Its other `required` fields are kept, even if they are empty.
pub fn unwrap<T: FieldValue, F: FieldValue, P>(
    places: FieldLocations,
    mut object: T,
    field: impl Fn(&mut T) -> &mut F,
    required: &[&str],
    defaults: &str,
    context: &mut Context<'_, P>,
) -> F {
    let is_whole = required.is_empty() || context.is_made_up(places, &object, false);
    let value = mem::replace(field(&mut object), F::zero_value());
    let comes_back = is_whole && is_new(&object, defaults);
    *field(&mut object) = value;
    context.reduce(places, &object, comes_back);
    mem::replace(field(&mut object), F::zero_value())
}

/// Takes a word out of its object.
pub fn unwrap_word<T: FieldValue, F: FieldValue, W: FieldValue, P>(
    places: FieldLocations,
    object: T,
    field: impl Fn(&mut T) -> &mut F,
    required: &[&str],
    defaults: &str,
    context: &mut Context<'_, P>,
) -> W {
    words::convert(unwrap(places, object, field, required, defaults, context), &[])
}

fn alone<T: FieldValue, F>(value: F, field: impl Fn(&mut T) -> &mut F, defaults: &str) -> T {
    let mut object = new(defaults);
    *field(&mut object) = value;
    object
}

/// An object with these values, which are JSON, or without any.
fn new<T: FieldValue>(defaults: &str) -> T {
    if defaults.is_empty() { T::zero_value() } else { value_of(defaults) }
}

fn is_new<T: FieldValue>(object: &T, defaults: &str) -> bool {
    if defaults.is_empty() { is_zero(object) } else { *object == value_of(defaults) }
}
