//! The steps to create an object again in another version, on another cluster or after an upgrade.
//!
//! Kubernetes 1.32 dropped `v1alpha1` without a conversion: users had to delete their objects. The objects
//! can be exported before the upgrade, [converted](crate::conversion), and created again after it:
//!
//! ```
//! use k8s_coordination::conversion::ConvertObject;
//! use k8s_coordination::{migration, v1alpha1, v1beta1};
//!
//! let exported: v1alpha1::LeaseCandidate = serde_json::from_str(
//!     r#"{"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate",
//!         "metadata": {"name": "a", "namespace": "kube-system", "uid": "1f6c", "resourceVersion": "17"},
//!         "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0", "preferredStrategies": ["example.com/x"]}}"#,
//! )?;
//! let (mut object, report): (v1beta1::LeaseCandidate, _) = exported.convert_strict()?;
//! migration::remove_server_fields(&mut object.metadata);
//! assert_eq!((object.metadata.uid, report.is_empty()), (None, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Managed fields
//!
//! A server that creates an object makes the client of the request the manager of all fields that it sets, and drops
//! the `managedFields` of the request. Two requests keep the managers of an object (tried with Kubernetes 1.36):
//!
//! 1. Keep the list of the exported object. [`rewrite_managed_fields`] brings it to the new version.
//! 2. Create the object without the list, as [`remove_server_fields`] leaves it.
//! 3. Replace (`PUT`) the object that the server answered, with the list in `metadata.managedFields`: the server keeps it.
//!
//! If the object is stored already, the replacement is enough.
//!
//! # What stays the same
//!
//! Owner references name their owners by `uid`. On another cluster these do not exist, and the garbage
//! collector there deletes an object all of whose owners are gone: clear `ownerReferences`, or correct them.
//!
//! Annotations do not change. The annotation of `kubectl apply`, `kubectl.kubernetes.io/last-applied-configuration`,
//! holds the object in its old version: remove it, or apply the converted object once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use k8s_versioned::{FieldsV1, wire};
use serde_json::{Map, Value};

use crate::conversion::generic::{VersionOf, VersionVisitor};
use crate::conversion::{AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion, ListOrFirst};
use crate::meta::v1::{ManagedFieldsEntry, ManagedFieldsOperation, ObjectMeta};

/// The fields of `metadata` that only a server can set, for the command.
#[doc(hidden)]
pub const SERVER_FIELDS: [&str; 8] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Removes the fields that only a server can set: `creationTimestamp`, `deletionGracePeriodSeconds`,
/// `deletionTimestamp`, `generation`, `managedFields`, `resourceVersion`, `selfLink` and `uid`.
///
/// A server refuses to create an object that has a `resourceVersion`.
pub fn remove_server_fields(metadata: &mut ObjectMeta) {
    metadata.creation_timestamp = None;
    metadata.deletion_grace_period_seconds = None;
    metadata.deletion_timestamp = None;
    metadata.generation = None;
    metadata.managed_fields.clear();
    metadata.resource_version = None;
    metadata.self_link = None;
    metadata.uid = None;
}

/// Rewrites the entries of `managedFields` that name fields as in one of these versions: they name them as in
/// `to` afterwards, so that their managers still own the same fields. Entries of the same manager, operation and
/// subresource become one, because a server would keep only the last of them.
///
/// ```
/// use k8s_coordination::conversion::LeaseCandidateVersion::{V1alpha1, V1beta1};
/// use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta};
/// use k8s_coordination::migration;
///
/// let owned = FieldsV1::from_json(r#"{"f:spec": {"f:leaseName": {}, "f:preferredStrategies": {}}}"#)?;
/// let entry = ManagedFieldsEntry::default()
///     .with_api_version("coordination.k8s.io/v1alpha1")
///     .with_fields_v1(owned);
/// let mut metadata = ObjectMeta::default().with_managed_fields([entry]);
///
/// migration::rewrite_managed_fields(&mut metadata, &[V1alpha1], V1beta1);
/// let entry = &metadata.managed_fields[0];
/// assert_eq!(entry.api_version.as_deref(), Some("coordination.k8s.io/v1beta1"));
/// let owned = entry.fields_v1.as_ref().map(FieldsV1::as_json);
/// assert_eq!(owned, Some(r#"{"f:spec":{"f:leaseName":{},"f:strategy":{}}}"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn rewrite_managed_fields(
    metadata: &mut ObjectMeta,
    of: &[LeaseCandidateVersion],
    to: LeaseCandidateVersion,
) {
    let entries = metadata.managed_fields.iter_mut();
    for entry in entries.filter(|entry| is_of(entry, of)) {
        entry.api_version = Some(to.api_version().to_owned());
        if let Some(fields) = &mut entry.fields_v1 {
            rename(fields, AnyLeaseCandidate::visit(to, StrategyField));
        }
    }
    unite(&mut metadata.managed_fields);
}

