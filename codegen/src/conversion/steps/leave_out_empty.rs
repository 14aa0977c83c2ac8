//! Empty values that only some versions take: not a rule, but a key of a kind. `empty_values.rs` finds the fields.

use crate::conversion::actions::LeaveOutEmpty;

/// The step, as text for people: the result for the field, and what is kept.
pub(super) fn text(step: &LeaveOutEmpty) -> (String, &'static str) {
    let how = match (step.restores, step.is_part) {
        (true, _) => "the same, or empty if that was kept",
        (false, true) => "the fields below; absent if it is empty",
        (false, false) => "the same; absent if it is empty",
    };
    let loss = if step.restores { "lossless" } else { "an annotation keeps that it was there" };
    (how.to_owned(), loss)
}
