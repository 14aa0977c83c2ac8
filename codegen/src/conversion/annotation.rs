//! The annotation that keeps what a version cannot hold.

use k8s_versioned::names::AnnotationKey;

use super::items::Pair;
use super::structs::Structs;
use crate::Problems;
use crate::plan::{RustType, Struct};
use crate::problem::Cause;
use crate::rules::{Conversions, KindRule, Placed};

/// The annotation of a kind, if anything is ever kept in it. One is named exactly then.
pub(super) fn key(rule: &KindRule, pairs: &[Pair], problems: &mut Problems) -> Option<String> {
    let needed = is_needed(pairs);
    match &rule.annotation {
        Some(annotation) if !needed => {
            let (field, why) = (annotation.value.clone(), "no version lacks anything");
            let cause = Cause::RuleWithoutEffect { field, why };
            problems.push(&annotation.place, cause);
        }
        Some(annotation) => check_key(annotation, problems),
        None if needed => {
            let cause = Cause::NoAnnotationKey(rule.kind.value.clone());
            problems.push(&rule.kind.place, cause);
        }
        None => {}
    }
    let key = rule.annotation.as_ref().filter(|_| needed);
    key.map(|key| key.value.clone())
}

/// Tells if any conversion keeps a value.
fn is_needed(pairs: &[Pair]) -> bool {
    pairs.iter().any(|pair| pair.object.can_keep())
}

/// Reports the objects that have no annotations, if any conversion keeps a value.
pub(super) fn check_objects(
    pairs: &[Pair],
    objects: &[&Struct],
    structs: &Structs<'_>,
    problems: &mut Problems,
) {
    let objects = objects.iter().filter(|_| is_needed(pairs));
    for object in objects.filter(|object| !has_annotations(object, structs)) {
        problems.push(&object.of.place, Cause::NoAnnotations);
    }
}

fn check_key(annotation: &Placed<Conversions>, problems: &mut Problems) {
    if let Err(error) = annotation.value.parse::<AnnotationKey>() {
        let why = error.reason().to_owned();
        let key = annotation.value.clone();
        problems.push(&annotation.place, Cause::AnnotationKey { key, why });
    }
}

fn has_annotations(object: &Struct, structs: &Structs<'_>) -> bool {
    let text = RustType::Map(Box::new(RustType::String));
    structs.find(object, "metadata.annotations").is_some_and(|field| field.rust_type == text)
}
