//! Object metadata. The rules are the same for all kinds, except for the form of names.

use std::fmt::Display;

use k8s_versioned::field::{FieldError, PathRef};
use k8s_versioned::syntax::{
    ANNOTATIONS_LIMIT, IdentityFault, ListFault, ManagedFields, ManagedFieldsFault, MetadataLists,
    NameSyntax, OPPOSITE_FINALIZERS, ObjectIdentity, Owner, OwnerFault, SyntaxCheck,
    SyntaxViolation,
};
use k8s_versioned::{Quoted, syntax};
use serde_json::Value;

use crate::CoordinatedLeaseStrategy;
use crate::meta::v1::{FieldsType, ManagedFieldsOperation, ObjectMeta};

const METADATA: PathRef<'_> = PathRef::Field(&PathRef::Root, "metadata");

/// A DNS-1123 subdomain.
pub(super) const SUBDOMAIN: NameSyntax =
    NameSyntax { name: syntax::dns1123_subdomain, generate_name: syntax::dns1123_subdomain_prefix };

/// A key of a config map.
pub(super) const CONFIG_MAP_KEY: NameSyntax =
    NameSyntax { name: syntax::config_map_key, generate_name: syntax::config_map_key };

/// Checks the metadata of a new object in a namespace.
pub(super) fn check(metadata: &ObjectMeta, names: NameSyntax, errors: &mut Vec<FieldError>) {
    identity(metadata).each_fault(names, |fault| add_identity(fault, names, errors));
    check_lists(metadata, errors);
}

/// Checks `generateName` and the name, which a server makes from it when it is empty.
#[cfg(feature = "election")]
pub(super) fn check_name(metadata: &ObjectMeta, names: NameSyntax, errors: &mut Vec<FieldError>) {
    identity(metadata).each_name_fault(names, |fault| add_identity(fault, names, errors));
}

/// Checks that a URL can hold `generateName`. A server checks this last, and only if there are no errors.
///
/// The earlier rules check most of it, but not the byte before a `-` at the end.
pub(super) fn check_path(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    if errors.is_empty() {
        check_url(metadata, errors);
    }
}

/// The text of an optional field; absent and empty are the same to servers.
fn text(field: Option<&String>) -> &str {
    field.map_or("", String::as_str)
}

// Names and namespaces.

/// The fields that say which object it is. Objects of all kinds are in namespaces, and servers make their names.
fn identity(metadata: &ObjectMeta) -> ObjectIdentity<'_> {
    ObjectIdentity {
        generate_name: text(metadata.generate_name.as_ref()),
        name: text(metadata.name.as_ref()),
        namespace: text(metadata.namespace.as_ref()),
        generation: metadata.generation.unwrap_or_default(),
        is_namespaced: true,
        is_name_made: true,
    }
}

fn add_identity(fault: IdentityFault<'_>, names: NameSyntax, errors: &mut Vec<FieldError>) {
    let subject = &"it";
    match fault {
        IdentityFault::GenerateName { prefix, violations } => {
            let path = METADATA.child("generateName");
            add_name(path, subject, prefix, violations, names.generate_name, errors);
        }
        IdentityFault::Name { name, violations } => {
            add_name(METADATA.child("name"), subject, name, violations, names.name, errors);
        }
        IdentityFault::Namespace { namespace, violations } => {
            let path = METADATA.child("namespace");
            add_name(path, subject, namespace, violations, syntax::dns1123_label, errors);
        }
        IdentityFault::NoName => {
            let message = "write a name, or a `generateName` from which the server makes one";
            errors.push(FieldError::required(METADATA.child("name"), message));
        }
        IdentityFault::MadeName { name, violations } => {
            errors.extend(violations.into_iter().map(|violation| {
                let message = violation.about("a name made from this `generateName`");
                FieldError::invalid(METADATA.child("name"), name.as_str(), message)
            }));
        }
        IdentityFault::NoNamespace => {
            let message = "write the namespace of the object";
            errors.push(FieldError::required(METADATA.child("namespace"), message));
        }
        // No kind is without namespaces.
        IdentityFault::NamespaceOfCluster => {}
        IdentityFault::Generation(generation) => add_generation(generation, errors),
    }
}

