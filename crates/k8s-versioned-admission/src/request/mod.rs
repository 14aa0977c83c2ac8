//! Requests that create or replace an object.

mod admit;
mod body;
mod check;
mod conflict;
mod prepare;
mod receive;
mod typed;

pub use k8s_versioned::meta::v1::FieldValidation;
use serde_json::Value;

pub use typed::{Admit, AdmitError};

/// A request that creates or replaces an object, or replaces its status.
#[derive(Clone, Copy, Debug)]
pub struct WriteRequest<'a> {
    pub(crate) version: &'a str,
    pub(crate) body: &'a [u8],
    pub(crate) action: Action<'a>,
    pub(crate) field_validation: &'a FieldValidation,
    pub(crate) is_from_files: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Action<'a> {
    Create { namespace: &'a str },
    Recreate,
    Update { stored: &'a Value },
    UpdateStatus { stored: &'a Value },
}

impl<'a> WriteRequest<'a> {
    /// A `POST` of an object in a version of its group. The namespace is the one in the URL; it is ignored for a kind without
    /// namespaces.
    pub const fn create(version: &'a str, namespace: &'a str, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::Create { namespace })
    }

    /// An object that a server stored, for example from a dump of a cluster. The answer is that of a server if the object were
    /// created with this metadata, `spec` and `status`.
    ///
    /// Unlike in a creation, the status is judged, and the metadata that only servers set stays: the `resourceVersion`, the
    /// `uid`, the generation, the managed fields. The object is in its own namespace. There is no old object, so every value is
    /// judged, and no rule that compares with `oldSelf`. [`is_from_server`] recognises such objects.
    ///
    /// ```
    /// use k8s_versioned_admission::{Definition, WriteRequest, is_from_server};
    /// # use serde_json::json;
    /// # let schema = json!({"type": "object", "properties": {"spec": {
    /// #     "type": "object", "properties": {"size": {"type": "integer", "maximum": 3}},
    /// # }}});
    /// # let definition = json!({"spec": {
    /// #     "group": "example.com", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
    /// #     "versions": [{"name": "v1", "served": true, "schema": {"openAPIV3Schema": schema}}],
    /// # }});
    /// let definition = Definition::compile(&definition)?;
    ///
    /// let stored = json!({
    ///     "apiVersion": "example.com/v1",
    ///     "kind": "Widget",
    ///     "metadata": {"name": "a", "namespace": "b", "uid": "6b1f", "resourceVersion": "7", "generation": 2},
    ///     "spec": {"size": 5},
    /// });
    /// assert!(is_from_server(&stored));
    /// let body = stored.to_string();
    /// let answer = definition.admit(&WriteRequest::recreate("v1", body.as_bytes()));
    /// assert_eq!(answer.causes[0].field, "spec.size");
    /// # Ok::<(), k8s_versioned_admission::SchemaError>(())
    /// ```
    pub const fn recreate(version: &'a str, body: &'a [u8]) -> Self {
        Self::new(version, body, Action::Recreate)
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
        let field_validation = &FieldValidation::Warn;
        Self { version, body, action, field_validation, is_from_files: false }
    }

    /// The same request with the parameter `fieldValidation`. Without it, and with other words, servers warn.
    #[must_use]
    pub const fn with_field_validation(self, field_validation: &'a FieldValidation) -> Self {
        Self { field_validation, ..self }
    }

    /// The same request with objects as they are in files and in programs, which leave out what servers and clients fill in.
    ///
    /// A stored object without a namespace is in `default`. The object of the request has the `resourceVersion` of the stored
    /// object if it has none. If neither has one, the version is not known, and the answer has none.
    #[must_use]
    pub const fn from_files(self) -> Self {
        Self { is_from_files: true, ..self }
    }
}

/// Returns `true` if an object was read from a server: its metadata has a `resourceVersion` and a `uid`, which only servers set.
///
/// A new object with only one of the two is refused (`resourceVersion`), or gets another value (`uid`). A generation, managed
/// fields or a status prove nothing: people write them, and servers drop them from new objects.
pub fn is_from_server(object: &Value) -> bool {
    let has = |field: &str| {
        let text = object.get("metadata").and_then(|metadata| metadata.get(field)?.as_str());
        text.is_some_and(|text| !text.is_empty())
    };
    has("resourceVersion") && has("uid")
}
