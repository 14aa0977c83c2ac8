//! A list in one version, its first element in another.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::{is_zero, json};
use super::{Context, Places};
use crate::Finding;
use k8s_versioned::wire::ZeroValue;

/// Converts a list into its first element.
pub fn first<T, P>(places: Places, list: Vec<T>, context: &mut Context<'_, P>) -> T
where
    T: ZeroValue + PartialEq + Serialize,
{
    if is_canonical(&list) {
        context.keep_nothing(places, &list);
    } else {
        context.keep(places, &list, None);
    }
    list.into_iter().next().unwrap_or_else(T::zero_value)
}

/// Converts a first element into a list.
pub fn list<T, P>(places: Places, first: T, context: &mut Context<'_, P>) -> Vec<T>
where
    T: ZeroValue + PartialEq + Serialize + DeserializeOwned,
{
    let kept = context.take(places);
    let Some(list) = kept.and_then(|kept| kept.value::<Vec<T>>(context.report)) else {
        return alone(first);
    };
    let value = json(&list);
    if !is_canonical(&list) && list.first() == Some(&first) {
        context.report_target(places, Finding::Restored { value });
        return list;
    }
    let live = json(&first);
    let back = alone(first);
    let finding = if list.is_empty() || list == back {
        Finding::Redundant { value }
    } else {
        Finding::Stale { kept: value, live }
    };
    context.report_target(places, finding);
    back
}

fn alone<T: ZeroValue + PartialEq>(first: T) -> Vec<T> {
    if is_zero(&first) { Vec::new() } else { vec![first] }
}

/// True if the list follows from its first element alone.
fn is_canonical<T: ZeroValue + PartialEq>(list: &[T]) -> bool {
    match list {
        [] => true,
        [only] => !is_zero(only),
        _ => false,
    }
}
