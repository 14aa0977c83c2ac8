//! The manifests of CustomResourceDefinitions: objects of a tree to the facts that a server publishes.

use std::collections::BTreeSet;
use std::sync::Arc;

use k8s_versioned_core::{Version, syntax};
use k8s_versioned_source::{
    DocumentObject, MemberIndex, NodeId, ReadLimits, Tree, TreeValue, ValueKind, documents,
};
use litemap::{Entry, LiteMap};
use serde_json::Value as Json;

use crate::gather::Gather;
use crate::input::group::LeaveOut;
use crate::problem::{CrdCause, Place};
use crate::spec::GroupVersionKind;
use crate::{Files, Problems};

/// The kind of definitions.
pub(super) const KIND: &str = "CustomResourceDefinition";

/// The only version of [`KIND`] that servers still have.
pub(super) const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// The field by which servers keep the unknown fields of all objects. New definitions cannot set it.
const PRESERVES: &str = "/spec/preserveUnknownFields";

/// The most versions of a definition, in all of its objects.
const VERSIONS: usize = 100;

/// Which versions of definitions to read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice<'a> {
    /// Whether versions that are not served count.
    pub(super) unserved: bool,
    /// The versions that `group.toml` leaves out.
    pub(super) leave_out: &'a [LeaveOut],
}

/// The definitions of some files, and the YAML and JSON that contain them.
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
    /// Whether servers keep the fields that the schemas do not name, in all objects.
    pub(super) keeps_unknown: bool,
    /// The versions that are served, or all.
    pub(super) versions: Vec<DefinedVersion>,
    /// The versions that are left out, because they are not served.
    pub(super) unserved: Vec<Unserved>,
    /// The names of the versions that `group.toml` leaves out.
    pub(super) left_out: Vec<String>,
    /// The objects that have it. Some collections keep a definition as several objects, each with versions of its own.
    pub(super) origins: Vec<Origin>,
}

/// An object of a tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Origin {
    /// The number of the tree.
    pub(super) tree: usize,
    pub(super) object: DocumentObject,
}

/// A version of the kind.
#[derive(Debug, PartialEq)]
pub(super) struct DefinedVersion {
    pub(super) name: String,
    pub(super) is_served: bool,
    /// The object that has it.
    pub(super) origin: Origin,
    /// Its index in that object.
    pub(super) index: usize,
    /// Its schema; `None` if it states none.
    pub(super) schema: Option<NodeId>,
    pub(super) has_status: bool,
    pub(super) has_scale: bool,
    /// The paths of the fields by which a list can be selected, such as `spec.host`.
    pub(super) selectable: Vec<String>,
}

impl<'t> Definitions<'t> {
    /// Reads the definitions in files of YAML or JSON, each with any number of objects. Objects of other kinds do not count.
    ///
    /// # Errors
    /// All documents that cannot be read, and all definitions whose names, versions or scope make no types.
    pub(super) fn read(files: &'t Files, choice: Choice<'_>) -> Result<Self, Problems> {
        let mut problems = Problems::new();
        let (mut trees, mut origins) = (Vec::new(), Vec::new());
        for (file, bytes) in files {
            for tree in documents(file.as_str(), bytes, &ReadLimits::MANIFESTS) {
                let Some(mut tree) = problems.keep(tree) else { continue };
                let objects = tree.definitions().into_iter();
                origins.extend(objects.map(|object| Origin { tree: trees.len(), object }));
                trees.push(tree);
            }
        }
        let all = distinct(&trees, &origins, choice, &mut problems);
        if all.is_empty() && problems.is_empty() {
            let file = files.keys().next().map_or("", String::as_str);
            problems.push(&Place::file(file), CrdCause::NoDefinition);
        }
        problems.or(Self { trees, all })
    }

