//! Notes of several steps.

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
