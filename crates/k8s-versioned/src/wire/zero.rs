//! Go's zero values.

use serde::{Deserialize, Deserializer};

/// Go's zero value: the value of an absent or `null` required field.
///
/// For every type with a [`Default`] it is that. A type that has no default, so that programs do not make an empty
/// value by accident, implements this trait by hand.
pub trait ZeroValue {
    /// The zero value.
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

/// Returns `true` for the zero value: a field that Go's `omitempty` leaves out.
pub fn is_zero<T: ZeroValue + PartialEq>(value: &T) -> bool {
    *value == T::zero_value()
}

/// Decodes a value; `null` is the zero value.
///
/// # Errors
///
/// Those of the deserializer and of `T`.
pub fn null_is_zero<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + ZeroValue,
{
    let value = Option::deserialize(deserializer)?;
    Ok(value.unwrap_or_else(T::zero_value))
}
