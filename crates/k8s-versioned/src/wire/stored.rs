//! Fields of custom resources, read as servers store what they are sent: `1.0` and `1e2` are the integers 1 and 100, and a member
//! of a map that is `null` is dropped unless the schema lets it be `null`.
//!
//! A built-in kind is read into a Go type, which refuses such numbers and makes zero values of such members. So generated code
//! names, for the fields of custom resources that have integers or maps, the [`Shape`] of their values.

use std::any::type_name;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::ZeroValue;
use super::place::Fill;

/// How values of a type are read.
pub trait Shape<T> {
    /// Whether a member of a map can be `null`.
    const KEEPS_NULL: bool = false;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer; the value is of another type.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;
}

/// A value that contains neither integers nor maps, or reads them itself.
#[derive(Clone, Copy, Debug)]
pub struct AsIs;

/// An integer.
#[derive(Clone, Copy, Debug)]
pub struct Integer;

/// A value that can be absent or `null`.
#[derive(Clone, Copy, Debug)]
pub struct NullOr<S>(pub S);

/// A list.
#[derive(Clone, Copy, Debug)]
pub struct ListOf<S>(pub S);

/// A map.
#[derive(Clone, Copy, Debug)]
pub struct MapOf<S>(pub S);

impl<T: for<'de> Deserialize<'de>> Shape<T> for AsIs {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

impl<T: TryFrom<i64>> Shape<T> for Integer {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_i64(Reading::<Self, T>::new())
    }
}

impl<T, S: Shape<T>> Shape<Option<T>> for NullOr<S> {
    const KEEPS_NULL: bool = true;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_option(Reading::<Self, T>::new())
    }
}

impl<T, S: Shape<T>> Shape<Vec<T>> for ListOf<S> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(Reading::<Self, T>::new())
    }
}

impl<T, S: Shape<T>> Shape<BTreeMap<String, T>> for MapOf<S> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error> {
        deserializer.deserialize_map(Reading::<Self, T>::new())
    }
}

/// A value that is being read: the visitor, and the seed.
struct Reading<S, T>(PhantomData<fn() -> (S, T)>);

impl<S, T> Reading<S, T> {
    const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T, S: Shape<T>> DeserializeSeed<'de> for Reading<S, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        S::read(deserializer)
    }
}

impl<T: TryFrom<i64>> Visitor<'_> for Reading<Integer, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(type_name::<T>())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        T::try_from(value).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<T, E> {
        let whole = i64::try_from(value).ok().and_then(|whole| T::try_from(whole).ok());
        whole.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    #[allow(clippy::cast_possible_truncation, reason = "the value is in the range of i64")]
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<T, E> {
        const END: f64 = 9_223_372_036_854_775_808.0;
        let is_whole = value.fract() == 0.0 && (-END..END).contains(&value);
        let whole = is_whole.then_some(value as i64).and_then(|whole| T::try_from(whole).ok());
        whole.ok_or_else(|| E::invalid_type(Unexpected::Float(value), &self))
    }
}

impl<'de, T, S: Shape<T>> Visitor<'de> for Reading<NullOr<S>, T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option")
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        S::read(deserializer).map(Some)
    }
}

impl<'de, T, S: Shape<T>> Visitor<'de> for Reading<ListOf<S>, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Reading::<S, T>::new())? {
            list.push(item);
        }
        Ok(list)
    }
}

impl<'de, T, S: Shape<T>> Visitor<'de> for Reading<MapOf<S>, T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = entries.next_key()? {
            let value = if S::KEEPS_NULL {
                Some(entries.next_value_seed(Reading::<S, T>::new())?)
            } else {
                entries.next_value_seed(Reading::<NullOr<S>, Option<T>>::new())?
            };
            map.extend(value.map(|value| (key, value)));
        }
        Ok(map)
    }
}

/// A place for a value of a shape, which has the zero value.
pub(super) struct Stored<'a, S, T>(&'a mut T, PhantomData<S>);

impl<'a, S, T> Stored<'a, S, T> {
    pub(super) const fn new(to: &'a mut T) -> Self {
        Self(to, PhantomData)
    }
}

impl<'de, T: ZeroValue, S: Shape<T>> Fill<'de> for Stored<'_, S, T> {
    fn fill<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        *self.0 = S::read(deserializer)?;
        Ok(())
    }
}

/// The seed of a value of a shape.
pub(super) fn seed<'de, T, S: Shape<T>>() -> impl DeserializeSeed<'de, Value = T> {
    Reading::<S, T>::new()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{AsIs, Integer, ListOf, MapOf, NullOr, Shape};

    fn read<T, S: Shape<T>>(text: &str) -> Result<T, String> {
        let from_text = S::read(&mut serde_json::Deserializer::from_str(text));
        from_text.map_err(|error| error.to_string())
    }

    #[test]
    fn integers_are_whole_numbers() {
        let table = [
            ("1", Ok(1)),
            ("1.0", Ok(1)),
            ("1e2", Ok(100)),
            ("-0.0", Ok(0)),
            ("2147483647.0", Ok(i32::MAX)),
            ("1.5", Err("invalid type: floating point `1.5`, expected i32")),
            ("2147483648", Err("invalid value: integer `2147483648`, expected i32")),
            ("1e300", Err("invalid type: floating point `1e+300`, expected i32")),
            (
                "18446744073709551615",
                Err("invalid value: integer `18446744073709551615`, expected i32"),
            ),
            ("\"1\"", Err("invalid type: string \"1\", expected i32")),
        ];
        for (text, expected) in table {
            // The place in the text follows the error.
            let value = read::<i32, Integer>(text)
                .map_err(|error| error.split(" at line").next().unwrap_or_default().to_owned());
            assert_eq!(value, expected.map_err(str::to_owned), "{text}");
        }
        assert_eq!(read::<i64, Integer>("9.2e18"), Ok(9_200_000_000_000_000_000));
        assert!(read::<i64, Integer>("9223372036854775808").is_err());
    }

    #[test]
    fn a_member_that_is_null_is_dropped() {
        let map = |members: &[(&str, &str)]| -> BTreeMap<String, String> {
            members.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(read::<_, MapOf<AsIs>>(r#"{"a": null, "b": ""}"#), Ok(map(&[("b", "")])));
        let nested = read::<BTreeMap<String, BTreeMap<String, i64>>, MapOf<MapOf<Integer>>>(
            r#"{"a": {"b": null, "c": 1.0}, "d": null}"#,
        );
        let inner = BTreeMap::from([("c".to_owned(), 1)]);
        assert_eq!(nested, Ok(BTreeMap::from([("a".to_owned(), inner)])));
        let kept = read::<BTreeMap<String, Option<i64>>, MapOf<NullOr<Integer>>>(r#"{"a": null}"#);
        assert_eq!(kept, Ok(BTreeMap::from([("a".to_owned(), None)])));
    }

    #[test]
    fn an_item_that_is_null_is_an_error() {
        assert_eq!(read::<Vec<i64>, ListOf<Integer>>("[1, 2.0]"), Ok(vec![1, 2]));
        assert!(read::<Vec<i64>, ListOf<Integer>>("[null]").is_err());
    }
}
