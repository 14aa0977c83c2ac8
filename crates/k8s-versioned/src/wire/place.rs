//! Values that are read where they stay.

use std::fmt;

use serde::de::{self, DeserializeSeed, Visitor};
use serde::{Deserialize, Deserializer};

use super::ZeroValue;

/// From how many bytes on a value is read in its place: less is cheaper to copy than to clear. Row: decode.
const LARGE: usize = 64;

/// Reads a value into its place, which has the zero value; `null` leaves it.
pub(super) struct Place<'a, T>(pub(super) &'a mut T);

impl<'de, T: Deserialize<'de> + ZeroValue> DeserializeSeed<'de> for Place<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, T: Deserialize<'de> + ZeroValue> Visitor<'de> for Place<'_, T> {
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
        if size_of::<T>() > LARGE {
            return T::deserialize_in_place(deserializer, self.0);
        }
        *self.0 = T::deserialize(deserializer)?;
        Ok(())
    }
}

/// Reads an optional value into its place, which is empty; `null` leaves it.
pub(super) struct Optional<'a, T>(pub(super) &'a mut Option<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Optional<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Optional<'_, T> {
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
        *self.0 = Some(T::deserialize(deserializer)?);
        Ok(())
    }
}
