//! Random walks of candidates.
//!
//! `CONVERSION_CASES=10000000` takes ten million; the seed is printed, and `CONVERSION_SEED` repeats it.

use k8s_coordination::meta::v1::MicroTime;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::*;
use crate::walk::{Field, Kind, Less, Of, config, text, walks};

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
                fields.into_iter().map(|it| json!({"fieldsV1": it})).collect();
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

/// JSON of any form, with members as the annotation has them.
fn annotations() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    let names = ["v1alpha1", "v1beta1", "v9", "spec.preferredStrategies", "spec.binaryVersion"];
    let name = prop::sample::select(names.to_vec()).prop_map(str::to_owned);
    let value = leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            3 => prop::collection::btree_map(name.clone(), inner, 0..4).prop_map(|it| json!(it)),
        ]
    });
    let members = (value.clone(), prop::option::of(value.clone()), 0..4_u8);
    let members = members.prop_map(|(fields, filled, format)| {
        let mut members = json!({"fields": fields, "format": format});
        match (format, filled) {
            (1, _) => members["version"] = json!("v1alpha1"),
            (_, Some(filled)) => members["filled"] = filled,
            _ => {}
        }
        members.to_string()
    });
    prop_oneof![1 => text(), 1 => value.prop_map(|value| value.to_string()), 4 => members]
}

proptest! {
    #![proptest_config(config())]

    /// Anybody may have written the annotation: live fields win, nothing is lost unseen, and format 2 is written.
    #[test]
    fn no_annotation_harms(kept in annotations(), strategy in text(), version in text()) {
        let source = z(&strategy, &version, Some(&kept));
        let (target, report) = down(&source);
        let (again, _) = up(&target);
        prop_assert_eq!(&again.spec.strategy, &source.spec.strategy);
        let emptied = again.spec.binary_version.is_empty() && kept.contains("filled");
        prop_assert!(again.spec.binary_version == version || emptied, "{}", again.spec.binary_version);
        match target.metadata.annotations.get(K) {
            Some(after) => {
                let after: Value = serde_json::from_str(after).unwrap();
                prop_assert_eq!(&after["format"], &json!(2));
                prop_assert!(after["fields"].get("v1alpha1").is_none(), "the target has these fields itself");
            }
            None => prop_assert!(!report.is_empty(), "discarded without an entry"),
        }
    }
}
