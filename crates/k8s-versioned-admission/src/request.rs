//! Requests that create or replace an object.

use serde_json::Value;

/// The parameter `fieldValidation` of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldValidation {
    /// Unknown and duplicate fields are dropped.
    Ignore,
    /// They are dropped with a warning.
    #[default]
    Warn,
    /// They are errors.
    Strict,
}

/// A request that creates or replaces an object, or replaces its status.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub(crate) version: &'a str,
    pub(crate) body: &'a [u8],
    pub(crate) action: Action<'a>,
    pub(crate) field_validation: FieldValidation,
    pub(crate) is_of_stored_version: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Action<'a> {
    Create { namespace: &'a str },
    Update { stored: &'a Value },
    UpdateStatus { stored: &'a Value },
}

impl<'a> Request<'a> {
    /// A `POST` of an object in a version of its group. The namespace is that of the URL; it is ignored for a kind without
    /// namespaces.
    pub const fn create(version: &'a str, namespace: &'a str, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::Create { namespace })
    }

    /// A `PUT` to a stored object. Its metadata names the object in the URL.
    pub const fn update(version: &'a str, stored: &'a Value, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::Update { stored })
    }

    /// A `PUT` to the subresource `status` of a stored object.
    pub const fn update_status(version: &'a str, stored: &'a Value, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::UpdateStatus { stored })
    }

    const fn new(version: &'a str, body: &'a [u8], action: Action<'a>) -> Self {
        let field_validation = FieldValidation::Warn;
        Self { version, body, action, field_validation, is_of_stored_version: false }
    }

    /// The same request with the parameter `fieldValidation`. Without, servers warn.
    #[must_use]
    pub const fn with_field_validation(self, field_validation: FieldValidation) -> Self {
        Self { field_validation, ..self }
    }

    /// The same request, whose object has the `resourceVersion` of the stored object if it has none. Clients fill it in
    /// before they send an object from a file.
    #[must_use]
    pub const fn with_stored_version(self) -> Self {
        Self { is_of_stored_version: true, ..self }
    }
}
