//! How often drafts keep a field aside that could have a counterpart, in definitions of public projects.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use k8s_versioned_core::Version;
use serde::Serialize;
use serde_json::Value;
use testing::specs;

use super::compiled::drafted;
use super::examples;

/// The counts of all kinds.
#[derive(Debug, Default, Serialize)]
struct Counts {
    kinds: usize,
    /// The rules of all drafts, and those that keep a field aside.
    rules: usize,
    kept: usize,
    /// The fields that could have a counterpart, and those that a draft keeps aside.
    fields: usize,
    kept_fields: usize,
}

/// The drafts for all kinds with several versions in the folder `CRDS`. With `UPDATE_DOCS=1` the counts are written for the page of
/// `codegen/cases/projects`.
#[test]
#[ignore = "needs a folder of definitions: `CRDS`"]
fn counterparts() {
    let Ok(crds) = env::var("CRDS") else { return };
    let mut counts = Counts::default();
    for definition in examples::versions(&specs::files(Path::new(&crds)).unwrap()) {
        counts.add(&definition);
    }
    println!("{counts:?}");
    assert!(counts.kept <= counts.rules && counts.kept_fields <= counts.fields, "{counts:?}");
    if env::var_os("UPDATE_DOCS").is_some() {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/tests/projects");
        let path = tests.join("corpus.toml");
        fs::write(path, toml::to_string(&counts).unwrap()).unwrap();
    }
}

impl Counts {
    /// Adds the draft for a definition.
    fn add(&mut self, definition: &Value) {
        let rules = rules(definition);
        self.kinds += 1;
        self.rules += rules.len();
        self.kept += rules.iter().filter(|rule| rule.keeps).count();
        let versions = fields(definition);
        for (old, new) in versions.iter().zip(versions.iter().skip(1)) {
            for field in with_counterparts(&old.types, &new.types) {
                self.fields += 1;
                self.kept_fields +=
                    usize::from(rules.iter().any(|rule| rule.keeps_aside(field, old, new)));
            }
        }
    }
}

/// A rule of a draft.
struct Rule {
    keeps: bool,
    /// The path in each version.
    names: BTreeMap<String, String>,
}

impl Rule {
    /// Whether the rule keeps a field, or an object around it, of a version that the other one lacks.
    fn keeps_aside(&self, field: &str, version: &Fields, other: &Fields) -> bool {
        let is_around = |path: &String| {
            field
                .strip_prefix(path.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.keeps
            && self.names.get(&version.name).is_some_and(is_around)
            && !self.names.contains_key(&other.name)
    }
}

/// The rules of the draft for a definition.
fn rules(definition: &Value) -> Vec<Rule> {
    let files = drafted(definition);
    let file: toml::Table = str::from_utf8(&files["conversions.toml"]).unwrap().parse().unwrap();
    let kinds = file.get("kind").and_then(toml::Value::as_array).into_iter().flatten();
    let fields = kinds.filter_map(|kind| kind.get("field")?.as_array()).flatten();
    let rule = |field: &toml::Value| Rule {
        keeps: field["rule"].as_str() == Some("keep-aside"),
        names: field["names"].clone().try_into().unwrap(),
    };
    fields.map(rule).collect()
}

/// The fields of a version: their paths as in rules, and their types.
struct Fields {
    name: String,
    types: BTreeMap<String, String>,
}

/// The fields of each version, lowest first.
fn fields(definition: &Value) -> Vec<Fields> {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten();
    let of_version = |version: &Value| {
        let mut types = BTreeMap::new();
        collect(&version["schema"]["openAPIV3Schema"], "", &mut types);
        types.retain(|path, _| !["apiVersion", "kind", "metadata"].contains(&path.as_str()));
        Fields { name: version["name"].as_str().unwrap_or_default().to_owned(), types }
    };
    let mut versions: Vec<Fields> = versions.map(of_version).collect();
    versions.sort_by_key(|version| version.name.parse::<Version>().ok());
    versions
}

fn collect(schema: &Value, path: &str, types: &mut BTreeMap<String, String>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let is_text_or_number = schema["x-kubernetes-int-or-string"] == true;
        let of = schema["type"].as_str().filter(|_| !is_text_or_number);
        types.insert(path.clone(), of.unwrap_or("any").to_owned());
        collect(schema, &path, types);
    }
    for inside in ["items", "additionalProperties"] {
        if schema[inside].is_object() {
            collect(&schema[inside], &format!("{path}[]"), types);
        }
    }
}

/// The object around a field; empty for the whole object.
fn around(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(object, _)| object)
}

/// The topmost fields that the newer version lacks where it has a field that the older one lacks, of the same type, in the same object or
/// in a new object inside it.
fn with_counterparts<'f>(
    old: &'f BTreeMap<String, String>,
    new: &'f BTreeMap<String, String>,
) -> Vec<&'f String> {
    let has = |version: &BTreeMap<String, String>, object: &str| {
        object.is_empty() || version.contains_key(object.trim_end_matches("[]"))
    };
    let mut free = BTreeSet::new();
    for (path, of) in new.iter().filter(|(path, _)| !old.contains_key(*path)) {
        let mut object = around(path);
        while !has(old, object) && !object.ends_with("[]") {
            object = around(object);
        }
        free.insert((object, of));
    }
    let is_meant = |(path, of): &(&'f String, &String)| {
        !new.contains_key(*path) && has(new, around(path)) && free.contains(&(around(path), of))
    };
    old.iter().filter(is_meant).map(|(path, _)| path).collect()
}

#[test]
fn counts_of_a_definition() {
    let version = |name: &str, properties: &str| {
        format!(
            r#"{{"name": "{name}", "served": true, "storage": {}, "schema": {{"openAPIV3Schema": {{"type": "object", "properties": {{"spec":
            {{"type": "object", "properties": {{{properties}}}}}}}}}}}}}"#,
            name == "v1"
        )
    };
    let text = r#"{"type": "string"}"#;
    let old = format!(r#""volume": {text}, "colour": {text}, "count": {{"type": "integer"}}"#);
    let new = format!(
        r#""volumeName": {text}, "deep": {{"type": "object", "properties": {{"on": {{"type": "boolean"}}}}}}"#
    );
    let definition = format!(
        r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {{"name": "widgets.example.dev"}},
        "spec": {{"group": "example.dev", "scope": "Namespaced", "names": {{"kind": "Widget", "plural": "widgets"}}, "versions": [{}, {}]}}}}"#,
        version("v1beta1", &old),
        version("v1", &new)
    );
    let mut counts = Counts::default();
    counts.add(&serde_json::from_str(&definition).unwrap());
    // Of the two texts, one is renamed; the number has no counterpart.
    let Counts { kinds, rules, kept, fields, kept_fields } = counts;
    assert_eq!((kinds, rules, kept, fields, kept_fields), (1, 4, 3, 2, 1));
}
