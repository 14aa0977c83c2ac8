//! The types of objects in values of any JSON: each has a conversion of its own by the rules of its kind.

use std::collections::BTreeSet;

use super::actions::Embedded;
use super::plan::{KindConversion, StructPair};
use super::steps::names;
use crate::Problems;
use crate::plan::ItemPath;
use crate::problem::{ConversionCause, RuleFault};

/// The types of such an object in the source and in the target, in both directions.
pub(crate) fn embedded_parts(kinds: &[KindConversion]) -> BTreeSet<(ItemPath, ItemPath)> {
    let steps = kinds.iter().flat_map(|kind| &kind.pairs).flat_map(|pair| pair.object.leaves());
    let parts = steps.filter_map(|step| {
        step.by_rule()?.action.embedded().map(|embedded| embedded.parts.clone())
    });
    parts.map(|[part, other]| (part, other)).collect()
}

/// The rules about objects that the rules of their kind do not convert on their own, or that are the same in both versions; each with
/// its kind.
pub(crate) fn unused_embedded(kinds: &[KindConversion]) -> Vec<(&KindConversion, &Embedded)> {
    without(kinds, |part| converts(part) && !part.is_equal_shape())
}

/// Whether a conversion of a part gives all of it.
fn converts(part: &StructPair) -> bool {
    part.moved_out().is_empty()
}

/// The rules about objects for whose types no such conversion is in a kind, each with its kind.
fn without(
    kinds: &[KindConversion],
    is_such: fn(&StructPair) -> bool,
) -> Vec<(&KindConversion, &Embedded)> {
    let inner = kinds.iter().flat_map(|kind| &kind.pairs).flat_map(|pair| pair.object.inner());
    let all = inner.map(|(_, part)| part).filter(|part| is_such(part));
    let all: BTreeSet<(ItemPath, ItemPath)> = all.map(StructPair::types).collect();
    let steps = kinds.iter().flat_map(|kind| {
        let steps = kind.pairs.iter().flat_map(|pair| pair.object.leaves());
        steps.filter_map(move |step| Some((kind, step.by_rule()?.action.embedded()?)))
    });
    let lacks = |embedded: &Embedded| {
        let [part, other] = embedded.parts.clone();
        !all.contains(&(part, other))
    };
    steps.filter(|(_, embedded)| lacks(embedded)).collect()
}

/// Reports the rules about objects for whose types no rules of a kind make a conversion.
pub(super) fn check(kinds: &[KindConversion], problems: &mut Problems) {
    let mut reported = Vec::new();
    for (_, embedded) in without(kinds, converts) {
        if !reported.contains(&&embedded.place) {
            reported.push(&embedded.place);
            let fault = RuleFault::NotOnItsOwn { kind: embedded.of.clone() };
            let (rule, takes) = (names::EMBEDDED, "");
            problems.push(&embedded.place, ConversionCause::RuleDoesNotFit { rule, takes, fault });
        }
    }
}
