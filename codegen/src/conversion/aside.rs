//! What conversions keep aside, and where it comes back.

use super::items::{FieldRef, Pair, Step, StructPair};

/// A pair of versions: source, target, and what becomes of the object.
pub(super) type PairPlan = (String, String, StructPair);

/// Whether anything is ever kept aside.
pub(super) fn is_needed(plans: &[PairPlan]) -> bool {
    plans.iter().any(|(_, _, object)| object.can_keep())
}

/// Whether objects of a version never carry the annotation of their kind: nothing is kept aside on the way to it.
pub(super) fn discards(version: &str, plans: &[PairPlan]) -> bool {
    let holds = plans
        .iter()
        .any(|(_, to, object)| to == version && object.can_keep());
    is_needed(plans) && !holds
}

/// The pairs, each with where it finds what was kept.
pub(super) fn pairs(plans: Vec<PairPlan>) -> Vec<Pair> {
    let kept_of: Vec<Vec<String>> = plans.iter().map(|plan| kept_of(plan, &plans)).collect();
    let pair = |((from, to, object), kept_of): (PairPlan, Vec<String>)| Pair {
        from,
        to,
        object,
        kept_of,
    };
    plans.into_iter().zip(kept_of).map(pair).collect()
}

/// The versions of which a conversion can take something back: all that it asks for is kept, under the same
/// names, when objects of theirs become what it starts from.
fn kept_of((from, _, object): &PairPlan, plans: &[PairPlan]) -> Vec<String> {
    let asked: Vec<&FieldRef> = object
        .leaves()
        .into_iter()
        .filter(|step| step.how.can_restore())
        .filter_map(|step| step.to.as_ref())
        .collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let keeps_all = |(_, holder, object): &&PairPlan| {
        holder == from && asked.iter().all(|field| keeps_field(object, field))
    };
    let keeping = plans.iter().filter(keeps_all);
    keeping.map(|(version, _, _)| version.clone()).collect()
}

/// Whether a conversion can keep a field of this path aside.
fn keeps_field(object: &StructPair, field: &FieldRef) -> bool {
    let is_kept = |step: &Step| {
        let kept = step.from.as_ref().filter(|_| step.how.can_keep());
        kept.is_some_and(|kept| kept.path == field.path)
    };
    object.leaves().into_iter().any(is_kept)
}
