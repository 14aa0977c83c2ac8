//! A number or quantity in one version, its text in another.

use std::fmt::Display;
use std::str::FromStr;

use k8s_versioned::wire::ZeroValue;

use super::{Context, Places};
use crate::context::json;

/// The value of a text. The annotation keeps a text that is not written like its value.
pub fn parse<T, P>(places: Places, text: &str, context: &mut Context<'_, P>) -> T
where
    T: FromStr + Display + ZeroValue,
{
    let value: Option<T> = value_of(text);
    let comes_back = value.as_ref().is_some_and(|value| value.to_string() == text);
    context.reduce(places, &text, comes_back);
    value.unwrap_or_else(T::zero_value)
}

/// The text of a value, or the kept text that has this value.
pub fn write<T, P>(places: Places, value: &T, context: &mut Context<'_, P>) -> String
where
    T: FromStr + Display + PartialEq + ZeroValue,
{
    let back = value.to_string();
    let Some(kept) = context.take(places) else {
        return back;
    };
    let Some(kept) = kept.value::<String>(context.report) else {
        return back;
    };
    let unedited = value_of(&kept).unwrap_or_else(T::zero_value) == *value;
    let live = json(&back);
    context.restore(places, (kept, unedited), (back, live))
}

fn value_of<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}
