//! A kept value that comes back.

use std::borrow::Cow;

use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;

use super::{ConversionFinding, ConversionReport};

/// A kept value.
pub(crate) struct Taken {
    pub(super) path: Cow<'static, str>,
    pub(super) value: Option<Value>,
    pub(crate) filled: Option<Value>,
}

impl Taken {
    /// The kept value, and the value that a policy has put in its place; `None`, and a report, if they have other
    /// types.
    pub(crate) fn decode<T: DeserializeOwned, F: DeserializeOwned>(
        &self,
        report: &mut ConversionReport,
    ) -> Option<(T, Option<F>)> {
        let Some(value) = &self.value else {
            self.malformed("a policy's value without a kept value", report);
            return None;
        };
        let value = self.read(value, report)?;
        let filled = match &self.filled {
            Some(filled) => Some(self.read(filled, report)?),
            None => None,
        };
        Some((value, filled))
    }

    /// The kept value of a field that has no policy.
    pub(crate) fn value<T: DeserializeOwned>(&self, report: &mut ConversionReport) -> Option<T> {
        let (value, filled) = self.decode::<T, Value>(report)?;
        if filled.is_some() {
            self.malformed("no policy fills this field", report);
            return None;
        }
        Some(value)
    }

    /// A kept `null`, also of a field that can be absent: `Some(None)`. A value that is not there is not kept.
    pub(crate) fn null<T: DeserializeOwned>(&self) -> Option<T> {
        let is_null = self.value == Some(Value::Null) && self.filled.is_none();
        is_null.then(|| T::deserialize(Null).ok()).flatten()
    }

    fn read<T: DeserializeOwned>(&self, value: &Value, report: &mut ConversionReport) -> Option<T> {
        let decoded = T::deserialize(value);
        decoded.map_err(|error| self.malformed(&error.to_string(), report)).ok()
    }

    /// Reports a value that no conversion writes.
    pub(crate) fn malformed(&self, reason: &str, report: &mut ConversionReport) {
        let mut value = match (&self.value, &self.filled) {
            (Some(value), None) => value.clone(),
            (value, filled) => serde_json::json!({"kept": value, "filled": filled}),
        };
        value.sort_all_objects();
        let (text, reason) = (value.to_string(), reason.to_owned());
        report.add(self.path.clone(), ConversionFinding::Malformed { text, reason });
    }
}

/// A `null` that is there: an `Option` around it is `Some`.
struct Null;

impl<'de> Deserializer<'de> for Null {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(Value::Null)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}
