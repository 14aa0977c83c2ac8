//! JSON texts into types, with the rules of [`Checked`].

use std::str::Utf8Error;

use k8s_versioned_core::json::limit_depth;
use serde::de::{self, Deserialize, DeserializeOwned};
use serde_json::de::StrRead;
use serde_json::{Deserializer, Error, Value};

use super::checked::{Checked, LocatedError, Noted};
use crate::field::PathRef;

/// Reads a JSON text as a `T`, with the rules of [`Checked`].
///
/// # Errors
///
/// The errors of `serde_json`.
pub fn read<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Error> {
    read_from(Deserializer::from_str(utf8(json)?))
}

/// Reads a JSON text that may nest up to 400 levels deep.
///
/// `serde_json` stops at 128 levels. The managed fields of an object can be deeper, so a `Value` of such an object
/// needs this function. (The type of the object does not: [`FieldsV1`](crate::FieldsV1) keeps text.)
///
/// A list is never an object: derived code would read it as the fields in their order. `-0` is an integer.
///
/// ```
/// use k8s_versioned::from_json;
/// use serde_json::Value;
///
/// let deep = "[".repeat(200) + &"]".repeat(200);
/// assert!(from_json::<Value>(deep.as_bytes()).is_ok());
/// assert!(serde_json::from_str::<Value>(&deep).is_err());
/// ```
///
/// # Errors
///
/// The errors of `serde_json`, or the text nests deeper than 400 levels.
pub fn from_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, Error> {
    limit_depth(json)?;
    let mut deserializer = Deserializer::from_str(utf8(json)?);
    deserializer.disable_recursion_limit();
    read_from(deserializer)
}

fn read_from<'a, T: Deserialize<'a>>(
    mut deserializer: Deserializer<StrRead<'a>>,
) -> Result<T, Error> {
    let value = T::deserialize(Checked::new(&mut deserializer))?;
    deserializer.end()?;
    Ok(value)
}

/// The text of these bytes. Checking all bytes at once is faster than each string (rows: tolerant, registry, watch), and no type
/// needs a second decoder, for bytes.
fn utf8(json: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(json).map_err(|error| not_utf8(json, &error))
}

/// The error that names the line.
#[cold]
fn not_utf8(json: &[u8], error: &Utf8Error) -> Error {
    serde_json::from_slice::<Value>(json).err().unwrap_or_else(|| de::Error::custom(error))
}

/// The wrong field of a text that [`read`] refused with this error. The text is read once more, as a value.
#[cold]
pub fn located<T: DeserializeOwned>(json: &[u8], error: Error) -> LocatedError {
    located_by(json, error, |value, noted| noted.read::<T>(value, PathRef::Root).err())
}

/// Does the same as [`located`], with the function that reads the value once more.
#[cold]
pub fn located_by(
    json: &[u8],
    error: Error,
    again: impl FnOnce(&Value, &mut Noted) -> Option<Error>,
) -> LocatedError {
    let mut noted = Noted::default();
    let value = from_json::<Value>(json).ok();
    let again = value.and_then(|value| again(&value, &mut noted));
    let located = again.map(|reason| noted.located(reason));
    located.filter(|located| !located.path.is_empty()).unwrap_or_else(|| error.into())
}
