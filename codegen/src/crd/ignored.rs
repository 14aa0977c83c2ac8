//! What servers ignore in the schemas of definitions. A typing error there changes the types, and no server says so.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_names::Release;
use k8s_versioned_names::pointer::child;
use serde_json::{Map, Value};

use super::{Derived, Manifest, schema};
use crate::Problems;
use crate::problem::{CrdCause, Place};
use crate::text::{join, nearest};

/// The place of the schema in a version of a definition.
const SCHEMA: &str = "/schema/openAPIV3Schema";

/// The types of values that schemas have.
const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// A part of a schema that servers ignore.
#[derive(Clone, Debug)]
pub(crate) struct Ignored {
    /// The name of the definition.
    definition: String,
    place: Place,
    what: What,
}

/// The kind of the part, and its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A keyword that no server knows.
    Keyword(String),
    /// A keyword that begins with `x-` and is of others.
    Extension(String),
    /// A type that no server knows.
    Type(String),
    /// A merge key that is no field of the items.
    MapKey(String),
}

impl What {
    fn keyword(name: &str) -> Self {
        let name = name.to_owned();
        let is_foreign = name.starts_with("x-") && !name.starts_with("x-kubernetes-");
        if is_foreign { Self::Extension(name) } else { Self::Keyword(name) }
    }

    /// The name under which several parts of a definition are one warning.
    fn group(&self) -> Self {
        match self {
            Self::Extension(_) => Self::Extension(String::new()),
            other => other.clone(),
        }
    }
}

/// A place in a schema: the names that lead to it, the last one first.
#[derive(Clone, Copy)]
struct At<'a> {
    around: Option<&'a At<'a>>,
    name: &'a str,
}

impl At<'_> {
    fn pointer(&self) -> String {
        let around = self.around.map(At::pointer).unwrap_or_default();
        if self.name.is_empty() { around } else { child(&around, self.name) }
    }
}

/// The ignored parts of the schema of a version.
#[derive(Debug, Default)]
struct Found(Vec<(String, What)>);

impl Found {
    /// The ignored parts of a schema.
    fn in_schema(schema: &Value) -> Self {
        let mut found = Self::default();
        found.walk(schema, &At { around: None, name: "" });
        found
    }

    fn walk(&mut self, schema: &Value, at: &At<'_>) {
        let Value::Object(members) = schema else {
            return;
        };
        self.look(members, at);
        for (name, value) in members {
            let at = At { around: Some(at), name };
            match (name.as_str(), value) {
                ("properties" | "patternProperties", Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.walk(schema, &At { around: Some(&at), name });
                    }
                }
                ("allOf" | "anyOf" | "oneOf" | "items", Value::Array(schemas)) => {
                    for (index, schema) in schemas.iter().enumerate() {
                        self.walk(schema, &At { around: Some(&at), name: &index.to_string() });
                    }
                }
                ("items" | "not" | "additionalProperties" | "additionalItems", schema) => {
                    self.walk(schema, &at);
                }
                _ => {}
            }
        }
    }

    /// Notes the members of a schema that servers ignore.
    fn look(&mut self, members: &Map<String, Value>, at: &At<'_>) {
        for (name, _) in members.iter().filter(|(name, it)| !it.is_null() && !is_stored(name)) {
            self.0.push((child(&at.pointer(), name), What::keyword(name)));
        }
        if let Some(Value::String(of_type)) = members.get("type")
            && !TYPES.contains(&of_type.as_str())
        {
            self.0.push((child(&at.pointer(), "type"), What::Type(of_type.clone())));
        }
        self.look_at_keys(members, at);
    }

    fn look_at_keys(&mut self, members: &Map<String, Value>, at: &At<'_>) {
        const KEYS: &str = "x-kubernetes-list-map-keys";
        let keys = members.get(KEYS).and_then(Value::as_array);
        let fields = members.get("items").and_then(|items| items.get("properties"));
        for key in keys.into_iter().flatten().filter_map(Value::as_str) {
            if fields.and_then(|fields| fields.get(key)).is_none() {
                self.0.push((child(&at.pointer(), KEYS), What::MapKey(key.to_owned())));
            }
        }
    }

    /// The parts, with their places in the definition of this name, whose schema is at `place`.
    fn of(self, definition: &str, place: &Place) -> impl Iterator<Item = Ignored> {
        self.0.into_iter().map(move |(pointer, what)| Ignored {
            definition: definition.to_owned(),
            place: Place { pointer: place.pointer.clone() + &pointer, ..place.clone() },
            what,
        })
    }
}

