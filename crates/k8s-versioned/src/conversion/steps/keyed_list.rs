//! A map of objects in one version, in another a list of objects that have the key in a field.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Context, FieldLocations, FieldValue, items};
use crate::conversion::context::{Taken, json};
use crate::conversion::{ConversionFinding, ConversionReport};

/// The field of an item that has the key.
pub trait KeyField: Clone + PartialEq + Serialize + DeserializeOwned {
    /// The key; an absent one is empty.
    fn text(&self) -> &str;

    /// The field with this key.
    fn of_text(text: String) -> Self;
}

impl KeyField for String {
    fn text(&self) -> &str {
        self
    }

    fn of_text(text: String) -> Self {
        text
    }
}

impl KeyField for Option<String> {
    fn text(&self) -> &str {
        self.as_deref().unwrap_or_default()
    }

    fn of_text(text: String) -> Self {
        Some(text).filter(|text| !text.is_empty())
    }
}

/// Converts a list into a map; `key` is the field, and `name` its name. Of several items with one key, the last is in the map,
/// as where code fills it in their order.
///
/// The annotation keeps the list if the map does not say all of it: the keys of the items in their order, and the whole items that
/// are not in the map. `rest` brings these into the form in which they are kept.
pub fn map<S, T, F: KeyField, K: Serialize, P>(
    places: FieldLocations,
    mut list: Vec<S>,
    (name, key): (&str, impl Fn(&mut S) -> &mut F),
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
    rest: impl FnOnce(Vec<S>, &mut Context<'_, P>) -> Vec<K>,
) -> BTreeMap<String, T> {
    let (mut map, mut order, mut others) = (BTreeMap::new(), Vec::new(), Vec::new());
    let keys: Vec<F> = list.iter_mut().map(|item| key(item).clone()).collect();
    let is_whole = are_whole(&keys);
    for ((item, field), is_whole) in list.into_iter().zip(&keys).zip(is_whole) {
        if is_whole {
            order.push(None);
            others.push(item);
        } else {
            order.push(Some(json(field)));
            let text = field.text().to_owned();
            let converted = items::keyed(&text, item, context, &mut convert);
            map.insert(text, converted);
        }
    }
    let mut pairs = keys.iter().zip(keys.iter().skip(1));
    let is_sorted = pairs.all(|(one, next)| one.text() < next.text())
        && keys.iter().all(|field| F::of_text(field.text().to_owned()) == *field);
    let mut others = rest(others, context).into_iter();
    let kept = order.into_iter().map(|field| match field {
        Some(Value::Null) => Value::Object(Map::new()),
        Some(field) => Value::Object(Map::from_iter([(name.to_owned(), field)])),
        None => json(&others.next()),
    });
    context.reduce(places, &kept.collect::<Vec<Value>>(), is_sorted);
    map
}

/// Converts a map into a list, in the order of the kept list, and then of the keys. Items that are not in the map come back beside
/// those of the same key.
pub fn list<S, T: FieldValue, F: KeyField, K: DeserializeOwned, P>(
    places: FieldLocations,
    mut map: BTreeMap<String, S>,
    (name, key): (&str, impl Fn(&mut T) -> &mut F),
    context: &mut Context<'_, P>,
    mut convert: impl FnMut(S, &mut Context<'_, P>) -> T,
    rest: impl FnOnce(Vec<K>, &mut Context<'_, P>) -> Vec<T>,
) -> Vec<T> {
    let kept =
        context.take(places).and_then(|kept| Kept::<F, K>::read(&kept, name, context.report));
    let live: Vec<String> = map.keys().cloned().collect();
    let (mut list, mut has_any) = (Vec::new(), false);
    let mut item = |text: String, field: F, value: S, context: &mut Context<'_, P>| {
        let mut item = items::keyed(&text, value, context, &mut convert);
        *key(&mut item) = field;
        item
    };
    if let Some(Kept { value, order, others }) = kept {
        let mut others = rest(others, context).into_iter();
        for (field, is_whole) in order {
            let text = field.text().to_owned();
            if is_whole {
                list.extend(others.next().filter(|_| map.contains_key(&text)));
            } else if let Some(value) = map.remove(&text) {
                list.push(item(text, field, value, context));
                has_any = true;
            }
        }
        let finding = if has_any {
            ConversionFinding::Restored { value }
        } else {
            ConversionFinding::Stale { kept: value, live: json(&live) }
        };
        context.report_target(places, finding);
    }
    for (text, value) in map {
        list.push(item(text.clone(), F::of_text(text), value, context));
    }
    list
}

/// Keeps a field of the objects of a map that repeats the key, where it does not.
pub fn keep_name<F: KeyField + FieldValue, P>(
    places: FieldLocations,
    name: &F,
    context: &mut Context<'_, P>,
) {
    let comes_back = F::of_text(context.items.key()) == *name;
    context.reduce(places, name, comes_back);
}

/// Restores a field of the objects of a map that repeats the key: the kept one, else the key.
pub fn name<F: KeyField + FieldValue, P>(
    places: FieldLocations,
    context: &mut Context<'_, P>,
) -> F {
    let key = F::of_text(context.items.key());
    match context.take_kept::<F>(places) {
        Some(kept) => context.restore(places, kept, true, key, Value::Null),
        None => key,
    }
}

/// Which items are not in the map: those whose key a later item has.
fn are_whole<F: KeyField>(keys: &[F]) -> Vec<bool> {
    let last = keys.iter().enumerate().map(|(index, key)| (key.text(), index));
    let last: BTreeMap<&str, usize> = last.collect();
    let is_last = |(index, key): (usize, &F)| last.get(key.text()) == Some(&index);
    keys.iter().enumerate().map(|key| !is_last(key)).collect()
}

/// A kept list.
struct Kept<F, K> {
    value: Value,
    /// The key of each item, and whether the item is kept whole.
    order: Vec<(F, bool)>,
    /// The whole items.
    others: Vec<K>,
}

impl<F: KeyField, K: DeserializeOwned> Kept<F, K> {
    /// Reads a kept list. `None`, and a report, if no conversion keeps such a value.
    fn read(kept: &Taken, name: &str, report: &mut ConversionReport) -> Option<Self> {
        let items = kept.value::<Vec<Map<String, Value>>>(report)?;
        let key = |item: &Map<String, Value>| match item.get(name) {
            // An absent key can be required.
            None => F::deserialize(&Value::Null).or_else(|_| Ok(F::of_text(String::new()))),
            Some(key) => F::deserialize(key),
        };
        let keys: Result<Vec<F>, serde_json::Error> = items.iter().map(key).collect();
        let keys = keys.map_err(|error| kept.malformed(&error.to_string(), report)).ok()?;
        let (mut order, mut others) = (Vec::new(), Vec::new());
        for ((item, field), is_whole) in items.iter().zip(&keys).zip(are_whole(&keys)) {
            let whole = is_whole.then(|| K::deserialize(&Value::Object(item.clone()))).transpose();
            let is_surplus = !is_whole && item.keys().any(|member| member != name);
            match whole {
                _ if is_surplus => {
                    kept.malformed("no conversion keeps the fields of this item here", report);
                    return None;
                }
                Ok(whole) => {
                    order.push((field.clone(), is_whole));
                    others.extend(whole);
                }
                Err(error) => {
                    kept.malformed(&error.to_string(), report);
                    return None;
                }
            }
        }
        Some(Self { value: json(&items), order, others })
    }
}
