//! One case for each rule about metadata.

use k8s_coordination::meta::v1::{ObjectMeta, OwnerReference};
use k8s_coordination::validation::Validate;

use crate::objects::{Spec, found, managed, named, owner, with_metadata};

#[test]
fn names() {
    let long = "n".repeat(254);
    let named = |name: &str, prefix: &str| {
        ObjectMeta::default()
            .with_namespace("default")
            .with_name(name)
            .with_generate_name(prefix)
    };
    let (required, name, prefix) = (
        "metadata.name Required",
        "metadata.name Invalid",
        "metadata.generateName Invalid",
    );
    // Metadata, as a Lease, as a candidate.
    let table: [(ObjectMeta, &[&str], &[&str]); 18] = [
        (named("", ""), &[required], &[required]),
        (named("a.b-c", ""), &[], &[]),
        (named("Upper_lower", ""), &[name], &[]),
        (named(".", ""), &[name], &[name]),
        (named("..a", ""), &[name], &[name]),
        (named("a b", ""), &[name], &[name]),
        (named(&long, ""), &[name], &[name]),
        (named(&long.to_uppercase(), ""), &[name, name], &[name]),
        (named("a", "b-"), &[], &[]),
        (named("a", "B_"), &[prefix], &[]),
        (named("a", "a b"), &[prefix], &[prefix]),
        // In the end a URL must be able to hold it, with the byte before the dash.
        (named("a", "%-"), &[prefix], &[prefix]),
        (named("A", "b/-"), &[name], &[prefix]),
        (named("", "a b"), &[prefix, name], &[prefix, name]),
        (named("", "a-"), &[], &[]),
        // The byte before a dash is not looked at in the prefix, but it is in the name.
        (named("", "A-"), &[name], &[]),
        // A long prefix is cut for the name.
        (named("", &long), &[prefix], &[prefix]),
        (
            named("", &format!("{}é-", "a".repeat(57))),
            &[prefix, name],
            &[prefix, name],
        ),
    ];
    for (metadata, as_lease, as_candidate) in table {
        assert_eq!(
            found(with_metadata(metadata.clone()).validate()),
            as_lease,
            "{metadata:?}"
        );
        let candidate = Spec {
            emulation: "",
            binary: "1.0.0",
            strategies: &["a/b"],
        };
        let candidate = candidate
            .second_generation()
            .with_metadata(metadata.clone());
        assert_eq!(found(candidate.validate()), as_candidate, "{metadata:?}");
    }
}

/// What creation and update find alike in owners.
fn owner_rules() -> Vec<(ObjectMeta, Vec<&'static str>)> {
    let owned = |owners: &[OwnerReference]| named("a").with_owner_references(owners.to_vec());
    let controller = |name| owner("v1", "Node", name, "u").with_controller(true);
    vec![
        (owned(&[owner("apps/v1", "Deployment", "n", "u")]), vec![]),
        (
            owned(&[owner("", "", "", "")]),
            vec![
                "metadata.ownerReferences.apiVersion Invalid",
                "metadata.ownerReferences.kind Invalid",
                "metadata.ownerReferences.name Invalid",
                "metadata.ownerReferences.uid Invalid",
            ],
        ),
        (
            owned(&[owner("apps/", "K", "n", "u")]),
            vec!["metadata.ownerReferences.apiVersion Invalid"],
        ),
        (
            owned(&[owner("a/b/c", "K", "n", "u")]),
            vec!["metadata.ownerReferences.apiVersion Invalid"],
        ),
        (
            owned(&[owner("v1", "Event", "n", "u")]),
            vec!["metadata.ownerReferences Invalid"],
        ),
        // The core group can be written with a slash.
        (
            owned(&[owner("/v1", "Event", "n", "u")]),
            vec!["metadata.ownerReferences Invalid"],
        ),
        (
            owned(&[owner("/", "Event", "n", "u")]),
            vec!["metadata.ownerReferences.apiVersion Invalid"],
        ),
        (
            owned(&[owner("events.k8s.io/v1", "Event", "n", "u")]),
            vec![],
        ),
        // Each owner counts, also if it is as wrong as another.
        (
            owned(&[owner("v1", "", "n", "u"), owner("v1", "", "n", "u")]),
            vec!["metadata.ownerReferences.kind Invalid"; 2],
        ),
        (owned(&[controller("a")]), vec![]),
        (
            owned(&[controller("a"), controller("a")]),
            vec!["metadata.ownerReferences Invalid"],
        ),
        // Servers meet the second and the third controller on their way through the owners.
        (
            owned(&[
                controller("a"),
                controller("b"),
                owner("v1", "", "n", "u").with_controller(true),
            ]),
            vec![
                "metadata.ownerReferences Invalid",
                "metadata.ownerReferences.kind Invalid",
                "metadata.ownerReferences Invalid",
            ],
        ),
    ]
}

