//! What holds for all objects.

use k8s_coordination::meta::v1::{ManagedFieldsEntry, ObjectMeta, OwnerReference};
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_coordination::validation::{Prepare, Validate, with_gate_off};
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};
use proptest::collection::{btree_map, vec};
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

fn lease() -> impl Strategy<Value = Lease> {
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

fn early_candidate() -> impl Strategy<Value = v1alpha1::LeaseCandidate> {
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

fn candidate() -> impl Strategy<Value = v1beta1::LeaseCandidate> {
    let spec = (text(), text(), option::of(text()), text());
    (metadata(), spec).prop_map(|(metadata, (lease_name, binary, emulation, strategy))| {
        let mut spec = v1beta1::LeaseCandidateSpec::new(lease_name, binary, strategy);
        spec.emulation_version = emulation;
        v1beta1::LeaseCandidate { metadata, spec }
    })
}

/// The same candidate in the version that has the same fields.
fn across(candidate: v1beta1::LeaseCandidate) -> v1alpha2::LeaseCandidate {
    let spec = candidate.spec;
    let mut same =
        v1alpha2::LeaseCandidateSpec::new(spec.lease_name, spec.binary_version, spec.strategy);
    same.emulation_version = spec.emulation_version;
    v1alpha2::LeaseCandidate::new(same).with_metadata(candidate.metadata)
}

/// Goes through everything that can be asked of two objects.
fn exercise<T: Validate + Prepare + Clone>(new: &T, old: &T) {
    for object in [
        new.clone(),
        new.as_created_in("default"),
        new.as_update_of(old),
    ] {
        for verdict in [object.validate(), object.validate_update(old)] {
            if let Err(errors) = verdict {
                assert!(!errors.to_string().is_empty());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nothing_panics(
        leases in (lease(), lease()),
        early in (early_candidate(), early_candidate()),
        late in (candidate(), candidate()),
    ) {
        exercise(&leases.0, &leases.1);
        exercise(&early.0, &early.1);
        exercise(&late.0, &late.1);
        let _ = with_gate_off(leases.0, Some(&leases.1)).validate();
    }

    /// What can be created can be kept as it is.
    #[test]
    fn an_update_that_changes_nothing_is_fine(lease in lease(), candidate in candidate()) {
        let stored = |metadata: &mut ObjectMeta| metadata.resource_version = Some("1".to_owned());
        let (mut lease, mut candidate) = (lease, candidate);
        stored(&mut lease.metadata);
        stored(&mut candidate.metadata);
        if lease.validate().is_ok() {
            prop_assert_eq!(lease.validate_update(&lease), Ok(()));
        }
        if candidate.validate().is_ok() {
            prop_assert_eq!(candidate.validate_update(&candidate), Ok(()));
        }
    }

    /// Preparing what is prepared changes nothing.
    #[test]
    fn preparation_is_done_once(new in lease(), old in lease()) {
        let created = new.as_created_in("default");
        prop_assert_eq!(created.as_created_in("default"), created);
        let updated = new.as_update_of(&old);
        prop_assert_eq!(updated.as_update_of(&old), updated);
    }

    #[test]
    fn versions_of_equal_shape_agree(new in candidate(), old in candidate()) {
        let (other_new, other_old) = (across(new.clone()), across(old.clone()));
        prop_assert_eq!(other_new.validate(), new.validate());
        prop_assert_eq!(other_new.validate_update(&other_old), new.validate_update(&old));
    }
}

/// Time that grows faster than the input would show here as a test that does not end.
#[test]
fn large_objects_take_no_long_time() {
    const MANY: usize = 20_000;
    let long = "é\n".repeat(MANY);
    let owner = OwnerReference::new("v1", "Event", &*long, "u").with_controller(true);
    let mut owners = vec![owner];
    owners.extend((0..MANY).map(|_| OwnerReference::new("", "", "", "").with_controller(true)));
    let metadata = ObjectMeta::default()
        .with_generate_name(&*long)
        .with_owner_references(owners)
        .with_finalizers((0..MANY).map(|number| format!("{number}/{number}/")))
        .with_labels((0..MANY).map(|number| (format!("-{number}"), "b c")))
        .with_annotations((0..MANY).map(|number| (format!("-{number}"), "b c")))
        .with_managed_fields([ManagedFieldsEntry::default().with_manager(&*long)]);
    let strategies = (0..MANY).map(|_| "OldestEmulationVersion").chain([&*long]);
    let spec = v1alpha1::LeaseCandidateSpec::new("", strategies).with_binary_version(&*long);
    let candidate = v1alpha1::LeaseCandidate::new(spec).with_metadata(metadata);
    let mut stored = candidate.clone();
    stored.metadata.deletion_timestamp = Some("2026-01-01T00:00:00Z".parse().expect("a time"));
    stored.metadata.finalizers.clear();
    for verdict in [candidate.validate(), candidate.validate_update(&stored)] {
        assert!(verdict.unwrap_err().as_slice().len() > 3 * MANY);
    }
}
