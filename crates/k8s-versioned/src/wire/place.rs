//! Values that are read where they stay.

use std::fmt;

use serde::de::{self, DeserializeSeed, Visitor};
use serde::{Deserialize, Deserializer};

use super::ZeroValue;

/// From how many bytes on a value is read in its place: less is cheaper to copy than to clear. Hot path, row `decode` of the benches.
const LARGE: usize = 64;

/// A place, which has the value of an absent field, and the way to read a value into it.
pub(super) trait Fill<'de>: Sized {
    /// Reads a value that is not `null`.
    fn fill<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error>;
}

/// Reads a value into a place; `null` leaves it as it is.
pub(super) struct Nullable<P>(pub(super) P);

impl<'de, P: Fill<'de>> DeserializeSeed<'de> for Nullable<P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, P: Fill<'de>> Visitor<'de> for Nullable<P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option")
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.fill(deserializer)
    }
}

/// Reads a value.
impl<'de, T: Deserialize<'de> + ZeroValue> Fill<'de> for &mut T {
    fn fill<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if const { size_of::<T>() > LARGE } {
            return T::deserialize_in_place(deserializer, self);
        }
        *self = T::deserialize(deserializer)?;
        Ok(())
    }
}

/// Reads an optional value.
pub(super) struct Optional<'a, T>(pub(super) &'a mut Option<T>);

impl<'de, T: Deserialize<'de>> Fill<'de> for Optional<'_, T> {
    fn fill<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        *self.0 = Some(T::deserialize(deserializer)?);
        Ok(())
    }
}
