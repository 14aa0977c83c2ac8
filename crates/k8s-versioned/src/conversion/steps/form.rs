//! Values that a version requires, and those that can be absent in another: the steps that take both.

use super::FieldValue;
use crate::{Duration, IntOrString, Json, Quantity};

/// A value that is always there, or that can be absent.
pub trait MaybeAbsent: FieldValue {
    /// The type of a value that is there.
    type Value;

    /// The value, if it is there.
    fn get(&self) -> Option<&Self::Value>;

    /// The form of a value. Without one it is absent, or the zero value.
    fn of(value: Option<Self::Value>) -> Self;
}

macro_rules! forms {
    ($($value:ty)*) => {$(
        impl MaybeAbsent for $value {
            type Value = Self;

            fn get(&self) -> Option<&Self> {
                Some(self)
            }

            fn of(value: Option<Self>) -> Self {
                value.unwrap_or_default()
            }
        }

        impl MaybeAbsent for Option<$value> {
            type Value = $value;

            fn get(&self) -> Option<&$value> {
                self.as_ref()
            }

            fn of(value: Self) -> Self {
                value
            }
        }
    )*};
}

forms!(i32 i64 String Duration IntOrString Quantity Json);
