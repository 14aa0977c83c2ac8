//! The manifests of CustomResourceDefinitions: YAML or JSON to the facts that a server publishes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use k8s_versioned_names::{Version as ApiVersion, pointer::child, rules};
use serde_json::Value;

use crate::problem::{CrdCause, FileCause, Place};
use crate::{Files, Problems, json};

/// The kind of the objects.
const KIND: &str = "CustomResourceDefinition";

/// The one version of [`KIND`] that servers still have.
const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// The most versions of a definition.
const VERSIONS: usize = 100;

/// The limit of nesting. Real definitions nest up to 41 deep.
const DEPTH: usize = 64;

/// A definition, as far as documents show it.
#[derive(Debug, PartialEq)]
pub(super) struct Definition {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) list_kind: String,
    pub(super) plural: String,
    pub(super) namespaced: bool,
    /// The versions that are served.
    pub(super) versions: Vec<Version>,
}

/// A version of the kind.
#[derive(Debug, PartialEq)]
pub(super) struct Version {
    pub(super) name: String,
    /// The schema as the manifest states it.
    pub(super) schema: Value,
    pub(super) has_status: bool,
    pub(super) has_scale: bool,
    /// The paths of the fields by which a list can be selected, such as `spec.host`.
    pub(super) selectable: Vec<String>,
}

/// Reads all definitions.
pub(super) fn read(manifests: &Files) -> Result<Vec<Definition>, Problems> {
    let mut problems = Problems::new();
    let mut definitions: BTreeMap<(String, String), Definition> = BTreeMap::new();
    for (file, bytes) in manifests {
        for (index, object) in objects(file, bytes, &mut problems).iter().enumerate() {
            if object.get("kind").is_none_or(|kind| kind != KIND) {
                continue;
            }
            let file =
                if index == 0 { file.clone() } else { format!("{file} (object {})", index + 1) };
            let mut reader = Reader { file: file.into(), problems: &mut problems };
            let Some(found) = reader.definition(object) else {
                continue;
            };
            match definitions.entry((found.group.clone(), found.kind.clone())) {
                Entry::Vacant(entry) => {
                    entry.insert(found);
                }
                // A folder may hold a definition and a bundle with the same one.
                Entry::Occupied(same) if *same.get() == found => {}
                Entry::Occupied(_) => {
                    reader.report("/spec/names/kind", CrdCause::KindTwice(found.kind));
                }
            }
        }
    }
    if definitions.is_empty() && problems.is_empty() {
        let file = manifests.keys().next().map_or("", String::as_str);
        problems.push(&Place::file(file), CrdCause::NoDefinition);
    }
    problems.or(definitions.into_values().collect())
}

