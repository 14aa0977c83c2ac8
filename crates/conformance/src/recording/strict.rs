//! Maps without duplicate keys: serde keeps the last of two members with one name. In a recording that would
//! be what no server sent.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

/// Reads a map in which no key occurs twice.
pub(super) fn map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_map(MapVisitor(PhantomData))
}

struct MapVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for MapVisitor<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut members = BTreeMap::new();
        while let Some(name) = access.next_key::<String>()? {
            if members.contains_key(&name) {
                return Err(duplicate(&name));
            }
            let value = access.next_value()?;
            members.insert(name, value);
        }
        Ok(members)
    }
}

fn duplicate<E: de::Error>(name: &str) -> E {
    E::custom(format_args!("the key `{name}` occurs twice"))
}
