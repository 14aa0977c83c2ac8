//! A value that has a schema in some versions, and in others is any JSON.

use serde_json::Value;

use super::{Context, FieldLocations, FieldValue};
use crate::Json;
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;

/// The value as its schema has it, or the zero value if the JSON is of another type. The annotation keeps JSON that does not
/// come back from it. A required member that the JSON lacks is reported; `around` has the path of the field in every version.
pub fn read<T: FieldValue, P>(
    places: FieldLocations,
    around: FieldLocations,
    free: &Json,
    context: &mut Context<'_, P>,
) -> T {
    let value = free.decode().unwrap_or_else(|_| T::zero_value());
    let made = json(&value);
    context.reduce(places, free, made == *free.value());
    if adds(&made, free.value()) {
        context.report_target(around, ConversionFinding::InvalidInTarget);
    }
    value
}

/// The value as JSON, or the kept JSON that has this value.
pub fn write<T: FieldValue, P>(
    places: FieldLocations,
    value: &T,
    context: &mut Context<'_, P>,
) -> Json {
    let live = json(value);
    let back = Json::from(live.clone());
    let Some(kept) = context.take_kept::<Json>(places) else {
        return back;
    };
    let unedited = kept.decode().unwrap_or_else(|_| T::zero_value()) == *value;
    context.restore(places, kept, unedited, back, live)
}

/// Returns `true` if a value has a member that the JSON lacks.
fn adds(made: &Value, free: &Value) -> bool {
    match made {
        Value::Object(members) => {
            members.iter().any(|(name, made)| free.get(name).is_none_or(|free| adds(made, free)))
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .any(|(index, made)| free.get(index).is_some_and(|free| adds(made, free))),
        _ => false,
    }
}