/// Makes one entry of those that a server considers equal.
fn unite(entries: &mut Vec<ManagedFieldsEntry>) {
    let mut places = BTreeMap::new();
    let mut united: Vec<ManagedFieldsEntry> = Vec::with_capacity(entries.len());
    for entry in entries.drain(..) {
        match places.entry(identity(&entry)) {
            Entry::Vacant(place) => {
                place.insert(united.len());
                united.push(entry);
            }
            Entry::Occupied(place) => {
                if let Some(first) = united.get_mut(*place.get()) {
                    absorb(first, entry);
                }
            }
        }
    }
    *entries = united;
}

/// The fields by which servers compare entries. A manager has one entry for its applies in all versions. An empty
/// text counts as absent.
pub(crate) fn identity(entry: &ManagedFieldsEntry) -> [Option<String>; 4] {
    let applied = entry.operation == Some(ManagedFieldsOperation::Apply);
    let operation = entry.operation.as_ref().map(ToString::to_string);
    let text = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
    let api_version = entry.api_version.clone().filter(|_| !applied);
    let (manager, subresource) = (text(&entry.manager), text(&entry.subresource));
    [manager, operation, api_version, subresource]
}

/// Adds the fields of the other entry; the later time counts.
fn absorb(entry: &mut ManagedFieldsEntry, other: ManagedFieldsEntry) {
    entry.time = entry.time.max(other.time);
    let value = |fields: &FieldsV1| fields.to_value().ok();
    let fields = entry.fields_v1.as_ref().and_then(value);
    match (fields, other.fields_v1.as_ref().and_then(value)) {
        (Some(Value::Object(mut fields)), Some(Value::Object(others))) => {
            unite_fields(&mut fields, others);
            entry.fields_v1 = Some(Value::from(fields).into());
        }
        _ => entry.fields_v1 = entry.fields_v1.take().or(other.fields_v1),
    }
}

/// Adds fields. A field without fields inside is owned itself, as `.` says where there are some.
fn unite_fields(fields: &mut Map<String, Value>, others: Map<String, Value>) {
    for (name, other) in others {
        match (fields.get_mut(&name), other) {
            (Some(Value::Object(inside)), Value::Object(other)) => {
                let itself = inside.is_empty() != other.is_empty();
                unite_fields(inside, other);
                if itself {
                    inside.insert(".".to_owned(), Value::Object(Map::new()));
                }
            }
            (_, other) => _ = fields.insert(name, other),
        }
    }
}

fn is_of(entry: &ManagedFieldsEntry, versions: &[LeaseCandidateVersion]) -> bool {
    let api_version = entry.api_version.as_deref();
    versions.iter().any(|version| api_version == Some(version.api_version()))
}

const LIST: &str = "f:preferredStrategies";
const FIRST: &str = "f:strategy";

/// The only field whose name differs between versions: the list, or the one strategy.
struct StrategyField;

impl VersionVisitor<AnyLeaseCandidate> for StrategyField {
    type Output = &'static str;

    fn visit<K: VersionOf<AnyLeaseCandidate>>(self) -> Self::Output {
        match wire::zero::<K>().into().preferred_strategies() {
            ListOrFirst::List(_) => LIST,
            ListOrFirst::First(_) => FIRST,
        }
    }
}

/// Each form is owned as a whole, so only the name changes.
fn rename(fields: &mut FieldsV1, to: &str) {
    let Ok(mut value) = fields.to_value() else {
        return;
    };
    let spec = value.get_mut("f:spec").and_then(Value::as_object_mut);
    let owned = |spec: &mut Map<String, Value>| spec.remove(LIST).or_else(|| spec.remove(FIRST));
    if let Some(spec) = spec
        && let Some(owned) = owned(spec)
    {
        spec.insert(to.to_owned(), owned);
        *fields = value.into();
    }
}
