//! `nest`: the fields of a sub-object in one version are fields of the object around it in another.

use super::{Applied, Argument, Call, call};
use crate::conversion::plan::FieldRef;

/// The step that makes a sub-object of fields; `None` if the sub-object is always there.
pub(in crate::conversion) fn nest(nested: &FieldRef, present: bool) -> Option<Applied> {
    let empty = if present { "empty" } else { "absent" };
    let how = format!(
        "an object of the fields below; {empty} if they are empty, unless it was kept otherwise"
    );
    nested.rust_type.is_option().then(|| Applied::restores(call_of("nest", present), how))
}

/// The step that makes fields of a sub-object; `None` if the sub-object is always there.
pub(in crate::conversion) fn flatten(nested: &FieldRef, present: bool) -> Option<Applied> {
    let loss = if present {
        "an absent object is kept in the annotation"
    } else {
        "an empty object is kept in the annotation"
    };
    let call = call_of("flatten", present);
    nested.rust_type.is_option().then(|| Applied::keeps(call, "the fields below", loss))
}

fn call_of(function: &'static str, present: bool) -> Call {
    call(("nest", function), [Argument::Value, Argument::Flag(present)])
}
