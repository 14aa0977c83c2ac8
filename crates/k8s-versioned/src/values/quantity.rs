//! Quantities of resources, such as `500m` CPUs or `1Gi` of memory.

use std::fmt;
use std::ops::Deref;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{self, Serialize, Serializer};

use super::amount::Amount;
use crate::ParseError;
use crate::json::visit_number;

/// A quantity of a resource, such as `500m` CPUs or `1Gi` of memory.
///
/// It keeps the text, or the value of the JSON number, in which it came: custom resources hold both. A text is written as it was
/// read; a number has one form, so `1.0` becomes `1`. Two quantities are equal if their texts are, or the values of their
/// numbers. [`parse`](Self::parse) gives the [`Amount`], which compares and adds values.
///
/// ```
/// use k8s_versioned::Quantity;
///
/// let request = Quantity::from("1500m");
/// let limit: Quantity = serde_json::from_str("2")?;
/// assert!(request.parse()? < limit.parse()?);
/// let sum = request.parse()?.checked_add(limit.parse()?).map(Quantity::from);
/// assert_eq!(sum, Some(Quantity::from("3500m")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Quantity(Written);

/// A text, or the digits of a JSON number.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Written {
    text: Box<str>,
    is_number: bool,
}

impl<T: Into<Box<str>>> From<T> for Written {
    fn from(text: T) -> Self {
        Self { text: text.into(), is_number: false }
    }
}

impl From<Written> for String {
    fn from(written: Written) -> Self {
        written.text.into()
    }
}

impl Deref for Written {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

kept_text!(Quantity);

impl Quantity {
    /// The amount.
    ///
    /// # Errors
    ///
    /// The text is not a quantity, or has more than 38 digits. Servers refuse other texts as well, but not more digits.
    pub fn parse(&self) -> Result<Amount, ParseError> {
        self.0.parse()
    }
}

/// Go's zero value, `0`.
impl Default for Quantity {
    fn default() -> Self {
        "0".into()
    }
}

impl Quantity {
    /// A JSON number, which is written as one again. Each value has one text.
    fn number(number: impl fmt::Display) -> Self {
        Self(Written { text: number.to_string().into(), is_number: true })
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.as_str();
        if !self.0.is_number {
            return serializer.serialize_str(text);
        }
        match (text.parse(), text.parse()) {
            (Ok(number), _) => serializer.serialize_i64(number),
            (_, Ok(number)) => serializer.serialize_u64(number),
            _ => serializer.serialize_f64(text.parse().map_err(ser::Error::custom)?),
        }
    }
}

impl From<Amount> for Quantity {
    fn from(amount: Amount) -> Self {
        amount.to_string().into()
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrNumber)
    }
}

struct TextOrNumber;

impl<'de> Visitor<'de> for TextOrNumber {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quantity: a string or a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity, E> {
        Ok(text.into())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Quantity, E> {
        Ok(text.into())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Quantity, E> {
        Ok(Quantity::number(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Quantity, E> {
        Ok(Quantity::number(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Quantity, E> {
        // The sum has no `-0`.
        Ok(Quantity::number(number + 0.0))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Quantity, A::Error> {
        visit_number(map, self)
    }
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    #[test]
    fn texts_and_json_numbers_are_written_as_they_came() {
        let table = [
            ("1", "1"),
            ("-7", "-7"),
            ("18446744073709551615", "18446744073709551615"),
            ("-1.5", "-1.5"),
            ("0.1", "0.1"),
            ("0.09648644792653349", "0.09648644792653349"),
            ("1e+21", "1000000000000000000000"),
            (r#""1.50Gi""#, "1.50Gi"),
            (r#""1""#, "1"),
        ];
        for (json, text) in table {
            let quantity: Quantity = serde_json::from_str(json).unwrap();
            assert_eq!(quantity.as_str(), text);
            assert_eq!(serde_json::to_string(&quantity).unwrap(), json);
        }
        assert_ne!(serde_json::from_str::<Quantity>("1").unwrap(), Quantity::from("1"));
        // A number has one form for each value.
        let table = [("1.0", "1"), ("-0.0", "0"), ("-0", "0"), ("1e18", "1000000000000000000")];
        for (json, written) in table {
            let quantity: Quantity = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&quantity).unwrap(), written, "{json}");
            assert_eq!(quantity, serde_json::from_str(written).unwrap(), "{json}");
        }
        for json in ["null", "true", "[]", "{}"] {
            assert!(serde_json::from_str::<Quantity>(json).is_err(), "{json}");
        }
    }
}
