//! Objects that are large: no rule takes quadratic time.

use k8s_coordination::meta::v1::{ManagedFieldsEntry, ObjectMeta, OwnerReference};
use k8s_coordination::v1alpha1;
use k8s_coordination::validation::Validate;

/// With so many of anything, quadratic time takes most of a minute.
const MANY: usize = 20_000;

/// Creates a candidate with such metadata, and replaces one without it.
fn judge(metadata: ObjectMeta, at_least: usize) {
    let spec = v1alpha1::LeaseCandidateSpec::new("a", ["a/b"]);
    let mut stored = v1alpha1::LeaseCandidate::new(spec.clone());
    stored.metadata.deletion_timestamp = Some("2026-01-01T00:00:00Z".parse().expect("a time"));
    let candidate = v1alpha1::LeaseCandidate::new(spec).with_metadata(metadata);
    for verdict in [candidate.validate(), candidate.validate_update(&stored)] {
        assert!(verdict.unwrap_err().len() > at_least);
    }
}

#[test]
fn many_of_anything_end() {
    let numbers = || (0..MANY).map(|number| number.to_string());
    let slashes = || numbers().map(|number| number + "/b/c");
    let owner = |uid| OwnerReference::new("v1", "Node", "n", uid).with_controller(true);
    let entry = |manager| ManagedFieldsEntry::default().with_manager(manager);
    let metadata = ObjectMeta::default;
    judge(metadata().with_labels(numbers().map(|number| (number, "b c"))), MANY);
    judge(metadata().with_annotations(slashes().map(|slash| (slash, ""))), MANY);
    judge(metadata().with_finalizers(slashes()), MANY);
    judge(metadata().with_owner_references(numbers().map(owner)), MANY - 1);
    judge(metadata().with_managed_fields(numbers().map(entry)), MANY);
    let spec = v1alpha1::LeaseCandidateSpec::new("a", numbers());
    let errors = v1alpha1::LeaseCandidate::new(spec).validate().unwrap_err();
    assert!(errors.len() > MANY);
}

#[test]
fn long_texts_end() {
    let long = "é\n".repeat(MANY);
    let metadata = ObjectMeta::default()
        .with_name(&*long)
        .with_generate_name(&*long)
        .with_labels([(&*long, &*long)])
        .with_managed_fields([ManagedFieldsEntry::default().with_manager(&*long)]);
    judge(metadata, 5);
    let dots = "1.".repeat(MANY);
    for text in [&long, &dots, &format!("1.0.0-{dots}")] {
        let spec = v1alpha1::LeaseCandidateSpec::new("a", [&**text]).with_binary_version(&**text);
        let errors = v1alpha1::LeaseCandidate::new(spec).validate().unwrap_err();
        assert!(errors.len() > 2);
    }
}
