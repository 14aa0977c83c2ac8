//! Preparation of an object, as a server does it before it checks the rules.

mod changed;
mod managed_fields;
mod owners;

use k8s_versioned::Resource;
use serde::Serialize;

use crate::conversion::AnyLeaseCandidate;
use crate::meta::v1::ObjectMeta;

pub(super) use owners::duplicate_owners;

/// Preparation of an object, as a server does it before it checks the rules.
///
/// Validation checks the object that a server is about to store. These methods complete one that is not
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
    /// The object as a server sees it that creates it in a namespace.
    ///
    /// An empty `metadata.namespace` comes from the URL. Of equal `ownerReferences` the first stays.
    /// `managedFields` are rewritten as [for an update](Self::to_update_of) of no stored object.
    #[must_use]
    fn to_created_in(&self, namespace: &str) -> Self;

    /// The object as a server sees it that replaces the stored one with it.
    ///
    /// The namespace comes from the URL, and of equal `ownerReferences` the first stays, as on creation. Fields
    /// that only the server sets keep their stored values: `creationTimestamp` and `generation` always, `uid` and
    /// `deletionGracePeriodSeconds` when they are absent, `deletionTimestamp` when the stored object has one.
    ///
    /// `managedFields` are rewritten. Those of the request count, or those of the stored object if a server
    /// cannot read them or they are empty. The sender of the request takes over the fields that it changes. Entries
    /// that own no other fields, or whose version the server does not have, are dropped. Of entries that a server
    /// considers equal the last one stays. The order is the server's: by operation, time, manager. The entry of the
    /// sender is not known here and not added.
    #[must_use]
    fn to_update_of(&self, stored: &Self) -> Self;
}

impl<T: Resource> Prepare for T {
    fn to_created_in(&self, namespace: &str) -> Self {
        prepare(self, T::metadata_mut, namespace, None)
    }

    fn to_update_of(&self, stored: &Self) -> Self {
        let old = stored.metadata();
        prepare(self, T::metadata_mut, namespace(old), Some((stored, old)))
    }
}

impl Prepare for AnyLeaseCandidate {
    fn to_created_in(&self, namespace: &str) -> Self {
        prepare(self, Self::metadata_mut, namespace, None)
    }

    fn to_update_of(&self, stored: &Self) -> Self {
        let old = stored.metadata();
        prepare(self, Self::metadata_mut, namespace(old), Some((stored, old)))
    }
}

/// The object in a namespace, in the place of the stored one, if there is one.
fn prepare<T: Clone + Serialize>(
    object: &T,
    metadata: fn(&mut T) -> &mut ObjectMeta,
    namespace: &str,
    stored: Option<(&T, &ObjectMeta)>,
) -> T {
    let mut object = object.clone();
    fill_namespace(metadata(&mut object), namespace);
    owners::deduplicate(metadata(&mut object));
    let entries = stored.map(|(stored, old)| (stored, old.managed_fields.as_slice()));
    managed_fields::rewrite(&mut object, metadata, entries);
    if let Some((_, old)) = stored {
        keep(metadata(&mut object), old);
    }
    object
}

fn namespace(metadata: &ObjectMeta) -> &str {
    metadata.namespace.as_deref().unwrap_or_default()
}

/// Keeps the stored values of fields that only the server sets.
fn keep(metadata: &mut ObjectMeta, stored: &ObjectMeta) {
    metadata.creation_timestamp = stored.creation_timestamp;
    metadata.generation = stored.generation;
    if is_empty(metadata.uid.as_ref()) {
        metadata.uid.clone_from(&stored.uid);
    }
    if stored.deletion_timestamp.is_some() {
        metadata.deletion_timestamp = stored.deletion_timestamp;
    }
    metadata.deletion_grace_period_seconds =
        metadata.deletion_grace_period_seconds.or(stored.deletion_grace_period_seconds);
}

fn fill_namespace(metadata: &mut ObjectMeta, namespace: &str) {
    if is_empty(metadata.namespace.as_ref()) {
        metadata.namespace = Some(namespace.to_owned());
    }
}

fn is_empty(text: Option<&String>) -> bool {
    text.is_none_or(String::is_empty)
}
