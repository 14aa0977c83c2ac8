//! `keep-aside`: some versions lack the field.

use super::{Applied, Argument, Between, Effect, StepKind, call};
use crate::Problems;
use crate::plan::RustType;

pub(super) struct KeepAside;

impl StepKind for KeepAside {
    fn fit(&self, _: &Between<'_, '_>, _: &mut Problems) -> Option<Applied> {
        None
    }

    fn is_complete(&self, _: &RustType, _: &[&RustType]) -> bool {
        true
    }

    fn alone(&self) -> Option<[Applied; 2]> {
        let keep = Applied {
            call: call(
                ("keep_aside", "keep"),
                vec![Argument::Places, Argument::Borrowed, Argument::Context],
            ),
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
        Some([keep, restore])
    }
}
