//! A field of one version without a counterpart in another.

use k8s_versioned::wire::is_zero;
use serde_json::Value;

use super::{Context, FieldValue, Places};
use crate::ConversionFinding;

/// Keeps a field that the target lacks.
pub fn keep<T: FieldValue, P>(places: Places, value: &T, context: &mut Context<'_, P>) {
    context.reduce(places, value, is_zero(value));
}

/// Restores a field that the source lacks. No live field can disagree with the kept value.
pub fn restore<T: FieldValue, P>(places: Places, context: &mut Context<'_, P>) -> T {
    let back = T::zero_value();
    match context.take_value::<T>(places) {
        Some(kept) => context.restore(places, (kept, true), (back, Value::Null)),
        None => back,
    }
}

/// Restores a field that the source lacks and the target requires. An empty one is reported: nobody knows its value.
pub fn restore_required<T: FieldValue, P>(places: Places, context: &mut Context<'_, P>) -> T {
    let value = restore(places, context);
    if is_zero(&value) {
        context.report_target(places, ConversionFinding::InvalidInTarget);
    }
    value
}
