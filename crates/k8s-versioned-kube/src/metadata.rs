//! Conversions between plain metadata and the metadata of `k8s-openapi`.

use std::error::Error as StdError;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as openapi;
use k8s_versioned::meta::v1 as plain;
use thiserror::Error;

const CREATION: &str = "metadata.creationTimestamp";
const DELETION: &str = "metadata.deletionTimestamp";
const MANAGERS: &str = "metadata.managedFields";

/// A field of the metadata that `k8s-openapi` cannot hold, such as a time after the year 9999.
#[derive(Debug, Error)]
#[error("{field}: {reason}")]
pub struct MetadataError {
    field: &'static str,
    #[source]
    reason: Box<dyn StdError + Send + Sync>,
}

impl MetadataError {
    /// The field, such as `metadata.creationTimestamp`.
    pub fn field(&self) -> &'static str {
        self.field
    }

    fn new(field: &'static str, reason: impl StdError + Send + Sync + 'static) -> Self {
        let reason = Box::new(reason);
        Self { field, reason }
    }
}

/// Converts to plain metadata, in which an absent list or map is empty.
#[allow(clippy::field_reassign_with_default, reason = "the struct may get more fields")]
pub(crate) fn to_plain(metadata: openapi::ObjectMeta) -> plain::ObjectMeta {
    // All fields are named, so that a new one cannot be overlooked.
    let openapi::ObjectMeta {
        annotations,
        creation_timestamp,
        deletion_grace_period_seconds,
        deletion_timestamp,
        finalizers,
        generate_name,
        generation,
        labels,
        managed_fields,
        name,
        namespace,
        owner_references,
        resource_version,
        self_link,
        uid,
    } = metadata;
    let mut plain = plain::ObjectMeta::default();
    plain.annotations = annotations.unwrap_or_default();
    plain.creation_timestamp = creation_timestamp.map(|time| time.0.into());
    plain.deletion_grace_period_seconds = deletion_grace_period_seconds;
    plain.deletion_timestamp = deletion_timestamp.map(|time| time.0.into());
    plain.finalizers = finalizers.unwrap_or_default();
    plain.generate_name = generate_name;
    plain.generation = generation;
    plain.labels = labels.unwrap_or_default();
    plain.managed_fields = managed_fields.into_iter().flatten().map(manager_to_plain).collect();
    plain.name = name;
    plain.namespace = namespace;
    plain.owner_references = owner_references.into_iter().flatten().map(owner_to_plain).collect();
    plain.resource_version = resource_version;
    plain.self_link = self_link;
    plain.uid = uid;
    plain
}

/// Converts to metadata of `k8s-openapi`, in which an empty list or map is absent.
pub(crate) fn from_plain(
    metadata: plain::ObjectMeta,
) -> Result<openapi::ObjectMeta, MetadataError> {
    let managers = metadata.managed_fields.into_iter().map(manager_from_plain);
    let owners = metadata.owner_references.into_iter().map(owner_from_plain);
    Ok(openapi::ObjectMeta {
        annotations: Some(metadata.annotations).filter(|all| !all.is_empty()),
        creation_timestamp: time(metadata.creation_timestamp, CREATION)?,
        deletion_grace_period_seconds: metadata.deletion_grace_period_seconds,
        deletion_timestamp: time(metadata.deletion_timestamp, DELETION)?,
        finalizers: present(metadata.finalizers),
        generate_name: metadata.generate_name,
        generation: metadata.generation,
        labels: Some(metadata.labels).filter(|all| !all.is_empty()),
        managed_fields: present(managers.collect::<Result<_, _>>()?),
        name: metadata.name,
        namespace: metadata.namespace,
        owner_references: present(owners.collect()),
        resource_version: metadata.resource_version,
        self_link: metadata.self_link,
        uid: metadata.uid,
    })
}

#[allow(clippy::field_reassign_with_default, reason = "the struct may get more fields")]
fn manager_to_plain(manager: openapi::ManagedFieldsEntry) -> plain::ManagedFieldsEntry {
    let openapi::ManagedFieldsEntry {
        api_version,
        fields_type,
        fields_v1,
        manager,
        operation,
        subresource,
        time,
    } = manager;
    let mut plain = plain::ManagedFieldsEntry::default();
    plain.api_version = api_version;
    plain.fields_type = fields_type.map(Into::into);
    plain.fields_v1 = fields_v1.map(|fields| fields.0.into());
    plain.manager = manager;
    plain.operation = operation.map(Into::into);
    plain.subresource = subresource;
    plain.time = time.map(|time| time.0.into());
    plain
}

fn manager_from_plain(
    manager: plain::ManagedFieldsEntry,
) -> Result<openapi::ManagedFieldsEntry, MetadataError> {
    // `serde_json` reads at most 128 levels. A body in protobuf can have the fields without a text.
    let fields = |fields: plain::FieldsV1| serde_json::from_str(fields.as_json());
    let fields_v1 = manager.fields_v1.filter(|fields| !fields.as_json().is_empty());
    let fields_v1 = fields_v1.map(fields).transpose();
    let fields_v1 = fields_v1.map_err(|reason| MetadataError::new(MANAGERS, reason))?;
    Ok(openapi::ManagedFieldsEntry {
        api_version: manager.api_version,
        fields_type: manager.fields_type.map(|word| word.to_string()),
        fields_v1: fields_v1.map(openapi::FieldsV1),
        manager: manager.manager,
        operation: manager.operation.map(|word| word.to_string()),
        subresource: manager.subresource,
        time: time(manager.time, MANAGERS)?,
    })
}

fn owner_to_plain(owner: openapi::OwnerReference) -> plain::OwnerReference {
    let openapi::OwnerReference { api_version, block_owner_deletion, controller, kind, name, uid } =
        owner;
    let mut plain = plain::OwnerReference::new(api_version, kind, name, uid);
    plain.block_owner_deletion = block_owner_deletion;
    plain.controller = controller;
    plain
}

fn owner_from_plain(owner: plain::OwnerReference) -> openapi::OwnerReference {
    openapi::OwnerReference {
        api_version: owner.api_version,
        block_owner_deletion: owner.block_owner_deletion,
        controller: owner.controller,
        kind: owner.kind,
        name: owner.name,
        uid: owner.uid,
    }
}

fn present<T>(list: Vec<T>) -> Option<Vec<T>> {
    Some(list).filter(|list| !list.is_empty())
}

/// A time as `k8s-openapi` holds it.
fn time(
    time: Option<k8s_versioned::Time>,
    field: &'static str,
) -> Result<Option<openapi::Time>, MetadataError> {
    let time = time.map(Timestamp::try_from).transpose();
    Ok(time.map_err(|reason| MetadataError::new(field, reason))?.map(openapi::Time))
}