    /// An object in its document.
    pub(super) fn object(&self, origin: &Origin) -> Option<TreeValue<'_>> {
        Some(self.trees.get(origin.tree)?.value(origin.object.node))
    }

    /// All definitions as JSON, each with the versions of all of its objects.
    pub(super) fn to_json(&self) -> Vec<Json> {
        self.all.iter().map(|definition| self.united(definition)).collect()
    }

    fn united(&self, definition: &Definition) -> Json {
        let objects = definition.origins.iter().filter_map(|origin| self.object(origin));
        let mut objects = objects.map(TreeValue::to_json);
        let mut whole = objects.next().unwrap_or_default();
        let versions = |of: &mut Json| of.pointer_mut("/spec/versions").map(Json::take);
        for mut object in objects {
            let (Some(Json::Array(mut all)), Some(Json::Array(more))) =
                (versions(&mut whole), versions(&mut object))
            else {
                continue;
            };
            all.extend(more);
            if let Some(versions) = whole.pointer_mut("/spec/versions") {
                *versions = all.into();
            }
        }
        whole
    }
}

/// The place of a value at a pointer.
pub(super) fn place_of(value: TreeValue<'_>, pointer: String) -> Place {
    Place { file: Arc::clone(value.tree().file()), pointer, span: Some(value.span()) }
}

