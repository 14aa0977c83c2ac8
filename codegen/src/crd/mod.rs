//! CustomResourceDefinitions to the OpenAPI v3 documents that a server publishes for them.
//!
//! A server publishes one document for each served version of a group: the schema of each kind with the fields that
//! every object has, a list kind, and the operations. [`documents`] follows the same rules, so that a manifest and a
//! cluster give the same types.

mod definition;
mod ignored;
mod origins;
mod paths;
mod schema;
mod unserved;
mod yaml;

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_versioned_names::Release;
use serde_json::{Map, Value, json};

use crate::import::{reachable, references};
use crate::manifest::{is_document, release_of};
use crate::problem::{CrdCause, Place};
use crate::spec::CUSTOM_RESOURCES;
use crate::text::has_extension;
use crate::{Files, Problems, rules};
pub use definition::FoundObject;
use definition::{Definition, ServedVersion};
use ignored::Ignored;

pub(crate) use ignored::{take as take_ignored, warnings};
pub use origins::{Origin, Origins, Parts};
pub(crate) use schema::walk;
pub use unserved::Unserved;
pub(crate) use unserved::take as take_unserved;

/// The schemas to which documents of custom resources refer, by their full names.
const SHARED: &str = include_str!("../../base/custom-resources.json");

/// The release of definitions that are in no folder of a release. No user has written it, so no message shows it.
pub(crate) const NO_RELEASE: Release = Release::new(0, 0);

/// The folder of the definitions that the package has as `CustomResource::DEFINITION`.
pub const FOLDER: &str = "definitions/";

/// The documents of the CustomResourceDefinitions in a `specs/` folder, which are all files that end with `.yaml` or
/// `.yml`. Those in a folder `v1.4` are of this release of their project. Those in [`FOLDER`] give documents if there
/// are no other files of documents or definitions.
///
/// # Errors
/// The errors of [`documents`], and definitions of a document that is there, too.
pub fn derive(specs: &Files) -> Result<Files, Problems> {
    Ok(derived(specs)?.into_iter().map(|(path, derived)| text((path, derived.value))).collect())
}

/// A document that is made of definitions, before it is text.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    pub(crate) value: Value,
    /// The places of its parts in the definitions.
    pub(crate) parts: Parts,
    /// The parts of its definitions that servers ignore.
    pub(crate) ignored: Vec<Ignored>,
    /// The versions of its definitions that servers do not serve.
    pub(crate) unserved: Vec<Unserved>,
}

/// The documents of [`derive`] by their paths. `unserved = true` in `group.toml` adds the versions that are not served.
pub(crate) fn derived(specs: &Files) -> Result<BTreeMap<String, Derived>, Problems> {
    let mut releases: BTreeMap<Release, Files> = BTreeMap::new();
    let is_other =
        |path: &String| (is_manifest(path) || is_document(path)) && !path.starts_with(FOLDER);
    let has_others = specs.keys().any(is_other);
    let gives = |path: &str| is_manifest(path) && !(has_others && path.starts_with(FOLDER));
    for (path, text) in specs.iter().filter(|(path, _)| gives(path)) {
        let manifests = releases.entry(release_of(path).unwrap_or(NO_RELEASE)).or_default();
        manifests.insert(path.clone(), text.clone());
    }
    let (mut problems, mut files) = (Problems::new(), BTreeMap::new());
    check_release(specs, &releases, &mut problems);
    // Problems of the file are reported when the rules are read.
    let unserved = rules::read_group(specs).is_ok_and(|group| group.unserved == Some(true));
    for (release, manifests) in releases {
        let documents = problems.keep(values(&manifests, &shared_schemas(), unserved));
        for (name, document) in documents.into_iter().flatten() {
            let path = format!("{release}/{name}");
            if specs.contains_key(&path) {
                problems.push(&Place::file(path.clone()), CrdCause::DocumentToo);
            }
            files.insert(path, document);
        }
    }
    problems.or(files)
}

