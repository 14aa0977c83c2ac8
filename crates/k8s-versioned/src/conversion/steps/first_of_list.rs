//! A list in one version, its first element in another.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json as value};

pub use super::absent_to_zero::EmptyPart;
use super::absent_to_zero::{is_absent, is_empty, is_made, leave_out, made};
use super::{Context, FieldLocations, FieldValue, items};
use crate::conversion::context::{Taken, json};
use crate::conversion::{ConversionFinding, ConversionReport};
use crate::wire::{ZeroValue, is_zero, value_of};

/// A list that is always there, or that can be absent.
pub trait ListForm: FieldValue {
    /// The type of its items.
    type Item: FieldValue;

    /// Its items; none if it is absent.
    fn items(&self) -> &[Self::Item];

    /// Its items, moved.
    fn into_items(self) -> Vec<Self::Item>;

    /// A list of these items. Without items it is an empty list, not absent.
    fn from_items(items: Vec<Self::Item>) -> Self;

    /// A list of one item; without one an empty list, or an absent one.
    fn from_first(item: Option<Self::Item>) -> Self;
}

impl<T: FieldValue> ListForm for Vec<T> {
    type Item = T;

    fn items(&self) -> &[T] {
        self
    }

    fn into_items(self) -> Self {
        self
    }

