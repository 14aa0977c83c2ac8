//! Prepares an object as a server does before it checks the rules.

use std::cmp::Ordering;
use std::collections::HashSet;

use k8s_versioned::{GroupVersion, Registry, Resource};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Kinds;
use crate::conversion::{AnyLeaseCandidate, AnyVersion};
use crate::meta::v1::{
    FieldsType, ManagedFieldsEntry, ManagedFieldsOperation, ObjectMeta, OwnerReference, Time,
};
use crate::migration::identity;

/// Prepares an object as a server does before it checks the rules.
///
/// Validation checks the object that a server is about to store. These methods complete an object that is not
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
    /// An empty `metadata.namespace` comes from the URL. The first of equal `ownerReferences` stays.
    /// `managedFields` are rewritten as [for an update](Self::to_update_of) of no stored object.
    #[must_use]
    fn to_created_in(&self, namespace: &str) -> Self;

    /// The object as a server sees it that replaces the stored one with it.
    ///
    /// The namespace comes from the URL, and of equal `ownerReferences` the first stays, as on creation. Fields
    /// that only the server sets keep their stored values: `creationTimestamp` and `generation` always, `uid` and
    /// `deletionGracePeriodSeconds` when they are absent, `deletionTimestamp` when the stored object has one.
    ///
    /// `managedFields` are rewritten. The request's count, or the stored object's if a server
    /// cannot read them or they are empty. The sender of the request takes over the fields that it changes. Entries
    /// that own no other fields, or whose version the server does not have, are dropped. Of entries that a
    /// server considers equal, the last stays. The order is the server's: by operation, time, manager. The entry of the
    /// sender is not known here and not added.
    #[must_use]
    fn to_update_of(&self, stored: &Self) -> Self;
}

impl<T: AnyObject> Prepare for T {
    fn to_created_in(&self, namespace: &str) -> Self {
        prepare(self, namespace, None)
    }

    fn to_update_of(&self, stored: &Self) -> Self {
        let namespace = stored.meta().namespace.as_deref().unwrap_or_default();
        prepare(self, namespace, Some(stored))
    }
}

/// An object of one version or of any.
pub trait AnyObject: Clone + Serialize {
    fn meta(&self) -> &ObjectMeta;
    fn meta_mut(&mut self) -> &mut ObjectMeta;
}

impl<T: Resource> AnyObject for T {
    fn meta(&self) -> &ObjectMeta {
        self.metadata()
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        self.metadata_mut()
    }
}

impl AnyObject for AnyLeaseCandidate {
    fn meta(&self) -> &ObjectMeta {
        self.metadata()
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        self.metadata_mut()
    }
}