/// What creation and update find alike.
fn metadata_rules() -> Vec<(ObjectMeta, Vec<&'static str>)> {
    let meta = || named("a");
    let annotated = |size: usize| meta().with_annotations([("key", "x".repeat(size - 3))]);
    let annotated_twice = |character: &str, size: usize| {
        let half = character.repeat((size / 2 - 2) / character.len());
        meta().with_annotations([("k1", half.clone()), ("k2", half)])
    };
    let entry = |entry| meta().with_managed_fields([entry]);
    vec![
        (meta().with_labels([("a/b", "c"), ("d", "")]), vec![]),
        (
            meta().with_labels([("-a", "b")]),
            vec!["metadata.labels Invalid"],
        ),
        (
            meta().with_labels([("a", "-b")]),
            vec!["metadata.labels Invalid"],
        ),
        (
            meta().with_labels([("", "b c")]),
            vec!["metadata.labels Invalid"; 3],
        ),
        (
            meta().with_labels([("a", "b c"), ("b", "b c")]),
            vec!["metadata.labels Invalid"; 2],
        ),
        (
            meta().with_annotations([("UPPER/Key", "any thing")]),
            vec![],
        ),
        (
            meta().with_annotations([("a b", "c")]),
            vec!["metadata.annotations Invalid"],
        ),
        (annotated(262_144), vec![]),
        (annotated(262_145), vec!["metadata.annotations TooLong"]),
        // Bytes of all keys and values together.
        (annotated_twice("é", 262_144), vec![]),
        (
            annotated_twice("é", 262_148),
            vec!["metadata.annotations TooLong"],
        ),
        (meta().with_finalizers(["x", "example.com/y"]), vec![]),
        (
            meta().with_finalizers(["a/b/c", "d e"]),
            vec!["metadata.finalizers Invalid"; 2],
        ),
        (
            meta().with_finalizers(["foregroundDeletion", "orphan"]),
            vec!["metadata.finalizers Invalid"],
        ),
        (
            entry(managed("Apply", "FieldsV1", "kubectl", "status")),
            vec![],
        ),
        (entry(managed("Update", "", "", "")), vec![]),
        (
            entry(managed("", "FieldsV1", "", "")),
            vec!["metadata.managedFields[0].operation Invalid"],
        ),
        (
            entry(managed("Apply", "V2", "", "")),
            vec!["metadata.managedFields[0].fieldsType Invalid"],
        ),
        (
            entry(managed("Apply", "", &"m".repeat(129), "")),
            vec!["metadata.managedFields[0].manager TooLong"],
        ),
        (
            entry(managed("Apply", "", "a\nb\n", "")),
            vec!["metadata.managedFields[0].manager Invalid"],
        ),
        (
            entry(managed("Apply", "", "", &"s".repeat(257))),
            vec!["metadata.managedFields[0].subresource TooLong"],
        ),
    ]
}

