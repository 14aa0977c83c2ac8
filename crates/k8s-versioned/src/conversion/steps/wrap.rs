//! A value in one version, a field of an object in another.

use std::mem;

use serde::Serialize;

use super::{Context, FieldValue, Places, words};
use crate::conversion::context::json;
use crate::wire::{ZeroValue, is_zero};

/// Makes an object whose field is a value: the kept object if it still has this value, else one that has nothing else. The
/// `required` fields that it lacks then are reported.
pub fn wrap<T: FieldValue, F: PartialEq + Serialize, P>(
    places: Places,
    value: F,
    field: impl Fn(&mut T) -> &mut F,
    required: &[&str],
    context: &mut Context<'_, P>,
) -> T {
    let Some(mut kept) = context.take_kept::<T>(places) else {
        context.report_lacking(places, required);
        return alone(value, field);
    };
    let (unedited, live) = (*field(&mut kept) == value, json(&value));
    if !unedited {
        context.report_lacking(places, required);
    }
    context.restore(places, kept, unedited, alone(value, field), live)
}

/// Makes an object whose field is a word: the two forms have types of their own, which hold any text.
pub fn wrap_word<T: FieldValue, F: FieldValue, P>(
    places: Places,
    word: impl Serialize,
    field: impl Fn(&mut T) -> &mut F,
    required: &[&str],
    context: &mut Context<'_, P>,
) -> T {
    wrap(places, words::convert(word, &[]), field, required, context)
}

/// Makes an optional object whose field can be absent.
pub fn wrap_optional<T: FieldValue, F: PartialEq + Serialize, P>(
    places: Places,
    value: Option<F>,
    field: impl Fn(&mut T) -> &mut Option<F>,
    required: &[&str],
    context: &mut Context<'_, P>,
) -> Option<T> {
    let mut kept = context.take_kept::<T>(places);
    let unedited = kept.as_mut().is_some_and(|kept| *field(kept) == value);
    if value.is_some() && !unedited {
        context.report_lacking(places, required);
    }
    let make = |value: Option<F>| value.map(|value| alone(Some(value), field));
    if kept.is_none() {
        return make(value);
    }
    let live = json(&value);
    context.restore(places, kept, unedited, make(value), live)
}

/// Takes a value that can be absent out of an optional object.
pub fn unwrap_optional<T: FieldValue, F: FieldValue, P>(
    places: Places,
    object: Option<T>,
    field: impl Fn(&mut T) -> &mut Option<F>,
    context: &mut Context<'_, P>,
) -> Option<F> {
    let mut object = object?;
    let value = field(&mut object).take();
    let comes_back = value.is_some() && is_zero(&object);
    *field(&mut object) = value;
    context.reduce(places, &object, comes_back);
    field(&mut object).take()
}

/// Takes the value out of its object.
pub fn unwrap<T: FieldValue, F: FieldValue, P>(
    places: Places,
    mut object: T,
    field: impl Fn(&mut T) -> &mut F,
    context: &mut Context<'_, P>,
) -> F {
    let value = mem::replace(field(&mut object), F::zero_value());
    let comes_back = is_zero(&object);
    *field(&mut object) = value;
    context.reduce(places, &object, comes_back);
    mem::replace(field(&mut object), F::zero_value())
}

/// Takes a word out of its object.
pub fn unwrap_word<T: FieldValue, F: FieldValue, W: FieldValue, P>(
    places: Places,
    object: T,
    field: impl Fn(&mut T) -> &mut F,
    context: &mut Context<'_, P>,
) -> W {
    words::convert(unwrap(places, object, field, context), &[])
}

fn alone<T: ZeroValue, F>(value: F, field: impl Fn(&mut T) -> &mut F) -> T {
    let mut object = T::zero_value();
    *field(&mut object) = value;
    object
}
