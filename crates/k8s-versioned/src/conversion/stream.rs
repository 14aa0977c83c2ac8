//! Reading an object of any version without a `Value` in between.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde_json::Value;

use super::ConversionReport;
use super::any_version::{self, AnyVersion};
use crate::StrictValue;
use crate::json::Checked;

/// Reads an object as the version that its `apiVersion` names.
///
/// The type reads the rest where `apiVersion` and `kind` come first, as servers write them. Any other object is read as
/// a `Value` first.
///
/// # Errors
/// The input is not an object of the kind, or lacks `apiVersion` or `kind`.
pub fn deserialize<'de, A, D>(deserializer: D) -> Result<A, D::Error>
where
    A: AnyVersion,
    D: Deserializer<'de>,
{
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<A>(PhantomData<A>);

impl<'de, A: AnyVersion> Visitor<'de> for ObjectVisitor<A> {
    type Value = A;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of kind `{}`", A::KIND)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<A, M::Error> {
        let mut first: Vec<(String, Value)> = Vec::with_capacity(2);
        while first.len() < 2
            && let Some((key, value)) = members.next_entry::<String, StrictValue>()?
        {
            first.push((key, value.into_inner()));
        }
        let version = version::<A>(&first);
        let whole = MapAccessDeserializer::new(Resumed {
            first: first.into_iter(),
            value: None,
            rest: members,
        });
        if let Some(version) = version {
            return A::deserialize_version(version, Checked::new(whole));
        }
        let object = StrictValue::deserialize(whole)?.into_inner();
        A::from_value(&object, &mut ConversionReport::new()).map_err(de::Error::custom)
    }
}

/// The version of an object of the kind, if its first members are `apiVersion` and `kind`.
fn version<A: AnyVersion>(first: &[(String, Value)]) -> Option<A::Version> {
    let text = |name| {
        let mut members = first.iter();
        members.find_map(|(key, value)| value.as_str().filter(|_| key == name))
    };
    text("kind").filter(|kind| *kind == A::KIND)?;
    any_version::version::<A>(text("apiVersion")?)
}

/// The members of an object: those that were read, then the rest.
struct Resumed<M> {
    first: std::vec::IntoIter<(String, Value)>,
    value: Option<Value>,
    rest: M,
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for Resumed<M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, M::Error> {
        let Some((key, value)) = self.first.next() else {
            return self.rest.next_key_seed(seed);
        };
        self.value = Some(value);
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, M::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(de::Error::custom),
            None => self.rest.next_value_seed(seed),
        }
    }
}
