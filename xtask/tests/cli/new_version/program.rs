//! An election and a conversion with the invented version, in the copied package.

#![allow(clippy::unwrap_used, reason = "a test")]

use k8s_coordination::conversion::{AnyLeaseCandidateRef, ConvertObject, LeaseCandidateVersion};
use k8s_coordination::election::Election;
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::validation::Validate;
use k8s_coordination::{CoordinatedLeaseStrategy::OldestEmulationVersion, v1, v1alpha1, v1beta1};

fn metadata(name: &str) -> ObjectMeta {
    ObjectMeta::default().with_name(name).with_namespace("ns")
}

#[test]
fn the_candidate_of_the_new_version_is_elected() {
    assert_eq!(LeaseCandidateVersion::NEWEST.as_str(), "v1");
    let now = "2026-01-02T03:04:05Z".parse().unwrap();
    let spec = v1::LeaseCandidateSpec::new("lock", "1.37.0", OldestEmulationVersion)
        .with_emulation_version("1.36.0")
        .with_renew_time(now);
    let new = v1::LeaseCandidate::new(spec).with_metadata(metadata("new"));
    let spec = v1beta1::LeaseCandidateSpec::new("lock", "1.37.0", OldestEmulationVersion)
        .with_emulation_version("1.37.0")
        .with_renew_time(now);
    let old = v1beta1::LeaseCandidate::new(spec).with_metadata(metadata("old"));
    let candidates = [AnyLeaseCandidateRef::from(&old), AnyLeaseCandidateRef::from(&new)];
    let outcome = Election::new("ns", "lock", candidates, now).outcome();
    assert_eq!(outcome.best, Some("new"));
    assert!(outcome.written().is_some());
}

#[test]
fn an_old_object_converts_there_and_back() {
    let strategies = [OldestEmulationVersion, "example.com/by-load".into()];
    let spec = v1alpha1::LeaseCandidateSpec::new("lock", strategies).with_binary_version("1.31.0");
    let old = v1alpha1::LeaseCandidate::new(spec).with_metadata(metadata("a"));
    let (new, _): (v1::LeaseCandidate, _) = old.clone().convert();
    assert_eq!(new.spec.strategy, OldestEmulationVersion);
    let errors = new.validate().unwrap_err().to_string();
    assert!(errors.starts_with("spec.emulationVersion: "), "{errors}");
    let (back, _): (v1alpha1::LeaseCandidate, _) = new.convert();
    assert_eq!(back, old);
}
