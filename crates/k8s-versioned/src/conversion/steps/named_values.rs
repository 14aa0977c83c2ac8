//! A map of values in one version, in another a list of objects that have the key in a field and the value in another.

use std::collections::BTreeMap;

use super::keyed_list::Key;
use super::{Context, FieldValue, Places};
use crate::Json;
use crate::conversion::context::json;
use crate::wire::ZeroValue;

/// The field of an item that has the value of a map.
pub trait ItemValue<V>: FieldValue {
    /// The value of the map; `None` if a map has no such value.
    fn into_value(self) -> Option<V>;

    /// The field with this value.
    fn of_value(value: V) -> Self;
}

impl<V: FieldValue> ItemValue<V> for V {
    fn into_value(self) -> Option<V> {
        Some(self)
    }

    fn of_value(value: V) -> Self {
        value
    }
}

/// An absent value is the zero value.
impl<V: ZeroValue> ItemValue<V> for Option<V>
where
    Self: FieldValue,
{
    fn into_value(self) -> Self {
        Some(self.unwrap_or_else(V::zero_value))
    }

    fn of_value(value: V) -> Self {
        Some(value)
    }
}

/// Any JSON, of which a text is a value.
impl ItemValue<String> for Json {
    fn into_value(self) -> Option<String> {
        self.value().as_str().map(str::to_owned)
    }

    fn of_value(value: String) -> Self {
        serde_json::Value::from(value).into()
    }
}

/// Converts a list into a map: of the items with one key, the last, as where code fills a map in their order. The annotation keeps a list that does not come back from it.
pub fn map<S, V, K, F, P>(
    places: Places,
    list: &[S],
    key: impl Fn(&mut S) -> &mut K,
    value: impl Fn(&mut S) -> &mut F,
    context: &mut Context<'_, P>,
) -> BTreeMap<String, V>
where
    S: FieldValue + Clone,
    V: FieldValue + Clone,
    K: Key,
    F: ItemValue<V> + Clone,
{
    let map = read(list, &key, &value);
    let back = write(map.clone(), &key, &value);
    context.reduce(places, &list, back == list);
    map
}

/// Converts a map into a list: the kept one if it still has these values. Otherwise, the items that the map has come first, in the
/// order of the kept list.
pub fn list<S, V, K, F, P>(
    places: Places,
    mut live: BTreeMap<String, V>,
    key: impl Fn(&mut S) -> &mut K,
    value: impl Fn(&mut S) -> &mut F,
    context: &mut Context<'_, P>,
) -> Vec<S>
where
    S: FieldValue + Clone,
    V: FieldValue + Clone,
    K: Key,
    F: ItemValue<V> + Clone,
{
    let Some(kept) = context.take_kept::<Vec<S>>(places) else {
        return write(live, &key, &value);
    };
    let shown = json(&live);
    let values: BTreeMap<String, V> = read(&kept, &key, &value);
    let unedited = values == live;
    let mut back = Vec::new();
    if !unedited {
        // From the end: of the items with one key the last has the value.
        for item in kept.iter().rev() {
            let mut item = item.clone();
            let name = key(&mut item).text().to_owned();
            let has_value = value(&mut item).clone().into_value().is_some();
            if let Some(edited) = live.remove(&name).filter(|_| has_value) {
                if values.get(&name) != Some(&edited) {
                    *value(&mut item) = F::of_value(edited);
                }
                back.push(item);
            }
        }
        back.reverse();
    }
    back.extend(write(live, &key, &value));
    context.restore(places, kept, unedited, back, shown)
}

fn read<S: Clone, V, K: Key, F: ItemValue<V> + Clone>(
    list: &[S],
    key: &impl Fn(&mut S) -> &mut K,
    value: &impl Fn(&mut S) -> &mut F,
) -> BTreeMap<String, V> {
    let mut map = BTreeMap::new();
    for item in list {
        let mut item = item.clone();
        let name = key(&mut item).text().to_owned();
        if let Some(value) = value(&mut item).clone().into_value() {
            map.insert(name, value);
        }
    }
    map
}

fn write<S: ZeroValue, V, K: Key, F: ItemValue<V>>(
    map: BTreeMap<String, V>,
    key: &impl Fn(&mut S) -> &mut K,
    value: &impl Fn(&mut S) -> &mut F,
) -> Vec<S> {
    let item = |(name, of): (String, V)| {
        let mut item = S::zero_value();
        *key(&mut item) = K::of_text(name);
        *value(&mut item) = F::of_value(of);
        item
    };
    map.into_iter().map(item).collect()
}
