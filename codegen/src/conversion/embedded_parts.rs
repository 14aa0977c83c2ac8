//! The types of objects in values of any JSON: each has a conversion of its own by the rules of its kind.

use std::collections::BTreeSet;

use super::plan::{KindConversion, StructPair};
use crate::Problems;
use crate::plan::{ItemPath, code};
use crate::problem::ConversionCause;

/// The types of such an object in the source and in the target, in both directions.
pub(crate) fn embedded_parts(kinds: &[KindConversion]) -> BTreeSet<(ItemPath, ItemPath)> {
    let steps = kinds.iter().flat_map(|kind| &kind.pairs).flat_map(|pair| pair.object.leaves());
    let parts = steps.filter_map(|step| {
        step.by_rule()?.action.embedded().map(|embedded| embedded.parts.clone())
    });
    parts.map(|[part, other]| (part, other)).collect()
}

/// Reports the rules about objects for whose types no rules of a kind make a conversion.
pub(super) fn check(kinds: &[KindConversion], problems: &mut Problems) {
    let pairs = || kinds.iter().flat_map(|kind| &kind.pairs);
    let converts = |part: &&StructPair| part.moved_out().is_empty();
    let all = pairs().flat_map(|pair| pair.object.inner()).map(|(_, part)| part).filter(converts);
    let all: BTreeSet<(ItemPath, ItemPath)> = all.map(StructPair::types).collect();
    let mut reported = Vec::new();
    for step in pairs().flat_map(|pair| pair.object.leaves()) {
        let Some(embedded) = step.by_rule().and_then(|step| step.action.embedded()) else {
            continue;
        };
        let [part, other] = embedded.parts.clone();
        if !all.contains(&(part, other)) && !reported.contains(&&embedded.place) {
            reported.push(&embedded.place);
            let why = format!(
                "no rules of {} convert this object on its own: the kind has a `[[kind]]` with the same versions, and no field moves out of \
                 the object",
                code(&embedded.of)
            );
            let (rule, takes) = (step.rule.unwrap_or_default(), "");
            problems.push(&embedded.place, ConversionCause::RuleDoesNotFit { rule, takes, why });
        }
    }
}
