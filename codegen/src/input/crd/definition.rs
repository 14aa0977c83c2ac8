//! The manifests of CustomResourceDefinitions: objects of a tree to the facts that a server publishes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_versioned_names::{Version, rules};
use k8s_versioned_source::{Kind, Limits, NodeId, Object, Tree, Value, documents};

use super::Unserved;
use crate::problem::{CrdCause, Place};
use crate::spec::GroupVersionKind;
use crate::{Files, Problems};

/// The kind of the objects.
pub(super) const KIND: &str = "CustomResourceDefinition";

/// The one version of [`KIND`] that servers still have.
pub(super) const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// The most versions of a definition.
const VERSIONS: usize = 100;

/// The definitions of some files, and the documents that have them.
#[derive(Debug, Default)]
pub(super) struct Definitions<'t> {
    pub(super) trees: Vec<Tree<'t>>,
    /// The definitions, in the order of group and kind.
    pub(super) all: Vec<Definition>,
}

/// A definition, as far as documents show it.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) list_kind: String,
    pub(super) plural: String,
    pub(super) namespaced: bool,
    /// The versions that are served, or all.
    pub(super) versions: Vec<DefinedVersion>,
    /// The versions that are left out, because they are not served.
    pub(super) unserved: Vec<Unserved>,
    /// The number of its tree.
    pub(super) tree: usize,
    pub(super) object: Object,
}

/// A version of the kind.
#[derive(Debug, PartialEq)]
pub(super) struct DefinedVersion {
    pub(super) name: String,
    /// Its index in the definition.
    pub(super) index: usize,
    pub(super) schema: NodeId,
    pub(super) has_status: bool,
    pub(super) has_scale: bool,
    /// The paths of the fields by which a list can be selected, such as `spec.host`.
    pub(super) selectable: Vec<String>,
}

impl<'t> Definitions<'t> {
    /// Reads the definitions in files of YAML or JSON, each with any number of objects; with `unserved`, also their versions that
    /// are not served. Objects of other kinds do not count.
    ///
    /// # Errors
    /// All documents that cannot be read, and all definitions that a server would reject for their names, versions or types.
    pub(super) fn read(files: &'t Files, unserved: bool) -> Result<Self, Problems> {
        let mut problems = Problems::new();
        let (mut trees, mut objects) = (Vec::new(), Vec::new());
        for (file, bytes) in files {
            for tree in documents(file.as_str(), bytes, &Limits::MANIFESTS) {
                let Some(mut tree) = problems.keep(tree) else { continue };
                objects.extend(tree.objects().into_iter().map(|object| (trees.len(), object)));
                trees.push(tree);
            }
        }
        let all = distinct(&trees, objects, unserved, &mut problems);
        if all.is_empty() && problems.is_empty() {
            let file = files.keys().next().map_or("", String::as_str);
            problems.push(&Place::file(file), CrdCause::NoDefinition);
        }
        problems.or(Self { trees, all })
    }

    /// The definition in its document.
    pub(super) fn object(&self, definition: &Definition) -> Option<Value<'_>> {
        Some(self.trees.get(definition.tree)?.value(definition.object.node))
    }
}

/// The place of a value at a pointer.
pub(super) fn place_of(value: Value<'_>, pointer: String) -> Place {
    Place { file: Arc::clone(value.tree().file()), pointer, span: Some(value.span()) }
}

