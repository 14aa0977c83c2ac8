//! Lists and maps, whose items may be `null`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::ZeroValue;
use super::place::{Fill, Nullable};

/// Reads the items of a list. The items that are there are lost.
pub(super) struct FillList<'a, T>(pub(super) &'a mut Vec<T>);

impl<'de, T: Deserialize<'de> + ZeroValue> Fill<'de> for FillList<'_, T> {
    fn fill<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de> + ZeroValue> Visitor<'de> for FillList<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.0.clear();
        // The hint can be wrong: trust it up to 64 items.
        self.0.reserve_exact(items.size_hint().map_or(0, |hint| hint.min(64)));
        while items.next_element_seed(PushItem(self.0))?.is_some() {}
        // A list that has doubled has up to as much memory again. Hot path, row `memory` of the benches.
        self.0.shrink_to_fit();
        Ok(())
    }
}

/// Reads an item at the end of a list.
struct PushItem<'a, T>(&'a mut Vec<T>);

impl<'de, T: Deserialize<'de> + ZeroValue> DeserializeSeed<'de> for PushItem<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let list = self.0;
        // Most lists in an object have one item; `push` reserves four. Hot path, row `memory` of the benches.
        if list.len() == list.capacity() {
            list.reserve_exact(list.len().max(1));
        }
        list.push(T::zero_value());
        list.last_mut().map_or(Ok(()), |item| Nullable(item).deserialize(deserializer))
    }
}

/// Reads the members of a map. The members that are there are lost.
pub(super) struct Members<'a, T>(pub(super) &'a mut BTreeMap<String, T>);

impl<'de, T: Deserialize<'de> + ZeroValue> Fill<'de> for Members<'_, T> {
    fn fill<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Deserialize<'de> + ZeroValue> Visitor<'de> for Members<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.0.clear();
        while let Some(key) = entries.next_key()? {
            let mut value = T::zero_value();
            entries.next_value_seed(Nullable(&mut value))?;
            self.0.insert(key, value);
        }
        Ok(())
    }
}
