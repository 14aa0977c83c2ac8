//! What is known of an object in protobuf that cannot be decoded.

use super::ObjectError;
use super::error::{Identity, Metadata};
use crate::protobuf::{Error, Field, Message, Sink, decode_message};

impl Message for Identity {
    const FIELDS: &'static [(u32, &'static str)] =
        &[(1, "name"), (3, "namespace"), (6, "resourceVersion")];

    fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        match field.number() {
            1 => field.unless_zero(&mut self.name),
            3 => field.unless_zero(&mut self.namespace),
            6 => field.unless_zero(&mut self.resource_version),
            _ => field.skip(),
        }
    }

    fn write_fields(&self, _: &mut impl Sink) {}
}

impl<M: Message + Default> Message for Metadata<M> {
    const FIELDS: &'static [(u32, &'static str)] = &[(1, "metadata")];

    fn merge_field(&mut self, field: Field<'_, '_>) -> Result<(), Error> {
        match field.number() {
            1 => field.value(&mut self.metadata),
            _ => field.skip(),
        }
    }

    fn write_fields(&self, _: &mut impl Sink) {}
}

impl ObjectError {
    /// The error of an object without an envelope.
    pub(super) fn of_message(index: Option<usize>, object: &[u8], error: Error) -> Self {
        let Metadata { metadata } = decode_message(object).unwrap_or_default();
        Self::of(index, metadata, "", error.into())
    }
}
