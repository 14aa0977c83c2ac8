//! Conversions of the invented kinds: every kind of rule, in both directions.

use codegen_cases::conversions::conversion::{AnyKite, KiteVersion};
use codegen_cases::conversions::{v1, v1alpha1, v1beta1};
use codegen_cases::conversions_shared as shared;
use k8s_versioned_conversion::{
    Absent, AnyVersion, ConversionReport, ConvertObject, ConvertPart, Options,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A kite of any version.
#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn kite<K: DeserializeOwned>(spec: Value) -> K {
    let kite = json!({"metadata": {"name": "a"}, "spec": spec, "status": {"height": 3}});
    serde_json::from_value(kite).unwrap()
}

fn shown(report: &ConversionReport) -> Vec<String> {
    report.iter().map(|(path, finding)| format!("{path}: {finding}")).collect()
}

#[test]
fn parts_convert_without_the_object() {
    let source =
        kite::<v1alpha1::Kite>(json!({"pilot": "p", "colors": ["red"], "glue": "resin"})).spec;
    let refused = v1::KiteSpec::try_from(source.clone()).unwrap_err();
    assert_eq!(shown(refused.reasons()), [r#"spec.glue: lost: "resin""#]);
    let (_, report): (v1::KiteSpec, _) = source.convert_lossy();
    assert_eq!(shown(&report), [r#"spec.glue: lost: "resin""#]);
    let target = kite::<v1::Kite>(json!({"pilot": "p", "color": "red"})).spec;
    assert_eq!(v1::KiteSpec::from(v1beta1::KiteSpec::from(target.clone())), target);
    let status = v1alpha1::KiteStatus::default().with_height(1);
    let status = v1::KiteStatus::try_from(status).unwrap();
    assert_eq!(status.height, Some(1));
}

#[test]
fn accessors_of_shared_fields() {
    let kite = AnyKite::from(kite::<v1alpha1::Kite>(json!({"pilot": "p"})));
    assert_eq!((kite.pilot(), kite.length(), kite.height()), ("p", None, Some(3)));
    let (kite, _) = kite.convert_to(KiteVersion::V1);
    assert_eq!((kite.pilot(), kite.length(), kite.height()), ("p", Some(0), Some(3)));
    assert_eq!(kite.version(), KiteVersion::V1);
    assert_eq!(AnyKite::VERSIONS, KiteVersion::ALL);
}

#[test]
fn each_field_of_a_type_has_a_policy() {
    let policies = shared::conversion::KitePolicies::default().with_spare_length(Absent::Use(1.5));
    let kite = json!({"spec": {"type": "box"}, "spare": {"type": "delta"}});
    let source: shared::v1alpha1::Kite = serde_json::from_value(kite).unwrap();
    let options = Options::new(policies);
    let (target, report): (shared::v1::Kite, _) = (&source).convert_with(&options).unwrap();
    assert_eq!((target.spec.length, target.spare.length), (0.0, 1.5));
    assert_eq!(shown(&report)[0], "spare.length: had no value, filled with 1.5");
    let (back, _): (shared::v1alpha1::Kite, _) = (&target).convert();
    assert_eq!(back, source);
    let kite = shared::conversion::AnyKite::from(target);
    assert_eq!((kite.r#type(), kite.spec_type()), (Some("delta"), Some("box")));
}

#[test]
fn recursive_types_convert_to_any_depth() {
    let swarm = json!({"members": [{"members": [{}, {}]}, {}]});
    let source: shared::v1alpha1::Swarm = serde_json::from_value(swarm.clone()).unwrap();
    let (target, report): (shared::v1::Swarm, _) = source.convert();
    assert!(report.is_empty(), "{report}");
    assert_eq!(target, serde_json::from_value(swarm).unwrap());
}
