//! Leaves out the kinds that `group.toml` names, with their lists, their paths, and the schemas that nothing else uses.

use std::collections::BTreeSet;
use std::sync::Arc;

use k8s_versioned_core::nearest::nearest;
use k8s_versioned_core::pointer;
use k8s_versioned_core::resource_path::ResourcePath;
use k8s_versioned_source::{Tree, TreeValue};

use super::group::LeaveOut;
use crate::gather::Gather;
use crate::problem::{KindVersion, Place, Problems, RuleCause};
use crate::spec::{self, DocumentName, GroupVersionKind, REFERENCE};

/// The member of a schema and of an operation that names kinds.
const KIND: &str = "x-kubernetes-group-version-kind";

/// The kinds that were left out, each with its version.
pub(crate) type LeftOut = BTreeSet<(String, String)>;

/// Every rule has an effect. The documents are those without the kinds.
pub(crate) fn check(
    left_out: &LeftOut,
    rules: &[LeaveOut],
    documents: &[spec::Document],
) -> Result<(), Problems> {
    let mut problems = Problems::new();
    let types = documents.iter().flat_map(|document| document.types.values());
    let kinds: BTreeSet<&GroupVersionKind> = types.flat_map(|ty| &ty.kinds).gather();
    for LeaveOut { place, kind, version } in rules {
        if left_out.contains(&(kind.clone(), version.clone())) {
            continue;
        }
        let near_kind = || nearest(kind, kinds.iter().map(|known| known.kind.as_str()));
        let of_kind = kinds.iter().filter(|known| known.kind == *kind);
        let near_version = nearest(version, of_kind.map(|known| known.version.as_str()));
        let near = near_version.or_else(near_kind).filter(|near| near != kind);
        let near = near.map(str::to_owned);
        let name = format!("{kind} of {version}");
        problems.push(place, RuleCause::NoSuchName { name, near });
    }
    problems.or(())
}

/// Removes from a document the kinds for which there is a rule. Parts that other kinds share stay.
pub(crate) fn remove(tree: &mut Tree<'_>, name: &DocumentName, rules: &[LeaveOut]) -> LeftOut {
    let version = name.version.map(|version| version.to_string()).unwrap_or_default();
    let rules = rules.iter().filter(|rule| rule.version == version);
    let kinds: BTreeSet<&str> = rules.map(|rule| rule.kind.as_str()).gather();
    if kinds.is_empty() {
        return LeftOut::new();
    }
    let removal =
        Document { root: tree.root(), group: &name.group, version: &version, kinds }.removal();
    let Removal { schemas, plurals, left_out } = removal;
    let node = |tree: &Tree<'_>, path: &[&str]| tree.root().at(path).map(TreeValue::id);
    if let Some(id) = node(tree, &["components", "schemas"]) {
        tree.retain_members(id, |name, _| !schemas.contains(name));
    }
    if let Some(id) = node(tree, &["paths"]) {
        tree.retain_members(id, |path, _| {
            plural(path).is_none_or(|plural| !plurals.contains(plural))
        });
    }
    left_out.into_iter().map(|kind| (kind, version.clone())).gather()
}

/// The schemas of the kinds of a document, by their places.
pub(super) fn schemas_of(tree: &Tree<'_>, name: &DocumentName) -> Vec<(Place, KindVersion)> {
    let schemas = tree.root().at(&["components", "schemas"]);
    let of_schema = |(schema, value): (&str, TreeValue<'_>)| {
        let mut kinds = value.get(KIND)?.items()?;
        let text = |kind: TreeValue<'_>, name| Some(kind.get(name)?.string()?.to_owned());
        let own = kinds.find(|kind| text(*kind, "group").as_ref() == Some(&name.group))?;
        let version = KindVersion { kind: text(own, "kind")?, version: text(own, "version")? };
        let pointer = pointer::child("/components/schemas", schema);
        Some((Place { file: Arc::clone(tree.file()), pointer, span: None }, version))
    };
    schemas.and_then(TreeValue::members).into_iter().flatten().filter_map(of_schema).collect()
}

/// The resource in a path.
fn plural(path: &str) -> Option<&str> {
    ResourcePath::parse(path).map(|path| path.plural).filter(|plural| !plural.is_empty())
}

/// A document, and the kinds to remove from it.
struct Document<'a> {
    root: TreeValue<'a>,
    group: &'a str,
    version: &'a str,
    kinds: BTreeSet<&'a str>,
}