/// Definitions of no release cannot be mixed with definitions of a release: they would count as older than all of them.
fn check_release(specs: &Files, releases: &BTreeMap<Release, Files>, problems: &mut Problems) {
    let Some(other) = specs.keys().find_map(|path| release_of(path)) else {
        return;
    };
    for file in releases.get(&NO_RELEASE).into_iter().flat_map(Files::keys) {
        problems.push(&Place::file(file.as_str()), CrdCause::NoRelease(other.to_string()));
    }
}

/// Returns `true` if a file under `specs/` has CustomResourceDefinitions.
fn is_manifest(path: &str) -> bool {
    has_extension(path, &["yaml", "yml"])
}

/// A definition that the package has as `CustomResource::DEFINITION`.
#[derive(Clone, Debug)]
pub struct PackageDefinition {
    /// The place of the definition.
    pub place: Place,
    /// Its name: `widgets.example.com`.
    pub name: String,
    /// The group of its kind.
    pub group: String,
    /// The kind that the definition defines.
    pub kind: String,
    /// The definition as a user applies it.
    pub value: Value,
}

/// The definitions in the folder [`FOLDER`] of a `specs/` folder, with descriptions if `prose` is `true`.
///
/// # Errors
/// The errors of [`documents`].
pub fn package_definitions(specs: &Files, prose: bool) -> Result<Vec<PackageDefinition>, Problems> {
    let files = specs.iter().filter(|(path, _)| is_manifest(path) && path.starts_with(FOLDER));
    manifests(&files.map(|(path, text)| (path.clone(), text.clone())).collect(), prose)
}

/// The definitions in files of YAML or JSON, with descriptions if `prose` is `true`.
///
/// # Errors
/// The errors of [`documents`].
pub fn manifests(files: &Files, prose: bool) -> Result<Vec<PackageDefinition>, Problems> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let manifest = |definition: Definition| PackageDefinition {
        place: Place::file(Arc::clone(&definition.file)),
        name: definition.name(),
        group: definition.group.clone(),
        kind: definition.kind.clone(),
        value: definition.manifest(prose),
    };
    Ok(definition::read(files, false)?.into_iter().map(manifest).collect())
}

/// The objects in files of YAML or JSON, and the problems of documents that cannot be read, or of files that are larger than a
/// definition can be. A list counts as its items, of `kind: List` as well as of `WidgetList`.
pub fn objects(files: &Files) -> (Vec<FoundObject>, Problems) {
    let mut problems = Problems::new();
    let objects = definition::found(files, &mut problems);
    (objects, problems.or(()).err().unwrap_or_default())
}

/// The documents that a server publishes for the CustomResourceDefinitions in `manifests`: files of YAML or JSON, each
/// with any number of objects. Objects of other kinds do not count.
///
/// `shared` has the schemas to which every document refers, by their full names: metadata, `Status`, `DeleteOptions`.
///
/// # Errors
/// All manifests that cannot be read, and all definitions that a server would reject for their names, versions or types. Servers
/// check more; [`generate`](crate::generate()) warns of a part of it, such as defaults of another type.
pub fn documents(manifests: &Files, shared: &Map<String, Value>) -> Result<Files, Problems> {
    Ok(with_origins(manifests, shared, false)?.0)
}

/// [`documents`], and the places of their parts in the manifests; with `unserved`, also of versions that are not served.
///
/// # Errors
/// The errors of [`documents`].
pub fn with_origins(
    manifests: &Files,
    shared: &Map<String, Value>,
    unserved: bool,
) -> Result<(Files, Origins), Problems> {
    let documents = values(manifests, shared, unserved)?.into_iter();
    let documents = documents
        .map(|(name, Derived { value, parts, .. })| (text((name.clone(), value)), (name, parts)));
    Ok(documents.unzip())
}

