//! A list in one version, its first element in another.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Context, Places};
use crate::context::json;
use k8s_versioned::wire::{ZeroValue, is_zero};

/// Converts a list into its first element.
pub fn first<T, P>(places: Places, list: Vec<T>, context: &mut Context<'_, P>) -> T
where
    T: ZeroValue + PartialEq + Serialize,
{
    let comes_back = match list.as_slice() {
        [] => true,
        [only] => !is_zero(only),
        _ => false,
    };
    context.reduce(places, &list, comes_back);
    list.into_iter().next().unwrap_or_else(T::zero_value)
}

/// Converts a first element into a list.
pub fn list<T, P>(places: Places, first: T, context: &mut Context<'_, P>) -> Vec<T>
where
    T: ZeroValue + PartialEq + Serialize + DeserializeOwned,
{
    let Some(kept) = context.take_value::<Vec<T>>(places) else {
        return alone(first);
    };
    let agrees = kept.first() == Some(&first);
    let live = json(&first);
    context.restore(places, (kept, agrees), (alone(first), live))
}

fn alone<T: ZeroValue + PartialEq>(first: T) -> Vec<T> {
    if is_zero(&first) { Vec::new() } else { vec![first] }
}
