//! A number or quantity in one version, its text in another.

use std::fmt::Display;

use k8s_versioned::Quantity;
use k8s_versioned::wire::ZeroValue;

use super::{Context, Places};
use crate::context::json;

/// A type whose values have a text.
pub trait HasText: Display + PartialEq + Sized + ZeroValue {
    /// The value of a text; `None` if it has none.
    fn of_text(text: &str) -> Option<Self>;
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl HasText for $number {
            fn of_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}

number!(i32 i64);

/// A quantity keeps its text, so every text that is a quantity comes back.
impl HasText for Quantity {
    fn of_text(text: &str) -> Option<Self> {
        let quantity = Self::from(text);
        quantity.parse().is_ok().then_some(quantity)
    }
}

/// The value of a text. The annotation keeps a text that is not written like its value.
pub fn parse<T: HasText, P>(places: Places, text: &str, context: &mut Context<'_, P>) -> T {
    let value = T::of_text(text);
    let comes_back = value.as_ref().is_some_and(|value| value.to_string() == text);
    context.reduce(places, &text, comes_back);
    value.unwrap_or_else(T::zero_value)
}

/// The text of a value, or the kept text that has this value.
pub fn write<T: HasText, P>(places: Places, value: &T, context: &mut Context<'_, P>) -> String {
    let back = value.to_string();
    let Some(kept) = context.take(places) else {
        return back;
    };
    let Some(kept) = kept.value::<String>(context.report) else {
        return back;
    };
    let unedited = T::of_text(&kept).unwrap_or_else(T::zero_value) == *value;
    let live = json(&back);
    context.restore(places, (kept, unedited), (back, live))
}
