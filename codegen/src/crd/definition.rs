//! The manifests of CustomResourceDefinitions: YAML or JSON to the facts that a server publishes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use k8s_versioned_names::{Version, pointer::child, rules};
use serde_json::{Map, Value, json};

use super::ignored::{self, Ignored};
use super::schema;
use super::unserved::{self, Unserved, is_served};
use super::yaml;
use crate::problem::{CrdCause, FileCause, Place};
use crate::text::has_extension;
use crate::{Files, Problems, json as text};

/// The kind of the objects.
const KIND: &str = "CustomResourceDefinition";

/// The one version of [`KIND`] that servers still have.
const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// The most versions of a definition.
const VERSIONS: usize = 100;

/// The limit of nesting. Real definitions nest up to 41 deep.
pub(super) const DEPTH: usize = 64;

/// The most documents of a file.
pub(super) const DOCUMENTS: usize = 20_000;

/// The most values of a file.
pub(super) const NODES: usize = 10_000_000;

/// A definition, as far as documents show it.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) list_kind: String,
    pub(super) plural: String,
    pub(super) namespaced: bool,
    /// The versions that are served, or all.
    pub(super) versions: Vec<ServedVersion>,
    /// The file that has the manifest.
    pub(super) file: Arc<str>,
    object: Value,
}

/// A version of the kind.
#[derive(Debug, PartialEq)]
pub(super) struct ServedVersion {
    pub(super) name: String,
    /// The place of its schema in the manifest.
    pub(super) schema: String,
    pub(super) has_status: bool,
    pub(super) has_scale: bool,
    /// The paths of the fields by which a list can be selected, such as `spec.host`.
    pub(super) selectable: Vec<String>,
}

impl Definition {
    /// Takes the schema of a version out of the manifest.
    pub(super) fn take_schema(&mut self, version: &ServedVersion) -> Value {
        self.object.pointer_mut(&version.schema).map(Value::take).unwrap_or_default()
    }

    /// What servers refuse in the definition as a whole.
    pub(super) fn ignored(&self) -> Option<Ignored> {
        ignored::of_versions(
            &self.object,
            &self.kind,
            &self.name(),
            &Place::file(Arc::clone(&self.file)),
        )
    }

    /// The versions that are not served.
    pub(super) fn unserved(&self) -> Vec<Unserved> {
        let file = Place::file(Arc::clone(&self.file));
        unserved::of_definition(&self.object, (&self.group, &self.kind), &file)
    }

    /// Returns `true` if a server publishes the same for both.
    fn is_like(&self, other: &Self) -> bool {
        let names = |it: &Self| [it.list_kind.clone(), it.plural.clone()];
        let schema = |it: &ServedVersion| {
            (self.object.pointer(&it.schema), other.object.pointer(&it.schema))
        };
        let is_same = |(ours, theirs): (Option<&Value>, Option<&Value>)| ours == theirs;
        names(self) == names(other)
            && self.namespaced == other.namespaced
            && self.versions == other.versions
            && self.versions.iter().map(schema).all(is_same)
    }

    /// The name of the definition. Servers take no other.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// The manifest as a user applies it: without what a server has added, and without descriptions if `prose` is `false`.
    pub(super) fn manifest(mut self, prose: bool) -> Value {
        let mut metadata = Map::from_iter([("name".to_owned(), self.name().into())]);
        for name in ["labels", "annotations"] {
            let found = self.object.pointer_mut(&format!("/metadata/{name}")).map(Value::take);
            if let Some(Value::Object(mut members)) = found {
                members.remove("kubectl.kubernetes.io/last-applied-configuration");
                metadata.insert(name.to_owned(), members.into());
            }
        }
        let mut spec = self.object.get_mut("spec").map(Value::take).unwrap_or_default();
        if !prose {
            let versions = spec.get_mut("versions").and_then(Value::as_array_mut);
            versions.into_iter().flatten().for_each(remove_prose);
        }
        json!({ "apiVersion": API_VERSION, "kind": KIND, "metadata": metadata, "spec": spec })
    }
}

/// Removes the descriptions of the fields and columns of a version.
fn remove_prose(version: &mut Value) {
    if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
        schema::remove_prose(schema);
    }
    let columns = version.get_mut("additionalPrinterColumns").and_then(Value::as_array_mut);
    for column in columns.into_iter().flatten().filter_map(Value::as_object_mut) {
        column.remove("description");
    }
}

