//! Conversion does not change the verdict, but where the rules of the versions differ.

use std::collections::BTreeSet;

use k8s_coordination::CoordinatedLeaseStrategy::OldestEmulationVersion;
use k8s_coordination::conversion::{ConversionFinding, ConversionReport, ConvertObject};
use k8s_coordination::validation::{FieldErrors, Reason, Validate};
use k8s_coordination::{v1alpha1, v1beta1};
use k8s_versioned::SemanticVersion;
use proptest::prelude::*;

use super::random::{candidate, early_candidate};

/// A field and a reason, on which programs may rely.
type Causes = BTreeSet<(String, Reason)>;

fn causes(verdict: Result<(), FieldErrors>) -> Causes {
    let errors = verdict.err().into_iter().flatten();
    errors.map(|error| (error.path.to_string(), error.reason)).collect()
}

fn up(x: &v1alpha1::LeaseCandidate) -> (v1beta1::LeaseCandidate, ConversionReport) {
    x.convert()
}

fn down(z: &v1beta1::LeaseCandidate) -> (v1alpha1::LeaseCandidate, ConversionReport) {
    z.convert()
}

/// The errors of a candidate of the first version, in the words of the later ones.
///
/// They check the first strategy alone, and need no binary version above zero for it. The report of the conversion names
/// the fields that they require and that are empty.
fn said_later(x: &v1alpha1::LeaseCandidate, causes: Causes, report: &ConversionReport) -> Causes {
    let first = x.spec.preferred_strategies.first();
    let said = causes.into_iter().filter_map(|(path, reason)| {
        let required = reason == Reason::Required;
        match path.as_str() {
            "spec.preferredStrategies[0].strategy" => first
                .filter(|strategy| !strategy.is_empty())
                .map(|_| ("spec.strategy.strategy".to_owned(), reason)),
            path if path.starts_with("spec.preferredStrategies") => None,
            "spec.binaryVersion" if required => None,
            "spec.emulationVersion" if required && first != Some(&OldestEmulationVersion) => None,
            _ => Some((path, reason)),
        }
    });
    let missing = report.iter().filter_map(|(path, finding)| {
        let invalid = *finding == ConversionFinding::InvalidInTarget;
        invalid.then(|| (path.to_string(), Reason::Required))
    });
    said.chain(missing).collect()
}

/// The errors of a candidate of a later version, in the words of the first one.
///
/// It needs no strategy, and no binary version but for `OldestEmulationVersion`, where zero counts as none.
fn said_earlier(z: &v1beta1::LeaseCandidate, causes: Causes) -> Causes {
    let said = causes.into_iter().filter_map(|(path, reason)| {
        let required = reason == Reason::Required;
        match path.as_str() {
            "spec.strategy" | "spec.binaryVersion" if required => None,
            "spec.strategy.strategy" => {
                Some(("spec.preferredStrategies[0].strategy".to_owned(), reason))
            }
            _ => Some((path, reason)),
        }
    });
    let version: SemanticVersion = z.spec.binary_version.parse().unwrap_or_default();
    let missing = z.spec.strategy == OldestEmulationVersion && version.is_zero();
    let missing = missing.then(|| ("spec.binaryVersion".to_owned(), Reason::Required));
    said.chain(missing).collect()
}

proptest! {
    #[test]
    fn up_the_verdict_is_the_same_but_where_rules_differ(
        new in early_candidate(),
        old in early_candidate(),
    ) {
        let ((new_up, report), (old_up, _)) = (up(&new), up(&old));
        let created = said_later(&new, causes(new.validate()), &report);
        prop_assert_eq!(causes(new_up.validate()), created);
        let updated = said_later(&new, causes(new.validate_update(&old)), &report);
        prop_assert_eq!(causes(new_up.validate_update(&old_up)), updated);
    }

    #[test]
    fn down_the_verdict_is_the_same_but_where_rules_differ(new in candidate(), old in candidate()) {
        let ((new_down, _), (old_down, _)) = (down(&new), down(&old));
        let created = said_earlier(&new, causes(new.validate()));
        prop_assert_eq!(causes(new_down.validate()), created);
        let updated = said_earlier(&new, causes(new.validate_update(&old)));
        prop_assert_eq!(causes(new_down.validate_update(&old_down)), updated);
    }
}
