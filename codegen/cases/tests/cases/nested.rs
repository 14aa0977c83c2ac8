//! Random walks over kinds whose versions differ inside lists, lists of lists and maps, and over a custom kind.
//!
//! `CONVERSION_CASES` and `CONVERSION_SEED` are for `walk`.

use k8s_versioned::conversion::{AnyVersion, Options};
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use serde_json::{Map, json};
use testing::vectors::annotations;
use testing::walk::seeds;

use crate::emitted::autoscaling::conversion::AnyHorizontalPodAutoscaler;
use crate::emitted::custom_versions::conversion::AnyBoat;
use crate::emitted::nested::conversion::{AnyFleet, FleetVersion};
use crate::emitted::shapes;
use crate::support::folder;

#[test]
fn nothing_is_lost_over_lists() {
    take(Convertible::new::<AnyFleet>(), "good/nested");
}

/// A built-in kind: seven rules, also between optional and plain fields.
#[test]
fn nothing_is_lost_of_autoscalers() {
    take(Convertible::new::<AnyHorizontalPodAutoscaler>(), "good/autoscaling");
}

/// A custom kind: known words that no rule names, and `null`, which is not the absent value.
#[test]
fn nothing_is_lost_of_custom_kinds() {
    take(Convertible::new::<AnyBoat>(), "good/custom-versions");
}

/// Lists of one object that are objects in another version.
#[test]
fn nothing_is_lost_of_other_shapes() {
    for kind in Convertible::all::<shapes::Kinds>() {
        take(kind, "good/shapes");
    }
}

fn take(kind: Convertible, specs: &str) {
    let schemas = Schemas::load(folder(specs)).unwrap();
    for seed in seeds() {
        walk(&kind, &schemas, seed).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A long list, and an annotation with many values. Time that grows with the square of their lengths would be minutes.
#[test]
fn long_lists_take_little_time() {
    let kept = (0..5_000).map(|index| (format!("spec.ships[#{index}:0].rig.keel"), json!(index)));
    let kept = json!({ "fields": { "v1": kept.collect::<Map<_, _>>() } });
    let kept = annotations(AnyFleet::ANNOTATION_KEY.unwrap(), &kept);
    for (from, to, ship) in [
        (FleetVersion::V1, FleetVersion::V1alpha1, json!({ "rig": {} })),
        (FleetVersion::V1beta1, FleetVersion::V1alpha1, json!({})),
        (FleetVersion::V1alpha1, FleetVersion::V1, json!({})),
    ] {
        let fleet = json!({
            "apiVersion": from.api_version(),
            "kind": "Fleet",
            "metadata": { "annotations": kept },
            "spec": { "ships": vec![ship; 20_000] },
        });
        assert!(AnyFleet::convert_value(&fleet, to, &Options::default()).is_ok(), "{from} to {to}");
    }
}
