//! `move`: the field has another name, or is in another part of the object.

use super::{Applied, Between, StepKind};
use crate::Problems;
use crate::plan::RustType;

/// The value stays as it is, so no function of the runtime is needed.
pub(super) struct Move;

impl StepKind for Move {
    fn fit(&self, _: &Between<'_, '_>, _: &mut Problems) -> Option<Applied> {
        None
    }

    fn is_complete(&self, _: &RustType, _: &[&RustType]) -> bool {
        false
    }
}
