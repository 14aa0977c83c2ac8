//! A field of one version without a counterpart in another.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Context, FieldValue, Places};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::wire::{ZeroValue, is_zero};

/// Keeps a field that the target lacks.
pub fn keep<T: FieldValue, P>(places: Places, value: &T, context: &mut Context<'_, P>) {
    context.reduce(places, value, is_zero(value));
}

/// Restores a field that the source lacks. No live field can disagree with the kept value.
pub fn restore<T: FieldValue, P>(places: Places, context: &mut Context<'_, P>) -> T {
    let back = T::zero_value();
    match context.take_value::<T>(places) {
        Some(kept) => context.restore(places, kept, true, back, Value::Null),
        None => back,
    }
}

/// Restores the text of a word.
pub fn restore_text<P>(places: Places, context: &mut Context<'_, P>) -> Option<String> {
    restore(places, context)
}

/// Restores the texts of a list of words.
pub fn restore_texts<P>(places: Places, context: &mut Context<'_, P>) -> Option<Vec<String>> {
    restore(places, context)
}

/// Restores a field that the source lacks and the target requires. An empty one is reported: nobody knows its value.
pub fn restore_required<T: FieldValue, P>(places: Places, context: &mut Context<'_, P>) -> T {
    let value = restore(places, context);
    if is_zero(&value) {
        context.report_target(places, ConversionFinding::InvalidInTarget);
    }
    value
}

/// Keeps a field that the target lacks, unless it has the value with which [`restore_or`] fills it. An empty one is kept, too.
pub fn keep_unless<T: FieldValue, P>(
    places: Places,
    value: &T,
    fill: &str,
    context: &mut Context<'_, P>,
) {
    if *value != read(fill) {
        context.keep(places, value, None);
        return;
    }
    context.keep_nothing(places, value);
    context.report_source(places, ConversionFinding::Implied { value: json(value) });
}

/// Restores a field that the source lacks and the target requires. Without a kept value it has the value `fill`, which is JSON.
pub fn restore_or<T: FieldValue, P>(places: Places, fill: &str, context: &mut Context<'_, P>) -> T {
    let fill = read::<T>(fill);
    if let Some(kept) = context.take_kept::<T>(places) {
        return context.restore(places, kept, true, fill, Value::Null);
    }
    context.report_target(places, ConversionFinding::Filled { value: json(&fill) });
    fill
}

/// The value that a rule states. The generator has checked that it is one of the type.
pub(super) fn read<T: ZeroValue + DeserializeOwned>(stated: &str) -> T {
    serde_json::from_str(stated).unwrap_or_else(|_| T::zero_value())
}
