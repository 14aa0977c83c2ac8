//! What holds for all objects.

use k8s_coordination::meta::v1::{ManagedFieldsEntry, ObjectMeta, OwnerReference};
use k8s_coordination::v1alpha1;
use k8s_coordination::validation::{Prepare, Validate, with_gate_off};
use proptest::prelude::*;

use crate::random::{candidate, early_candidate, lease};

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