/// The objects of a file. JSON is YAML. Whoever can create definitions chose the text: its size is bounded, also with its
/// aliases replaced.
fn objects(file: &str, bytes: &[u8], problems: &mut Problems) -> Vec<Value> {
    if bytes.len() > json::LARGEST {
        problems.push(&Place::file(file), FileCause::TooLarge { limit: json::LARGEST });
        return Vec::new();
    }
    let options = serde_saphyr::options! {
        with_snippet: false,
        legacy_octal_numbers: true,
        budget: serde_saphyr::budget! {
            max_depth: DEPTH,
            max_documents: 20_000,
            max_events: 20_000_000,
            max_nodes: 10_000_000,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
    };
    match serde_saphyr::from_slice_multiple_with_options(bytes, options) {
        Ok(objects) => objects.into_iter().flat_map(items).collect(),
        Err(error) => {
            problems.push(&Place::file(file), CrdCause::Yaml(error.to_string()));
            Vec::new()
        }
    }
}

/// The items of a list, such as `kubectl get --output yaml` prints; of any other object the object itself.
fn items(mut object: Value) -> Vec<Value> {
    let kind = object.get("kind").and_then(Value::as_str);
    let is_list =
        kind.is_some_and(|kind| kind == "List" || kind.strip_suffix("List") == Some(KIND));
    match object.get_mut("items") {
        Some(Value::Array(items)) if is_list => std::mem::take(items),
        _ => vec![object],
    }
}

/// Reads one object, and reports its problems.
struct Reader<'a> {
    file: Arc<str>,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn report(&mut self, pointer: &str, cause: CrdCause) {
        let place = Place { pointer: pointer.to_owned(), ..Place::file(Arc::clone(&self.file)) };
        self.problems.push(&place, cause);
    }

    fn definition(&mut self, object: &Value) -> Option<Definition> {
        let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        if api_version != API_VERSION {
            self.report("/apiVersion", CrdCause::ApiVersion(api_version.to_owned()));
            return None;
        }
        let group = self.name(object, "/spec/group", is_subdomain);
        let kind = self.name(object, "/spec/names/kind", is_kind);
        let plural = self.name(object, "/spec/names/plural", is_label);
        let list_kind = match object.pointer("/spec/names/listKind") {
            None => kind.as_ref().map(|kind| format!("{kind}List")),
            Some(_) => self.name(object, "/spec/names/listKind", is_kind),
        };
        let namespaced = self.scope(object);
        let versions = self.versions(object);
        Some(Definition {
            group: group?,
            kind: kind?,
            list_kind: list_kind?,
            plural: plural?,
            namespaced: namespaced?,
            versions: versions?,
        })
    }

    /// A name that becomes a part of paths and of Rust text.
    fn name(&mut self, of: &Value, pointer: &str, is_valid: fn(&str) -> bool) -> Option<String> {
        match of.pointer(pointer).and_then(Value::as_str) {
            Some(name) if is_valid(name) => Some(name.to_owned()),
            Some(name) => {
                self.report(pointer, CrdCause::Name(name.to_owned()));
                None
            }
            None => {
                self.report(pointer, CrdCause::NoText);
                None
            }
        }
    }

    fn scope(&mut self, object: &Value) -> Option<bool> {
        match object.pointer("/spec/scope").and_then(Value::as_str) {
            Some("Namespaced") => Some(true),
            Some("Cluster") => Some(false),
            found => {
                self.report("/spec/scope", CrdCause::Scope(found.unwrap_or_default().to_owned()));
                None
            }
        }
    }

    fn versions(&mut self, object: &Value) -> Option<Vec<Version>> {
        let pointer = "/spec/versions";
        let versions = object.pointer(pointer).and_then(Value::as_array);
        let Some(versions) = versions.filter(|versions| !versions.is_empty()) else {
            self.report(pointer, CrdCause::NoVersions);
            return None;
        };
        if versions.len() > VERSIONS {
            self.report(pointer, CrdCause::ManyVersions { found: versions.len(), limit: VERSIONS });
            return None;
        }
        // Old definitions are kept with versions that no server has any more: they are wanted then.
        let all = !versions.iter().any(is_served);
        let served = versions.iter().enumerate();
        let served = served.filter(|(_, version)| all || is_served(version));
        let mut read: Vec<Option<Version>> = Vec::new();
        for (index, version) in served {
            let pointer = child(pointer, index);
            let version = self.version(version, &pointer);
            let name = |version: &Option<Version>| version.as_ref().map(|it| it.name.clone());
            if let Some(twice) =
                name(&version).filter(|_| read.iter().any(|it| name(it) == name(&version)))
            {
                self.report(&child(&pointer, "name"), CrdCause::VersionTwice(twice));
            }
            read.push(version);
        }
        read.into_iter().collect()
    }

    fn version(&mut self, version: &Value, pointer: &str) -> Option<Version> {
        let name = match version.get("name").and_then(Value::as_str) {
            Some(name) if name.parse::<ApiVersion>().is_ok() => Some(name.to_owned()),
            Some(name) if is_label(name) => {
                self.report(&child(pointer, "name"), CrdCause::Version(name.to_owned()));
                None
            }
            found => {
                self.report(
                    &child(pointer, "name"),
                    CrdCause::Name(found.unwrap_or_default().to_owned()),
                );
                None
            }
        };
        let schema = version.pointer("/schema/openAPIV3Schema").filter(|schema| schema.is_object());
        if schema.is_none() {
            self.report(pointer, CrdCause::NoSchema);
        }
        let subresource =
            |name| version.pointer(name).is_some_and(|subresource| !subresource.is_null());
        let selectable =
            version.get("selectableFields").and_then(Value::as_array).into_iter().flatten();
        let path = |field: &Value| {
            Some(field.get("jsonPath")?.as_str()?.trim_start_matches('.').to_owned())
        };
        Some(Version {
            name: name?,
            schema: schema?.clone(),
            has_status: subresource("/subresources/status"),
            has_scale: subresource("/subresources/scale"),
            selectable: selectable.filter_map(path).collect(),
        })
    }
}

fn is_served(version: &Value) -> bool {
    version.get("served") == Some(&Value::Bool(true))
}

fn is_subdomain(name: &str) -> bool {
    rules::dns1123_subdomain(name).is_empty()
}

fn is_label(name: &str) -> bool {
    rules::dns1123_label(name).is_empty()
}

/// Servers compare a kind in lower case with the rule of labels. It begins with a letter, since it becomes a Rust type.
fn is_kind(name: &str) -> bool {
    let begins_with_letter = name.starts_with(|first: char| first.is_ascii_alphabetic());
    begins_with_letter && is_label(&name.to_ascii_lowercase())
}