/// Reads the definitions among objects, each of them once.
fn distinct(
    trees: &[Tree<'_>],
    objects: Vec<(usize, Object)>,
    unserved: bool,
    problems: &mut Problems,
) -> Vec<Definition> {
    let mut definitions: BTreeMap<(String, String), Definition> = BTreeMap::new();
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    let mut owners: BTreeMap<(String, String), String> = BTreeMap::new();
    for (tree, object) in objects {
        let root = trees.get(tree).map(|tree| tree.value(object.node));
        let is_definition =
            |root: &Value<'_>| root.get("kind").and_then(Value::string) == Some(KIND);
        let Some(root) = root.filter(is_definition) else {
            continue;
        };
        let mut reader = Reader { root, object, unserved, problems };
        let Some(found) = reader.definition(tree) else {
            continue;
        };
        let other = kinds.entry(found.name()).or_insert_with(|| found.kind.clone());
        if *other != found.kind {
            let cause = CrdCause::PluralTwice { name: found.name(), kind: other.clone() };
            reader.report("/spec/names/plural", cause);
            continue;
        }
        let taken = [&found.kind, &found.list_kind].into_iter().find(|name| {
            let owner = owners.entry((found.group.clone(), (*name).clone()));
            *owner.or_insert_with(|| found.kind.clone()) != found.kind
        });
        if let Some(name) = taken.or((found.kind == found.list_kind).then_some(&found.kind)) {
            reader.report("/spec/names", CrdCause::ListKind(name.clone()));
            continue;
        }
        match definitions.entry((found.group.clone(), found.kind.clone())) {
            Entry::Vacant(entry) => {
                entry.insert(found);
            }
            // A folder may hold a definition and a bundle with the same one.
            Entry::Occupied(same) if same.get().is_like(&found, trees) => {}
            Entry::Occupied(other) => {
                let Definition { tree, object, .. } = other.get();
                let other = trees.get(*tree).map(|tree| {
                    let start = tree.value(object.node).span().start;
                    format!("{}:{}", tree.file(), tree.position(start).line)
                });
                let other = other.unwrap_or_default();
                reader.report("/spec/names/kind", CrdCause::KindTwice { kind: found.kind, other });
            }
        }
    }
    definitions.into_values().collect()
}

impl Definition {
    /// Returns `true` if a server publishes the same for both.
    fn is_like(&self, other: &Self, trees: &[Tree<'_>]) -> bool {
        let facts = |it: &Self| {
            let versions = it.versions.iter();
            let versions = versions
                .map(|of| (of.name.clone(), of.has_status, of.has_scale, of.selectable.clone()));
            (it.list_kind.clone(), it.plural.clone(), it.namespaced, versions.collect::<Vec<_>>())
        };
        let is_same = |(ours, theirs): (&DefinedVersion, &DefinedVersion)| {
            let schema = |tree: usize, node| Some(trees.get(tree)?.value(node));
            let both = schema(self.tree, ours.schema).zip(schema(other.tree, theirs.schema));
            both.is_some_and(|(ours, theirs)| ours.is_same(theirs))
        };
        facts(self) == facts(other) && self.versions.iter().zip(&other.versions).all(is_same)
    }

    /// The name of the definition. Servers take no other.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// The JSON pointer to the schema of a version, in the document.
    pub(super) fn schema_pointer(&self, version: &DefinedVersion) -> String {
        let (object, index) = (self.object.pointer(), version.index);
        format!("{object}/spec/versions/{index}/schema/openAPIV3Schema")
    }
}

/// Reads one object, and reports its problems.
struct Reader<'a> {
    root: Value<'a>,
    object: Object,
    unserved: bool,
    problems: &'a mut Problems,
}

impl<'a> Reader<'a> {
    /// Reports a problem at a pointer in the definition. If nothing is there, the place is what would hold it.
    fn report(&mut self, pointer: &str, cause: CrdCause) {
        let mut nearest = pointer;
        let value = loop {
            match (self.root.pointer(nearest), nearest.rsplit_once('/')) {
                (Some(value), _) => break value,
                (None, Some((outer, _))) => nearest = outer,
                (None, None) => break self.root,
            }
        };
        let place = place_of(value, self.object.pointer() + pointer);
        self.problems.push(&place, cause);
    }

    /// Reports a problem, after which there is no value.
    fn refuse<T>(&mut self, pointer: &str, cause: CrdCause) -> Option<T> {
        self.report(pointer, cause);
        None
    }

    fn text(&self, pointer: &str) -> Option<&'a str> {
        self.root.pointer(pointer).and_then(Value::string)
    }

    fn definition(&mut self, tree: usize) -> Option<Definition> {
        let api_version = self.text("/apiVersion").unwrap_or_default();
        if api_version != API_VERSION {
            return self.refuse("/apiVersion", CrdCause::ApiVersion(api_version.to_owned()));
        }
        let group = self.name("/spec/group", is_subdomain);
        let kind = self.name("/spec/names/kind", is_kind);
        let plural = self.name("/spec/names/plural", is_plural);
        let list_kind = match self.root.pointer("/spec/names/listKind") {
            Some(name) if !name.is_null() => self.name("/spec/names/listKind", is_kind),
            _ => kind.as_ref().map(|kind| format!("{kind}List")),
        };
        if let (Some(group), Some(plural)) = (&group, &plural) {
            let name = format!("{plural}.{group}");
            if !is_subdomain(&name) {
                return self.refuse("/spec/names/plural", CrdCause::Name(name));
            }
            let found = self.text("/metadata/name").filter(|found| *found != name);
            if let Some(found) = found.map(str::to_owned) {
                self.report("/metadata/name", CrdCause::OtherName { found, expected: name });
            }
        }
        let preserves = self.root.pointer("/spec/preserveUnknownFields").and_then(Value::bool);
        if preserves == Some(true) {
            return self.refuse("/spec/preserveUnknownFields", CrdCause::Preserves);
        }
        let namespaced = self.scope();
        let versions = self.versions();
        let (group, kind) = (group?, kind?);
        Some(Definition {
            unserved: self.left_out(&group, &kind),
            group,
            kind,
            list_kind: list_kind?,
            plural: plural?,
            namespaced: namespaced?,
            versions: versions?,
            tree,
            object: self.object,
        })
    }

    /// A name that becomes a part of paths and of Rust text.
    fn name(&mut self, pointer: &str, is_valid: fn(&str) -> bool) -> Option<String> {
        match self.text(pointer) {
            Some(name) if is_valid(name) => Some(name.to_owned()),
            Some(name) => self.refuse(pointer, CrdCause::Name(name.to_owned())),
            None => self.refuse(pointer, CrdCause::NoText),
        }
    }

    fn scope(&mut self) -> Option<bool> {
        match self.text("/spec/scope") {
            Some("Namespaced") => Some(true),
            Some("Cluster") => Some(false),
            found => {
                self.refuse("/spec/scope", CrdCause::Scope(found.unwrap_or_default().to_owned()))
            }
        }
    }

    fn versions(&mut self) -> Option<Vec<DefinedVersion>> {
        let pointer = "/spec/versions";
        let versions = self.root.pointer(pointer).and_then(Value::items);
        let versions: Vec<Value<'a>> = versions.into_iter().flatten().collect();
        if versions.is_empty() {
            return self.refuse(pointer, CrdCause::NoVersions);
        }
        if versions.len() > VERSIONS {
            let cause = CrdCause::ManyVersions { found: versions.len(), limit: VERSIONS };
            return self.refuse(pointer, cause);
        }
        let mut stored = versions.iter().filter(|version| is_true(**version, "storage"));
        if let (Some(first), Some(second)) = (stored.next(), stored.next()) {
            let name = |of: &Value<'_>| {
                of.get("name").and_then(Value::string).unwrap_or_default().to_owned()
            };
            self.report(pointer, CrdCause::StoredTwice(name(first), name(second)));
        }
        let all = self.takes_all();
        let mut names = BTreeSet::new();
        let mut read = Vec::new();
        for (index, version) in versions.into_iter().enumerate() {
            if !all && !is_true(version, "served") {
                continue;
            }
            let pointer = format!("{pointer}/{index}");
            let version = self.version(version, index, &pointer);
            let name = version.as_ref().map(|version| version.name.clone());
            if let Some(twice) = name.filter(|name| !names.insert(name.clone())) {
                self.report(&format!("{pointer}/name"), CrdCause::VersionTwice(twice));
            }
            read.push(version);
        }
        read.into_iter().collect()
    }

    /// Returns `true` if versions that are not served count, too. A definition without a served version is kept for its old
    /// versions: all of them are wanted.
    fn takes_all(&self) -> bool {
        let mut versions = self.all_versions();
        self.unserved || !versions.any(|(_, version)| is_true(version, "served"))
    }

    fn all_versions(&self) -> impl Iterator<Item = (usize, Value<'a>)> + use<'a> {
        let versions = self.root.pointer("/spec/versions").and_then(Value::items);
        versions.into_iter().flatten().enumerate()
    }

    /// The versions that are left out.
    fn left_out(&self, group: &str, kind: &str) -> Vec<Unserved> {
        let of_version = |(index, version): (usize, Value<'_>)| {
            let name = version.get("name").and_then(Value::string)?.to_owned();
            let pointer = format!("{}/spec/versions/{index}", self.object.pointer());
            let (group, kind) = (group.to_owned(), kind.to_owned());
            let kind = GroupVersionKind { group, version: name, kind };
            Some(Unserved { place: place_of(version, pointer), kind })
        };
        let left_out = self.all_versions().filter(|(_, version)| !is_true(*version, "served"));
        left_out.filter(|_| !self.takes_all()).filter_map(of_version).collect()
    }

    /// The version at this pointer of the definition.
    fn version(
        &mut self,
        version: Value<'a>,
        index: usize,
        pointer: &str,
    ) -> Option<DefinedVersion> {
        let at = format!("{pointer}/name");
        let name = self.name(&at, |_| true);
        if let Some(Err(error)) = name.as_ref().map(|name| name.parse::<Version>()) {
            let (name, why) = (error.found().to_owned(), error.reason().to_owned());
            self.report(&at, CrdCause::Version { name, why });
        }
        let schema = version.at(&["schema", "openAPIV3Schema"]);
        let schema = schema.filter(|schema| schema.kind() == Kind::Object);
        if schema.is_none() {
            self.report(pointer, CrdCause::NoSchema);
        }
        let of_type = schema.and_then(|schema| schema.get("type")).filter(|it| !it.is_null());
        if let Some(other) = of_type.filter(|of_type| of_type.string() != Some("object")) {
            let pointer = format!("{pointer}/schema/openAPIV3Schema/type");
            return self.refuse(&pointer, CrdCause::NotAnObject(other.to_json().to_string()));
        }
        let has_subresource = |name| {
            version.at(&["subresources", name]).is_some_and(|subresource| !subresource.is_null())
        };
        let selectable = version.get("selectableFields").and_then(Value::items);
        let path = |field: Value<'_>| {
            Some(field.get("jsonPath")?.string()?.trim_start_matches('.').to_owned())
        };
        Some(DefinedVersion {
            name: name?,
            index,
            schema: schema?.id(),
            has_status: has_subresource("status"),
            has_scale: has_subresource("scale"),
            selectable: selectable.into_iter().flatten().filter_map(path).collect(),
        })
    }
}

/// Returns `true` if a member is there and `true`.
pub(super) fn is_true(of: Value<'_>, key: &str) -> bool {
    of.get(key).and_then(Value::bool) == Some(true)
}

fn is_subdomain(name: &str) -> bool {
    rules::dns1123_subdomain(name).is_empty()
}

fn is_label(name: &str) -> bool {
    rules::dns1123_label(name).is_empty()
}

/// Servers ask for a label that begins with a letter.
fn is_plural(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && is_label(name)
}

/// Servers compare a kind in lower case with the rule of plurals.
fn is_kind(name: &str) -> bool {
    is_plural(&name.to_ascii_lowercase())
}