#[test]
fn metadata() {
    let stored = with_metadata(named("a"));
    for (metadata, expected) in [metadata_rules(), owner_rules()].concat() {
        assert_eq!(
            found(with_metadata(metadata.clone()).validate()),
            expected,
            "{metadata:?}"
        );
        let update = with_metadata(metadata.clone().with_resource_version("1"));
        assert_eq!(
            found(update.validate_update(&stored)),
            expected,
            "{metadata:?}"
        );
    }
    let generation = with_metadata(named("a").with_generation(-1));
    assert_eq!(
        found(generation.validate()),
        ["metadata.generation Invalid"]
    );
}

#[test]
fn namespaces() {
    let long = "n".repeat(64);
    let invalid = "metadata.namespace Invalid";
    let table: [(&str, &[&str]); 5] = [
        ("", &["metadata.namespace Required"]),
        ("kube-system", &[]),
        ("a.b", &[invalid]),
        ("A", &[invalid]),
        (&long, &[invalid]),
    ];
    for (namespace, expected) in table {
        let lease = with_metadata(
            ObjectMeta::default()
                .with_name("a")
                .with_namespace(namespace),
        );
        assert_eq!(found(lease.validate()), expected, "{namespace:?}");
    }
}

#[test]
fn metadata_that_an_update_may_not_change() {
    let early = "2026-01-01T00:00:00Z".parse().unwrap();
    let late = "2026-01-02T00:00:00Z".parse().unwrap();
    let stored = named("a")
        .with_uid("u")
        .with_resource_version("1")
        .with_generation(3)
        .with_creation_timestamp(early)
        .with_deletion_timestamp(early)
        .with_deletion_grace_period_seconds(5)
        .with_finalizers(["x", "y"]);
    let changed = |change: fn(ObjectMeta) -> ObjectMeta| change(stored.clone());
    let table: [(ObjectMeta, &[&str]); 16] = [
        (stored.clone(), &[]),
        (
            changed(|meta| meta.with_resource_version("")),
            &["metadata.resourceVersion Invalid"],
        ),
        (
            changed(|meta| meta.with_resource_version("0")),
            &["metadata.resourceVersion Invalid"],
        ),
        // It is read as a number.
        (
            changed(|meta| meta.with_resource_version("00")),
            &["metadata.resourceVersion Invalid"],
        ),
        (changed(|meta| meta.with_resource_version("010")), &[]),
        (changed(|meta| meta.with_generation(4)), &[]),
        (
            changed(|meta| meta.with_generation(2)),
            &["metadata.generation Invalid"],
        ),
        (
            changed(|meta| meta.with_name("b")),
            &["metadata.name Invalid"],
        ),
        (
            changed(|meta| meta.with_namespace("b")),
            &["metadata.namespace Invalid"],
        ),
        (
            changed(|meta| meta.with_uid("v")),
            &["metadata.uid Invalid"],
        ),
        (changed(|meta| meta.with_finalizers(["y"])), &[]),
        (
            changed(|meta| meta.with_finalizers(["x", "z"])),
            &["metadata.finalizers Forbidden"],
        ),
        (
            stored.clone().with_creation_timestamp(late),
            &["metadata.creationTimestamp Invalid"],
        ),
        (
            stored.clone().with_deletion_timestamp(late),
            &["metadata.deletionTimestamp Invalid"],
        ),
        (
            changed(|meta| meta.with_deletion_grace_period_seconds(6)),
            &["metadata.deletionGracePeriodSeconds Invalid"],
        ),
        // The form of a prefix no longer matters, as long as a URL can hold it.
        (
            changed(|meta| meta.with_generate_name("A b/%")),
            &["metadata.generateName Invalid"; 2],
        ),
    ];
    for (metadata, expected) in table {
        let update = with_metadata(metadata.clone());
        let found = found(update.validate_update(&with_metadata(stored.clone())));
        assert_eq!(found, expected, "{metadata:?}");
    }
    // Neither does the form of a name that is stored.
    let odd = with_metadata(
        ObjectMeta::default()
            .with_name("A b")
            .with_resource_version("1"),
    );
    assert_eq!(odd.validate_update(&odd), Ok(()));
}