/// Reads all definitions; with `unserved`, also their versions that are not served.
pub(super) fn read(manifests: &Files, unserved: bool) -> Result<Vec<Definition>, Problems> {
    let mut problems = Problems::new();
    let mut definitions: BTreeMap<(String, String), Definition> = BTreeMap::new();
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    let mut owners: BTreeMap<(String, String), String> = BTreeMap::new();
    for (file, object) in objects(manifests, &mut problems) {
        if object.get("kind").is_none_or(|kind| kind != KIND) {
            continue;
        }
        let mut reader = Reader { file: file.into(), unserved, problems: &mut problems };
        let Some(found) = reader.definition(object) else {
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
            Entry::Occupied(same) if same.get().is_like(&found) => {}
            Entry::Occupied(other) => {
                let other = other.get().file.to_string();
                reader.report("/spec/names/kind", CrdCause::KindTwice { kind: found.kind, other });
            }
        }
    }
    if definitions.is_empty() && problems.is_empty() {
        let file = manifests.keys().next().map_or("", String::as_str);
        problems.push(&Place::file(file), CrdCause::NoDefinition);
    }
    problems.or(definitions.into_values().collect())
}

/// An object of a file.
#[derive(Clone, Debug)]
pub struct FoundObject {
    /// The file.
    pub file: String,
    /// The number of its document, from 1. Empty documents of the file do not count, those that cannot be read do.
    pub document: usize,
    /// Its number in a list, from 1.
    pub item: Option<usize>,
    /// The object.
    pub value: Value,
}

/// The objects of files.
pub(super) fn found(files: &Files, problems: &mut Problems) -> Vec<FoundObject> {
    let mut all = Vec::new();
    for (file, bytes) in files {
        for (document, object) in of_file(file, bytes, problems) {
            let found = |(item, value)| FoundObject { file: file.clone(), document, item, value };
            all.extend(items(object).into_iter().map(found));
        }
    }
    all
}

/// The objects of files, each with the name of its place.
fn objects(files: &Files, problems: &mut Problems) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = Vec::new();
    let (mut last, mut number) = (String::new(), 0);
    for FoundObject { file, value, .. } in found(files, problems) {
        number = if file == last { number + 1 } else { 1 };
        let place = if number == 1 { file.clone() } else { format!("{file} (object {number})") };
        all.push((place, value));
        last = file;
    }
    all
}

/// The documents of a file, each with its number, up to a syntax error. JSON is YAML.
fn of_file(file: &str, bytes: &[u8], problems: &mut Problems) -> Vec<(usize, Value)> {
    if bytes.len() > text::LARGEST {
        problems.push(&Place::file(file), FileCause::TooLarge { limit: text::LARGEST });
        return Vec::new();
    }
    if let Some(documents) = yaml::documents(bytes) {
        return (1..).zip(documents).collect();
    }
    match serde_saphyr::from_slice_multiple_with_options(bytes, options()) {
        Ok(documents) => (1..).zip(documents).collect(),
        Err(error) => {
            report(file, bytes, &error, problems);
            readable(file, bytes, problems)
        }
    }
}

/// The documents of a file that can be read. One with a key that occurs twice hides none after it.
fn readable(file: &str, bytes: &[u8], problems: &mut Problems) -> Vec<(usize, Value)> {
    let (mut documents, mut values) = (Vec::new(), 0);
    let mut rest = bytes;
    let all = serde_saphyr::read_with_options(&mut rest, options());
    for (number, document) in (1..).zip(all) {
        match document {
            Ok(document) => {
                // The reader limits each document alone.
                values += size(&document);
                if values > NODES {
                    break;
                }
                documents.push((number, document));
            }
            Err(error) => report(file, bytes, &error, problems),
        }
    }
    documents
}

/// The number of values in a value.
fn size(value: &Value) -> usize {
    let inside: usize = match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    };
    inside + 1
}

/// Reports a document that cannot be read.
fn report(file: &str, bytes: &[u8], error: &serde_saphyr::Error, problems: &mut Problems) {
    let (at, cause) = not_read(file, bytes, error);
    let span = at.and_then(|at| span(at, bytes));
    problems.push(&Place { span, ..Place::file(file) }, cause);
}

