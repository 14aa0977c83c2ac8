//! What people read of several steps.

use crate::conversion::actions::{EmptyObject, FilledBy, MetadataKey, OptionalObject};
use crate::plan::code;
use crate::text::join;

/// The note that a value which no object has is reported.
pub(super) const MADE_UP: &str = "; a made-up value is reported";

/// The note that the required fields of a made object are reported, if it has any.
pub(super) fn with_report(required: &[String]) -> String {
    if required.is_empty() {
        return String::new();
    }
    format!(", with a report of {}", join(required.iter().map(|name| code(name)), ", "))
}

/// What an object of the target is without values of its own.
pub(super) fn without_values(object: &OptionalObject) -> String {
    let [_, EmptyObject { values, .. }] = &object.empty;
    values.as_ref().map_or_else(|| "empty".to_owned(), |values| code(values))
}

impl MetadataKey {
    /// For people.
    pub(in crate::conversion) fn text(&self) -> String {
        match self {
            Self::Annotation(key) => format!("the annotation {}", code(key)),
            Self::Label(key) => format!("the label {}", code(key)),
        }
    }
}

impl FilledBy {
    /// For people: the value without a choice.
    pub(super) fn empty(&self) -> String {
        self.fill.as_ref().map_or_else(|| "empty".to_owned(), |fill| code(fill))
    }
}
