//! CustomResourceDefinitions to what a server publishes for them.
//!
//! A server publishes one document for each served version of a group: the schema of each kind with the fields that every object
//! has, a list kind, and the operations. This module follows the same rules, so that a definition and a cluster give the same
//! types.

mod definition;
mod operations;
mod publish;
mod schema_names;
#[cfg(test)]
mod tests;
mod warnings;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use k8s_versioned_core::Release;
use k8s_versioned_core::pointer::Pointer;
use k8s_versioned_source::{MemberIndex, ReadLimits, Tree, TreeValue, json};
use litemap::LiteMap;
use serde_json::{Map, Value as Json, json as new_json};

use super::cursor::Cursor;
use super::document::{CUSTOM_RESOURCES, check_references};
use super::group::{self, LeaveOut};
use super::leave_out::LeftOut;
use super::manifest::{is_document, release_of};
use super::schema::{Types, read_schema};
use crate::gather::Gather;
use crate::problem::{CrdCause, KindVersion, Place};
use crate::spec::{
    Dialect, Document, DocumentName, GroupVersionKind, Property, Source, Type, TypeBody, ValueType,
    walk,
};
use crate::text::has_extension;
use crate::{Files, Problems};
pub(crate) use definition::Unserved;
use definition::{API_VERSION, Choice, DefinedVersion, Definition, Definitions, KIND};
use publish::META;
use schema_names::SchemaNames;
use warnings::Warning;

pub(crate) use warnings::warnings;

/// The schemas to which documents of custom resources refer, by their full names.
const SHARED: &str = include_str!("../../../base/custom-resources.json");

/// The release of definitions that are in no folder of a release. No user has written it, so no message shows it.
pub(crate) const NO_RELEASE: Release = Release::new(0, 0);

/// The folder of the definitions that the package has as `CustomResource::DEFINITION`.
pub const FOLDER: &str = "definitions/";

/// A definition that the package has as `CustomResource::DEFINITION`.
#[derive(Clone, Debug)]
pub struct PackageDefinition {
    /// The place of the definition.
    pub(crate) place: Place,
    /// Its name: `widgets.example.com`.
    pub name: String,
    /// The group of its kind.
    pub group: String,
    /// The kind that the definition defines.
    pub kind: String,
    /// The definition as a user applies it.
    pub value: Json,
    /// The place of each version in `value`: definitions of several objects have one list of versions.
    pub(crate) version_places: Vec<Place>,
    /// The versions in which a server has stored objects, if it has written the status: `status.storedVersions`.
    pub(crate) stored_versions: Vec<String>,
}

/// The content of the definitions of a `specs/` folder.
#[derive(Debug, Default)]
pub(crate) struct Defined {
    /// What a server publishes for them.
    pub(crate) documents: Vec<Document>,
    /// The definitions of the package.
    pub(crate) of_package: Vec<PackageDefinition>,
    /// The definitions of each release, if they are asked for. The definitions of the package have no release, and are here only if there
    /// are no others.
    pub(crate) all: Vec<(Option<Release>, PackageDefinition)>,
    /// The versions of the newest release, and of the definitions of the package, that servers do not serve: each once.
    pub(crate) unserved: Vec<Unserved>,
    /// The kinds and versions that `group.toml` leaves out.
    pub(crate) left_out: LeftOut,
    /// The warnings, such as about what servers ignore or refuse, each with its release. Warnings about the definitions of the package have
    /// no release.
    pub(crate) warnings: Vec<(Option<Release>, Warning)>,
}

/// What to read of definitions.
#[allow(clippy::struct_excessive_bools, reason = "each is a choice")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    /// Whether the definitions of the package keep their descriptions.
    pub(crate) of_package: bool,
    /// Whether versions that are not served count.
    pub(crate) unserved: bool,
    /// Whether all definitions are kept, with their descriptions.
    pub(crate) all: bool,
    /// The versions that `group.toml` leaves out.
    pub(crate) leave_out: &'a [LeaveOut],
}