/// The limits of a file. Whoever can create definitions chose the text: its size is bounded, also with its aliases replaced.
pub(super) fn options() -> serde_saphyr::Options {
    serde_saphyr::options! {
        with_snippet: false,
        legacy_octal_numbers: true,
        budget: serde_saphyr::budget! {
            max_depth: DEPTH,
            max_documents: DOCUMENTS,
            max_events: 20_000_000,
            max_nodes: NODES,
            // One anchor can have many aliases: what they stand for is limited below.
            enforce_alias_anchor_ratio: false,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
    }
}

/// The line and the column at which a text is not YAML, and the message. Of a file `*.json`, the reader of JSON says more.
fn not_read(
    file: &str,
    bytes: &[u8],
    error: &serde_saphyr::Error,
) -> (Option<[usize; 2]>, CrdCause) {
    if has_extension(file, &["json"])
        && let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(bytes)
    {
        return (Some([error.line(), error.column()]), CrdCause::NotJson(error.to_string()));
    }
    let message = error.render_with_formatter(&serde_saphyr::UserMessageFormatter);
    let at = error.location();
    let at =
        at.map(|at| [at.line(), at.column()].map(|it| usize::try_from(it).unwrap_or_default()));
    let is_template = bytes.windows(2).any(|two| two == b"{{");
    (at, if is_template { CrdCause::Template(message) } else { CrdCause::Yaml(message) })
}

/// The place of a line and a column.
fn span([line, column]: [usize; 2], bytes: &[u8]) -> Option<Range<usize>> {
    let text = str::from_utf8(bytes).ok()?;
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line.checked_sub(1)?).map(str::len).sum();
    let own = lines.next().unwrap_or_default().char_indices().nth(column.saturating_sub(1));
    let start = before + own.map_or(0, |(at, _)| at);
    Some(start..start)
}

/// The items of a list, such as `kubectl get --output yaml` prints or a server sends; of any other object the object itself.
fn items(mut object: Value) -> Vec<(Option<usize>, Value)> {
    let text = |pointer| object.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let kind = text("/kind").and_then(|kind| kind.strip_suffix("List").map(str::to_owned));
    // A list has no name: an object with one is of a kind with such a name.
    let Some(kind) = kind.filter(|_| text("/metadata/name").is_none()) else {
        return vec![(None, object)];
    };
    let of_kind = [("apiVersion", text("/apiVersion").unwrap_or_default()), ("kind", kind)];
    let Some(Value::Array(items)) = object.get_mut("items") else {
        return vec![(None, object)];
    };
    let mut items = std::mem::take(items);
    // A server leaves out what the list says. A `List` is of no kind.
    if of_kind.iter().all(|(_, value)| !value.is_empty()) {
        for item in items.iter_mut().filter_map(Value::as_object_mut) {
            for (member, value) in &of_kind {
                item.entry(*member).or_insert_with(|| value.as_str().into());
            }
        }
    }
    (1..).map(Some).zip(items).collect()
}

