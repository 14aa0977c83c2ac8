//! The annotation that keeps the values that a version cannot hold.

use k8s_versioned_names::rules::AnnotationKey;

use super::plan::Pair;
use super::structs::Structs;
use crate::Problems;
use crate::plan::{RustType, Struct};
use crate::problem::ConversionCause;
use crate::rules::KindRule;

/// The key of a kind's annotation, if a conversion can keep a value. The rules must name a key exactly then, and all
/// objects must have annotations.
pub(super) fn key(
    rule: &KindRule,
    pairs: &[Pair],
    objects: &[&Struct],
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<String> {
    let needed = pairs.iter().any(|pair| pair.object.can_keep());
    match &rule.annotation {
        Some(annotation) if !needed => {
            annotation.is_without_effect("no version lacks anything", problems);
        }
        Some(annotation) => {
            if let Err(error) = annotation.value.parse::<AnnotationKey>() {
                let (key, why) = (annotation.value.clone(), error.reason().to_owned());
                problems.push(&annotation.place, ConversionCause::AnnotationKey { key, why });
            }
        }
        None if needed => {
            let cause = ConversionCause::NoAnnotationKey(rule.kind.value.clone());
            problems.push(&rule.kind.place, cause);
        }
        None => {}
    }
    if !needed {
        return None;
    }
    for object in objects.iter().filter(|object| !has_annotations(object, structs)) {
        problems.push(&object.of.place, ConversionCause::NoAnnotations);
    }
    rule.annotation.as_ref().map(|annotation| annotation.value.clone())
}

fn has_annotations(object: &Struct, structs: &Structs<'_>) -> bool {
    let text = RustType::Map(Box::new(RustType::String));
    structs.find(object, "metadata.annotations").is_some_and(|field| field.rust_type == text)
}
