//! Random walks over kinds whose versions differ inside lists, lists of lists and maps, and over a custom kind.
//!
//! `CONVERSION_CASES` and `CONVERSION_SEED` are for `walk`.

use codegen_cases::autoscaling::conversion::AnyHorizontalPodAutoscaler;
use codegen_cases::custom_versions::conversion::AnyBoat;
use codegen_cases::nested::conversion::AnyFleet;
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use testing::walk::seeds;

use crate::support::folder;

#[test]
fn nothing_is_lost_over_lists() {
    take(Convertible::of::<AnyFleet>(), "good/nested");
}

/// A built-in kind: seven rules, also between optional and plain fields.
#[test]
fn nothing_is_lost_of_autoscalers() {
    take(Convertible::of::<AnyHorizontalPodAutoscaler>(), "good/autoscaling");
}

/// A custom kind: known words that no rule names, and `null`, which is not the absent value.
#[test]
fn nothing_is_lost_of_custom_kinds() {
    take(Convertible::of::<AnyBoat>(), "good/custom-versions");
}

fn take(kind: Convertible, specs: &str) {
    let schemas = Schemas::load(folder(specs)).unwrap();
    for seed in seeds() {
        walk(&kind, &schemas, seed).unwrap_or_else(|error| panic!("{error}"));
    }
}