/// Reads the CustomResourceDefinitions of a `specs/` folder, which are all files that end with `.yaml` or `.yml`. Those in a
/// folder `v1.4` are of this release of their project. Those in [`FOLDER`] are the definitions of the package; they give documents
/// if there are no other files of documents or definitions.
///
/// # Errors
/// All definitions that cannot be read, or that a server would reject for their names, versions or types; definitions of a group
/// and version for which `specs` also has a document.
pub(crate) fn read(specs: &Files, reading: Reading<'_>) -> Result<Defined, Problems> {
    let (releases, of_package) = by_release(specs);
    let mut problems = Problems::new();
    check_release(specs, &releases, &mut problems);
    let mut defined = Defined::default();
    let newest = releases.last().map(|(release, _)| *release);
    for (release, files) in &releases {
        let choice = Choice { unserved: reading.unserved, leave_out: reading.leave_out };
        let Some(mut definitions) = problems.keep(Definitions::read(files, choice)) else {
            continue;
        };
        let objects = defined.add(&definitions, Some(*release), reading.all);
        if Some(*release) == newest {
            // A package without definitions of its own has the definitions of its newest release.
            if of_package.is_empty() {
                defined.of_package = package(&definitions, objects, reading.of_package);
            }
            defined.take_unserved(&mut definitions);
        }
        let documents = documents_of(&mut definitions, *release, &mut problems);
        defined.documents.extend(documents);
    }
    let of_package_choice = Choice { unserved: false, leave_out: reading.leave_out };
    if !of_package.is_empty()
        && let Some(mut definitions) =
            problems.keep(Definitions::read(&of_package, of_package_choice))
    {
        let is_asked_for = reading.all && releases.is_empty();
        let objects = defined.add(&definitions, None, is_asked_for);
        defined.take_unserved(&mut definitions);
        defined.of_package = package(&definitions, objects, reading.of_package);
    }
    for document in &defined.documents {
        let path = format!("{}/{}", document.release, document.name);
        if specs.contains_key(&path) {
            problems.push(&Place::file(path), CrdCause::DocumentToo);
        }
    }
    let each = defined.unserved.drain(..).map(|version| (version.kind.clone(), version));
    defined.unserved =
        each.gather::<LiteMap<_, _>>().into_iter().map(|(_, version)| version).collect();
    problems.or(defined)
}

impl Defined {
    /// Adds the warnings about definitions and the kinds that are left out, and the definitions if `keep` is `true`. Returns each
    /// definition as one object.
    fn add(
        &mut self,
        definitions: &Definitions<'_>,
        release: Option<Release>,
        keep: bool,
    ) -> Vec<Json> {
        let objects = definitions.to_json();
        let warnings = warnings::of_definitions(definitions, &objects).into_iter();
        self.warnings.extend(warnings.map(|warning| (release, warning)));
        self.left_out.extend(left_out(definitions));
        if keep {
            let of_release = release.filter(|release| *release != NO_RELEASE);
            let all = package(definitions, objects.clone(), true).into_iter();
            self.all.extend(all.map(|definition| (of_release, definition)));
        }
        objects
    }

    fn take_unserved(&mut self, definitions: &mut Definitions<'_>) {
        let definitions = definitions.all.iter_mut();
        self.unserved
            .extend(definitions.flat_map(|definition| std::mem::take(&mut definition.unserved)));
    }
}

/// The files with definitions by release, and the files of the package.
fn by_release(specs: &Files) -> (LiteMap<Release, Files>, Files) {
    let is_other =
        |path: &String| (is_manifest(path) || is_document(path)) && !path.starts_with(FOLDER);
    let has_others = specs.keys().any(is_other);
    let mut releases: LiteMap<Release, Files> = LiteMap::new();
    let mut of_package = Files::new();
    for (path, text) in specs.iter().filter(|(path, _)| is_manifest(path)) {
        if path.starts_with(FOLDER) {
            of_package.insert(path.clone(), text.clone());
        }
        if !(has_others && path.starts_with(FOLDER)) {
            let files = releases.entry(release_of(path).unwrap_or(NO_RELEASE)).or_default();
            files.insert(path.clone(), text.clone());
        }
    }
    (releases, of_package)
}

/// The definitions of a release as a user applies them, without descriptions.
///
/// # Errors
/// All definitions that cannot be read, or that a server would reject for their names, versions or types.
pub fn of_release(specs: &Files, release: Release) -> Result<Vec<PackageDefinition>, Problems> {
    let (releases, _) = by_release(specs);
    let leave_out = group::read(specs)?.leave_out;
    let definitions = |files| definitions(files, false, &leave_out);
    releases.get(&release).map_or(Ok(Vec::new()), definitions)
}

/// The definitions of the package as a user applies them, without descriptions: its own, or those of its newest release.
///
/// # Errors
/// As for [`of_release`].
pub fn of_package(specs: &Files) -> Result<Vec<PackageDefinition>, Problems> {
    let (releases, of_package) = by_release(specs);
    let newest = releases.last().map(|(_, files)| files);
    let files = Some(&of_package).filter(|files| !files.is_empty()).or(newest);
    let leave_out = group::read(specs)?.leave_out;
    files.map_or(Ok(Vec::new()), |files| definitions(files, false, &leave_out))
}

