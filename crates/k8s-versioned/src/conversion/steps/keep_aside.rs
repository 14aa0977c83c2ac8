//! A field of one version without a counterpart in another.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::form::MaybeAbsent;
use super::{Context, FieldLocations, FieldValue};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::wire::{ZeroValue, is_zero, value_of};

/// Keeps a field that the target lacks.
pub fn keep<T: FieldValue, P>(places: FieldLocations, value: &T, context: &mut Context<'_, P>) {
    context.reduce(places, value, is_zero(value));
}

/// Restores a field that the source lacks. No live field can disagree with the kept value.
pub fn restore<T: FieldValue, P>(places: FieldLocations, context: &mut Context<'_, P>) -> T {
    let back = T::zero_value();
    match context.take_value::<T>(places) {
        Some(kept) => context.restore(places, kept, true, back, Value::Null),
        None => back,
    }
}

/// Restores the text of a word.
pub fn restore_text<P>(places: FieldLocations, context: &mut Context<'_, P>) -> Option<String> {
    restore(places, context)
}

/// Restores the texts of a list of words.
pub fn restore_texts<P>(
    places: FieldLocations,
    context: &mut Context<'_, P>,
) -> Option<Vec<String>> {
    restore(places, context)
}

/// Keeps a required field that the target lacks. Empty values are also kept: `false`, for example, is not an absent value.
/// A value that a conversion made up is not kept.
pub fn keep_required<T: FieldValue, P>(
    places: FieldLocations,
    value: &T,
    context: &mut Context<'_, P>,
) {
    let is_made_up = context.is_made_up(places, value, is_zero(value));
    context.reduce(places, value, is_made_up);
}

/// Restores a field that the source lacks and the target requires. Without a kept value it is reported as not known.
pub fn restore_required<T: FieldValue, P>(
    places: FieldLocations,
    context: &mut Context<'_, P>,
) -> T {
    let Some(kept) = context.take_kept::<T>(places) else {
        context.report_target(places, ConversionFinding::InvalidInTarget);
        let made_up = T::zero_value();
        context.make_up(places, &made_up);
        return made_up;
    };
    let value = json(&kept);
    context.report_target(places, ConversionFinding::Restored { value });
    kept
}

/// Keeps a field that the target lacks, unless it has the value with which [`restore_or`] fills it. Empty values are also kept.
pub fn keep_unless<T: FieldValue, P>(
    places: FieldLocations,
    value: &T,
    fill: &str,
    context: &mut Context<'_, P>,
) {
    if *value != value_of(fill) {
        context.keep(places, value, None);
        return;
    }
    context.keep_nothing(places, value);
    context.report_source(places, ConversionFinding::Implied { value: json(value) });
}

/// Restores a field that the source lacks and the target requires. Without a kept value it has the value `fill`, which is JSON.
pub fn restore_or<T: FieldValue, P>(
    places: FieldLocations,
    fill: &str,
    context: &mut Context<'_, P>,
) -> T {
    let fill = value_of::<T>(fill);
    if let Some(kept) = context.take_kept::<T>(places) {
        return context.restore(places, kept, true, fill, Value::Null);
    }
    context.report_target(places, ConversionFinding::Filled { value: json(&fill) });
    fill
}

/// Keeps a field that the target lacks, unless it is the namespace of the object, which [`restore_namespace`] fills in.
pub fn keep_unless_namespace<T: MaybeAbsent<Value = String>, P>(
    places: FieldLocations,
    value: &T,
    context: &mut Context<'_, P>,
) {
    let is_namespace = *value == T::of(context.namespace());
    context.reduce(places, value, is_namespace);
}

/// Restores a field that the source lacks. Without a kept value it is the namespace of the object.
pub fn restore_namespace<T: MaybeAbsent<Value = String>, P>(
    places: FieldLocations,
    context: &mut Context<'_, P>,
) -> T {
    let namespace = T::of(context.namespace());
    let kept = context.take(places);
    match kept.and_then(|kept| kept.null().or_else(|| kept.value::<T>(context.report))) {
        Some(kept) => context.restore(places, kept, true, namespace, Value::Null),
        None => namespace,
    }
}

/// Reads a part of an object with the values that rules state, as JSON. Each `null` becomes the namespace of the object: a rule can
/// ask for it, but not state it.
pub(super) fn read_object<T: ZeroValue + DeserializeOwned, P>(
    stated: &str,
    context: &Context<'_, P>,
) -> T {
    let Some(namespace) = context.namespace() else {
        return value_of(stated);
    };
    let mut object = serde_json::from_str(stated).unwrap_or_default();
    put_namespace(&namespace, &mut object);
    T::deserialize(object).unwrap_or_else(|_| T::zero_value())
}

/// Replaces each `null` by the namespace of the object.
pub(super) fn put_namespace(namespace: &str, value: &mut Value) {
    match value {
        Value::Null => *value = namespace.into(),
        Value::Object(members) => {
            members.values_mut().for_each(|member| put_namespace(namespace, member));
        }
        _ => {}
    }
}