fn add_generation(generation: i64, errors: &mut Vec<FieldError>) {
    let message = "leave the field out: the server counts it, from 0";
    errors.push(FieldError::invalid(METADATA.child("generation"), generation, message));
}

/// Checks that a URL can hold a prefix. An update has no other rule for it.
fn check_url(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let prefix = text(metadata.generate_name.as_ref());
    let (path, rule) = (METADATA.child("generateName"), syntax::path_segment_prefix);
    check_object_name(path, &"it", prefix, rule, errors);
}

// Lists and maps.

struct Lists<'a>(&'a ObjectMeta);

impl MetadataLists for Lists<'_> {
    fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.labels.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    fn annotations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.annotations.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    fn owners(&self) -> impl Iterator<Item = Owner<'_>> {
        self.0.owner_references.iter().map(|owner| Owner {
            api_version: &owner.api_version,
            kind: &owner.kind,
            name: &owner.name,
            uid: &owner.uid,
            controller: owner.controller == Some(true),
        })
    }

    fn finalizers(&self) -> impl Iterator<Item = &str> {
        self.0.finalizers.iter().map(String::as_str)
    }

    fn managed_fields(&self) -> impl Iterator<Item = ManagedFields<'_>> {
        self.0.managed_fields.iter().map(|entry| ManagedFields {
            operation: entry.operation.as_ref().map_or("", ManagedFieldsOperation::as_str),
            fields_type: entry.fields_type.as_ref().map_or("", FieldsType::as_str),
            manager: text(entry.manager.as_ref()),
            subresource: text(entry.subresource.as_ref()),
        })
    }
}

/// Checks the parts that an update checks again.
///
/// Servers name the map and the key or value of a label, but not at which key the value is; of an owner they name the list and
/// the field, but not the index. So each message says which one.
fn check_lists(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    Lists(metadata).each_fault(|fault| match fault {
        ListFault::LabelKey { key, violations } => {
            let path = METADATA.child("labels");
            add_name(path, &"a label key", key, violations, syntax::qualified_name, errors);
        }
        ListFault::LabelValue { key, value, violations } => {
            let (path, key) = (METADATA.child("labels"), Quoted(key));
            let subject = format_args!("the value of label {key}");
            add_name(path, &subject, value, violations, syntax::label_value, errors);
        }
        ListFault::AnnotationKey { key, violations } => {
            let path = METADATA.child("annotations");
            add_name(path, &"an annotation key", key, violations, syntax::annotation_key, errors);
        }
        ListFault::Annotations { bytes } => {
            let message = format!(
                "all keys and values together may have {ANNOTATIONS_LIMIT} bytes, these have {bytes}: \
                 remove some, or keep large data elsewhere"
            );
            errors.push(FieldError::too_long(METADATA.child("annotations"), message));
        }
        ListFault::Owner { index, owner, fault } => errors.push(owner_error(index, owner, fault)),
        ListFault::Controller { first: (first, _), index, owner } => {
            let (owner, first) = (described(index, owner), first + 1);
            let message = format!("{owner}: leave out `controller`, which owner {first} has");
            errors.push(FieldError::invalid(METADATA.child("ownerReferences"), true, message));
        }
        ListFault::Finalizer { name, violations } => {
            let path = METADATA.child("finalizers");
            add_name(path, &"a finalizer", name, violations, syntax::qualified_name, errors);
        }
        ListFault::OppositeFinalizers => {
            let [orphan, foreground] = OPPOSITE_FINALIZERS;
            let message = format!(
                "remove `{orphan}` or `{foreground}`: the server can keep or delete the dependents of the object, not \
                 both"
            );
            let (path, both) = (METADATA.child("finalizers"), OPPOSITE_FINALIZERS.to_vec());
            errors.push(FieldError::invalid(path, both, message));
        }
        ListFault::ManagedFields { index, entry, fault } => {
            errors.extend(entry_error(index, entry, fault));
        }
        _ => {}
    });
}

