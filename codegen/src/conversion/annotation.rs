//! The annotation that keeps what a version cannot hold.

use k8s_versioned::names;

use super::aside::{self, PairPlan};
use super::structs::Structs;
use crate::Problems;
use crate::plan::{RustType, Struct};
use crate::problem::Cause;
use crate::rules::{KindRule, Placed};

/// Domains that belong to Kubernetes.
const RESERVED: [&str; 3] = ["k8s.io", "kubernetes.io", "x-k8s.io"];

/// The annotation of a kind, if anything is ever kept in it. One is named exactly then.
pub(super) fn key(rule: &KindRule, plans: &[PairPlan], problems: &mut Problems) -> Option<String> {
    let needed = aside::is_needed(plans);
    match &rule.annotation {
        Some(annotation) if !needed => {
            let (field, why) = (annotation.text.clone(), "no version lacks anything");
            let cause = Cause::RuleWithoutEffect { field, why };
            problems.push(annotation.place.clone(), cause);
        }
        Some(annotation) => check_key(annotation, problems),
        None if needed => {
            let cause = Cause::NoAnnotationKey(rule.kind.text.clone());
            problems.push(rule.kind.place.clone(), cause);
        }
        None => {}
    }
    let key = rule.annotation.as_ref().filter(|_| needed);
    key.map(|key| key.text.clone())
}

/// Reports the objects that have no annotations.
pub(super) fn check_objects(objects: &[&Struct], structs: &Structs<'_>, problems: &mut Problems) {
    let objects = objects.iter();
    for object in objects.filter(|object| !has_annotations(object, structs)) {
        problems.push(object.place.clone(), Cause::NoAnnotations);
    }
}

fn check_key(annotation: &Placed, problems: &mut Problems) {
    let key = &annotation.text;
    let mut violations: Vec<String> = names::qualified_name(key)
        .iter()
        .map(ToString::to_string)
        .collect();
    let domain = key.split_once('/').map(|(domain, _)| domain);
    if domain.is_none() {
        violations.push("it must begin with a domain and `/`".to_owned());
    }
    if !violations.is_empty() {
        let (key, why) = (key.clone(), violations.join("; "));
        problems.push(annotation.place.clone(), Cause::AnnotationKey { key, why });
    }
    let under = |reserved: &&str| {
        domain
            .and_then(|domain| domain.strip_suffix(reserved))
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    if let Some(reserved) = RESERVED.into_iter().find(under) {
        let key = key.clone();
        problems.push(
            annotation.place.clone(),
            Cause::ReservedKey { key, reserved },
        );
    }
}

fn has_annotations(object: &Struct, structs: &Structs<'_>) -> bool {
    let text = RustType::Map(Box::new(RustType::String));
    structs
        .find(object, "metadata.annotations")
        .is_some_and(|field| field.rust_type == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    #[test]
    fn keys() {
        let table = [
            ("conversion.example.internal/thing", ""),
            ("notk8s.io/thing", ""),
            ("k8s.io.example.com/thing", ""),
            ("k8s.io/thing", "reserved"),
            ("conversion.fruit.k8s.io/thing", "reserved"),
            ("kubernetes.io/thing", "reserved"),
            ("a.kubernetes.io/thing", "reserved"),
            ("x-k8s.io/thing", "reserved"),
            ("a.x-k8s.io/thing", "reserved"),
            ("thing", "not qualified"),
            ("", "not qualified"),
            ("example.com/", "not qualified"),
            ("/thing", "not qualified"),
            ("Example.com/thing", "not qualified"),
            ("example.com/a/b", "not qualified"),
        ];
        for (key, expected) in table {
            let mut problems = Problems::new();
            let annotation = Placed {
                place: Place::file("conversions.toml"),
                text: key.to_owned(),
            };
            check_key(&annotation, &mut problems);
            let found: Vec<&str> = problems
                .iter()
                .map(|problem| match problem.cause {
                    Cause::ReservedKey { .. } => "reserved",
                    _ => "not qualified",
                })
                .collect();
            assert_eq!(found.join(", "), expected, "{key}");
        }
    }
}