/// Reads one object, and reports its problems.
struct Reader<'a> {
    file: Arc<str>,
    unserved: bool,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn report(&mut self, pointer: &str, cause: CrdCause) {
        let place = Place { pointer: pointer.to_owned(), ..Place::file(Arc::clone(&self.file)) };
        self.problems.push(&place, cause);
    }

    /// Reports a problem of a value, for which there is nothing then.
    fn refuse<T>(&mut self, pointer: &str, cause: CrdCause) -> Option<T> {
        self.report(pointer, cause);
        None
    }

    fn definition(&mut self, manifest: Value) -> Option<Definition> {
        let object = &manifest;
        let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        if api_version != API_VERSION {
            return self.refuse("/apiVersion", CrdCause::ApiVersion(api_version.to_owned()));
        }
        let group = self.name(object, "/spec/group", is_subdomain);
        let kind = self.name(object, "/spec/names/kind", is_kind);
        let plural = self.name(object, "/spec/names/plural", is_plural);
        let list_kind = match object.pointer("/spec/names/listKind") {
            None | Some(Value::Null) => kind.as_ref().map(|kind| format!("{kind}List")),
            Some(_) => self.name(object, "/spec/names/listKind", is_kind),
        };
        if let (Some(group), Some(plural)) = (&group, &plural) {
            let name = format!("{plural}.{group}");
            if !is_subdomain(&name) {
                return self.refuse("/spec/names/plural", CrdCause::Name(name));
            }
            let found = object.pointer("/metadata/name").and_then(Value::as_str);
            if let Some(found) = found.filter(|found| *found != name).map(str::to_owned) {
                self.report("/metadata/name", CrdCause::OtherName { found, expected: name });
            }
        }
        if object.pointer("/spec/preserveUnknownFields") == Some(&Value::Bool(true)) {
            return self.refuse("/spec/preserveUnknownFields", CrdCause::Preserves);
        }
        let namespaced = self.scope(object);
        let versions = self.versions(object);
        Some(Definition {
            group: group?,
            kind: kind?,
            list_kind: list_kind?,
            plural: plural?,
            namespaced: namespaced?,
            versions: versions?,
            file: Arc::clone(&self.file),
            object: manifest,
        })
    }

    /// A name that becomes a part of paths and of Rust text.
    fn name(&mut self, of: &Value, pointer: &str, is_valid: fn(&str) -> bool) -> Option<String> {
        match of.pointer(pointer).and_then(Value::as_str) {
            Some(name) if is_valid(name) => Some(name.to_owned()),
            Some(name) => self.refuse(pointer, CrdCause::Name(name.to_owned())),
            None => self.refuse(pointer, CrdCause::NoText),
        }
    }

    fn scope(&mut self, object: &Value) -> Option<bool> {
        match object.pointer("/spec/scope").and_then(Value::as_str) {
            Some("Namespaced") => Some(true),
            Some("Cluster") => Some(false),
            found => {
                self.refuse("/spec/scope", CrdCause::Scope(found.unwrap_or_default().to_owned()))
            }
        }
    }

    fn versions(&mut self, object: &Value) -> Option<Vec<ServedVersion>> {
        let pointer = "/spec/versions";
        let versions = object.pointer(pointer).and_then(Value::as_array);
        let Some(versions) = versions.filter(|versions| !versions.is_empty()) else {
            return self.refuse(pointer, CrdCause::NoVersions);
        };
        if versions.len() > VERSIONS {
            return self.refuse(
                pointer,
                CrdCause::ManyVersions { found: versions.len(), limit: VERSIONS },
            );
        }
        let mut stored = versions.iter().filter(|version| is_stored(version));
        if let (Some(first), Some(second)) = (stored.next(), stored.next()) {
            let name = |version: &Value| {
                version.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            self.report(pointer, CrdCause::StoredTwice(name(first), name(second)));
        }
        // A definition without a served version is kept for its old versions: all of them are wanted.
        let all = self.unserved || !versions.iter().any(is_served);
        let served = versions.iter().enumerate();
        let served = served.filter(|(_, version)| all || is_served(version));
        let mut names = BTreeSet::new();
        let mut read = Vec::new();
        for (index, version) in served {
            let pointer = child(pointer, index);
            let version = self.version(object, version, &pointer);
            let name = version.as_ref().map(|version| version.name.clone());
            if let Some(twice) = name.filter(|name| !names.insert(name.clone())) {
                self.report(&child(&pointer, "name"), CrdCause::VersionTwice(twice));
            }
            read.push(version);
        }
        read.into_iter().collect()
    }

    /// A version at this pointer of the object.
    fn version(&mut self, object: &Value, version: &Value, pointer: &str) -> Option<ServedVersion> {
        let at = child(pointer, "name");
        let mut name = self.name(object, &at, is_label);
        if let Some(other) = name.take_if(|name| name.parse::<Version>().is_err()) {
            self.report(&at, CrdCause::Version(other));
        }
        let schema = version.pointer("/schema/openAPIV3Schema").filter(|it| it.is_object());
        let has_schema = schema.is_some();
        if !has_schema {
            self.report(pointer, CrdCause::NoSchema);
        }
        let of_type = schema.and_then(|schema| schema.get("type")).filter(|it| !it.is_null());
        if let Some(other) = of_type.filter(|of_type| **of_type != "object") {
            let pointer = format!("{pointer}/schema/openAPIV3Schema/type");
            return self.refuse(&pointer, CrdCause::NotAnObject(other.to_string()));
        }
        let subresource =
            |name| version.pointer(name).is_some_and(|subresource| !subresource.is_null());
        let selectable =
            version.get("selectableFields").and_then(Value::as_array).into_iter().flatten();
        let path = |field: &Value| {
            Some(field.get("jsonPath")?.as_str()?.trim_start_matches('.').to_owned())
        };
        Some(ServedVersion {
            name: name?,
            schema: has_schema.then(|| format!("{pointer}/schema/openAPIV3Schema"))?,
            has_status: subresource("/subresources/status"),
            has_scale: subresource("/subresources/scale"),
            selectable: selectable.filter_map(path).collect(),
        })
    }
}

/// Returns `true` if servers store objects in this version.
pub(super) fn is_stored(version: &Value) -> bool {
    version.get("storage") == Some(&Value::Bool(true))
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