/// The parts of a schema that servers ignore. The schema is at `place` in the definition of this name.
pub(super) fn of_schema(schema: &Value, definition: &str, place: &Place) -> Vec<Ignored> {
    Found::in_schema(schema).of(definition, place).collect()
}

/// The parts that servers ignore in the schemas of a definition.
fn of_manifest(manifest: &Manifest) -> Vec<Ignored> {
    const VERSIONS: &str = "/spec/versions";
    let versions = manifest.value.pointer(VERSIONS).and_then(Value::as_array);
    let versions = versions.into_iter().flatten().enumerate().filter_map(|(index, version)| {
        let pointer = format!("{VERSIONS}/{index}{SCHEMA}");
        let place = Place { pointer, ..manifest.place.clone() };
        Some(of_schema(version.pointer(SCHEMA)?, &manifest.name, &place))
    });
    versions.flatten().collect()
}

fn is_stored(name: &str) -> bool {
    schema::STORED.contains(&name)
}

/// Takes the ignored parts out of documents, each with its release.
pub(crate) fn take(derived: &mut BTreeMap<String, Derived>) -> Vec<(Option<Release>, Ignored)> {
    let release = |path: &str| path.split_once('/').and_then(|(folder, _)| folder.parse().ok());
    let all = derived.iter_mut().flat_map(|(path, document)| {
        let release = release(path);
        std::mem::take(&mut document.ignored).into_iter().map(move |it| (release, it))
    });
    all.collect()
}

/// The ignored parts of one definition, by release.
type ByRelease<'a> = BTreeMap<Option<Release>, Vec<&'a Ignored>>;

/// The warnings about the ignored parts of documents that are made of definitions, and of the definitions of the package:
/// one for each definition and keyword, at its first place in the newest release.
pub(crate) fn warnings(ignored: &[(Option<Release>, Ignored)], carried: &[Manifest]) -> Problems {
    let of_package: Vec<Ignored> = carried.iter().flat_map(of_manifest).collect();
    let of_releases = ignored.iter().map(|(release, ignored)| (*release, ignored));
    let mut all: BTreeMap<(&str, What), ByRelease<'_>> = BTreeMap::new();
    for (release, ignored) in of_releases.chain(of_package.iter().map(|it| (None, it))) {
        let one = all.entry((&ignored.definition, ignored.what.group())).or_default();
        one.entry(release).or_default().push(ignored);
    }
    let mut warnings = Problems::new();
    for (_, newest) in all.values().filter_map(BTreeMap::last_key_value) {
        if let Some(first) = newest.first() {
            warnings.push(&first.place, cause(first, newest));
        }
    }
    warnings
}

fn cause(first: &Ignored, all: &[&Ignored]) -> CrdCause {
    let more = all.len() - 1;
    match &first.what {
        What::Keyword(keyword) => {
            let near = nearest(keyword, schema::STORED.iter().copied()).map(str::to_owned);
            CrdCause::IgnoredKeyword { keyword: keyword.clone(), near, more }
        }
        What::Extension(_) => {
            let names: BTreeSet<String> = all.iter().filter_map(|it| it.extension()).collect();
            CrdCause::ForeignKeywords(join(names, "`, `"))
        }
        What::Type(name) => {
            let near = nearest(name, TYPES.into_iter()).map(str::to_owned);
            CrdCause::ForeignType { name: name.clone(), near, more }
        }
        What::MapKey(key) => CrdCause::NoSuchKey { key: key.clone(), more },
    }
}

impl Ignored {
    fn extension(&self) -> Option<String> {
        match &self.what {
            What::Extension(name) => Some(name.clone()),
            _ => None,
        }
    }
}
