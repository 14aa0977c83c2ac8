//! Walks over a kind with every kind of step, and fields that only one version has: kept values of several versions are carried
//! along.
//!
//! `CONVERSION_CASES=10000000` takes ten million random walks; the seed is printed, and `CONVERSION_SEED` repeats it.

use k8s_versioned::conversion::{Absent, AnyVersion, ConversionReport};
use proptest::prelude::*;
use serde_json::{Value, json};
use testing::walk::{Field, Kind, Less, Of, config, walks};

use crate::emitted::walks::conversion::{AnyKite, KitePolicies};
use crate::emitted::weight::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};

static KITE: Kind = Kind {
    versions: &["v1alpha1", "v1alpha2", "v1beta1", "v1"],
    key: "conversion.example.internal/kite",
    fields: &[
        Field {
            full: &[("v1alpha1", "spec.colors")],
            of: Of::Texts,
            less: Less::First("spec.color"),
        },
        Field {
            full: &[("v1alpha1", "spec.length"), ("v1alpha2", "spec.length")],
            of: Of::Number,
            less: Less::Zero("spec.length"),
        },
        only(&[("v1alpha1", "spec.glue")], Of::Text),
        only(&[("v1alpha2", "spec.rope.strands")], Of::Number),
        only(&[("v1beta1", "spec.reel")], Of::Number),
        only(&[("v1", "status.gusts")], Of::Number),
        // All have it; its name differs.
        only(
            &[
                ("v1alpha1", "spec.sail"),
                ("v1alpha2", "spec.sail"),
                ("v1beta1", "spec.cloth"),
                ("v1", "spec.cloth"),
            ],
            Of::Text,
        ),
        Field {
            full: &[
                ("v1alpha1", "spec.mood"),
                ("v1alpha2", "spec.mood"),
                ("v1beta1", "spec.mood"),
                ("v1", "spec.mood"),
            ],
            of: Of::Word,
            less: Less::Words(&[("v1", &[("odd", "1.31.0"), ("1.31.0", "new"), ("new", "odd")])]),
        },
        Field {
            full: &[("v1alpha1", "spec.weight"), ("v1alpha2", "spec.weight")],
            of: Of::Digits,
            less: Less::Value("spec.weight"),
        },
        Field {
            full: &[("v1alpha2", "spec.tail"), ("v1", "spec.tail")],
            of: Of::Tail,
            less: Less::Inner("spec.tail"),
        },
        Field {
            full: &[("v1alpha1", "spec.anchor"), ("v1beta1", "spec.anchor")],
            of: Of::Anchor,
            less: Less::Flat("spec"),
        },
    ],
    other: None,
    required: &[
        ("v1alpha1", &["spec.pilot"]),
        ("v1alpha2", &["spec.pilot", "spec.color"]),
        ("v1beta1", &["spec.pilot", "spec.color"]),
        ("v1", &["spec.pilot", "spec.color"]),
    ],
};

/// A field that only these versions have.
const fn only(full: &'static [(&'static str, &'static str)], of: Of) -> Field {
    Field { full, of, less: Less::Nothing }
}

fn policies(policy: &Absent<Value>) -> KitePolicies {
    let length = match policy {
        Absent::KeepEmpty => Absent::KeepEmpty,
        Absent::Refuse => Absent::Refuse,
        Absent::Use(value) => Absent::Use(i32::try_from(value.as_i64().unwrap()).unwrap()),
        Absent::UseOther => Absent::UseOther,
        other => panic!("{other:?}"),
    };
    KitePolicies::default().with_length(length)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn over_four_versions(walk in walks()) {
        let rest = json!({
            "metadata": {"name": "a", "annotations": {"other": "b"}},
            "spec": {"pilot": "p", "rope": {"material": "hemp"}},
            "status": {"height": 3},
        });
        KITE.take::<AnyKite>(rest, &walk, policies)?;
    }
}

/// The candidate after these conversions.
fn over(object: &Value, versions: &[LeaseCandidateVersion]) -> Value {
    let mut candidate =
        AnyLeaseCandidate::from_value(object, &mut ConversionReport::new()).unwrap();
    for version in versions {
        let (converted, report) = candidate.convert_to(*version);
        let lost = report.at_least(k8s_versioned::conversion::Severity::Warning);
        assert!(lost.is_empty(), "{lost}");
        candidate = converted;
    }
    serde_json::to_value(candidate).unwrap()
}

/// A field that a release adds to one version survives a walk over the others, and so do their kept values.
#[test]
fn with_a_weight_in_v1beta1() {
    use LeaseCandidateVersion::{V1alpha1, V1alpha2, V1beta1};

    let object = |version: &str, spec: Value| {
        json!({
            "apiVersion": format!("coordination.k8s.io/{version}"), "kind": "LeaseCandidate",
            "metadata": {"name": "a"}, "spec": spec,
        })
    };
    let list = object(
        "v1alpha1",
        json!({"binaryVersion": "1.31.0", "leaseName": "l", "preferredStrategies": ["x.example/a", "x.example/b"]}),
    );
    assert_eq!(over(&list, &[V1alpha2, V1beta1, V1alpha1]), list);
    let weight = object(
        "v1beta1",
        json!({"binaryVersion": "1.31.0", "leaseName": "l", "strategy": "x.example/a", "weight": 5}),
    );
    assert_eq!(over(&weight, &[V1alpha2, V1alpha1, V1beta1]), weight);
}
