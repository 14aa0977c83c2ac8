//! The items of lists and maps inside an object. They pair by position, or by the key of the map.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ops::Range;

use super::context::Context;
use super::item_names::{By, Item};

pub use super::item_names::Identity;

/// Converts the items of a list whose items have merge keys. An item whose keys another item also has is named by its
/// position.
pub fn by_key<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let twice = twice(&list, &identify);
    let by = |index, values: &Identity| {
        if twice.contains(&values.0) { By::Position(index) } else { By::Key }
    };
    each(list, 0, (identify, by), context, convert)
}

/// The values that several items have.
fn twice<S>(items: &[S], identify: impl Fn(&S, &mut Identity)) -> BTreeSet<Vec<u8>> {
    let (mut all, mut values) = (Vec::new(), Identity::default());
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(items.len());
    for item in items {
        values.0.clear();
        identify(item, &mut values);
        ranges.push(all.len()..all.len() + values.0.len());
        all.append(&mut values.0);
    }
    let values = |range: &Range<usize>| all.get(range.clone()).unwrap_or_default();
    ranges.sort_unstable_by(|one, other| values(one).cmp(values(other)));
    let pairs = ranges.iter().zip(ranges.iter().skip(1));
    let same = pairs.filter(|(one, next)| values(one) == values(next));
    same.map(|(one, _)| values(one).to_vec()).collect()
}

/// Converts the items of a list without merge keys.
pub fn by_position<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(list, 0, (identify, position), context, convert)
}

/// Converts the items of a list whose first item is an object in other versions: the annotation names the other items by position.
pub fn by_first<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let by = |index, _: &Identity| if index == 0 { By::First } else { By::Position(index) };
    each(list, 0, (identify, by), context, convert)
}

/// Converts the items of such a list without the first one.
pub fn after_first<S, T, P>(
    rest: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(rest, 1, (identify, position), context, convert)
}

fn position(index: usize, _: &Identity) -> By {
    By::Position(index)
}

/// Converts the items of a list that is a map in other versions. The last item with a key is named by it, the others by the number
/// of items before them that also have it.
pub fn by_occurrence<S, T, P>(
    list: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    let (mut left, mut values) = (BTreeMap::<Vec<u8>, usize>::new(), Identity::default());
    for item in &list {
        values.0.clear();
        identify(item, &mut values);
        *left.entry(values.0.clone()).or_default() += 1;
    }
    let mut before = occurrences();
    let by = |index, values: &Identity| {
        let left = left.get_mut(&values.0);
        let by_position = before(index, values);
        let Some(left) = left else {
            return by_position;
        };
        *left -= 1;
        if *left == 0 { By::Key } else { by_position }
    };
    each(list, 0, (identify, by), context, convert)
}

/// Converts the items of such a list without the last one with each key.
pub fn after_occurrence<S, T, P>(
    rest: Vec<S>,
    identify: impl Fn(&S, &mut Identity),
    context: &mut Context<'_, P>,
    convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    each(rest, 0, (identify, occurrences()), context, convert)
}

/// Names items by the number of items with their key before them.
fn occurrences() -> impl FnMut(usize, &Identity) -> By {
    let mut counts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    move |_, values| {
        let count = counts.entry(values.0.clone()).or_default();
        let index = *count;
        *count += 1;
        By::Position(index)
    }
}

/// Converts an item that has this key: a value of a map, or an item of a list that is a map in other versions.
pub(crate) fn keyed<S, T, P>(
    key: &str,
    item: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    let mut values = Identity::default();
    values.add_text(key);
    inside((None, By::Key), &mut values, item, context, convert)
}

/// Converts an object that is the first item of a list in other versions.
pub fn first<S, T, P>(
    object: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    inside((None, By::First), &mut Identity::default(), object, context, convert)
}

/// Converts the values of a map.
pub fn by_name<S, T, P>(
    map: BTreeMap<String, S>,
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> BTreeMap<String, T> {
    let mut values = Identity::default();
    let convert = |(key, value): (String, S)| {
        values.0.clear();
        values.add_text(&key);
        let converted = inside((None, By::Key), &mut values, value, context, &mut convert);
        (key, converted)
    };
    map.into_iter().map(convert).collect()
}

/// Converts the items of a list by a function that keeps nothing. The result has the memory of the list, if its items are not
/// larger than the items of the list.
#[inline]
pub fn of_list<S, T>(list: Vec<S>, convert: impl FnMut(S) -> T) -> Vec<T> {
    // Most lists in an object are empty. Hot path, row `convert claims` of the benches.
    if list.is_empty() {
        return Vec::new();
    }
    list.into_iter().map(convert).collect()
}

/// Converts the values of a map by a function that keeps nothing.
#[inline]
pub fn of_map<S, T>(
    map: BTreeMap<String, S>,
    mut convert: impl FnMut(S) -> T,
) -> BTreeMap<String, T> {
    if map.is_empty() {
        return BTreeMap::new();
    }
    map.into_iter().map(|(key, value)| (key, convert(value))).collect()
}

/// Converts items, of which the first is at the position `from`. `identify` adds the values of an item, and `by` names it.
fn each<S, T, P>(
    list: Vec<S>,
    from: usize,
    (identify, mut by): (impl Fn(&S, &mut Identity), impl FnMut(usize, &Identity) -> By),
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
) -> Vec<T> {
    if list.is_empty() {
        return Vec::new();
    }
    let (mut values, mut index) = (Identity::default(), from);
    // Hot path, row `convert claims` of the benches. A loop copies each item four times; `collect`, which uses the memory of the list again, six times.
    let mut converted = Vec::with_capacity(list.len());
    for item in list {
        values.0.clear();
        identify(&item, &mut values);
        enter((Some(index), by(index, &values)), &mut values, context);
        converted.push(convert(item, context));
        leave(&mut values, context);
        index += 1;
    }
    converted
}

/// Converts an item. The conversion has its values until it ends, so that the next item can have their memory.
#[inline]
fn inside<S, T, P>(
    (index, by): (Option<usize>, By),
    values: &mut Identity,
    value: S,
    context: &mut Context<'_, P>,
    convert: impl FnOnce(S, &mut Context<'_, P>) -> T,
) -> T {
    enter((index, by), values, context);
    let converted = convert(value, context);
    leave(values, context);
    converted
}

/// Enters an item. It has the values until [`leave`].
fn enter<P>((index, by): (Option<usize>, By), values: &mut Identity, context: &mut Context<'_, P>) {
    let (values, name) = (mem::take(values), OnceCell::new());
    let reported_before = context.report.len();
    context.items.0.push(Item { index, by, values, name, reported_before });
}

/// Leaves the innermost item, and takes its values back.
fn leave<P>(values: &mut Identity, context: &mut Context<'_, P>) {
    if let Some(item) = context.items.0.pop() {
        *values = item.values;
    }
}
