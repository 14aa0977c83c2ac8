//! `keep-aside`: a field of one version without a counterpart in another.

use super::{Applied, Argument, call};
use crate::conversion::plan::FieldRef;

/// The step for a field that the target lacks, and the one for a field that the source lacks. A required `field` for which
/// no value is kept is reported.
pub(super) fn alone(field: &FieldRef) -> [Applied; 2] {
    let keep = Applied::keeps(
        call(("keep_aside", "keep"), [Argument::Borrowed]),
        "has no counterpart",
        if field.rust_type.is_option() {
            "kept in the annotation, unless it is absent"
        } else {
            "kept in the annotation, unless it is empty"
        },
    );
    let (function, how) = if field.required {
        ("restore_required", "the kept value, else empty, which is reported")
    } else {
        ("restore", "the kept value, else empty")
    };
    let restore = Applied::restores(call(("keep_aside", function), []), how);
    [keep, Applied { loss: "filled", ..restore }]
}
