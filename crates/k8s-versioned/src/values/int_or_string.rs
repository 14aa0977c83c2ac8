//! A number or a text.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use crate::json::{is_minus_zero, visit_number};

/// A whole number or a text: a port or its name, a count or a percentage.
///
/// Custom resources hold any 64-bit number here. In the kinds of Kubernetes itself, servers reject numbers beyond 32
/// bits.
///
/// ```
/// use k8s_versioned::IntOrString;
///
/// let port: IntOrString = serde_json::from_str("8080")?;
/// assert_eq!(port.as_int(), Some(8080));
/// assert_eq!(IntOrString::from("25%").to_string(), "25%");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntOrString {
    /// A number.
    Int(i64),
    /// A text.
    String(String),
}

impl IntOrString {
    /// The number, unless this is a text.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::String(_) => None,
        }
    }

    /// The text, unless this is a number.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Int(_) => None,
            Self::String(text) => Some(text),
        }
    }
}

/// Go's zero value, the number 0.
impl Default for IntOrString {
    fn default() -> Self {
        Self::Int(0)
    }
}

impl From<i32> for IntOrString {
    fn from(number: i32) -> Self {
        Self::Int(number.into())
    }
}

impl From<i64> for IntOrString {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<&str> for IntOrString {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for IntOrString {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl fmt::Display for IntOrString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => number.fmt(f),
            Self::String(text) => text.fmt(f),
        }
    }
}

impl Serialize for IntOrString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::String(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for IntOrString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyOfBoth)
    }
}

struct AnyOfBoth;

impl<'de> Visitor<'de> for AnyOfBoth {
    type Value = IntOrString;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number or a string")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<IntOrString, E> {
        Ok(number.into())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<IntOrString, E> {
        let number: Result<i64, _> = number.try_into();
        number.map(IntOrString::Int).map_err(|_| E::custom("a number beyond 64 bits with sign"))
    }

    /// `serde_json` reads `-0` as a float.
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<IntOrString, E> {
        let zero = is_minus_zero(number).then(IntOrString::default);
        zero.ok_or_else(|| E::invalid_type(de::Unexpected::Float(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<IntOrString, E> {
        Ok(text.into())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<IntOrString, E> {
        Ok(text.into())
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<IntOrString, A::Error> {
        visit_number(map, self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::IntOrString;

    #[test]
    fn numbers_and_texts_are_read_and_nothing_else() {
        let table = [
            ("0", IntOrString::default()),
            ("-0", 0.into()),
            ("-7", (-7).into()),
            ("9223372036854775807", i64::MAX.into()),
            (r#""http""#, "http".into()),
            (r#""""#, "".into()),
            (r#""80""#, "80".into()),
        ];
        for (json, expected) in table {
            assert_eq!(serde_json::from_str::<IntOrString>(json).unwrap(), expected, "{json}");
        }
        for json in ["null", "1.5", "1.0", "9223372036854775808", "true", "[]", "{}"] {
            assert!(serde_json::from_str::<IntOrString>(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn values_survive(number in any::<i64>(), text in any::<String>()) {
            for value in [IntOrString::from(number), IntOrString::from(text)] {
                let json = serde_json::to_string(&value).unwrap();
                prop_assert_eq!(serde_json::from_str::<IntOrString>(&json).unwrap(), value);
            }
        }
    }
}