/// The definitions in files of YAML or JSON as a user applies them, without descriptions.
///
/// # Errors
/// All definitions that cannot be read, or whose names, versions or scope make no types.
pub fn manifests(files: &Files) -> Result<Vec<PackageDefinition>, Problems> {
    definitions(files, false, &[])
}

/// As [`manifests`], with descriptions if `described` is `true`. Versions in `leave_out` are not checked.
pub(crate) fn definitions(
    files: &Files,
    described: bool,
    leave_out: &[LeaveOut],
) -> Result<Vec<PackageDefinition>, Problems> {
    let choice = Choice { unserved: false, leave_out };
    let definitions = Definitions::read(files, choice)?;
    Ok(package(&definitions, definitions.to_json(), described))
}

/// The place in these files of a part of the definition of this name, by its pointer in the definition that all objects make.
pub(crate) fn place_in(files: &Files, name: &str, pointer: &str) -> Option<Place> {
    let definitions = Definitions::read(files, Choice::default()).ok()?;
    let definition = definitions.all.iter().find(|definition| definition.name() == name)?;
    warnings::place_of(&definitions, definition, pointer)
}

/// The documents that a server publishes for the definitions in files of YAML or JSON, without the versions in `leave_out`, and the
/// definitions as a user applies them, with descriptions if `described` is `true`.
///
/// # Errors
/// All definitions that cannot be read, or that make no types. Servers refuse more, of which [`generate`](crate::generate()) warns.
pub(crate) fn documents_and_definitions(
    files: &Files,
    described: bool,
    leave_out: &[LeaveOut],
) -> Result<(Vec<Document>, Vec<PackageDefinition>), Problems> {
    let mut problems = Problems::new();
    let mut definitions = Definitions::read(files, Choice { unserved: false, leave_out })?;
    let of_package = package(&definitions, definitions.to_json(), described);
    let documents = documents_of(&mut definitions, NO_RELEASE, &mut problems);
    problems.or((documents, of_package))
}

/// The documents of [`documents_and_definitions`], with the versions that servers do not serve, and what they ignore or refuse in the definitions.
pub(crate) fn documents_with_warnings(
    files: &Files,
) -> Result<(Vec<Document>, Vec<Unserved>, Problems), Problems> {
    let mut problems = Problems::new();
    let mut definitions = Definitions::read(files, Choice::default())?;
    let all = warnings::of_definitions(&definitions, &definitions.to_json()).into_iter();
    let warnings = warnings(&all.map(|warning| (None, warning)).collect::<Vec<_>>());
    let unserved =
        definitions.all.iter_mut().flat_map(|definition| std::mem::take(&mut definition.unserved));
    let unserved = unserved.collect();
    let documents = documents_of(&mut definitions, NO_RELEASE, &mut problems);
    problems.or((documents, unserved, warnings))
}

/// The schemas of the kinds of a document, as a server publishes them, in a document without operations.
pub(crate) fn schemas_of(document: &Document) -> Json {
    let mut schemas: Map<String, Json> = serde_json::from_str(SHARED).unwrap_or_default();
    for (name, ty) in &document.types {
        schemas.extend(ty.published.as_ref().map(|schema| (name.clone(), Json::clone(schema))));
    }
    new_json!({
        "info": { "title": CUSTOM_RESOURCES },
        "paths": {},
        "components": { "schemas": schemas },
    })
}

/// The kinds and versions that `group.toml` leaves out of these definitions.
fn left_out(definitions: &Definitions<'_>) -> impl Iterator<Item = (String, String)> {
    let of_definition = |definition: &Definition| {
        let kind = definition.kind.clone();
        definition.left_out.clone().into_iter().map(move |version| (kind.clone(), version))
    };
    definitions.all.iter().flat_map(of_definition)
}

/// Definitions of no release cannot be mixed with definitions of a release: they would count as older than all of them.
fn check_release(specs: &Files, releases: &LiteMap<Release, Files>, problems: &mut Problems) {
    let Some(other) = specs.keys().find_map(|path| release_of(path)) else {
        return;
    };
    for file in releases.get(&NO_RELEASE).into_iter().flat_map(Files::keys) {
        problems.push(&Place::file(file.as_str()), CrdCause::NoRelease(other.to_string()));
    }
}

/// Returns `true` if a file under `specs/` has CustomResourceDefinitions.
pub fn is_manifest(path: &str) -> bool {
    has_extension(path, &["yaml", "yml"])
}

// Definitions as a user applies them.

