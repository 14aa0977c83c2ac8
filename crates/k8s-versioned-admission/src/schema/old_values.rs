//! Which old value belongs to a new one, and whether they are equal. Servers do not judge again what did not change.

use std::cell::OnceCell;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{ListType, Schema};
use crate::{go, work};

/// A value and the old value in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correlated<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) new: &'a Value,
    pub(crate) old: &'a Value,
}

/// A value and the old value in its place, compared at most once for all rules.
#[derive(Debug)]
pub(crate) struct Compared<'a> {
    pub(crate) values: Correlated<'a>,
    is_equal: OnceCell<bool>,
}

impl<'a> Compared<'a> {
    pub(crate) const fn new(values: Correlated<'a>) -> Self {
        Self { values, is_equal: OnceCell::new() }
    }

    /// Returns `true` if the values are equal, as servers compare them.
    pub(crate) fn is_equal(&self) -> bool {
        *self.is_equal.get_or_init(|| self.values.is_equal())
    }
}

impl<'a> Correlated<'a> {
    /// A member that both values have and the schema describes.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        let (new, old) = (self.new.as_object()?.get(name)?, self.old.as_object()?.get(name)?);
        Some(Self { schema: self.schema.member(name).schema()?, new, old })
    }

    /// The items of both values.
    pub(crate) fn items(self) -> Items<'a> {
        let new = self.new.as_array().map_or(&[][..], Vec::as_slice);
        let old = self.old.as_array().map_or(&[][..], Vec::as_slice);
        // Only the items of a list of maps have old ones.
        let old = (self.schema.list_type == ListType::Map).then(|| OldItems::new(self.schema, old));
        Items { schema: self.schema, new, old }
    }

    /// Returns `true` if the values are equal, as servers compare them: an object with a member that its schema does not
    /// describe equals no other.
    pub(crate) fn is_equal(self) -> bool {
        work::step();
        match (self.new, self.old) {
            (Value::Array(new), Value::Array(old)) => {
                new.len() == old.len() && self.items().are_equal(old)
            }
            (Value::Object(new), Value::Object(old)) => {
                let equal = |name: &String| self.member(name).is_some_and(Self::is_equal);
                new.len() == old.len() && new.keys().all(equal)
            }
            (new, old) => new == old,
        }
    }
}

/// The items of a list with the old items in their places.
pub(crate) struct Items<'a> {
    schema: &'a Schema,
    new: &'a [Value],
    old: Option<OldItems<'a>>,
}

impl<'a> Items<'a> {
    /// An item, if it has an old one.
    pub(crate) fn item(&self, at: usize) -> Option<Correlated<'a>> {
        let new = self.new.get(at)?;
        let old = self.old.as_ref()?.get(new)?;
        Some(Correlated { schema: self.schema.items.as_deref()?, new, old })
    }

    fn are_equal(&self, old: &[Value]) -> bool {
        if self.old.is_none() {
            return self.new == old;
        }
        (0..self.new.len()).all(|at| self.item(at).is_some_and(Correlated::is_equal))
    }
}

/// The items of an old list of maps, by their keys.
pub(crate) struct OldItems<'a> {
    keys: &'a [String],
    by_key: HashMap<String, &'a Value>,
}

impl<'a> OldItems<'a> {
    pub(crate) fn new(schema: &'a Schema, old: &'a [Value]) -> Self {
        let mut by_key = HashMap::new();
        if schema.list_type == ListType::Map {
            let items = old
                .iter()
                .filter_map(|item| Some((key_of(&schema.map_keys, item.as_object()?)?, item)));
            // The first of items with one key counts.
            items.for_each(|(key, item)| _ = by_key.entry(key).or_insert(item));
        }
        Self { keys: &schema.map_keys, by_key }
    }

    /// The old item with the key of a new one.
    pub(crate) fn get(&self, new: &Value) -> Option<&'a Value> {
        self.by_key.get(&key_of(self.keys, new.as_object()?)?).copied()
    }
}

/// The key of an item of a list of maps; `None` if a part is absent, null, a list or an object.
fn key_of(keys: &[String], item: &Map<String, Value>) -> Option<String> {
    let mut text = String::new();
    for key in keys {
        match item.get(key)? {
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
            value => text.push_str(&go::GoSyntax(value).to_string()),
        }
        text.push('\0');
    }
    Some(text).filter(|text| !text.is_empty())
}
