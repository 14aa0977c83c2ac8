//! The form of objects on the wire.
//!
//! Generated structs have the trait [`Fields`].
//!
//! Encoding follows API servers. An object starts with `apiVersion` and `kind`; the items of a
//! list have neither. Decoding is as lenient as servers: an absent or `null` field has
//! its zero value, or the default that the schema of a custom resource states for a required field;
//! `apiVersion` and `kind` are checked only if they are present.

mod collection;
mod field_names;
mod fields;
mod number;
mod place;
mod reader;
mod setters;
mod stored;
mod type_meta;
mod writer;

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{self, DeserializeOwned, Visitor};
use ::serde::{Deserialize, Deserializer};

pub use fields::Fields;
pub(crate) use fields::write_untyped;
#[doc(hidden)]
pub use fields::{read, read_in_place, write, write_with_metadata, write_with_rest};
pub use number::AsServers;
pub use reader::Reader;
#[doc(hidden)]
pub use serde;
pub use setters::{list, map};
#[doc(hidden)]
pub use stored::{AsIs, Integer, ListOf, MapOf, NullOr, Shape};
pub use type_meta::{ApiVersion, KindName};
pub(crate) use type_meta::{ItemsAsServers, is_among};
pub use writer::Writer;

/// Go's zero value: the value of an absent or `null` required field.
///
/// For every type with a [`Default`] it is that. A type that has no default, so that programs do not make an empty
/// value by accident, implements this trait by hand.
pub trait ZeroValue {
    /// Returns the zero value of the type.
    fn zero_value() -> Self;
}

impl<T: Default> ZeroValue for T {
    fn zero_value() -> Self {
        T::default()
    }
}

/// The zero value, as a function for `#[serde(default = "…")]`.
pub fn zero<T: ZeroValue>() -> T {
    T::zero_value()
}

/// The value of a default or of a rule, of which the generator has checked the type.
#[doc(hidden)]
pub fn value_of<T: ZeroValue + DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|_| T::zero_value())
}

/// Returns `true` for the zero value: a field that Go's `omitempty` leaves out.
#[inline]
pub fn is_zero<T: ZeroValue + PartialEq>(value: &T) -> bool {
    *value == T::zero_value()
}

/// Decodes a value; `null` is the zero value.
///
/// # Errors
///
/// Errors of the deserializer and of `T`.
pub fn null_is_zero<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + ZeroValue,
{
    let value = Option::deserialize(deserializer)?;
    Ok(value.unwrap_or_else(T::zero_value))
}

/// Decodes a text as a `T`, without a copy if the `T` needs none. Hot path, row `allocations` of the benches.
///
/// # Errors
///
/// Errors of the deserializer; the value is not a text.
pub fn word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: for<'a> From<&'a str> + From<String>,
{
    deserializer.deserialize_str(WordVisitor(PhantomData))
}

struct WordVisitor<T>(PhantomData<T>);

impl<T: for<'a> From<&'a str> + From<String>> Visitor<'_> for WordVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        Ok(text.into())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<T, E> {
        Ok(text.into())
    }
}
