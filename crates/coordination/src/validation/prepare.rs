//! What a server makes of an object before it checks it.

use k8s_versioned::Resource;

use crate::conversion::AnyLeaseCandidate;
use crate::meta::v1::{ManagedFieldsEntry, ObjectMeta};

/// What a server makes of an object before it checks it.
///
/// Validation looks at the object that a server is about to store. These methods complete one that is not
/// stored yet, as far as the rules depend on it.
///
/// ```
/// use k8s_coordination::{meta::v1::ObjectMeta, v1::Lease};
/// use k8s_coordination::validation::{Prepare, Validate};
///
/// let lease = Lease::default().with_metadata(ObjectMeta::default().with_name("lock"));
/// assert!(lease.validate().is_err(), "the namespace is missing");
/// assert_eq!(lease.to_created_in("default").validate(), Ok(()));
/// ```
pub trait Prepare: Sized {
    /// The object as a server sees it that is to create it in a namespace.
    ///
    /// An empty `metadata.namespace` comes from the URL, and `managedFields` that cannot be read are
    /// dropped.
    #[must_use]
    fn to_created_in(&self, namespace: &str) -> Self;

    /// The object as a server sees it that is to replace the stored one with it.
    ///
    /// The namespace comes from the URL, as on creation. What is the server's own is kept as stored:
    /// `creationTimestamp` and `generation` always, `uid` and `deletionGracePeriodSeconds` when they are
    /// absent, `deletionTimestamp` when the stored object has one, and `managedFields` when those of the
    /// request are empty or cannot be read.
    #[must_use]
    fn to_update_of(&self, stored: &Self) -> Self;
}

impl<T: Resource> Prepare for T {
    fn to_created_in(&self, namespace: &str) -> Self {
        let mut object = self.clone();
        create(object.metadata_mut(), namespace);
        object
    }

    fn to_update_of(&self, stored: &Self) -> Self {
        let mut object = self.clone();
        update(object.metadata_mut(), stored.metadata());
        object
    }
}

impl Prepare for AnyLeaseCandidate {
    fn to_created_in(&self, namespace: &str) -> Self {
        let mut object = self.clone();
        create(object.metadata_mut(), namespace);
        object
    }

    fn to_update_of(&self, stored: &Self) -> Self {
        let mut object = self.clone();
        update(object.metadata_mut(), stored.metadata());
        object
    }
}

fn create(metadata: &mut ObjectMeta, namespace: &str) {
    fill_namespace(metadata, namespace);
    if !metadata.managed_fields.iter().all(is_readable) {
        metadata.managed_fields.clear();
    }
}

fn update(metadata: &mut ObjectMeta, stored: &ObjectMeta) {
    fill_namespace(metadata, stored.namespace.as_deref().unwrap_or_default());
    metadata.creation_timestamp = stored.creation_timestamp;
    metadata.generation = stored.generation;
    if is_empty(metadata.uid.as_ref()) {
        metadata.uid.clone_from(&stored.uid);
    }
    if stored.deletion_timestamp.is_some() {
        metadata.deletion_timestamp = stored.deletion_timestamp;
    }
    metadata.deletion_grace_period_seconds = metadata
        .deletion_grace_period_seconds
        .or(stored.deletion_grace_period_seconds);
    let managed = &metadata.managed_fields;
    if managed.is_empty() || !managed.iter().all(is_readable) {
        metadata.managed_fields.clone_from(&stored.managed_fields);
    }
}

fn fill_namespace(metadata: &mut ObjectMeta, namespace: &str) {
    if is_empty(metadata.namespace.as_ref()) {
        metadata.namespace = Some(namespace.to_owned());
    }
}

fn is_empty(text: Option<&String>) -> bool {
    text.is_none_or(String::is_empty)
}

/// Whether a server can read an entry. One that it cannot makes it disregard the whole list.
fn is_readable(entry: &ManagedFieldsEntry) -> bool {
    let operation = entry.operation.as_deref();
    matches!(operation, Some("Apply" | "Update"))
        && !is_empty(entry.api_version.as_ref())
        && entry.fields_type.as_deref() == Some("FieldsV1")
}
