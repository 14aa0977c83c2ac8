//! Managed fields as a server rewrites them.

use std::cmp::Ordering;
use std::collections::HashSet;

use k8s_versioned::{FieldSet, GroupVersion, Registry};
use serde::Serialize;
use serde_json::Value;

use super::changed::changed;
use crate::Kinds;
use crate::conversion::{AnyLeaseCandidate, AnyVersion};
use crate::meta::v1::{ManagedFieldsEntry, ObjectMeta, Time};
use crate::migration::identity;

/// Rewrites the managed fields of an object, which replaces a stored one with its own.
pub(super) fn rewrite<T: Serialize>(
    object: &mut T,
    metadata: fn(&mut T) -> &mut ObjectMeta,
    stored: Option<(&T, &[ManagedFieldsEntry])>,
) {
    let entries = std::mem::take(&mut metadata(object).managed_fields);
    let old = stored.map_or(&[][..], |(_, entries)| entries);
    let managers = readable(entries, old);
    if managers.is_empty() {
        return;
    }
    let value = |object: &T| serde_json::to_value(object).unwrap_or_default();
    let new = value(object);
    let changed = changed(stored.map(|(stored, _)| value(stored)).as_ref(), &new);
    metadata(object).managed_fields = left(managers, &changed, &new);
}

/// A manager and the fields that it owns.
type Manager = (ManagedFieldsEntry, FieldSet);

/// The entries that count: those of the request, or else the stored ones. If a server cannot read one of them,
/// it ignores them all.
fn readable(entries: Vec<ManagedFieldsEntry>, stored: &[ManagedFieldsEntry]) -> Vec<Manager> {
    // A client sends one empty entry to ask for none.
    if entries == [ManagedFieldsEntry::default()] {
        return Vec::new();
    }
    let read = |entries: Vec<ManagedFieldsEntry>| {
        let managers = entries.into_iter().map(read);
        managers.collect::<Option<Vec<_>>>().unwrap_or_default()
    };
    let sent = read(entries);
    let managers = if sent.is_empty() { read(stored.to_vec()) } else { sent };
    last_of_each(managers)
}

fn read(mut entry: ManagedFieldsEntry) -> Option<Manager> {
    let operation = entry.operation.as_deref();
    let known = matches!(operation, Some("Apply" | "Update"))
        && entry.api_version.as_deref().is_some_and(|version| !version.is_empty())
        && entry.fields_type.as_deref() == Some("FieldsV1");
    let fields = entry.fields_v1.get_or_insert_default();
    let set = FieldSet::read(fields).ok().filter(|_| known)?;
    Some((entry, set))
}

/// Of entries that a server considers equal, the last one.
fn last_of_each(managers: Vec<Manager>) -> Vec<Manager> {
    let mut seen = HashSet::new();
    let managers = managers.into_iter().rev();
    managers.filter(|(entry, _)| seen.insert(identity(entry))).collect()
}

/// The entries after the sender of `new` has taken over the fields that it changes.
fn left(managers: Vec<Manager>, changed: &FieldSet, new: &Value) -> Vec<ManagedFieldsEntry> {
    let version = |entry: &ManagedFieldsEntry| entry.api_version.clone().unwrap_or_default();
    // A version that cannot be read makes a server give up, and keep no managers at all.
    let unreadable = |(entry, _): &Manager| GroupVersion::parse(&version(entry)).is_err();
    if managers.iter().any(unreadable) {
        return Vec::new();
    }
    let own = new.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    let mut entries = Vec::with_capacity(managers.len());
    for (mut entry, mut set) in managers {
        if !is_served_with(&version(&entry), own) {
            continue;
        }
        if set.remove(changed) {
            entry.fields_v1 = Some(set.to_fields());
        }
        if !set.is_empty() {
            entries.push(entry);
        }
    }
    entries.sort_by(order);
    entries
}

/// Returns `true` if a server that serves candidates in the version `own` serves them in another version: some release
/// serves both. A version that is later than the server counts as served.
fn is_served_with(version: &str, own: &str) -> bool {
    let lifecycle = |version: &str| Kinds.find(version, AnyLeaseCandidate::KIND)?.lifecycle();
    version == own
        || lifecycle(version).zip(lifecycle(own)).is_some_and(|(one, other)| one.overlaps(&other))
}

/// The order in which servers keep entries.
fn order(one: &ManagedFieldsEntry, other: &ManagedFieldsEntry) -> Ordering {
    let key = |entry: &ManagedFieldsEntry| {
        let seconds = entry.time.map_or(0, Time::unix_seconds);
        let [manager, operation, _, subresource] = identity(entry);
        (operation, seconds, manager, entry.api_version.clone(), subresource)
    };
    key(one).cmp(&key(other))
}
