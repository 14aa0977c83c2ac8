//! The rules for metadata, in the order and the words of servers.

use std::cell::OnceCell;

use k8s_versioned_core::syntax::{
    self, ANNOTATIONS_LIMIT, IdentityFault, ListFault, ManagedFields, ManagedFieldsFault,
    MetadataLists, NameSyntax, ObjectIdentity, Owner, OwnerFault, SyntaxViolation,
};
use serde_json::Value;

use super::{Metadata, list, text};
use crate::answer::{Causes, Reason, RefusalCause, Shown};
use crate::facts::{Facts, ServerFact};
use crate::go::{self, GoQuoted};
use crate::path::Path;
use k8s_cel::names::{qualified, words};

/// The rule for names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// A DNS-1123 subdomain.
    Subdomain,
    /// A segment of a URL.
    PathSegment,
}

impl Names {
    const fn rules(self) -> NameSyntax {
        match self {
            Self::Subdomain => NameSyntax {
                name: syntax::dns1123_subdomain,
                generate_name: syntax::dns1123_subdomain_prefix,
            },
            Self::PathSegment => NameSyntax {
                name: syntax::path_segment,
                generate_name: syntax::path_segment_prefix,
            },
        }
    }
}

/// Whether an object has a namespace.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Namespaced,
    Cluster,
}

/// Checks the metadata of an object.
pub(crate) fn check(
    metadata: &Metadata,
    names: Names,
    scope: Scope,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    let (identity, is_all) = identity(metadata, scope);
    identity.each_fault(names.rules(), |fault| add_identity(fault, path, causes));
    if !is_all {
        check_lists(&Lists::of(metadata), path, causes);
    }
}

/// The fields that most objects have, and whether the metadata has no others. They are read in one walk. Hot path, row `answer` of the
/// benches.
fn identity(metadata: &Metadata, scope: Scope) -> (ObjectIdentity<'_>, bool) {
    let mut identity = ObjectIdentity {
        generate_name: "",
        name: "",
        namespace: "",
        generation: 0,
        is_namespaced: scope == Scope::Namespaced,
        // The name was made before.
        is_name_made: false,
    };
    let mut is_all = true;
    for (field, value) in metadata {
        let text = || value.as_str().unwrap_or_default();
        match field.as_str() {
            "name" => identity.name = text(),
            "generateName" => identity.generate_name = text(),
            "namespace" => identity.namespace = text(),
            "generation" => identity.generation = value.as_i64().unwrap_or_default(),
            _ => is_all = false,
        }
    }
    (identity, is_all)
}

fn add_identity(fault: IdentityFault<'_>, path: &Path<'_>, causes: &mut Causes) {
    match fault {
        IdentityFault::GenerateName { prefix, violations } => {
            broken(&path.field("generateName"), prefix, violations, causes);
        }
        IdentityFault::NoName => {
            let detail = "name or generateName is required";
            causes.push(RefusalCause::required(path.field("name"), detail));
        }
        IdentityFault::Name { name, violations } => {
            broken(&path.field("name"), name, violations, causes);
        }
        IdentityFault::MadeName { name, violations } => {
            broken(&path.field("name"), &name, violations, causes);
        }
        IdentityFault::NoNamespace => {
            causes.push(RefusalCause::required(path.field("namespace"), ""));
        }
        IdentityFault::Namespace { namespace, violations } => {
            broken(&path.field("namespace"), namespace, violations, causes);
        }
        IdentityFault::NamespaceOfCluster => {
            causes
                .push(RefusalCause::forbidden(path.field("namespace"), "not allowed on this type"));
        }
        IdentityFault::Generation(generation) => {
            let value = Value::from(generation);
            let detail = "must be greater than or equal to 0";
            let field = path.field("generation");
            causes.add(Reason::Invalid, field, Shown::Value(&value), detail);
        }
    }
}

/// The lists and maps of metadata.
struct Lists<'a> {
    metadata: &'a Metadata,
    owners: &'a [Value],
    finalizers: &'a [Value],
}

impl<'a> Lists<'a> {
    fn of(metadata: &'a Metadata) -> Self {
        let [owners, finalizers] =
            ["ownerReferences", "finalizers"].map(|field| list(metadata, field));
        Self { metadata, owners, finalizers }
    }

    fn map(&self, field: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let members = self.metadata.get(field).and_then(Value::as_object).into_iter().flatten();
        members.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()))
    }
}

