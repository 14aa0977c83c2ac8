//! Random objects.

use k8s_coordination::meta::v1::{ManagedFieldsEntry, ObjectMeta, OwnerReference, Time};
use k8s_coordination::prelude::HasSpec;
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_coordination::{v1alpha1, v1beta1};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

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
        let mut entry = ManagedFieldsEntry::default();
        entry.operation = operation;
        entry.manager = texts.next();
        entry.subresource = texts.next();
        entry.fields_type = texts.next();
        entry.api_version = texts.next();
        entry
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

fn time() -> impl Strategy<Value = Time> {
    select(vec!["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"])
        .prop_map(|time| time.parse().unwrap())
}

/// Boxed: in place it would fill the stack of a test.
fn metadata() -> BoxedStrategy<ObjectMeta> {
    let texts = (option::of(text()), option::of(text()), option::of(text()), option::of(text()));
    let maps = (btree_map(text(), text(), 0..3), btree_map(text(), text(), 0..3));
    let lists = (vec(text(), 0..3), vec(owner(), 0..3), vec(entry(), 0..3));
    let rest = (option::of(any::<i64>()), option::of(-9_i64..9), option::of(text()));
    let times = (option::of(time()), option::of(time()));
    (texts, maps, lists, rest, times)
        .prop_map(
            |((name, generate_name, namespace, uid), (labels, annotations), lists, rest, times)| {
                let mut metadata = ObjectMeta::default()
                    .with_finalizers(lists.0)
                    .with_owner_references(lists.1)
                    .with_managed_fields(lists.2)
                    .with_labels(labels)
                    .with_annotations(annotations);
                metadata.name = name;
                metadata.generate_name = generate_name;
                metadata.namespace = namespace;
                metadata.uid = uid;
                metadata.deletion_grace_period_seconds = rest.0;
                metadata.generation = rest.1;
                metadata.resource_version = rest.2;
                metadata.creation_timestamp = times.0;
                metadata.deletion_timestamp = times.1;
                metadata
            },
        )
        .boxed()
}

pub(crate) fn lease() -> impl Strategy<Value = Lease> {
    let texts = (option::of(text()), option::of(text()), option::of(text()));
    let numbers = (option::of(-2..2_i32), option::of(any::<i32>()));
    (metadata(), texts, numbers).prop_map(
        |(metadata, (strategy, preferred, holder), (seconds, count))| {
            let mut spec = LeaseSpec::default();
            spec.strategy = strategy.map(Into::into);
            spec.preferred_holder = preferred;
            spec.holder_identity = holder;
            spec.lease_duration_seconds = seconds;
            spec.lease_transitions = count;
            Lease::from_parts(metadata, spec)
        },
    )
}

pub(crate) fn early_candidate() -> impl Strategy<Value = v1alpha1::LeaseCandidate> {
    let spec = (text(), option::of(text()), option::of(text()), vec(text(), 0..4));
    (metadata(), spec).prop_map(|(metadata, (lease_name, binary, emulation, strategies))| {
        let mut spec = v1alpha1::LeaseCandidateSpec::new(lease_name, strategies);
        spec.binary_version = binary;
        spec.emulation_version = emulation;
        v1alpha1::LeaseCandidate::from_parts(metadata, spec)
    })
}

pub(crate) fn candidate() -> impl Strategy<Value = v1beta1::LeaseCandidate> {
    let spec = (text(), text(), option::of(text()), text());
    (metadata(), spec).prop_map(|(metadata, (lease_name, binary, emulation, strategy))| {
        let mut spec = v1beta1::LeaseCandidateSpec::new(lease_name, binary, strategy);
        spec.emulation_version = emulation;
        v1beta1::LeaseCandidate::from_parts(metadata, spec)
    })
}

/// Some of these, in their order.
fn some<T: Clone + std::fmt::Debug + 'static>(of: Vec<T>) -> impl Strategy<Value = Vec<T>> {
    let most = of.len();
    subsequence(of, 0..=most)
}

/// Metadata of a stored object, with nothing that a server rejects.
fn valid_metadata() -> impl Strategy<Value = ObjectMeta> {
    let name = select(vec!["a", "a.b-c", "0"]);
    let pairs = || some(vec![("a/b", "c"), ("d", ""), ("E_f", "G.h")]);
    let owners = some(vec![
        OwnerReference::new("v1", "Node", "n", "u").with_controller(true),
        OwnerReference::new("apps/v1", "Deployment", "d", "v"),
        OwnerReference::new("events.k8s.io/v1", "Event", "e", "w"),
    ]);
    let finalizers = some(vec!["orphan", "example.com/y"]);
    let entry = ManagedFieldsEntry::default()
        .with_manager("m")
        .with_api_version("v1")
        .with_fields_type("FieldsV1");
    let entries = some(vec![entry.clone().with_operation("Apply"), entry.with_operation("Update")]);
    let deleted = option::of((time(), 0..60_i64));
    let rest = (time(), deleted, option::of(0..9_i64));
    (name, pairs(), pairs(), owners, finalizers, entries, rest).prop_map(
        |(
            name,
            labels,
            annotations,
            owners,
            finalizers,
            entries,
            (created, deleted, generation),
        )| {
            let mut metadata = ObjectMeta::default()
                .with_name(name)
                .with_namespace("default")
                .with_uid("u")
                .with_resource_version("1")
                .with_creation_timestamp(created)
                .with_labels(labels)
                .with_annotations(annotations)
                .with_owner_references(owners)
                .with_finalizers(finalizers)
                .with_managed_fields(entries);
            metadata.generation = generation;
            metadata.deletion_timestamp = deleted.map(|(time, _)| time);
            metadata.deletion_grace_period_seconds = deleted.map(|(_, seconds)| seconds);
            metadata
        },
    )
}

const STRATEGIES: [&str; 3] = ["OldestEmulationVersion", "example.com/by-load", "x/y"];

/// A lease that servers accept.
pub(crate) fn valid_lease() -> impl Strategy<Value = Lease> {
    let strategy = option::of((select(&STRATEGIES[..]), option::of(Just("b"))));
    let rest = (option::of(Just("a")), option::of(1..i32::MAX), option::of(0..i32::MAX));
    (valid_metadata(), strategy, rest).prop_map(|(metadata, strategy, (holder, seconds, count))| {
        let (strategy, preferred) = strategy.unzip();
        let mut spec = LeaseSpec::default();
        spec.strategy = strategy.map(Into::into);
        spec.preferred_holder = preferred.flatten().map(str::to_owned);
        spec.holder_identity = holder.map(str::to_owned);
        spec.lease_duration_seconds = seconds;
        spec.lease_transitions = count;
        Lease::from_parts(metadata, spec)
    })
}

/// A candidate that servers accept.
pub(crate) fn valid_candidate() -> impl Strategy<Value = v1beta1::LeaseCandidate> {
    let versions =
        select(vec![("1.33.0", "1.33.0"), ("1.33.0-rc.1", "1.32.0"), ("1.33.0+b", "1.33.0-rc")]);
    let lease_name = select(vec!["scheduler", "Any text, it need not be a name"]);
    (valid_metadata(), versions, lease_name, select(&STRATEGIES[..])).prop_map(
        |(metadata, (binary, emulation), lease_name, strategy)| {
            let spec = v1beta1::LeaseCandidateSpec::new(lease_name, binary, strategy);
            let spec = spec.with_emulation_version(emulation);
            v1beta1::LeaseCandidate::from_parts(metadata, spec)
        },
    )
}
