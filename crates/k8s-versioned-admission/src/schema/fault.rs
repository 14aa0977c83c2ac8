//! A rule that a value breaks, and where.

use super::tree::{NamedFormat, Schema};
use crate::answer::{Reason, RefusalCause, Shown};
use crate::facts::Facts;
use crate::go;
use crate::path::Path;

/// A value's schema and path.
pub(crate) struct ValuePlace<'a> {
    pub(super) schema: &'a Schema,
    pub(super) path: &'a Path<'a>,
    pub(super) facts: Facts,
    /// The field that the paths begin at: `status` in an update of the status.
    pub(super) base: &'static str,
}

impl<'a> ValuePlace<'a> {
    pub(super) fn format(&self) -> Option<&'a NamedFormat> {
        self.schema.constraints.as_deref()?.format.as_ref()
    }

    /// The field of a cause.
    pub(super) fn field(&self) -> String {
        self.field_of(&format!("{:#}", self.path))
    }

    /// The field of a cause for what is at this path.
    pub(super) fn field_of(&self, name: &str) -> String {
        let name = name.strip_prefix('.').unwrap_or(name);
        match (self.base, name) {
            ("", name) => name.to_owned(),
            (base, "") => base.to_owned(),
            (base, name) => format!("{base}.{name}"),
        }
    }
}

/// A broken rule. Servers report a message once.
pub(crate) struct Fault {
    pub(super) message: String,
    pub(super) cause: RefusalCause,
}

impl Fault {
    /// A fault without a field.
    pub(super) fn plain(place: &ValuePlace<'_>, message: String) -> Self {
        let cause = RefusalCause::invalid(place.base, "", &message);
        Self { message, cause }
    }

    pub(super) fn shown(
        place: &ValuePlace<'_>,
        reason: Reason,
        shown: Shown<'_>,
        message: String,
    ) -> Self {
        let cause = RefusalCause::new(place.facts, reason, place.field(), shown, &message);
        Self { message, cause }
    }

    pub(super) fn wrong_type(place: &ValuePlace<'_>, expected: &str, actual: &str) -> Self {
        let actual_quoted = go::GoQuoted(actual);
        let message =
            format!("{:#} in body must be of type {expected}: {actual_quoted}", place.path);
        Self::shown(place, Reason::TypeInvalid, Shown::Text(actual), message)
    }
}