fn text((name, document): (String, Value)) -> (String, Vec<u8>) {
    (name, document.to_string().into_bytes())
}

/// The documents of [`documents`], before they are text.
fn values(
    manifests: &Files,
    shared: &Map<String, Value>,
    unserved: bool,
) -> Result<BTreeMap<String, Derived>, Problems> {
    let mut documents: BTreeMap<String, Draft> = BTreeMap::new();
    for mut definition in definition::read(manifests, unserved)? {
        let mut left_out = definition.unserved();
        for version in std::mem::take(&mut definition.versions) {
            let name = format!("apis__{}__{}_openapi.json", definition.group, version.name);
            let draft = documents.entry(name).or_default();
            draft.derived.ignored.extend(definition.ignored());
            draft.add(&mut definition, &version);
            draft.derived.unserved.append(&mut left_out);
        }
    }
    Ok(documents.into_iter().map(|(name, document)| (name, document.derived(shared))).collect())
}

/// The schemas to which documents of custom resources refer, for [`documents`].
pub fn shared_schemas() -> Map<String, Value> {
    serde_json::from_str(SHARED).unwrap_or_default()
}

/// The document of one group and version.
#[derive(Default)]
struct Draft {
    schemas: Map<String, Value>,
    paths: Map<String, Value>,
    derived: Derived,
}

impl Draft {
    fn add(&mut self, definition: &mut Definition, version: &ServedVersion) {
        let names = SchemaNames::of(definition, version);
        let place = Place::file(Arc::clone(&definition.file));
        let place = Place { pointer: version.schema.clone(), ..place };
        let mut schema = definition.take_schema(version);
        self.derived.ignored.extend(ignored::of_schema(&mut schema, &definition.name(), &place));
        let schema = schema::of_kind(schema, definition, version);
        self.schemas.insert(names.schema.clone(), schema);
        self.schemas
            .insert(names.list_schema.clone(), schema::of_list(definition, version, &names.schema));
        let mut own = Map::new();
        paths::add(&mut own, definition, version, &names);
        let of_names = Place { pointer: "/spec/names".to_owned(), ..place.clone() };
        for name in own.keys().chain([&names.list_schema]) {
            self.derived.parts.add(name, Origin { place: of_names.clone(), whole: false });
        }
        self.derived.parts.add(&names.schema, Origin { place, whole: true });
        self.paths.extend(own);
    }

    fn derived(mut self, shared: &Map<String, Value>) -> Derived {
        self.add_shared(shared);
        // The macro would copy the schemas.
        let components = Map::from_iter([("schemas".to_owned(), self.schemas.into())]);
        let members = [
            ("openapi", "3.0.0".into()),
            ("info", json!({ "title": CUSTOM_RESOURCES, "version": "v0.1.0" })),
            ("paths", self.paths.into()),
            ("components", components.into()),
        ];
        let members = members.into_iter();
        let value = members.map(|(key, value): (_, Value)| (key.to_owned(), value)).collect();
        Derived { value, ..self.derived }
    }

    /// Adds the shared schemas to which the document refers.
    fn add_shared(&mut self, shared: &Map<String, Value>) {
        let mut found = Vec::new();
        self.paths.values().chain(self.schemas.values()).for_each(|it| references(it, &mut found));
        for (name, schema) in reachable(shared, found) {
            self.schemas.entry(name).or_insert_with(|| schema.clone());
        }
    }
}

/// The names of the schemas of a kind and of its list.
struct SchemaNames {
    schema: String,
    list_schema: String,
}

impl SchemaNames {
    /// The group in reverse, the version, and the kind.
    fn of(definition: &Definition, version: &ServedVersion) -> Self {
        let reversed: Vec<_> = definition.group.rsplit('.').collect();
        let name = |kind: &str| format!("{}.{}.{kind}", reversed.join("."), version.name);
        Self { schema: name(&definition.kind), list_schema: name(&definition.list_kind) }
    }
}
