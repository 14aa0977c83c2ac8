//! JSON values without duplicate keys. Servers merge duplicates: see `server`.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use crate::Quoted;

/// The only key of the map that `serde_json` gives for a number if its feature `arbitrary_precision` is on. Any crate
/// of a build can switch it on.
const NUMBER: &str = "$serde_json::private::Number";

/// True if a map with this key is a number.
pub(super) fn is_number(key: &str) -> bool {
    key == NUMBER && serde_json::from_str::<Number>("1e999").is_ok()
}

/// A JSON value in which no object has two members with one name.
///
/// Of two such members, [`Value`] keeps the last without an error. Here they are an error:
///
/// ```
/// use k8s_versioned::StrictValue;
/// use serde_json::Value;
///
/// let text = r#"{"leaseName": "a", "leaseName": "b"}"#;
/// assert!(serde_json::from_str::<Value>(text).is_ok());
/// let error = serde_json::from_str::<StrictValue>(text).unwrap_err();
/// assert_eq!(error.to_string(), "the key `leaseName` occurs twice at line 1 column 30");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StrictValue(Value);

impl StrictValue {
    /// The value.
    pub fn into_inner(self) -> Value {
        self.0
    }
}

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor).map(Self)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| E::custom("a number that JSON cannot hold"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(StrictValue(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            if is_number(&name) {
                let digits: String = access.next_value()?;
                return digits.parse().map(Value::Number).map_err(de::Error::custom);
            }
            match members.entry(name) {
                Entry::Vacant(place) => _ = place.insert(access.next_value::<StrictValue>()?.0),
                Entry::Occupied(before) => return Err(duplicate(before.key())),
            }
        }
        Ok(Value::Object(members))
    }
}

fn duplicate<E: de::Error>(name: &str) -> E {
    E::custom(format_args!("the key {} occurs twice", Quoted(name)))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::StrictValue;

    #[test]
    fn reads_what_serde_json_reads() {
        let values = [
            "null",
            "true",
            "-7",
            "18446744073709551615",
            "0.5",
            r#""a\u00e9\n""#,
            r#"[1,[],{"a":{"b":[null]}}]"#,
        ];
        for text in values {
            let expected: Value = serde_json::from_str(text).unwrap();
            let found: StrictValue = serde_json::from_str(text).unwrap();
            assert_eq!(found.into_inner(), expected);
        }
    }

    #[test]
    fn a_key_twice_is_an_error_at_any_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":[],"a":2}}]"#, r#"{"a":1,"\u0061":2}"#]
        {
            let error = serde_json::from_str::<StrictValue>(text).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with("the key `a` occurs twice at line 1"), "{message}");
        }
        let error = serde_json::from_str::<StrictValue>(r#"{"\n":1,"\n":2}"#).unwrap_err();
        assert_eq!(error.to_string(), r#"the key "\n" occurs twice at line 1 column 12"#);
        assert!(serde_json::from_str::<StrictValue>(r#"[{"a":1},{"a":1}]"#).is_ok());
    }

    #[test]
    fn depth_is_limited() {
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let error = serde_json::from_str::<StrictValue>(&deep).unwrap_err();
        assert!(error.to_string().contains("recursion limit"), "{error}");
    }
}