/// The object in a namespace, which replaces the stored one, if there is one.
fn prepare<T: AnyObject>(object: &T, namespace: &str, stored: Option<&T>) -> T {
    let mut object = object.clone();
    fill_namespace(object.meta_mut(), namespace);
    deduplicate_owners(object.meta_mut());
    rewrite_managed_fields(&mut object, stored);
    if let Some(stored) = stored {
        keep(object.meta_mut(), stored.meta());
    }
    object
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

/// Removes owners that are equal to one before them.
fn deduplicate_owners(metadata: &mut ObjectMeta) {
    let again = again(&metadata.owner_references);
    let mut again = again.into_iter();
    metadata.owner_references.retain(|_| again.next() != Some(true));
}

/// The `uid` of each owner that is equal to one before it. Servers warn of them.
pub(super) fn duplicate_owners(metadata: &ObjectMeta) -> Vec<String> {
    let owners = &metadata.owner_references;
    let duplicates = owners.iter().zip(again(owners)).filter(|(_, again)| *again);
    duplicates.map(|(owner, _)| owner.uid.clone()).collect()
}

/// `true` for each owner that is equal to one before it.
fn again(owners: &[OwnerReference]) -> Vec<bool> {
    let mut seen = HashSet::new();
    owners.iter().map(|owner| !seen.insert(owner)).collect()
}

/// Rewrites the managed fields of an object, which replaces a stored one with its own.
fn rewrite_managed_fields<T: AnyObject>(object: &mut T, stored: Option<&T>) {
    let entries = std::mem::take(&mut object.meta_mut().managed_fields);
    let old = stored.map_or(&[][..], |stored| &stored.meta().managed_fields);
    let managers = readable(entries, old);
    if managers.is_empty() {
        return;
    }
    let value = |object: &T| serde_json::to_value(object).unwrap_or_default();
    let (old, new) = (stored.map(value), value(object));
    object.meta_mut().managed_fields = left(managers, old.as_ref(), &new);
}

/// A manager and the fields that it owns, in the format of `FieldsV1`.
type Manager = (ManagedFieldsEntry, Map<String, Value>);

/// The entries that count: the request's, or else the stored ones. If a server cannot read one of them,
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
    let known = matches!(
        entry.operation,
        Some(ManagedFieldsOperation::Apply | ManagedFieldsOperation::Update)
    ) && entry.api_version.as_deref().is_some_and(|version| !version.is_empty())
        && entry.fields_type == Some(FieldsType::FieldsV1);
    let fields = entry.fields_v1.get_or_insert_default();
    let mut fields = fields.to_value().ok().filter(|_| known)?;
    read_fields(&mut fields).then(|| (entry, fields.as_object().cloned().unwrap_or_default()))
}

/// Reads fields, without elements of unknown types. Returns `false` if a server cannot read them.
///
/// An element is `f:` and a name, `k:` and the key of an item, `v:` and an item, or `i:` and an index.
fn read_fields(fields: &mut Value) -> bool {
    let Value::Object(members) = fields else {
        return fields.is_null();
    };
    members.retain(|element, _| match element.as_bytes() {
        [of, b':', ..] => b"fkvi".contains(of),
        _ => true,
    });
    members.iter_mut().all(|(element, inside)| {
        let value = || element.get(2..).and_then(|text| serde_json::from_str::<Value>(text).ok());
        let known = match element.as_bytes() {
            [b'.'] => return true,
            [b'f', b':', ..] => true,
            [b'k', b':', ..] => value().is_some_and(|key| key.is_object()),
            [b'v', b':', ..] => value().is_some(),
            [b'i', b':', ..] => value().is_some_and(|index| index.is_i64()),
            _ => false,
        };
        known && read_fields(inside)
    })
}

/// Keeps the fields that are equal in two objects. Returns `false` if none is left.
fn keep_equal(fields: &mut Map<String, Value>, old: Option<&Value>, new: Option<&Value>) -> bool {
    fields.retain(|name, inside| {
        let [before, after] = [old, new].map(|value| value.and_then(|value| element(value, name)));
        match inside {
            _ if name == "." => old.is_some() == new.is_some(),
            Value::Object(inside) if !inside.is_empty() => keep_equal(inside, before, after),
            // Their elements are fields of their own.
            _ if ["f:labels", "f:annotations", "f:ownerReferences", "f:finalizers"]
                .contains(&&**name) =>
            {
                before.is_some() == after.is_some()
            }
            _ => before == after,
        }
    });
    !fields.is_empty()
}

/// The element of a value that a field names.
fn element<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let (of, text) = name.split_once(':')?;
    let wanted = || serde_json::from_str::<Value>(text).ok();
    match (of, value) {
        ("f", Value::Object(members)) => members.get(text),
        ("v", Value::Array(items)) => {
            let wanted = wanted()?;
            items.iter().find(|item| **item == wanted)
        }
        ("k", Value::Array(items)) => {
            let wanted = wanted()?;
            let key = wanted.as_object()?;
            items.iter().find(|item| key.iter().all(|(name, value)| item.get(name) == Some(value)))
        }
        _ => None,
    }
}

