//! `nest`: the fields of a sub-object in one version are fields of the object around it in another.

use super::{Applied, Argument, Effect, call};
use crate::conversion::plan::FieldRef;
use crate::plan::RustType;

/// The step that makes a sub-object of fields; `None` if the sub-object is always there.
pub(in crate::conversion) fn nest(nested: &FieldRef, present: bool) -> Option<Applied> {
    let empty = if present { "empty" } else { "absent" };
    matches!(nested.rust_type, RustType::Option(_)).then(|| Applied {
        call: call(
            ("nest", "nest"),
            vec![Argument::Places, Argument::Value, Argument::Flag(present), Argument::Context],
        ),
        how: format!(
            "an object of the fields below; {empty} if they are empty, unless it was kept otherwise"
        ),
        loss: "lossless",
        effect: Effect::Restores,
    })
}

/// The step that makes fields of a sub-object.
pub(in crate::conversion) fn flatten(nested: &FieldRef, present: bool) -> Option<Applied> {
    matches!(nested.rust_type, RustType::Option(_)).then(|| Applied {
        call: call(
            ("nest", "flatten"),
            vec![Argument::Places, Argument::Value, Argument::Flag(present), Argument::Context],
        ),
        how: "the fields below".to_owned(),
        loss: if present {
            "an absent object is kept in the annotation"
        } else {
            "an empty object is kept in the annotation"
        },
        effect: Effect::Keeps,
    })
}
