//! A field of one version without a counterpart in another.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::{is_zero, json};
use super::{Context, Places};
use crate::Finding;
use k8s_versioned::wire::ZeroValue;

/// Keeps a field that the target lacks.
pub fn keep<T, P>(places: Places, value: &T, context: &mut Context<'_, P>)
where
    T: ZeroValue + PartialEq + Serialize,
{
    if is_zero(value) {
        context.keep_nothing(places, value);
    } else {
        context.keep(places, value, None);
    }
}

/// Restores a field that the source lacks. No live field can disagree with the kept value.
pub fn restore<T, P>(places: Places, context: &mut Context<'_, P>) -> T
where
    T: ZeroValue + PartialEq + Serialize + DeserializeOwned,
{
    let kept = context.take(places);
    let Some(value) = kept.and_then(|kept| kept.value::<T>(context.report)) else {
        return T::zero_value();
    };
    let shown = json(&value);
    let finding = if is_zero(&value) {
        Finding::Redundant { value: shown }
    } else {
        Finding::Restored { value: shown }
    };
    context.report_target(places, finding);
    value
}
