//! A list in one version, its first element in another.

use super::{Context, FieldValue, Places};
use crate::conversion::ConversionFinding;
use crate::conversion::context::json;
use crate::wire::{ZeroValue, is_zero};

/// A list that is always there, or that can be absent.
pub trait ListForm: FieldValue {
    /// The type of its items.
    type Item: FieldValue;

    /// Its items; none if it is absent.
    fn items(&self) -> &[Self::Item];

    /// Its first item.
    fn into_first(self) -> Option<Self::Item>;

    /// A list of one item; without one an empty list, or an absent one.
    fn from_first(item: Option<Self::Item>) -> Self;
}

impl<T: FieldValue> ListForm for Vec<T> {
    type Item = T;

    fn items(&self) -> &[T] {
        self
    }

    fn into_first(self) -> Option<T> {
        self.into_iter().next()
    }

    fn from_first(item: Option<T>) -> Self {
        item.into_iter().collect()
    }
}

impl<T: FieldValue> ListForm for Option<Vec<T>> {
    type Item = T;

    fn items(&self) -> &[T] {
        self.as_deref().unwrap_or_default()
    }

    fn into_first(self) -> Option<T> {
        self.and_then(ListForm::into_first)
    }

    fn from_first(item: Option<T>) -> Self {
        item.map(|item| vec![item])
    }
}

/// Converts a list into its first element, which is empty if there is none.
pub fn first<L: ListForm, P>(places: Places, list: L, context: &mut Context<'_, P>) -> L::Item {
    let comes_back = match list.items() {
        [] => list == L::from_first(None),
        [only] => !is_zero(only),
        _ => false,
    };
    context.reduce(places, &list, comes_back);
    list.into_first().unwrap_or_else(ZeroValue::zero_value)
}

/// Converts a list into its first element, which the target requires; `around` has its path in every version. An empty one is
/// reported: nobody knows its value.
pub fn first_required<L: ListForm, P>(
    places: Places,
    around: Places,
    list: L,
    context: &mut Context<'_, P>,
) -> L::Item {
    let value = first(places, list, context);
    if is_zero(&value) {
        context.report_target(around, ConversionFinding::InvalidInTarget);
    }
    value
}

/// Converts a list into its first element, which is absent if there is none.
pub fn first_or_none<L: ListForm, P>(
    places: Places,
    list: L,
    context: &mut Context<'_, P>,
) -> Option<L::Item> {
    let comes_back = match list.items() {
        [] => list == L::from_first(None),
        items => items.len() == 1,
    };
    context.reduce(places, &list, comes_back);
    list.into_first()
}

/// Converts a first element into a list.
pub fn list<L: ListForm, P>(places: Places, first: L::Item, context: &mut Context<'_, P>) -> L {
    let Some(kept) = context.take_value::<L>(places) else {
        return alone(first);
    };
    let agrees = match kept.items() {
        [] => is_zero(&first),
        [kept, ..] => *kept == first,
    };
    let live = json(&first);
    context.restore(places, kept, agrees, alone(first), live)
}

/// Converts a first element that can be absent into a list.
pub fn list_or_none<L: ListForm, P>(
    places: Places,
    first: Option<L::Item>,
    context: &mut Context<'_, P>,
) -> L {
    let Some(kept) = context.take_value::<L>(places) else {
        return L::from_first(first);
    };
    let agrees = kept.items().first() == first.as_ref();
    let live = json(&first);
    context.restore(places, kept, agrees, L::from_first(first), live)
}

fn alone<L: ListForm>(first: L::Item) -> L {
    L::from_first((!is_zero(&first)).then_some(first))
}
