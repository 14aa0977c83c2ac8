//! Specs alone, which have no annotation to keep anything in.

use k8s_coordination::conversion::ConvertPart;
use static_assertions::assert_not_impl_any;

use super::support::*;

// No silent `.into()`: conversions that can lose values are `TryFrom` and `ConvertPart`, and `ConvertObject` of objects.
assert_not_impl_any!(v1alpha1::LeaseCandidateSpec:
    Into<v1alpha2::LeaseCandidateSpec>, Into<v1beta1::LeaseCandidateSpec>);
assert_not_impl_any!(v1alpha2::LeaseCandidateSpec: Into<v1alpha1::LeaseCandidateSpec>);
assert_not_impl_any!(v1beta1::LeaseCandidateSpec: Into<v1alpha1::LeaseCandidateSpec>);
assert_not_impl_any!(X: Into<Y>, Into<Z>);
assert_not_impl_any!(Y: Into<X>, Into<Z>);
assert_not_impl_any!(Z: Into<X>, Into<Y>);

#[test]
fn equal_shapes_have_from() {
    let spec = z(B, "1.33.0", None).spec;
    let other = v1alpha2::LeaseCandidateSpec::from(spec.clone());
    assert_eq!(other.strategy.as_str(), B);
    assert_eq!(v1beta1::LeaseCandidateSpec::from(other), spec);
}

/// The reasons why a spec does not become one of `v1beta1`, and of `v1alpha2`: the same.
fn refused(spec: &v1alpha1::LeaseCandidateSpec) -> Vec<String> {
    let second = v1alpha2::LeaseCandidateSpec::try_from(spec.clone());
    let third = v1beta1::LeaseCandidateSpec::try_from(spec.clone());
    let reasons = |report: &ConversionReport| findings(report);
    let second = second.map_or_else(|error| reasons(error.reasons()), |_| Vec::new());
    let third = third.map_or_else(|error| reasons(error.reasons()), |_| Vec::new());
    assert_eq!(second, third);
    second
}

#[test]
fn up_refuses_to_lose_anything() {
    let list = "spec.preferredStrategies lost";
    let binary = "spec.binaryVersion invalidInTarget";
    let table: [(X, &[&str]); 7] = [
        (x(&[A], Some("1.31.0")), &[]),
        (x(&[A, B], Some("1.31.0")), &[list]),
        (x(&[A, A], Some("1.31.0")), &[list]),
        (x(&[], Some("1.31.0")), &["spec.strategy invalidInTarget"]),
        (x(&[A], None), &[binary]),
        (x(&[A], Some("")), &["spec.binaryVersion lost", binary]),
        (x(&[A, B], None), &[list, binary]),
    ];
    for (source, expected) in table {
        assert_eq!(refused(&source.spec), expected);
    }
    let error = v1beta1::LeaseCandidateSpec::try_from(x(&[A, B], Some("1")).spec).unwrap_err();
    assert!(error.to_string().contains(B), "the values that would be lost: {error}");
}

#[test]
fn down_loses_nothing_but_can_lack_a_name() {
    let mut spec = z(A, "1.33.0", None).spec;
    let back = v1alpha1::LeaseCandidateSpec::try_from(spec.clone()).unwrap();
    assert_eq!(back, x(&[A], Some("1.33.0")).spec);
    spec.lease_name = String::new();
    let error = v1alpha1::LeaseCandidateSpec::try_from(spec).unwrap_err();
    assert_eq!(findings(error.reasons()), ["spec.leaseName invalidInTarget"]);
}

#[test]
fn the_lossy_way_says_what_it_dropped() {
    let source = x(&[A, B], None).spec;
    let (spec, report): (v1beta1::LeaseCandidateSpec, _) = source.convert_lossy();
    assert_eq!(spec, z(A, "", None).spec);
    assert_eq!(
        findings(&report),
        ["spec.preferredStrategies lost", "spec.binaryVersion invalidInTarget"]
    );
    let (spec, report): (v1alpha1::LeaseCandidateSpec, _) = spec.convert_lossy();
    assert_eq!(spec, x(&[A], None).spec);
    assert!(report.is_empty());
}

/// The message of an object, which has an annotation.
#[test]
fn strict_lists_all_reasons() {
    let mut source = x(&[""], None);
    source.spec.lease_name = String::new();
    source.metadata.annotations.insert(KEPT.to_owned(), "old".to_owned());
    let refused: Result<(Z, ConversionReport), _> = source.convert_strict();
    insta::assert_snapshot!(refused.unwrap_err());
}
