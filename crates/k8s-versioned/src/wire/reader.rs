//! How the value of a field is read.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess};

use super::ZeroValue;
use super::collection::{FillList, Members};
use super::place::{Nullable, Optional};
use super::stored::{self, Shape, Stored};

/// Reads the value of a field into its place, which has the value of an absent field: its zero value, or its default in the
/// schema. `null` leaves it as it is.
pub trait Reader<'de>: MapAccess<'de> {
    /// A value.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of `T`.
    #[inline]
    fn value<T: Deserialize<'de> + ZeroValue>(&mut self, to: &mut T) -> Result<(), Self::Error> {
        self.next_value_seed(Nullable(to))
    }

    /// A value that can be absent; `null` is absent.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of `T`.
    #[inline]
    fn option<T: Deserialize<'de>>(&mut self, to: &mut Option<T>) -> Result<(), Self::Error> {
        self.next_value_seed(Nullable(Optional(to)))
    }

    /// A value that can be absent or `null`, which are not the same.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of `T`.
    #[inline]
    fn nullable<T: Deserialize<'de>>(
        &mut self,
        to: &mut Option<Option<T>>,
    ) -> Result<(), Self::Error> {
        *to = Some(self.next_value()?);
        Ok(())
    }

    /// A value without a schema that can be absent; `null` is a value like others, which servers store.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of `T`.
    #[inline]
    fn any<T: Deserialize<'de>>(&mut self, to: &mut Option<T>) -> Result<(), Self::Error> {
        *to = Some(self.next_value()?);
        Ok(())
    }

    /// A value of a custom resource, as servers store it.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of the shape.
    #[doc(hidden)]
    fn stored<S: Shape<T>, T: ZeroValue>(&mut self, to: &mut T, _: S) -> Result<(), Self::Error> {
        self.next_value_seed(Nullable(Stored::<S, T>::new(to)))
    }

    /// A value of a custom resource that can be absent or `null`, which are not the same.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of the shape.
    #[doc(hidden)]
    fn stored_nullable<S: Shape<Option<T>>, T>(
        &mut self,
        to: &mut Option<Option<T>>,
        _: S,
    ) -> Result<(), Self::Error> {
        *to = Some(self.next_value_seed(stored::seed::<Option<T>, S>())?);
        Ok(())
    }

    /// A list; a `null` item is the zero value.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of `T`.
    #[inline]
    fn list<T: Deserialize<'de> + ZeroValue>(
        &mut self,
        to: &mut Vec<T>,
    ) -> Result<(), Self::Error> {
        self.next_value_seed(Nullable(FillList(to)))
    }

    /// A map; a `null` value is the zero value.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer and of `T`.
    #[inline]
    fn map<T: Deserialize<'de> + ZeroValue>(
        &mut self,
        to: &mut BTreeMap<String, T>,
    ) -> Result<(), Self::Error> {
        self.next_value_seed(Nullable(Members(to)))
    }

    /// A value that nothing keeps.
    ///
    /// # Errors
    ///
    /// Errors of the deserializer.
    fn skip(&mut self) -> Result<(), Self::Error> {
        self.next_value::<IgnoredAny>().map(drop)
    }
}

impl<'de, A: MapAccess<'de>> Reader<'de> for A {}
