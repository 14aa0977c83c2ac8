//! How the value of a field is written.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct};

use super::{AsServers, ZeroValue};

/// Writes the fields of a struct.
pub trait Writer {
    /// The error of the serializer.
    type Error;

    /// A field that is always written.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    fn value<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Self::Error>;

    /// A field that is left out if it is absent.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    #[inline]
    fn option<T: Serialize>(
        &mut self,
        name: &'static str,
        value: &Option<T>,
    ) -> Result<(), Self::Error> {
        if value.is_none() { Ok(()) } else { self.value(name, value) }
    }

    /// A field that is left out if it has the zero value: a number that is 0, an empty list.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    #[inline]
    fn unless_zero<T: Serialize + ZeroValue + PartialEq>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Self::Error> {
        if super::is_zero(value) { Ok(()) } else { self.value(name, value) }
    }

    /// A map that is left out if it is empty.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    #[inline]
    fn map<T: Serialize>(
        &mut self,
        name: &'static str,
        value: &BTreeMap<String, T>,
    ) -> Result<(), Self::Error> {
        if value.is_empty() { Ok(()) } else { self.value(name, value) }
    }

    /// A list or map that is `null` if it is empty, as Go writes a list or map that was never set.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    #[inline]
    fn or_null<T: Serialize + Default + PartialEq>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Self::Error> {
        if super::is_zero(value) { self.value(name, &None::<()>) } else { self.value(name, value) }
    }

    /// A number with a fraction, or a list or map of such numbers.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    #[inline]
    fn number<T: Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), Self::Error> {
        self.value(name, &AsServers(value))
    }

    /// Such numbers, left out if they are absent.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    #[inline]
    fn number_option<T: Serialize>(
        &mut self,
        name: &'static str,
        value: &Option<T>,
    ) -> Result<(), Self::Error> {
        if value.is_none() { Ok(()) } else { self.number(name, value) }
    }

    /// Such numbers, left out if they have the zero value.
    ///
    /// # Errors
    ///
    /// Errors of the serializer.
    #[inline]
    fn number_unless_zero<T: Serialize + ZeroValue + PartialEq>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Self::Error> {
        if super::is_zero(value) { Ok(()) } else { self.number(name, value) }
    }
}

/// The fields that every object writes.
pub(super) const TYPE_META: [&str; 2] = ["apiVersion", "kind"];

/// Leaves `apiVersion` and `kind` out.
pub(super) struct Untyped<W>(pub(super) W);

impl<W: Writer> Writer for Untyped<W> {
    type Error = W::Error;

    #[inline]
    fn value<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), W::Error> {
        if TYPE_META.contains(&name) { Ok(()) } else { self.0.value(name, value) }
    }
}

/// Writes other metadata than that of the object.
pub(super) struct WithMetadata<'m, W, M: ?Sized>(pub(super) W, pub(super) &'m M);

impl<W: Writer, M: Serialize + ?Sized> Writer for WithMetadata<'_, W, M> {
    type Error = W::Error;

    #[inline]
    fn value<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), W::Error> {
        if name == "metadata" { self.0.value(name, self.1) } else { self.0.value(name, value) }
    }
}

/// Writes the fields of a struct.
pub(super) struct StructWriter<S>(pub(super) S);

impl<S: SerializeStruct> Writer for StructWriter<S> {
    type Error = S::Error;

    #[inline]
    fn value<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.0.serialize_field(name, value)
    }
}

/// Writes the fields as members of a map.
pub(super) struct MapWriter<S>(pub(super) S);

impl<S: SerializeMap> Writer for MapWriter<S> {
    type Error = S::Error;

    #[inline]
    fn value<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.0.serialize_entry(name, value)
    }
}

/// Counts the fields that are written: some formats write the number first.
pub(super) struct Count(pub(super) usize);

impl Writer for Count {
    type Error = Infallible;

    #[inline]
    fn value<T: Serialize + ?Sized>(&mut self, _: &'static str, _: &T) -> Result<(), Infallible> {
        self.0 += 1;
        Ok(())
    }
}
