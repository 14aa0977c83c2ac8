//! Writing objects.

use serde::Serializer;
use serde::ser::SerializeStruct;

use crate::Kind;

/// The fields of an object, without `apiVersion` and `kind`.
///
/// An object writes the two constants before these fields, an item of a list does not. So the
/// fields are written by a method of their own.
pub trait Body: Kind {
    /// How many fields [`write`](Body::write) writes. A field that is left out does not count.
    fn field_count(&self) -> usize;

    /// Writes the fields.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    fn write<O: SerializeStruct>(&self, object: &mut O) -> Result<(), O::Error>;
}

/// Writes an object: `apiVersion`, `kind`, then its fields.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize_object<T: Body, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_struct(T::KIND, value.field_count() + 2)?;
    object.serialize_field("apiVersion", T::API_VERSION)?;
    object.serialize_field("kind", T::KIND)?;
    value.write(&mut object)?;
    object.end()
}