/// The place of the value at a pointer of a definition. Without such a value it is the place of the value that would contain it.
pub(super) fn nearest_place(
    (root, index): (TreeValue<'_>, &MemberIndex),
    object: &DocumentObject,
    pointer: &str,
) -> Place {
    let mut nearest = pointer;
    let value = loop {
        match (index.pointer(root, nearest), nearest.rsplit_once('/')) {
            (Some(value), _) => break value,
            (None, Some((outer, _))) => nearest = outer,
            (None, None) => break root,
        }
    };
    place_of(value, format!("{}{pointer}", object.pointer()))
}

/// Reads the definitions of some objects, each of them once.
fn distinct(
    trees: &[Tree<'_>],
    origins: &[Origin],
    choice: Choice<'_>,
    problems: &mut Problems,
) -> Vec<Definition> {
    let mut definitions: LiteMap<(String, String), Definition> = LiteMap::new();
    let mut kinds: LiteMap<String, String> = LiteMap::new();
    let mut owners: LiteMap<(String, String), String> = LiteMap::new();
    for origin in origins {
        let Some(tree) = trees.get(origin.tree) else { continue };
        let root = tree.value(origin.object.node);
        let mut reader = Reader { root, origin, choice, problems };
        let Some(definition) = reader.definition() else { continue };
        let name = definition.name();
        let other = kinds.entry(name.clone()).or_insert_with(|| definition.kind.clone());
        if *other != definition.kind {
            let cause = CrdCause::PluralTwice { name, kind: other.clone() };
            reader.report("/spec/names/plural", cause);
            continue;
        }
        let Definition { group, kind, list_kind, .. } = &definition;
        let taken = [kind, list_kind].into_iter().find(|name| {
            let owner = owners.entry((group.clone(), (*name).clone()));
            *owner.or_insert_with(|| kind.clone()) != *kind
        });
        if let Some(name) = taken.or((kind == list_kind).then_some(kind)) {
            reader.report("/spec/names", CrdCause::ListKind(name.clone()));
            continue;
        }
        match definitions.entry((group.clone(), kind.clone())) {
            Entry::Vacant(entry) => {
                entry.insert(definition);
            }
            Entry::Occupied(mut known) => reader.unite(known.get_mut(), definition, trees),
        }
    }
    let mut all: Vec<Definition> =
        definitions.into_iter().map(|(_, definition)| definition).collect();
    for definition in &mut all {
        definition.leave_out_unserved(choice.unserved, trees);
    }
    all
}

impl Definition {
    /// Adds the versions of another object of the definition. A folder may also hold a definition and a bundle with the same one.
    ///
    /// # Errors
    /// The kind, if the two disagree.
    fn unite(&mut self, other: Self, trees: &[Tree<'_>]) -> Result<(), String> {
        let facts = |definition: &Self| {
            (
                definition.list_kind.clone(),
                definition.plural.clone(),
                definition.namespaced,
                definition.keeps_unknown,
            )
        };
        let known = |version: &DefinedVersion| {
            self.versions.iter().find(|known| known.name == version.name)
        };
        let shared: Vec<_> =
            other.versions.iter().filter_map(|version| Some((known(version)?, version))).collect();
        let names = |definition: &Self| {
            let unserved = definition.unserved.iter().map(|version| version.kind.version.clone());
            definition
                .versions
                .iter()
                .map(|version| version.name.clone())
                .chain(unserved)
                .gather::<BTreeSet<_>>()
        };
        let (ours, theirs) = (names(self), names(&other));
        let is_same = shared.len() == other.versions.len()
            && theirs.is_subset(&ours)
            && shared.iter().all(|(one, two)| one.is_like(two, trees));
        if facts(self) != facts(&other) || !(is_same || ours.is_disjoint(&theirs)) {
            return Err(other.kind);
        }
        if !is_same {
            self.versions.extend(other.versions);
            self.unserved.extend(other.unserved);
            self.left_out.extend(other.left_out);
            self.origins.extend(other.origins);
        }
        Ok(())
    }

    /// Returns `true` if another object of the definition has no version that this one lacks.
    fn has_all_of(&self, other: &Self) -> bool {
        let names: BTreeSet<&str> = self.versions.iter().map(|version| &*version.name).collect();
        other.versions.iter().all(|version| names.contains(&*version.name))
    }

    /// Leaves out the versions that are not served, unless they are wanted. A definition without a served version is kept for
    /// its old versions: all of them are wanted.
    fn leave_out_unserved(&mut self, wanted: bool, trees: &[Tree<'_>]) {
        if wanted || !self.versions.iter().any(|version| version.is_served) {
            return;
        }
        let of_version = |version: &DefinedVersion| {
            let root = trees.get(version.origin.tree)?.value(version.origin.object.node);
            let index = MemberIndex::default();
            let pointer = format!("/spec/versions/{}", version.index);
            let (group, kind) = (self.group.clone(), self.kind.clone());
            let kind = GroupVersionKind { group, version: version.name.clone(), kind };
            Some(Unserved {
                place: nearest_place((root, &index), &version.origin.object, &pointer),
                kind,
            })
        };
        let unserved = self.versions.iter().filter(|version| !version.is_served);
        let unserved: Vec<Unserved> = unserved.filter_map(of_version).collect();
        self.unserved.extend(unserved);
        self.versions.retain(|version| version.is_served);
    }

    /// The file and the line of its first object.
    fn shown_place(&self, trees: &[Tree<'_>]) -> String {
        let shown = |origin: &Origin| {
            let tree = trees.get(origin.tree)?;
            let start = tree.value(origin.object.node).span().start;
            Some(format!("{}:{}", tree.file(), tree.position(start).line))
        };
        self.origins.first().and_then(shown).unwrap_or_default()
    }

    /// The name of the definition. Servers accept no other.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }
}

impl DefinedVersion {
    /// Returns `true` if a server publishes the same for both.
    fn is_like(&self, other: &Self, trees: &[Tree<'_>]) -> bool {
        let facts = |version: &Self| {
            (version.is_served, version.has_status, version.has_scale, version.selectable.clone())
        };
        let schema = |version: &Self| Some(trees.get(version.origin.tree)?.value(version.schema?));
        let is_same = match (schema(self), schema(other)) {
            (Some(one), Some(two)) => one.is_same(two),
            (one, two) => one.is_none() && two.is_none(),
        };
        facts(self) == facts(other) && is_same
    }

    /// The JSON pointer to its schema, in the document.
    pub(super) fn schema_pointer(&self) -> String {
        let (object, index) = (self.origin.object.pointer(), self.index);
        format!("{object}/spec/versions/{index}/schema/openAPIV3Schema")
    }
}

/// Reads one object, and reports its problems.
struct Reader<'a> {
    root: TreeValue<'a>,
    origin: &'a Origin,
    choice: Choice<'a>,
    problems: &'a mut Problems,
}

impl<'a> Reader<'a> {
    /// Reports a problem at a pointer in the definition.
    fn report(&mut self, pointer: &str, cause: CrdCause) {
        let index = MemberIndex::default();
        let place = nearest_place((self.root, &index), &self.origin.object, pointer);
        self.problems.push(&place, cause);
    }

    /// Adds the versions of this definition to those of another one of the same kind.
    fn unite(&mut self, known: &mut Definition, definition: Definition, trees: &[Tree<'_>]) {
        let found = known.versions.len() + definition.versions.len();
        if found > VERSIONS && !known.has_all_of(&definition) {
            self.report("/spec/versions", CrdCause::ManyVersions { found, limit: VERSIONS });
        } else if let Err(kind) = known.unite(definition, trees) {
            let other = known.shown_place(trees);
            self.report("/spec/names/kind", CrdCause::KindTwice { kind, other });
        }
    }

    /// Reports a problem, after which there is no value.
    fn refuse<T>(&mut self, pointer: &str, cause: CrdCause) -> Option<T> {
        self.report(pointer, cause);
        None
    }

    fn text(&self, pointer: &str) -> Option<&'a str> {
        self.root.pointer(pointer).and_then(TreeValue::string)
    }

    fn definition(&mut self) -> Option<Definition> {
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
        }
        let namespaced = self.scope();
        let versions = self.versions(kind.as_deref().unwrap_or_default());
        let (group, kind) = (group?, kind?);
        let left_out = self.all_versions().filter(|(_, version)| self.is_left_out(&kind, *version));
        let left_out = left_out.filter_map(|(_, version)| version.get("name")?.string());
        Some(Definition {
            left_out: left_out.map(str::to_owned).collect(),
            unserved: self.unserved(&group, &kind),
            group,
            kind,
            list_kind: list_kind?,
            plural: plural?,
            namespaced: namespaced?,
            keeps_unknown: self.root.pointer(PRESERVES).and_then(TreeValue::bool) == Some(true),
            versions: versions?,
            origins: vec![self.origin.clone()],
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
            other => {
                self.refuse("/spec/scope", CrdCause::Scope(other.unwrap_or_default().to_owned()))
            }
        }
    }

    fn versions(&mut self, kind: &str) -> Option<Vec<DefinedVersion>> {
        let pointer = "/spec/versions";
        let versions = self.root.pointer(pointer).and_then(TreeValue::items);
        let versions: Vec<TreeValue<'a>> = versions.into_iter().flatten().collect();
        if versions.is_empty() {
            return self.refuse(pointer, CrdCause::NoVersions);
        }
        if versions.len() > VERSIONS {
            let cause = CrdCause::ManyVersions { found: versions.len(), limit: VERSIONS };
            return self.refuse(pointer, cause);
        }
        let all = self.takes_all();
        let mut names = BTreeSet::new();
        let mut read = Vec::new();
        for (index, version) in versions.into_iter().enumerate() {
            if !all && !is_true(version, "served") || self.is_left_out(kind, version) {
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

    /// Returns `true` if `group.toml` leaves out a version of a kind.
    fn is_left_out(&self, kind: &str, version: TreeValue<'_>) -> bool {
        let name = version.get("name").and_then(TreeValue::string).unwrap_or_default();
        self.choice.leave_out.iter().any(|rule| rule.kind == kind && rule.version == name)
    }

    /// Returns `true` if versions that are not served count. A definition without a served version is kept for its old
    /// versions: all of them are wanted.
    fn takes_all(&self) -> bool {
        let mut versions = self.all_versions();
        self.choice.unserved || !versions.any(|(_, version)| is_true(version, "served"))
    }

    fn all_versions(&self) -> impl Iterator<Item = (usize, TreeValue<'a>)> + use<'a> {
        let versions = self.root.pointer("/spec/versions").and_then(TreeValue::items);
        versions.into_iter().flatten().enumerate()
    }

    /// The versions that are left out, because they are not served.
    fn unserved(&self, group: &str, kind: &str) -> Vec<Unserved> {
        let of_version = |(index, version): (usize, TreeValue<'_>)| {
            let name = version.get("name").and_then(TreeValue::string)?.to_owned();
            let pointer = format!("{}/spec/versions/{index}", self.origin.object.pointer());
            let (group, kind) = (group.to_owned(), kind.to_owned());
            let kind = GroupVersionKind { group, version: name, kind };
            Some(Unserved { place: place_of(version, pointer), kind })
        };
        let unserved = self.all_versions().filter(|(_, version)| {
            !is_true(*version, "served") && !self.is_left_out(kind, *version)
        });
        unserved.filter(|_| !self.takes_all()).filter_map(of_version).collect()
    }

    /// The version at this pointer of the definition.
    fn version(
        &mut self,
        version: TreeValue<'a>,
        index: usize,
        pointer: &str,
    ) -> Option<DefinedVersion> {
        let at = format!("{pointer}/name");
        let name = self.name(&at, |_| true);
        if let Some(name) = name.as_ref().filter(|name| name.parse::<Version>().is_err()) {
            self.report(&at, CrdCause::Version { name: name.clone() });
        }
        let schema = version.at(&["schema", "openAPIV3Schema"]).filter(|schema| !schema.is_null());
        if schema.is_some_and(|schema| schema.kind() != ValueKind::Object) {
            return self.refuse(pointer, CrdCause::NoSchema);
        }
        let of_type =
            schema.and_then(|schema| schema.get("type")).filter(|schema| !schema.is_null());
        if let Some(other) = of_type.filter(|of_type| of_type.string() != Some("object")) {
            let pointer = format!("{pointer}/schema/openAPIV3Schema/type");
            return self.refuse(&pointer, CrdCause::NotAnObject(other.to_json().to_string()));
        }
        let has_subresource = |name| {
            version.at(&["subresources", name]).is_some_and(|subresource| !subresource.is_null())
        };
        let selectable = version.get("selectableFields").and_then(TreeValue::items);
        let path = |field: TreeValue<'_>| {
            Some(field.get("jsonPath")?.string()?.trim_start_matches('.').to_owned())
        };
        Some(DefinedVersion {
            name: name?,
            is_served: is_true(version, "served"),
            origin: self.origin.clone(),
            index,
            schema: schema.map(TreeValue::id),
            has_status: has_subresource("status"),
            has_scale: has_subresource("scale"),
            selectable: selectable.into_iter().flatten().filter_map(path).collect(),
        })
    }
}

/// Returns `true` if a member is there and `true`.
pub(super) fn is_true(of: TreeValue<'_>, key: &str) -> bool {
    of.get(key).and_then(TreeValue::bool) == Some(true)
}

fn is_subdomain(name: &str) -> bool {
    syntax::dns1123_subdomain(name).is_empty()
}

fn is_label(name: &str) -> bool {
    syntax::dns1123_label(name).is_empty()
}

/// Servers ask for a label that begins with a letter.
fn is_plural(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && is_label(name)
}

/// Servers compare a kind in lower case with the rule of plurals.
fn is_kind(name: &str) -> bool {
    is_plural(&name.to_ascii_lowercase())
}

/// A version of a kind that servers do not serve. The package has no types of it, but objects can be stored in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unserved {
    /// The version in the definition.
    pub(crate) place: Place,
    /// The kind in this version.
    pub(crate) kind: GroupVersionKind,
}