impl MetadataLists for Lists<'_> {
    fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.map("labels")
    }

    fn annotations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.map("annotations")
    }

    fn owners(&self) -> impl Iterator<Item = Owner<'_>> {
        self.owners.iter().map(|owner| Owner {
            api_version: member(owner, "apiVersion"),
            kind: member(owner, "kind"),
            name: member(owner, "name"),
            uid: member(owner, "uid"),
            controller: owner.get("controller") == Some(&Value::Bool(true)),
        })
    }

    fn finalizers(&self) -> impl Iterator<Item = &str> {
        self.finalizers.iter().filter_map(Value::as_str)
    }

    fn managed_fields(&self) -> impl Iterator<Item = ManagedFields<'_>> {
        list(self.metadata, "managedFields").iter().map(|entry| ManagedFields {
            operation: member(entry, "operation"),
            fields_type: member(entry, "fieldsType"),
            manager: member(entry, "manager"),
            subresource: member(entry, "subresource"),
        })
    }
}

fn check_lists(lists: &Lists<'_>, path: &Path<'_>, causes: &mut Causes) {
    let all_owners = OnceCell::new();
    lists.each_fault(|fault| match fault {
        ListFault::LabelKey { key, violations } => {
            broken(&path.field("labels"), key, qualified(violations), causes);
        }
        ListFault::LabelValue { value, violations, .. } => {
            broken(&path.field("labels"), value, violations, causes);
        }
        ListFault::AnnotationKey { key, violations } => {
            broken(&path.field("annotations"), key, qualified(violations), causes);
        }
        ListFault::Annotations { .. } => {
            causes.push(too_long(causes.facts, &path.field("annotations"), ANNOTATIONS_LIMIT));
        }
        ListFault::Owner { index, owner, fault } => {
            let raw = lists.owners.get(index).unwrap_or(&Value::Null);
            add_owner(fault, owner, raw, &path.field("ownerReferences"), causes);
        }
        ListFault::Controller { first, owner, .. } => {
            let [first, second] =
                [first.1, owner].map(|Owner { kind, name, .. }| format!("{kind}/{name}"));
            let detail = format!(
                "Only one reference can have Controller set to true. Found \"true\" in references for {first} and \
                 {second}"
            );
            let shown = Shown::Json(all_owners.get_or_init(|| owners_json(lists.owners)));
            causes.add(Reason::Invalid, path.field("ownerReferences"), shown, detail);
        }
        ListFault::Finalizer { name, violations } => {
            broken(&path.field("finalizers"), name, qualified(violations), causes);
        }
        ListFault::OppositeFinalizers => {
            let detail = "finalizer orphan and foregroundDeletion cannot be both set";
            let all = Value::from(lists.finalizers);
            causes.add(Reason::Invalid, path.field("finalizers"), Shown::Value(&all), detail);
        }
        ListFault::ManagedFields { index, entry, fault } => {
            add_entry(fault, entry, &path.field("managedFields").index(index), causes);
        }
        _ => {}
    });
}

fn add_owner(
    fault: OwnerFault,
    owner: Owner<'_>,
    raw: &Value,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    causes.push(match fault {
        OwnerFault::NoVersion => {
            let field = path.field("apiVersion");
            RefusalCause::invalid(field, owner.api_version, "version must not be empty")
        }
        OwnerFault::Empty(name) => {
            let is_named = !causes.facts.hold(ServerFact::OwnersWithoutNames);
            let before = if is_named { &format!("{name} ") } else { "" };
            RefusalCause::invalid(path.field(name), "", format!("{before}must not be empty"))
        }
        _ => {
            let detail = "/v1, Kind=Event is disallowed from being an owner";
            let shown = owner_json(raw);
            RefusalCause::new(causes.facts, Reason::Invalid, path, Shown::Json(&shown), detail)
        }
    });
}

/// A member with a text; empty if it is absent.
fn member<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn owners_json(owners: &[Value]) -> String {
    format!("[{}]", owners.iter().map(owner_json).collect::<Vec<_>>().join(","))
}

