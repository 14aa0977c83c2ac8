//! Lists and maps. They and their items may be `null`.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{ZeroValue, null_is_zero};

/// Decodes a list; `null` is the empty list, and a `null` item is the zero value.
///
/// # Errors
///
/// Those of the deserializer and of `T`.
pub fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + ZeroValue,
{
    deserializer.deserialize_option(ListVisitor(PhantomData))
}

/// Decodes a map; `null` is the empty map, and a `null` value is the zero value.
///
/// # Errors
///
/// Those of the deserializer and of `T`.
pub fn map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + ZeroValue,
{
    deserializer.deserialize_option(MapVisitor(PhantomData))
}

/// Writes a list; an empty one is `null`, as Go writes a slice that was never set.
///
/// # Errors
///
/// Those of the serializer.
pub fn list_or_null<T: Serialize, S: Serializer>(
    list: &[T],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if list.is_empty() { serializer.serialize_none() } else { list.serialize(serializer) }
}

/// Writes a map; an empty one is `null`, as Go writes a map that was never set.
///
/// # Errors
///
/// Those of the serializer.
pub fn map_or_null<T: Serialize, S: Serializer>(
    map: &BTreeMap<String, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if map.is_empty() { serializer.serialize_none() } else { map.serialize(serializer) }
}

/// A value that may be `null`. It makes a list of options unnecessary.
struct OrZero<T>(T);

impl<'de, T: Deserialize<'de> + ZeroValue> Deserialize<'de> for OrZero<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        null_is_zero(deserializer).map(Self)
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + ZeroValue> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_none<E: de::Error>(self) -> Result<Vec<T>, E> {
        Ok(Vec::new())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Vec<T>, E> {
        Ok(Vec::new())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        // The hint can be wrong: trust it up to 64 items.
        let capacity = items.size_hint().map_or(0, |hint| hint.min(64));
        let mut list = Vec::with_capacity(capacity);
        while let Some(OrZero(item)) = items.next_element()? {
            // Most lists in an object have one item; `push` alone reserves four. Row: memory.
            if list.len() == list.capacity() {
                list.reserve_exact(list.len().max(1));
            }
            list.push(item);
        }
        Ok(list)
    }
}

struct MapVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + ZeroValue> Visitor<'de> for MapVisitor<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((key, OrZero(value))) = entries.next_entry()? {
            map.insert(key, value);
        }
        Ok(map)
    }
}