/// Keeps the last of the entries that a server considers equal.
fn last_of_each(managers: Vec<Manager>) -> Vec<Manager> {
    let mut seen = HashSet::new();
    let managers = managers.into_iter().rev();
    managers.filter(|(entry, _)| seen.insert(identity(entry))).collect()
}

/// The entries after the sender of `new` has taken over the fields that it changes.
fn left(managers: Vec<Manager>, old: Option<&Value>, new: &Value) -> Vec<ManagedFieldsEntry> {
    let version = |entry: &ManagedFieldsEntry| entry.api_version.clone().unwrap_or_default();
    // A version that cannot be read makes a server give up, and keep no managers at all.
    let unreadable = |(entry, _): &Manager| GroupVersion::parse(&version(entry)).is_err();
    if managers.iter().any(unreadable) {
        return Vec::new();
    }
    let own = new.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    let mut entries = Vec::with_capacity(managers.len());
    for (mut entry, mut fields) in managers {
        if is_served_with(&version(&entry), own) && keep_equal(&mut fields, old, Some(new)) {
            entry.fields_v1 = Some(Value::from(fields).into());
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{keep_equal, read_fields};

    #[test]
    fn the_sender_takes_over_what_it_changes() {
        let owner = |uid: &str, name: &str| json!({"uid": uid, "name": name});
        let table = [
            (
                json!({"labels": {"a": "1", "b": "1"}}),
                json!({"labels": {"a": "2", "b": "1"}}),
                json!({"f:labels": {".": {}, "f:a": {}, "f:b": {}}}),
                json!({"f:labels": {".": {}, "f:b": {}}}),
            ),
            (
                json!({}),
                json!({"annotations": {"a": "1"}}),
                json!({"f:annotations": {".": {}, "f:a": {}}, "f:name": {}}),
                json!({"f:name": {}}),
            ),
            (
                json!({"finalizers": ["a", "b"]}),
                json!({"finalizers": ["b", "c"]}),
                json!({"f:finalizers": {"v:\"a\"": {}, "v:\"b\"": {}, "v:\"c\"": {}}}),
                json!({"f:finalizers": {"v:\"b\"": {}}}),
            ),
            (
                json!({"ownerReferences": [owner("1", "a"), owner("2", "b")]}),
                json!({"ownerReferences": [owner("2", "c"), owner("1", "a")]}),
                json!({"f:ownerReferences": {"k:{\"uid\":\"1\"}": {}, "k:{\"uid\":\"2\"}": {}}}),
                json!({"f:ownerReferences": {"k:{\"uid\":\"1\"}": {}}}),
            ),
            (json!({"name": "a"}), json!({"name": "b"}), json!({"f:name": {}}), json!({})),
            (
                json!({"name": "a"}),
                json!({"name": "a"}),
                json!({"f:name": {}}),
                json!({"f:name": {}}),
            ),
        ];
        for (old, new, owned, left) in table {
            let mut fields = owned.as_object().unwrap().clone();
            let some = keep_equal(&mut fields, Some(&old), Some(&new));
            assert_eq!(Value::from(fields), left, "{owned}");
            assert_eq!(some, left != json!({}));
        }
    }

    #[test]
    fn fields_that_servers_cannot_read() {
        let table = [
            (json!({}), true),
            (json!(null), true),
            (json!({"f:a": {".": 1}, "v:1": {}, "k:{\"a\":1}": null, "i:-1": {}, "x:y": 7}), true),
            (json!([]), false),
            (json!({"f:a": []}), false),
            (json!({"a": {}}), false),
            (json!({"": {}}), false),
            (json!({"k:1": {}}), false),
            (json!({"k:{": {}}), false),
            (json!({"v:": {}}), false),
            (json!({"i:x": {}}), false),
            (json!({"f:a": {"f:b": 1}}), false),
        ];
        for (mut fields, readable) in table {
            let text = fields.to_string();
            assert_eq!(read_fields(&mut fields), readable, "{text}");
            assert_eq!(fields.get("x:y"), None);
        }
    }
}