/// The definitions with these objects.
fn package(
    definitions: &Definitions<'_>,
    objects: Vec<Json>,
    described: bool,
) -> Vec<PackageDefinition> {
    let of_definition = |(definition, value): (&Definition, Json)| {
        let origin = definition.origins.first()?;
        let object = definitions.object(origin)?;
        let versions = value.pointer("/spec/versions").and_then(Json::as_array).map_or(0, Vec::len);
        let place =
            |index| warnings::place_of(definitions, definition, &format!("/spec/versions/{index}"));
        Some(PackageDefinition {
            version_places: (0..versions).filter_map(place).collect(),
            place: definition::place_of(object, origin.object.pointer().to_owned()),
            name: definition.name(),
            group: definition.group.clone(),
            kind: definition.kind.clone(),
            stored_versions: stored_versions(&value),
            value: manifest(value, &definition.name(), described),
        })
    };
    // All versions of a kind can be left out.
    let all = definitions.all.iter().zip(objects);
    let all = all.filter(|(definition, _)| !definition.versions.is_empty());
    all.filter_map(of_definition).collect()
}

fn stored_versions(object: &Json) -> Vec<String> {
    let versions = object.pointer("/status/storedVersions").and_then(Json::as_array);
    versions.into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// A definition without what a server has added, and without descriptions unless `described`.
fn manifest(mut object: Json, name: &str, described: bool) -> Json {
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), name.into());
    for name in ["labels", "annotations"] {
        let texts = object.get_mut("metadata").and_then(|metadata| metadata.get_mut(name));
        if let Some(Json::Object(mut members)) = texts.map(Json::take) {
            members.remove("kubectl.kubernetes.io/last-applied-configuration");
            metadata.insert(name.to_owned(), members.into());
        }
    }
    let mut spec = object.get_mut("spec").map(Json::take).unwrap_or_default();
    if !described {
        let versions = spec.get_mut("versions").and_then(Json::as_array_mut);
        versions.into_iter().flatten().for_each(remove_descriptions);
    }
    new_json!({ "apiVersion": API_VERSION, "kind": KIND, "metadata": metadata, "spec": spec })
}

/// Removes the descriptions of the fields and columns of a version.
fn remove_descriptions(version: &mut Json) {
    if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
        // Values, such as defaults, have none.
        walk(schema, &mut |members, _| drop(members.remove("description")));
    }
    let columns = version.get_mut("additionalPrinterColumns").and_then(Json::as_array_mut);
    for column in columns.into_iter().flatten().filter_map(Json::as_object_mut) {
        column.remove("description");
    }
}

// What a server publishes.

/// The documents of definitions of a release, by group and version.
fn documents_of(
    definitions: &mut Definitions<'_>,
    release: Release,
    problems: &mut Problems,
) -> Vec<Document> {
    definitions.trees.iter_mut().for_each(publish::make_whole);
    let mut documents: LiteMap<DocumentName, Draft> = LiteMap::new();
    let mut publisher = Publisher { release, problems };
    for definition in std::mem::take(&mut definitions.all) {
        for version in &definition.versions {
            let tree = definitions.trees.get_mut(version.origin.tree);
            let (Some(tree), Ok(version_name)) = (tree, version.name.parse()) else { continue };
            let name =
                DocumentName { group: definition.group.clone(), version: Some(version_name) };
            let draft = documents.entry(name).or_insert_with(|| Draft::new(tree.file()));
            let schema = publish::publish(tree, &definition, version);
            publisher.add(draft, tree.value(schema), &definition, version);
        }
    }
    let finished = documents.into_iter();
    finished.map(|(name, draft)| draft.finish(name, release, problems)).collect()
}

/// The document of one group and version.
struct Draft {
    file: Arc<str>,
    types: Types,
    operations: Vec<(String, crate::spec::Operation)>,
}

/// Adds definitions to documents.
struct Publisher<'a> {
    release: Release,
    problems: &'a mut Problems,
}