/// An owner as JSON, with the members in the order of the Go type.
fn owner_json(owner: &Value) -> String {
    let fields = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
    let members = fields
        .into_iter()
        .filter_map(|field| Some(format!("{}:{}", GoQuoted(field), go::json(owner.get(field)?))));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn add_entry(
    fault: ManagedFieldsFault,
    entry: ManagedFields<'_>,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    let ManagedFields { operation, fields_type, manager, .. } = entry;
    causes.push(match fault {
        ManagedFieldsFault::Operation => {
            RefusalCause::invalid(path.field("operation"), operation, "must be `Apply` or `Update`")
        }
        ManagedFieldsFault::FieldsType => {
            RefusalCause::invalid(path.field("fieldsType"), fields_type, "must be `FieldsV1`")
        }
        ManagedFieldsFault::TooLong(name, most) => too_long(causes.facts, &path.field(name), most),
        ManagedFieldsFault::Unprintable(character) => {
            let at = manager.find(character).unwrap_or_default();
            let code = u32::from(character);
            let detail = format!("invalid character U+{code:04X} (at position {at})");
            RefusalCause::invalid(path.field("manager"), manager, detail)
        }
        _ => return,
    });
}

/// A text that is too long, in the words of the rules for metadata.
fn too_long(facts: Facts, field: &Path<'_>, most: usize) -> RefusalCause {
    let detail = if facts.hold(ServerFact::LengthsInBytes) {
        format!("may not be more than {most} bytes")
    } else {
        format!("must have at most {most} bytes")
    };
    RefusalCause::new(facts, Reason::TooLong, field, Shown::Nothing, detail)
}

/// Checks the metadata of an object that replaces another.
pub(crate) fn check_update(new: &Metadata, old: &Metadata, path: &Path<'_>, causes: &mut Causes) {
    if old.contains_key("deletionTimestamp") {
        forbid_new_finalizers(new, old, &path.field("finalizers"), causes);
    }
    if text(new, "resourceVersion").is_empty() {
        let detail = "must be specified for an update";
        causes.push(RefusalCause::invalid(path.field("resourceVersion"), "", detail));
    }
    for field in ["name", "namespace", "uid"] {
        let (new, old) = (text(new, field), text(old, field));
        if new != old {
            causes.push(RefusalCause::invalid(path.field(field), new, "field is immutable"));
        }
    }
    for field in ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] {
        if new.get(field) != old.get(field) {
            let shown = new.get(field).map_or(Shown::Nil, Shown::Value);
            let field = path.field(field);
            causes.add(Reason::Invalid, field, shown, "field is immutable");
        }
    }
    // Only creation judges finalizers.
    check_lists(&Lists { finalizers: &[], ..Lists::of(new) }, path, causes);
}

fn forbid_new_finalizers(new: &Metadata, old: &Metadata, path: &Path<'_>, causes: &mut Causes) {
    let [new, old] =
        [new, old].map(|metadata| list(metadata, "finalizers").iter().filter_map(Value::as_str));
    let added = syntax::added_finalizers(new, old);
    if !added.is_empty() {
        let mut added: Vec<_> = added.into_iter().map(|name| GoQuoted(name).to_string()).collect();
        added.sort();
        let detail = format!(
            "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
            added.join(", ")
        );
        causes.push(RefusalCause::forbidden(path, detail));
    }
}

fn broken(field: &Path<'_>, value: &str, violations: Vec<SyntaxViolation>, causes: &mut Causes) {
    for violation in violations {
        causes.push(RefusalCause::invalid(
            field,
            value,
            words(violation, value, causes.facts.hold(ServerFact::LabelKeys)),
        ));
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;
    use serde_json::{Value, json};

    use super::{Names, Scope, check};
    use crate::answer::Causes;
    use crate::facts::Facts;
    use crate::path::Path;

    fn causes(metadata: &Value, minor: u16) -> Vec<String> {
        let path = Path::Root.field("metadata");
        let mut causes = Causes::new(Facts::at(Release::new(1, minor)));
        let metadata = metadata.as_object().unwrap();
        check(metadata, Names::Subdomain, Scope::Cluster, &path, &mut causes);
        causes.all.iter().map(ToString::to_string).collect()
    }

    /// The words are from recordings of the built-in kinds, whose metadata has the same rules.
    #[test]
    fn messages_are_those_of_the_release() {
        let long = "x".repeat(64);
        let metadata = json!({"name": "a", "labels": {&long: ""}, "finalizers": ["a/b/c"]});
        let key = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
                   character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
                   '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. \
                   'example.com/MyName')";
        for (minor, unit, subject) in
            [(34, "characters", "qualified name"), (36, "bytes", "valid label key")]
        {
            let expected = [
                format!(
                    "metadata.labels: Invalid value: \"{long}\": name part must be no more than 63 {unit}"
                ),
                format!("metadata.finalizers: Invalid value: \"a/b/c\": a {subject} {key}"),
            ];
            assert_eq!(causes(&metadata, minor), expected);
        }
    }

    #[test]
    fn one_owner_controls() {
        let owner = |uid: &str| json!({"apiVersion": "v1", "kind": "Node", "name": "n", "uid": uid, "controller": true});
        let metadata = json!({"name": "a", "ownerReferences": [owner("u"), owner("u2")]});
        let shown = |uid: &str| {
            format!(
                r#"{{"apiVersion":"v1","kind":"Node","name":"n","uid":"{uid}","controller":true}}"#
            )
        };
        assert_eq!(
            causes(&metadata, 36),
            [format!(
                "metadata.ownerReferences: Invalid value: [{},{}]: Only one reference can have Controller set to true. \
                 Found \"true\" in references for Node/n and Node/n",
                shown("u"),
                shown("u2")
            )]
        );
    }
}
