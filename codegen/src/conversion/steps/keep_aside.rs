//! `keep-aside`: a field of one version without a counterpart in another.

use super::{Applied, Argument, Effect, call};

/// The step for a field that the target lacks, and the one for a field that the source lacks.
pub(super) fn alone() -> [Applied; 2] {
    let arguments = vec![Argument::Places, Argument::Borrowed, Argument::Context];
    let keep = Applied {
        call: call(("keep_aside", "keep"), arguments),
        how: "has no counterpart".to_owned(),
        loss: "kept in the annotation, unless it is empty",
        effect: Effect::Keeps,
    };
    let restore = Applied {
        call: call(("keep_aside", "restore"), vec![Argument::Places, Argument::Context]),
        how: "the kept value, else empty".to_owned(),
        loss: "filled",
        effect: Effect::Restores,
    };
    [keep, restore]
}
