//! Objects of a kind that is known at run time only.

use k8s_coordination::Kinds;
use k8s_coordination::v1::Lease;
use k8s_versioned::{Kind as _, KindEntry, Registry, TypeMeta};
use serde_json::Value;

use crate::input::InputPosition;
use crate::report::{Note, ObjectReport};
use crate::suggestion;

/// The kind of an object: known, or of another group.
pub(crate) enum ObjectKind {
    /// A resource of the group.
    Known(&'static KindEntry),
    /// A kind of another group.
    OtherGroup(TypeMeta<'static>),
}

impl ObjectKind {
    /// The kind of a type.
    ///
    /// # Errors
    ///
    /// The group has no such kind.
    pub(crate) fn of(of: TypeMeta<'static>) -> Result<Self, Note> {
        match resource(&of) {
            Some(entry) => Ok(Self::Known(entry)),
            None if of.group() == Some(Lease::GROUP) => {
                let hint = suggestion::nearest(&of).unwrap_or_else(suggestion::all);
                Err(Note::not_understood(&format!("unknown kind: {of}")).with_hint(hint))
            }
            None => Ok(Self::OtherGroup(of)),
        }
    }
}

/// The resource of a type.
fn resource(of: &TypeMeta<'_>) -> Option<&'static KindEntry> {
    resources().find(|entry| entry.reads(&of.api_version, &of.kind))
}

/// Returns `true` for the type of lists of a resource.
pub(crate) fn is_list(of: &TypeMeta<'_>) -> bool {
    of.of_items().is_some_and(|of| resource(&of).is_some())
}

/// The resources of the group, in every version.
pub(crate) fn resources() -> impl Iterator<Item = &'static KindEntry> + Clone {
    let entries = Kinds.kinds().iter();
    entries.filter(|entry| entry.plural().is_some())
}

/// Adds every reason why an object does not decode. Returns `true` if there are any.
pub(crate) fn undecodable(
    entry: &KindEntry,
    value: &Value,
    place: &InputPosition,
    report: &mut ObjectReport,
) -> bool {
    let errors = entry.decode_errors(value);
    for error in &errors {
        report.note(place, error.path(), Note::undecodable(&error.reason().to_string()));
    }
    !errors.is_empty()
}