impl Publisher<'_> {
    fn add(
        &mut self,
        draft: &mut Draft,
        schema: TreeValue<'_>,
        definition: &Definition,
        version: &DefinedVersion,
    ) {
        let names = SchemaNames::new(definition, version);
        let source = Source { release: self.release, dialect: Dialect::Custom };
        let (reported, pointer) = (RefCell::<Problems>::default(), version.schema_pointer());
        let types = RefCell::new(std::mem::take(&mut draft.types));
        let cursor = Cursor::root(schema, &pointer, &reported);
        read_schema(&names.schema, &cursor, source, &types);
        let mut problems = reported.take();
        let place = Place { file: Arc::clone(schema.tree().file()), pointer, span: None };
        let (kind, name) = (definition.kind.clone(), version.name.clone());
        problems.name_versions(&[(place, KindVersion { kind, version: name })]);
        self.problems.append(problems);
        draft.types = types.into_inner();
        if let Some(ty) = draft.types.read.get_mut(&names.schema) {
            ty.published = Some(Arc::new(schema.to_json()));
        }
        let object = &version.origin.object;
        let root = schema.tree().value(object.node);
        let place =
            definition::nearest_place((root, &MemberIndex::default()), object, "/spec/names");
        let list = self.list(definition, version, &names, &place);
        draft.types.read.insert(names.list_schema.clone(), list);
        let of_version = operations::of_version(definition, version, &names, &place, self.release);
        draft.operations.extend(of_version);
    }

    /// The type of a list of objects.
    fn list(
        &self,
        definition: &Definition,
        version: &DefinedVersion,
        names: &SchemaNames,
        place: &Place,
    ) -> Type {
        let property = |value, rank: Option<usize>| Property {
            place: place.clone(),
            releases: self.release.into(),
            required_in: rank.map(|_| self.release.into()).unwrap_or_default(),
            rank: rank.unwrap_or(usize::MAX),
            value,
            ..Property::default()
        };
        let item = Box::new(ValueType::Reference(names.schema.clone()));
        let properties = [
            ("apiVersion", property(ValueType::String, None)),
            ("items", property(ValueType::List(item), Some(0))),
            ("kind", property(ValueType::String, None)),
            ("metadata", property(ValueType::Reference(format!("{META}.ListMeta")), None)),
        ];
        let properties = properties.into_iter();
        let properties = properties.map(|(name, property)| (name.to_owned(), property));
        let kind = GroupVersionKind {
            group: definition.group.clone(),
            version: version.name.clone(),
            kind: definition.list_kind.clone(),
        };
        let fields = version.selectable.iter().map(|path| new_json!({ "fieldPath": path }));
        let fields: Vec<Json> = fields.collect();
        let facts = [("x-kubernetes-selectable-fields", Json::from(fields))];
        let facts = facts.into_iter().filter(|_| !version.selectable.is_empty()).gather();
        Type {
            place: place.clone(),
            releases: self.release.into(),
            body: TypeBody::Struct(properties.gather()),
            kinds: [kind].into_iter().gather(),
            dialect: Dialect::Custom,
            facts,
            ..Type::default()
        }
    }
}

impl Draft {
    fn new(file: &Arc<str>) -> Self {
        Self { file: Arc::clone(file), types: Types::default(), operations: Vec::new() }
    }

    /// The document, with the shared types to which it refers.
    fn finish(mut self, name: DocumentName, release: Release, problems: &mut Problems) -> Document {
        let shared = shared_types(release);
        let bodies = self.operations.iter().flat_map(|(_, operation)| {
            operation
                .responses
                .values()
                .flatten()
                .chain(operation.body.iter().map(|(body, _)| body))
        });
        let of_types = self.types.read.values().flat_map(references);
        let mut wanted: Vec<String> =
            bodies.map(|body| body.schema.clone()).chain(of_types).collect();
        while let Some(next) = wanted.pop() {
            if let Some(ty) = shared.get(&next).filter(|_| !self.types.read.contains_key(&next)) {
                wanted.extend(references(ty));
                self.types.read.insert(next, ty.clone());
            }
        }
        check_references(&self.types, &self.operations, problems);
        let Self { file, types, operations } = self;
        Document { file, release, name, types: types.read, operations }
    }
}

/// The names of the types to which a type refers.
fn references(of: &Type) -> impl Iterator<Item = String> {
    of.values().filter_map(|(_, _, value)| value.reference().map(str::to_owned))
}

/// The types to which documents of custom resources refer, by their full names.
fn shared_types(release: Release) -> BTreeMap<String, Type> {
    static TREE: LazyLock<Option<Tree<'static>>> = LazyLock::new(|| {
        json(&Arc::from("custom-resources.json"), SHARED.as_bytes(), &ReadLimits::DOCUMENT).ok()
    });
    let (types, problems) = (RefCell::default(), RefCell::default());
    let source = Source { release, dialect: Dialect::Custom };
    for (name, schema) in TREE.iter().filter_map(|tree| tree.root().members()).flatten() {
        let pointer = Pointer::text(Some(&Pointer { parent: None, token: &name }));
        read_schema(name, &Cursor::root(schema, &pointer, &problems), source, &types);
    }
    types.into_inner().read
}
