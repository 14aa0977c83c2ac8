//! A map of values in one version, in another a list of objects that have the key in a field and the value in another.

use std::collections::{BTreeMap, BTreeSet};

use super::keyed_list::KeyField;
use super::{Context, FieldLocations, FieldValue};
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

/// Converts a list into a map: of the items with the same key, the last. The annotation keeps a list that does not come back from it.
pub fn map<S, V, K, F, P>(
    places: FieldLocations,
    list: &[S],
    key: impl Fn(&mut S) -> &mut K,
    value: impl Fn(&mut S) -> &mut F,
    context: &mut Context<'_, P>,
) -> BTreeMap<String, V>
where
    S: FieldValue + Clone,
    V: FieldValue + Clone,
    K: KeyField,
    F: ItemValue<V> + Clone,
{
    let map = read(list, &key, &value);
    let back = write(map.clone(), &key, &value);
    context.reduce(places, &list, back == list);
    map
}

/// Converts a map into a list: the kept one if it still has these values. Otherwise, its items come first: those that the map has, those of
/// the same keys beside them, and those whose values no map has.
pub fn list<S, V, K, F, P>(
    places: FieldLocations,
    live: BTreeMap<String, V>,
    key: impl Fn(&mut S) -> &mut K,
    value: impl Fn(&mut S) -> &mut F,
    context: &mut Context<'_, P>,
) -> Vec<S>
where
    S: FieldValue + Clone,
    V: FieldValue + Clone,
    K: KeyField,
    F: ItemValue<V> + Clone,
{
    let Some(kept) = context.take_kept::<Vec<S>>(places) else {
        return write(live, &key, &value);
    };
    let shown = json(&live);
    let values: BTreeMap<String, (usize, V)> = placed(&kept, &key, &value);
    let unedited = values.iter().map(|(name, (_, value))| (name, value)).eq(&live);
    let back = if unedited {
        write(live, &key, &value)
    } else {
        edited(&kept, &values, live, &key, &value)
    };
    context.restore(places, kept, unedited, back, shown)
}

/// The kept items with the values that the map has now, and then the new ones.
fn edited<S, V, K, F>(
    kept: &[S],
    values: &BTreeMap<String, (usize, V)>,
    mut live: BTreeMap<String, V>,
    key: &impl Fn(&mut S) -> &mut K,
    value: &impl Fn(&mut S) -> &mut F,
) -> Vec<S>
where
    S: ZeroValue + Clone,
    V: PartialEq,
    K: KeyField,
    F: ItemValue<V>,
{
    let mut back = Vec::new();
    let names: BTreeSet<String> = live.keys().cloned().collect();
    for (index, item) in kept.iter().enumerate() {
        let mut item = item.clone();
        let name = key(&mut item).text().to_owned();
        let shown = values.get(&name);
        // The map does not show it: it stays with the item of its key.
        let is_hidden = shown.is_some_and(|(at, _)| *at != index);
        let now = if is_hidden { None } else { live.remove(&name) };
        let stays = shown.is_none() || is_hidden && names.contains(&name);
        match now {
            Some(now) => {
                if shown.is_none_or(|(_, value)| *value != now) {
                    *value(&mut item) = F::of_value(now);
                }
                back.push(item);
            }
            None if stays => back.push(item),
            None => {}
        }
    }
    back.extend(write(live, key, value));
    back
}

fn read<S: Clone, V, K: KeyField, F: ItemValue<V> + Clone>(
    list: &[S],
    key: &impl Fn(&mut S) -> &mut K,
    value: &impl Fn(&mut S) -> &mut F,
) -> BTreeMap<String, V> {
    let placed = placed(list, key, value).into_iter();
    placed.map(|(name, (_, value))| (name, value)).collect()
}

/// The values of the map, each with the position of its item.
fn placed<S: Clone, V, K: KeyField, F: ItemValue<V> + Clone>(
    list: &[S],
    key: &impl Fn(&mut S) -> &mut K,
    value: &impl Fn(&mut S) -> &mut F,
) -> BTreeMap<String, (usize, V)> {
    let mut map = BTreeMap::new();
    for (index, item) in list.iter().enumerate() {
        let mut item = item.clone();
        let name = key(&mut item).text().to_owned();
        if let Some(value) = value(&mut item).clone().into_value() {
            map.insert(name, (index, value));
        }
    }
    map
}

fn write<S: ZeroValue, V, K: KeyField, F: ItemValue<V>>(
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::{edited, placed};
    use crate::Json;
    use crate::wire::ZeroValue;

    #[derive(Clone)]
    struct Item {
        name: String,
        value: Json,
    }

    impl ZeroValue for Item {
        fn zero_value() -> Self {
            Self { name: String::new(), value: Value::Null.into() }
        }
    }

    fn name(item: &mut Item) -> &mut String {
        &mut item.name
    }

    fn value(item: &mut Item) -> &mut Json {
        &mut item.value
    }

    /// The items after an edit of the map that shows these.
    fn after(items: &[(&str, Value)], edit: impl FnOnce(&mut BTreeMap<String, String>)) -> Value {
        let item = |(name, value): &(&str, Value)| Item {
            name: (*name).to_owned(),
            value: value.clone().into(),
        };
        let kept: Vec<Item> = items.iter().map(item).collect();
        let values: BTreeMap<String, (usize, String)> = placed(&kept, &name, &value);
        let mut live: BTreeMap<String, String> =
            values.iter().map(|(name, (_, value))| (name.clone(), value.clone())).collect();
        edit(&mut live);
        let back = edited(&kept, &values, live, &name, &value);
        back.iter().map(|item| json!([item.name, item.value.value()])).collect()
    }

    #[test]
    fn the_last_item_of_a_key_is_in_the_map() {
        let item = |value: &str| Item { name: "A".to_owned(), value: json!(value).into() };
        let values: BTreeMap<String, (usize, String)> =
            placed(&[item("1"), item("2")], &name, &value);
        assert_eq!(values["A"], (1, "2".to_owned()));
    }

    /// What a map does not show survives an edit of another value.
    #[test]
    fn hidden_items_stay() {
        let items = [("A", json!("1")), ("A", json!("2")), ("B", json!("3")), ("C", json!({}))];
        let all = |a: &str, b: &str| json!([["A", a], ["A", "2"], ["B", b], ["C", {}]]);
        let edit_b = after(&items, |map| _ = map.insert("B".to_owned(), "4".to_owned()));
        assert_eq!(edit_b, all("1", "4"));
        let remove_a = after(&items, |map| _ = map.remove("A"));
        assert_eq!(remove_a, json!([["B", "3"], ["C", {}]]));
        let add_c = after(&items, |map| _ = map.insert("C".to_owned(), "5".to_owned()));
        assert_eq!(add_c, json!([["A", "1"], ["A", "2"], ["B", "3"], ["C", "5"]]));
    }
}
