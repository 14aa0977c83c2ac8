//! `keep-aside`: a field of one version without a counterpart in another.

use super::{Applied, Argument, Effect, call};

/// The step for a field that the target lacks, and the one for a field that the source lacks. A `required` field for which
/// no value is kept is reported.
pub(super) fn alone(required: bool) -> [Applied; 2] {
    let arguments = vec![Argument::Places, Argument::Borrowed, Argument::Context];
    let keep = Applied {
        call: call(("keep_aside", "keep"), arguments),
        how: "has no counterpart".to_owned(),
        loss: "kept in the annotation, unless it is empty",
        effect: Effect::Keeps,
    };
    let (function, how) = if required {
        ("restore_required", "the kept value, else empty, which is reported")
    } else {
        ("restore", "the kept value, else empty")
    };
    let restore = Applied {
        call: call(("keep_aside", function), vec![Argument::Places, Argument::Context]),
        how: how.to_owned(),
        loss: "filled",
        effect: Effect::Restores,
    };
    [keep, restore]
}
