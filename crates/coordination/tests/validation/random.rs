//! Random objects.

use k8s_coordination::meta::v1::{ManagedFieldsEntry, ObjectMeta, OwnerReference};
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_coordination::{v1alpha1, v1beta1};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

/// Text that is often fine, sometimes nearly, and sometimes anything.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c]",
        2 => "[-a-cA-B0-1_./ é]{0,6}",
        2 => "v?[0-2]\\.[0-9]{1,2}\\.[0-2](-rc)?",
        1 => Just("OldestEmulationVersion".to_owned()),
        1 => Just("example.com/by-load".to_owned()),
        1 => any::<String>(),
    ]
}

fn entry() -> impl Strategy<Value = ManagedFieldsEntry> {
    let operation = option::of(prop_oneof![Just("Apply".to_owned()), text()]);
    (operation, vec(option::of(text()), 4)).prop_map(|(operation, texts)| {
        let mut texts = texts.into_iter().flatten();
        ManagedFieldsEntry {
            operation,
            manager: texts.next(),
            subresource: texts.next(),
            fields_type: texts.next(),
            api_version: texts.next(),
            ..ManagedFieldsEntry::default()
        }
    })
}

fn owner() -> impl Strategy<Value = OwnerReference> {
    (text(), text(), text(), text(), option::of(any::<bool>())).prop_map(
        |(api_version, kind, name, uid, controller)| {
            let mut owner = OwnerReference::new(api_version, kind, name, uid);
            owner.controller = controller;
            owner
        },
    )
}

fn metadata() -> impl Strategy<Value = ObjectMeta> {
    let texts = (
        option::of(text()),
        option::of(text()),
        option::of(text()),
        option::of(text()),
    );
    let maps = (
        btree_map(text(), text(), 0..3),
        btree_map(text(), text(), 0..3),
    );
    let lists = (vec(text(), 0..3), vec(owner(), 0..3), vec(entry(), 0..3));
    let rest = (
        option::of(any::<i64>()),
        option::of(-9_i64..9),
        option::of(text()),
    );
    (texts, maps, lists, rest).prop_map(
        |((name, generate_name, namespace, uid), (labels, annotations), lists, rest)| ObjectMeta {
            name,
            generate_name,
            namespace,
            uid,
            labels,
            annotations,
            finalizers: lists.0,
            owner_references: lists.1,
            managed_fields: lists.2,
            deletion_grace_period_seconds: rest.0,
            generation: rest.1,
            resource_version: rest.2,
            ..ObjectMeta::default()
        },
    )
}

pub(crate) fn lease() -> impl Strategy<Value = Lease> {
    let texts = (option::of(text()), option::of(text()));
    let numbers = (option::of(-2..2_i32), option::of(any::<i32>()));
    (metadata(), texts, numbers).prop_map(|(metadata, (strategy, preferred), (seconds, count))| {
        Lease {
            metadata,
            spec: LeaseSpec {
                strategy: strategy.map(Into::into),
                preferred_holder: preferred,
                lease_duration_seconds: seconds,
                lease_transitions: count,
                ..LeaseSpec::default()
            },
        }
    })
}

pub(crate) fn early_candidate() -> impl Strategy<Value = v1alpha1::LeaseCandidate> {
    let spec = (
        text(),
        option::of(text()),
        option::of(text()),
        vec(text(), 0..4),
    );
    (metadata(), spec).prop_map(|(metadata, (lease_name, binary, emulation, strategies))| {
        let mut spec = v1alpha1::LeaseCandidateSpec::new(lease_name, strategies);
        spec.binary_version = binary;
        spec.emulation_version = emulation;
        v1alpha1::LeaseCandidate { metadata, spec }
    })
}

pub(crate) fn candidate() -> impl Strategy<Value = v1beta1::LeaseCandidate> {
    let spec = (text(), text(), option::of(text()), text());
    (metadata(), spec).prop_map(|(metadata, (lease_name, binary, emulation, strategy))| {
        let mut spec = v1beta1::LeaseCandidateSpec::new(lease_name, binary, strategy);
        spec.emulation_version = emulation;
        v1beta1::LeaseCandidate { metadata, spec }
    })
}
