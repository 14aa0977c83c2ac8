//! Random candidates.

use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::{v1alpha1, v1beta1};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Text that is often fine, sometimes nearly, and sometimes anything.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c]",
        2 => "[-a-cA-B0-1_./ é]{0,6}",
        2 => "v?[0-2]\\.[0-9]{1,2}\\.[0-2](-rc)?",
        1 => Just("OldestEmulationVersion".to_owned()),
        1 => Just("example.com/by-load".to_owned()),
        1 => any::<String>(),
    ]
}

/// Metadata with any name and `resourceVersion`.
fn metadata() -> impl Strategy<Value = ObjectMeta> {
    (option::of(text()), option::of(text())).prop_map(|(name, resource_version)| {
        let mut metadata = ObjectMeta::default().with_namespace("default");
        (metadata.name, metadata.resource_version) = (name, resource_version);
        metadata
    })
}

pub(crate) fn early_candidate() -> impl Strategy<Value = v1alpha1::LeaseCandidate> {
    let spec = (text(), option::of(text()), option::of(text()), vec(text(), 0..4));
    (metadata(), spec).prop_map(|(metadata, (lease_name, binary, emulation, strategies))| {
        let mut spec = v1alpha1::LeaseCandidateSpec::new(lease_name, strategies);
        spec.binary_version = binary;
        spec.emulation_version = emulation;
        v1alpha1::LeaseCandidate::new(spec).with_metadata(metadata)
    })
}

pub(crate) fn candidate() -> impl Strategy<Value = v1beta1::LeaseCandidate> {
    let spec = (text(), text(), option::of(text()), text());
    (metadata(), spec).prop_map(|(metadata, (lease_name, binary, emulation, strategy))| {
        let mut spec = v1beta1::LeaseCandidateSpec::new(lease_name, binary, strategy);
        spec.emulation_version = emulation;
        v1beta1::LeaseCandidate::new(spec).with_metadata(metadata)
    })
}