fn owner_error(index: usize, owner: Owner<'_>, fault: OwnerFault) -> FieldError {
    let path = METADATA.child("ownerReferences");
    let error = |path: PathRef<'_>, value: &str, advice| {
        FieldError::invalid(path, value, format!("{}: {advice}", described(index, owner)))
    };
    match fault {
        OwnerFault::NoVersion => {
            let advice = "write the owner's API version, such as `apps/v1`";
            error(path.child("apiVersion"), owner.api_version, advice)
        }
        OwnerFault::Empty(field) => {
            let advice = match field {
                "kind" => "write the owner's kind, such as `Deployment`",
                "name" => "write the owner's name",
                _ => "write the owner's `metadata.uid`",
            };
            error(path.child(field), "", advice)
        }
        _ => error(path, owner.kind, "name another owner; an Event is gone after a while"),
    }
}

/// The owner in a message, counted from 1.
fn described(index: usize, owner: Owner<'_>) -> String {
    format!("owner {}, {} {}", index + 1, Quoted(owner.kind), Quoted(owner.name))
}

fn entry_error(
    index: usize,
    entry: ManagedFields<'_>,
    fault: ManagedFieldsFault,
) -> Option<FieldError> {
    let list = METADATA.child("managedFields");
    let path = list.index(index);
    Some(match fault {
        ManagedFieldsFault::Operation => {
            let message = "write `Apply` or `Update`, or leave `managedFields` to the server";
            FieldError::invalid(path.child("operation"), entry.operation, message)
        }
        ManagedFieldsFault::FieldsType => {
            FieldError::invalid(path.child("fieldsType"), entry.fields_type, "write `FieldsV1`")
        }
        ManagedFieldsFault::TooLong(field, most) => {
            let text = if field == "manager" { entry.manager } else { entry.subresource };
            let message = format!("shorten it to {most} bytes, it has {}", text.len());
            FieldError::too_long(path.child(field), message)
        }
        ManagedFieldsFault::Unprintable(character) => {
            let message =
                format!("remove {character:?}: only characters that can be shown are allowed");
            FieldError::invalid(path.child("manager"), entry.manager, message)
        }
        _ => return None,
    })
}

// Updates.

/// An object that is being deleted gets no further finalizers.
fn check_added_finalizers(new: &ObjectMeta, old: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let [new, old] = [new, old].map(Lists);
    let added = syntax::added_finalizers(new.finalizers(), old.finalizers());
    if !added.is_empty() {
        let message = format!("remove {}: the object is being deleted", first_names(&added));
        errors.push(FieldError::forbidden(METADATA.child("finalizers"), message));
    }
}