    fn from_items(items: Self) -> Self {
        items
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

    fn into_items(self) -> Vec<T> {
        self.unwrap_or_default()
    }

    fn from_items(items: Vec<T>) -> Self {
        Some(items)
    }

    fn from_first(item: Option<T>) -> Self {
        item.map(|item| vec![item])
    }
}

/// Converts a list into its first element. An empty list gives an empty value.
pub fn first<L: ListForm, P>(
    places: FieldLocations,
    list: L,
    context: &mut Context<'_, P>,
) -> L::Item {
    let comes_back = match list.items() {
        [] => list == L::from_first(None),
        [only] => !is_zero(only),
        _ => false,
    };
    context.reduce(places, &list, comes_back);
    list.into_items().into_iter().next().unwrap_or_else(ZeroValue::zero_value)
}

/// Converts a list into its first element, which the target requires; `around` has its path in every version. Without one the
/// empty value is reported, as the real one is not known.
pub fn first_required<L: ListForm, P>(
    places: FieldLocations,
    around: FieldLocations,
    list: L,
    context: &mut Context<'_, P>,
) -> L::Item {
    first_or(places, list, context, |context| {
        context.report_target(around, ConversionFinding::InvalidInTarget);
        made_up(around, ZeroValue::zero_value(), context)
    })
}

/// [`first_required`] where the rule has a value for a list without items, `stated` as JSON.
pub fn first_filled<L: ListForm, P>(
    places: FieldLocations,
    around: FieldLocations,
    stated: &str,
    list: L,
    context: &mut Context<'_, P>,
) -> L::Item {
    first_or(places, list, context, |context| {
        let filled: L::Item = value_of(stated);
        context.report_target(around, ConversionFinding::Filled { value: json(&filled) });
        made_up(around, filled, context)
    })
}

fn first_or<L: ListForm, P>(
    places: FieldLocations,
    list: L,
    context: &mut Context<'_, P>,
    make: impl FnOnce(&mut Context<'_, P>) -> L::Item,
) -> L::Item {
    // An empty element comes back as one.
    let comes_back = match list.items() {
        [] => list == L::from_first(None),
        items => items.len() == 1,
    };
    context.reduce(places, &list, comes_back);
    let first = list.into_items().into_iter().next();
    first.unwrap_or_else(|| items::first((), context, |(), context| make(context)))
}

fn made_up<T: Serialize, P>(around: FieldLocations, value: T, context: &mut Context<'_, P>) -> T {
    context.make_up(around, &value);
    value
}

/// Converts a list into its first element. An empty list gives an absent value.
pub fn first_or_none<L: ListForm, P>(
    places: FieldLocations,
    list: L,
    context: &mut Context<'_, P>,
) -> Option<L::Item> {
    let comes_back = match list.items() {
        [] => list == L::from_first(None),
        items => items.len() == 1,
    };
    context.reduce(places, &list, comes_back);
    list.into_items().into_iter().next()
}

/// Converts a first element into a list.
pub fn list<L: ListForm, P>(
    places: FieldLocations,
    first: L::Item,
    context: &mut Context<'_, P>,
) -> L {
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

/// Converts a first element that the source requires into a list: an empty one is an element, unless it is made up. `around` has its
/// path in every version.
pub fn list_of_required<L: ListForm, P>(
    places: FieldLocations,
    around: FieldLocations,
    first: L::Item,
    context: &mut Context<'_, P>,
) -> L {
    let is_made_up = items::first((), context, |(), context| {
        context.is_made_up(around, &first, is_zero(&first))
    });
    let alone = |first| L::from_first(Some(first).filter(|_| !is_made_up));
    let Some(kept) = context.take_value::<L>(places) else {
        return alone(first);
    };
    let agrees = match kept.items() {
        // The rule can have another value than an empty one for a list without items.
        [] => is_made_up,
        [kept, ..] => *kept == first,
    };
    let live = json(&first);
    context.restore(places, kept, agrees, alone(first), live)
}

/// Converts a first element that can be absent into a list.
pub fn list_or_none<L: ListForm, P>(
    places: FieldLocations,
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

// Objects convert by the rules of their fields. So the annotation keeps the list without the fields of its first item: `[]` is
// an empty list, `[{}]` an empty item, and `[{}, …]` has the other items.

/// The object that is the first item: its path in every version, its required fields for which no step of a field makes a value, and what it
/// is without values of its own, in the source and in the target.
type Part<'p> = (FieldLocations, &'p [&'p str], [EmptyPart<'p>; 2]);

/// Converts a list of objects into its first item. Without one it is what the fields make of an object without values; the `required`
/// fields, for which none of them makes a value, are reported. `rest` brings the other items into the form in which they are kept.
pub fn first_object<L: ListForm, T: FieldValue, K: Serialize, P>(
    places: FieldLocations,
    (around, required, [source, target]): Part<'_>,
    list: L,
    context: &mut Context<'_, P>,
    convert: impl Fn(L::Item, &mut Context<'_, P>) -> T,
    rest: impl FnOnce(Vec<L::Item>, &mut Context<'_, P>) -> Vec<K>,
) -> T {
    let is_empty = |object: &T, context: &Context<'_, P>| {
        required.is_empty() && is_empty(object, target, around, context)
    };
    split((places, around), list, is_empty, context, &convert, rest).unwrap_or_else(|| {
        items::first((), context, |(), context| {
            context.report_lacking(around, required);
            made(around, required, source, context, &convert)
        })
    })
}

/// [`first_object`], absent for an empty list.
pub fn first_object_or_none<L: ListForm, T, K: Serialize, P>(
    places: FieldLocations,
    around: FieldLocations,
    list: L,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(L::Item, &mut Context<'_, P>) -> T,
    rest: impl FnOnce(Vec<L::Item>, &mut Context<'_, P>) -> Vec<K>,
) -> Option<T> {
    split((places, around), list, |_, _| false, context, convert, rest)
}

/// Converts an object into a list: of only this object, or with the kept items after it. An object without values of its own gives an
/// empty list, unless it has `required` fields that were not made up.
pub fn list_of_object<L: ListForm, S: FieldValue, K: DeserializeOwned, P>(
    places: FieldLocations,
    (around, required, [source, target]): Part<'_>,
    object: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> L::Item,
    rest: impl FnOnce(Vec<K>, &mut Context<'_, P>) -> Vec<L::Item>,
) -> L {
    let convert = |object, is_kept: bool, context: &mut Context<'_, P>| {
        let is_made = is_made(around, required, source, &object, context);
        let item = convert(object, context);
        let is_absent = is_absent(around, required, target, (is_made, &item), context);
        if is_absent && !is_kept {
            leave_out(around, target, context);
        }
        (item, is_absent)
    };
    join(places, Some(object), context, convert, rest)
}

/// [`list_of_object`] of an object that can be absent.
pub fn list_of_object_or_none<L: ListForm, S: Serialize, K: DeserializeOwned, P>(
    places: FieldLocations,
    object: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> L::Item,
    rest: impl FnOnce(Vec<K>, &mut Context<'_, P>) -> Vec<L::Item>,
) -> L {
    let convert = |object, _, context: &mut Context<'_, P>| (convert(object, context), false);
    join(places, object, context, convert, rest)
}

/// The other items, if they are kept as they are.
pub fn rest<T, P>(items: Vec<T>, _: &mut Context<'_, P>) -> Vec<T> {
    items
}

/// The first item, converted. The annotation keeps what the converted item does not restore.
fn split<L: ListForm, T, K: Serialize, P>(
    (places, around): (FieldLocations, FieldLocations),
    list: L,
    is_empty: impl FnOnce(&T, &Context<'_, P>) -> bool,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(L::Item, &mut Context<'_, P>) -> T,
    rest: impl FnOnce(Vec<L::Item>, &mut Context<'_, P>) -> Vec<K>,
) -> Option<T> {
    let comes_back = list == L::from_first(None);
    let mut others = list.into_items().into_iter();
    let Some(first) = others.next() else {
        items::first((), context, |(), context| context.discard_inside(around));
        context.reduce(places, &value!([]), comes_back);
        return None;
    };
    let (object, is_empty) = items::first(first, context, |first, context| {
        let object = convert(first, context);
        let is_empty = is_empty(&object, context);
        (object, is_empty)
    });
    let rest = rest(others.collect(), context);
    let kept = [value!({})].into_iter().chain(rest.iter().map(json));
    let comes_back = rest.is_empty() && !is_empty;
    context.reduce(places, &kept.collect::<Vec<Value>>(), comes_back);
    Some(object)
}

/// The list of an object. `convert` also says whether the object that is there counts as absent; it gets to know whether the kept list has a
/// first item.
fn join<L: ListForm, S: Serialize, K: DeserializeOwned, P>(
    places: FieldLocations,
    object: Option<S>,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, bool, &mut Context<'_, P>) -> (L::Item, bool),
    rest: impl FnOnce(Vec<K>, &mut Context<'_, P>) -> Vec<L::Item>,
) -> L {
    let kept = context.take(places).and_then(|kept| others::<K>(&kept, context.report));
    let live = kept.as_ref().map(|_| json(&object));
    let is_kept = kept.as_ref().is_some_and(|(value, _)| !value.is_empty());
    let convert = |object, context: &mut Context<'_, P>| convert(object, is_kept, context);
    let first = object.map(|object| items::first(object, context, convert));
    let is_empty = matches!(first, Some((_, true)));
    let is_there = matches!(first, Some((_, false)));
    let item = first.map(|(item, _)| item);
    let Some(((value, others), live)) = kept.zip(live) else {
        return L::from_first(item.filter(|_| is_there));
    };
    let unedited = match value.as_slice() {
        [] => !is_there,
        [_] => is_empty,
        _ => item.is_some(),
    };
    let is_redundant = match value.as_slice() {
        [] => L::from_items(Vec::new()) == L::from_first(None),
        [_] => is_there,
        _ => false,
    };
    let has_first = if unedited { !value.is_empty() } else { is_there };
    let item = item.filter(|_| has_first);
    let value = Value::Array(value);
    context.report_target(
        places,
        match (is_redundant, unedited) {
            (true, _) => ConversionFinding::Redundant { value },
            (false, true) => ConversionFinding::Restored { value },
            (false, false) => ConversionFinding::Stale { kept: value, live },
        },
    );
    if is_redundant || !unedited {
        return L::from_first(item);
    }
    L::from_items(item.into_iter().chain(rest(others, context)).collect())
}

/// A kept list, and its items after the first one. `None`, and a report, if no conversion keeps such a value.
fn others<K: DeserializeOwned>(
    kept: &Taken,
    report: &mut ConversionReport,
) -> Option<(Vec<Value>, Vec<K>)> {
    let value = kept.value::<Vec<Value>>(report)?;
    if value.first().is_some_and(|first| *first != value!({})) {
        kept.malformed("no conversion keeps the fields of the first item here", report);
        return None;
    }
    let others: Result<Vec<K>, _> = value.iter().skip(1).map(K::deserialize).collect();
    match others {
        Ok(others) => Some((value, others)),
        Err(error) => {
            kept.malformed(&error.to_string(), report);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::conversion::Options;

    #[test]
    fn a_list_without_items_has_the_value_of_the_rule() {
        let places: FieldLocations = &[("v1beta1", "spec.tags")];
        let around: FieldLocations = &[("v1beta1", "spec.tags[]"), ("v1", "spec.tag[-]")];
        let mut report = ConversionReport::new();
        let mut context = Context::of_part(("v1beta1", "v1"), &(), &mut report);
        let mut fill = |tags: Vec<&str>| -> String {
            let tags: Vec<String> = tags.into_iter().map(str::to_owned).collect();
            first_filled(places, around, "\"latest\"", tags, &mut context)
        };
        assert_eq!(fill(vec!["a"]), "a");
        assert_eq!(fill(vec![]), "latest");
        assert!(report.to_string().contains("had no value, filled with \"latest\""), "{report}");
    }

    #[test]
    fn an_empty_item_is_not_the_value_of_the_rule() {
        static FIELDS: [FieldLocations; 1] = [&[("v1beta1", "spec.tags")]];
        let places = FIELDS[0];
        let around: FieldLocations = &[("v1beta1", "spec.tags[]"), ("v1", "spec.tag[-]")];
        let kind = ("example.com/kept", FIELDS.as_slice(), [].as_slice());
        let (options, mut annotations) = (Options::<()>::default(), BTreeMap::new());
        let mut report = ConversionReport::new();
        let versions = ("v1beta1", "v1");
        let mut context =
            Context::of_object(versions, &options, kind, &mut annotations, &mut report);
        let none = Some(Vec::<String>::new());
        assert_eq!(first_filled(places, around, "\"latest\"", none, &mut context), "latest");
        context.finish(&mut annotations);
        for (live, list) in [("latest", vec![]), ("", vec![""]), ("a", vec!["a"])] {
            let (mut annotations, mut report) = (annotations.clone(), ConversionReport::new());
            let versions = ("v1", "v1beta1");
            let mut context =
                Context::of_object(versions, &options, kind, &mut annotations, &mut report);
            let back: Option<Vec<String>> =
                list_of_required(places, around, live.to_owned(), &mut context);
            assert_eq!(back.unwrap(), list, "{live}: {report}");
        }
    }
}