/// What to remove from a document.
struct Removal {
    schemas: BTreeSet<String>,
    plurals: BTreeSet<String>,
    left_out: Vec<String>,
}

impl<'a> Document<'a> {
    fn removal(&self) -> Removal {
        let own =
            self.schemas().filter_map(|(name, schema)| Some((name, self.removed_kind(schema)?)));
        let (own, kinds): (BTreeSet<&str>, Vec<&str>) = own.unzip();
        let removed: BTreeSet<&str> = own.iter().copied().chain(self.lists(&own)).gather();
        let plurals = self.plurals();
        let others = self.others(&removed, &plurals);
        let parts = self.reachable(removed.iter().copied().collect());
        let parts =
            parts.into_iter().filter(|name| removed.contains(name) || !others.contains(name));
        Removal {
            schemas: parts.map(str::to_owned).gather(),
            plurals: plurals.into_iter().map(str::to_owned).collect(),
            left_out: kinds.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The schemas of lists of these kinds.
    fn lists(&self, items: &BTreeSet<&str>) -> impl Iterator<Item = &'a str> {
        let is_list = |schema: TreeValue<'a>| {
            let listed = schema.at(&["properties", "items"]).map(references).unwrap_or_default();
            schema.get(KIND).is_some() && listed.iter().any(|name| items.contains(name))
        };
        self.schemas().filter(move |(_, schema)| is_list(*schema)).map(|(name, _)| name)
    }

    /// The resources of the kinds to remove.
    fn plurals(&self) -> BTreeSet<&'a str> {
        let is_removed = |item: TreeValue<'a>| {
            let mut operations = item.members().into_iter().flatten();
            operations.any(|(_, operation)| self.is_removed(operation.get(KIND)))
        };
        let paths = self.paths().filter(|(_, item)| is_removed(*item));
        paths.filter_map(|(path, _)| plural(path)).gather()
    }

    /// The schemas that other kinds use.
    fn others(&self, removed: &BTreeSet<&str>, plurals: &BTreeSet<&str>) -> BTreeSet<&'a str> {
        let is_other = |path: &str| plural(path).is_none_or(|plural| !plurals.contains(plural));
        let bodies = self.paths().filter(|(path, _)| is_other(path));
        let bodies = bodies.flat_map(|(_, item)| references(item));
        let kinds = self.schemas().filter(|(_, schema)| schema.get(KIND).is_some());
        let wanted = bodies.chain(kinds.map(|(name, _)| name));
        self.reachable(wanted.filter(|name| !removed.contains(name)).collect())
    }

    fn schemas(&self) -> impl Iterator<Item = (&'a str, TreeValue<'a>)> {
        self.root.at(&["components", "schemas"]).and_then(TreeValue::members).into_iter().flatten()
    }

    fn paths(&self) -> impl Iterator<Item = (&'a str, TreeValue<'a>)> {
        self.root.get("paths").and_then(TreeValue::members).into_iter().flatten()
    }

    /// The kind of a schema, if the kind is to be removed.
    fn removed_kind(&self, schema: TreeValue<'a>) -> Option<&'a str> {
        let mut kinds = schema.get(KIND)?.items()?;
        kinds.find(|kind| self.is_removed(Some(*kind)))?.get("kind")?.string()
    }

    fn is_removed(&self, kind: Option<TreeValue<'a>>) -> bool {
        let text = |name| kind.and_then(|kind| kind.get(name)?.string());
        text("group") == Some(self.group)
            && text("version") == Some(self.version)
            && text("kind").is_some_and(|kind| self.kinds.contains(kind))
    }

    /// The schemas of these names, and all to which they refer.
    fn reachable(&self, mut names: Vec<&'a str>) -> BTreeSet<&'a str> {
        let schemas = self.root.at(&["components", "schemas"]);
        let mut reached = BTreeSet::new();
        while let Some(name) = names.pop() {
            if let Some(schema) = schemas.and_then(|all| all.get(name))
                && reached.insert(name)
            {
                names.extend(references(schema));
            }
        }
        reached
    }
}

/// The names of the schemas to which a value refers.
fn references(value: TreeValue<'_>) -> Vec<&str> {
    let (mut names, mut left) = (Vec::new(), vec![value]);
    while let Some(value) = left.pop() {
        let reference = value.get("$ref").and_then(TreeValue::string);
        names.extend(reference.and_then(|reference| reference.strip_prefix(REFERENCE)));
        left.extend(value.members().into_iter().flatten().map(|(_, member)| member));
        left.extend(value.items().into_iter().flatten());
    }
    names
}