/// The first few of many names.
fn first_names(names: &[&str]) -> String {
    const SHOWN: usize = 3;
    let shown = names.iter().take(SHOWN).map(|name| Quoted(name).to_string());
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Checks the metadata of an object that replaces a stored one.
///
/// Name and namespace cannot change, so their form is not checked again.
pub(super) fn check_update(new: &ObjectMeta, old: &ObjectMeta, errors: &mut Vec<FieldError>) {
    check_url(new, errors);
    if let Some(IdentityFault::Generation(generation)) = identity(new).generation_fault() {
        add_generation(generation, errors);
    }
    check_lists(new, errors);
    if old.deletion_timestamp.is_some() {
        check_added_finalizers(new, old, errors);
    }
    check_resource_version(new, errors);
    check_order(new, old, errors);
    check_immutable(new, old, errors);
}

fn check_resource_version(new: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let version = text(new.resource_version.as_ref());
    // Servers read a number, and zero means none.
    if version.bytes().all(|byte| byte == b'0') {
        let message =
            "write the `resourceVersion` of the stored object that the update is based on";
        errors.push(FieldError::invalid(METADATA.child("resourceVersion"), version, message));
    }
}

/// The generation never goes down.
fn check_order(new: &ObjectMeta, old: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let (new, old) = (new.generation.unwrap_or_default(), old.generation.unwrap_or_default());
    if new < old {
        let message = format!("write {old} as stored: it never goes down");
        errors.push(FieldError::invalid(METADATA.child("generation"), new, message));
    }
}

fn check_immutable(new: &ObjectMeta, old: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let texts = [
        ("name", &new.name, &old.name),
        ("namespace", &new.namespace, &old.namespace),
        ("uid", &new.uid, &old.uid),
    ];
    for (field, new, old) in texts {
        check_unchanged(field, given(new.as_ref()), given(old.as_ref()), errors);
    }
    let times = [
        ("creationTimestamp", new.creation_timestamp, old.creation_timestamp),
        ("deletionTimestamp", new.deletion_timestamp, old.deletion_timestamp),
    ];
    for (field, new, old) in times {
        let [new, old] = [new, old].map(|time| time.map(|time| time.to_string()));
        check_unchanged(field, new, old, errors);
    }
    let [new, old] = [new, old].map(|metadata| metadata.deletion_grace_period_seconds);
    check_unchanged("deletionGracePeriodSeconds", new, old, errors);
}

fn given(field: Option<&String>) -> Option<&str> {
    Some(text(field)).filter(|text| !text.is_empty())
}

fn check_unchanged<T: PartialEq + Display + Into<Value>>(
    field: &'static str,
    new: Option<T>,
    old: Option<T>,
    errors: &mut Vec<FieldError>,
) {
    if new == old {
        return;
    }
    let message = match old {
        Some(old) => {
            let old = old.to_string();
            format!("write {} as stored: it cannot change", Quoted(&old))
        }
        None => "leave the field out as stored: it cannot change".to_owned(),
    };
    let value = new.map_or(Value::Null, Into::into);
    errors.push(FieldError::invalid(METADATA.child(field), value, message));
}

// Names in objects, with a suggestion for each malformed one.

/// Checks a name; each rule that it breaks is an error, with a similar name that breaks none if one is near.
///
/// `subject` is the kind of name in messages: `a label key`.
pub(super) fn check_object_name(
    path: PathRef<'_>,
    subject: &dyn Display,
    name: &str,
    rule: SyntaxCheck,
    errors: &mut Vec<FieldError>,
) {
    add_name(path, subject, name, rule(name), rule, errors);
}

/// Adds the violations of a name. The rule tells whether a similar name breaks none.
fn add_name(
    path: PathRef<'_>,
    subject: &dyn Display,
    name: &str,
    violations: Vec<SyntaxViolation>,
    rule: SyntaxCheck,
    errors: &mut Vec<FieldError>,
) {
    if violations.is_empty() {
        return;
    }
    let subject = subject.to_string();
    let advice =
        instead(name, rule).map_or_else(String::new, |name| format!("write {}: ", Quoted(&name)));
    errors.extend(violations.into_iter().map(|violation| {
        let message = format!("{advice}{}", violation.about(&subject));
        FieldError::invalid(path, name, message)
    }));
}

/// The name with `-` instead of characters that no name has, in lower case if only that makes it valid.
fn instead(name: &str, rule: SyntaxCheck) -> Option<String> {
    let allowed = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    let plain = name.replace(|character| !allowed(character), "-");
    let plain = plain.trim_matches(['-', '_', '.']);
    let lower = plain.to_ascii_lowercase().replace('_', "-");
    let mut names = [plain.to_owned(), lower].into_iter();
    names.find(|name| !name.is_empty() && rule(name).is_empty())
}

/// Checks a strategy.
///
/// Servers report it one segment below its own field: `spec.strategy.strategy`.
pub(super) fn check_strategy(
    strategy: &CoordinatedLeaseStrategy,
    field: PathRef<'_>,
    errors: &mut Vec<FieldError>,
) {
    let CoordinatedLeaseStrategy::Other(other) = strategy else {
        return;
    };
    let (name, path) = (other.as_str(), field.child("strategy"));
    if name.contains('/') {
        check_object_name(path, &"a strategy", name, syntax::qualified_name, errors);
    } else {
        errors.push(FieldError::not_supported(path, name, known_or_own(name)));
    }
}

/// A suggestion for a word that is not known.
fn known_or_own(name: &str) -> String {
    // Without `/`, a qualified name is at most as long as the part after it may be.
    let usable = syntax::qualified_name(name).is_empty();
    let own = if usable { name } else { "by-load" };
    format!("write `OldestEmulationVersion`, or put your domain in front: `example.com/{own}`")
}
