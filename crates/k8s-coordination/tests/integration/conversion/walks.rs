//! Random walks of candidates.
//!
//! `CONVERSION_CASES=10000000` takes ten million; the seed is printed, and `CONVERSION_SEED` repeats it.

use k8s_coordination::meta::v1::MicroTime;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::*;
use testing::walk::{Field, Kind, Less, Of, config, text, walks};

const LATER: &[&str] = &["spec.leaseName", "spec.binaryVersion", "spec.strategy"];

static CANDIDATE: Kind = Kind {
    versions: &["v1alpha1", "v1alpha2", "v1beta1"],
    key: K,
    fields: &[
        Field {
            full: &[("v1alpha1", "spec.preferredStrategies")],
            of: Of::Texts,
            less: Less::First("spec.strategy"),
        },
        Field {
            full: &[("v1alpha1", "spec.binaryVersion")],
            of: Of::Text,
            less: Less::Zero("spec.binaryVersion"),
        },
    ],
    other: Some("emulationVersion"),
    required: &[("v1alpha1", &["spec.leaseName"]), ("v1alpha2", LATER), ("v1beta1", LATER)],
};

fn policies(policy: &Absent<Value>) -> Policies {
    let binary_version = match policy {
        Absent::KeepEmpty => Absent::KeepEmpty,
        Absent::Refuse => Absent::Refuse,
        Absent::Use(value) => Absent::Use(value.as_str().unwrap().to_owned()),
        Absent::UseOther => Absent::UseOther,
        other => panic!("{other:?}"),
    };
    Policies::default().with_binary_version(binary_version)
}

/// The part of a candidate that is the same in all versions.
fn rest() -> impl Strategy<Value = Value> {
    let annotations = prop::collection::btree_map(text(), text(), 0..3);
    let fields = prop::option::of(Just(json!({"f:spec": {"f:preferredStrategies": {}}})));
    (annotations, fields, text(), time(), time()).prop_map(
        |(annotations, fields, name, ping, renew)| {
            let entries: Vec<Value> =
                fields.into_iter().map(|field| json!({"fieldsV1": field})).collect();
            json!({
                "metadata": {"name": name, "annotations": annotations, "managedFields": entries},
                "spec": {"leaseName": name, "pingTime": ping, "renewTime": renew},
            })
        },
    )
}

/// From years before 0 to years after 9999, as servers hand them out.
fn time() -> impl Strategy<Value = Option<MicroTime>> {
    let time = (-70_000_000_000..300_000_000_000_i64, 0..1_000_000_u32);
    let time =
        time.prop_filter_map("a time", |(second, micro)| MicroTime::from_unix(second, micro));
    prop::option::of(time)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn of_candidates(rest in rest(), walk in walks()) {
        CANDIDATE.take::<Any>(rest, &walk, policies)?;
    }
}
