//! Objects of a kind that is known at run time only.

use std::fmt;

use k8s_coordination::Kinds;
use k8s_coordination::v1::Lease;
use k8s_versioned::{GroupVersion, Kind as _, KindEntry, Quoted, Registry};
use serde::Serialize;
use serde_json::Value;

use crate::input::Place;
use crate::report::{Note, ObjectReport};
use crate::suggestion;

/// The `apiVersion` and the `kind` of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TypeMeta {
    pub(crate) api_version: String,
    pub(crate) kind: String,
}

impl fmt::Display for TypeMeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", Quoted(&self.kind), Quoted(&self.api_version))
    }
}

/// The kind of an object: known, or of another group.
pub(crate) enum ObjectKind {
    /// A resource of the group.
    Known(&'static KindEntry),
    /// A kind of another group.
    OtherGroup(TypeMeta),
}

impl ObjectKind {
    /// The kind of a value.
    ///
    /// # Errors
    ///
    /// It has no `apiVersion` or no `kind`, or the group has no such kind.
    pub(crate) fn of(value: &Value) -> Result<Self, Note> {
        TypeMeta::of(value)?.resolve()
    }
}

impl TypeMeta {
    /// The `apiVersion` and the `kind` of a value.
    ///
    /// # Errors
    ///
    /// It has no `apiVersion` or no `kind`.
    pub(crate) fn of(value: &Value) -> Result<Self, Note> {
        let members = value.as_object();
        let members = members.ok_or_else(|| Note::not_understood("not an object"))?;
        let text = |name: &str| match members.get(name) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text.clone()),
            None | Some(Value::Null | Value::String(_)) => {
                Err(Note::not_understood(format!("it has no `{name}`")))
            }
            Some(_) => Err(Note::not_understood(format!("`{name}` is not a string"))),
        };
        let (api_version, kind) = (text("apiVersion")?, text("kind")?);
        Ok(Self { api_version, kind })
    }

    /// Returns `true` if it is of the group.
    pub(crate) fn is_of_group(&self) -> bool {
        GroupVersion::parse(&self.api_version).is_ok_and(|parsed| parsed.group == Lease::GROUP)
    }

    /// Looks the kind up.
    ///
    /// # Errors
    ///
    /// The group has no such kind.
    pub(crate) fn resolve(self) -> Result<ObjectKind, Note> {
        let known = resources().find(|entry| entry.reads(&self.api_version, &self.kind));
        match known {
            Some(entry) => Ok(ObjectKind::Known(entry)),
            None if self.is_of_group() => Err(Note::NotUnderstood {
                reason: format!("unknown kind: {self}"),
                hint: Some(suggestion::nearest(&self).unwrap_or_else(suggestion::all)),
            }),
            None => Ok(ObjectKind::OtherGroup(self)),
        }
    }
}

impl From<&KindEntry> for TypeMeta {
    fn from(entry: &KindEntry) -> Self {
        Self { api_version: entry.api_version().into_owned(), kind: entry.kind().to_owned() }
    }
}

/// The resources of the group, in every version.
pub(crate) fn resources() -> impl Iterator<Item = &'static KindEntry> + Clone {
    let entries = Kinds.kinds().iter();
    entries.filter(|entry| entry.plural().is_some())
}

/// Adds every reason why an object does not decode. True if there are any.
pub(crate) fn undecodable(
    entry: &KindEntry,
    value: &Value,
    place: &Place,
    report: &mut ObjectReport,
) -> bool {
    let errors = entry.decode_errors(value);
    for error in &errors {
        let reason = error.reason().to_string();
        report.note(place, error.path(), Note::Undecodable { reason });
    }
    !errors.is_empty()
}
