//! The generations of this repository's specs before and after the package: without the newest release, and with an
//! invented release after it.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "the documents and rules of this repository, which tests read"
)]

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_codegen::{Files, manifest};
use k8s_versioned_core::Release;
use serde_json::Value as Json;
use toml::{Table, Value};

use super::invented;

const NEWEST: Release = Release::new(1, 36);

/// The modules of the generations, and the specs of each.
pub fn all(specs: &Files) -> [(&'static str, Files); 2] {
    let mut more = until(specs, NEWEST);
    let folder = format!("{NEWEST}/");
    let in_newest = more.iter();
    let in_newest = in_newest.filter_map(|(path, text)| Some((path.strip_prefix(&folder)?, text)));
    let in_newest = in_newest.map(|(name, text)| (name.to_owned(), text.clone())).collect();
    let release = NEWEST.next();
    let documents = invented::documents(&in_newest).into_iter();
    more.extend(documents.map(|(name, text)| (format!("{release}/{name}"), text)));
    for (_, edit) in invented::STEPS {
        edit(&mut more, release);
    }
    [("until_1_35", until(specs, Release::new(1, 35))), ("invented", more)]
}

/// The specs when `newest` was the newest release: without later documents, and without the rules that match
/// only these.
fn until(specs: &Files, newest: Release) -> Files {
    let mut specs = specs.clone();
    specs.remove(manifest::PATH);
    specs.retain(|path, _| {
        let folder = path.split('/').next().and_then(|folder| folder.parse().ok());
        folder.is_none_or(|release: Release| release <= newest)
    });
    let schemas = schemas(&specs);
    only_known_descriptions(&mut specs, &schemas);
    only_known_messages(&mut specs, &schemas);
    invented::edit_toml(&mut specs, "conversions.toml", |file| only_known_rules(file, &schemas));
    specs
}

/// The fields of each schema, in any release.
type Schemas = BTreeMap<String, BTreeSet<String>>;

fn schemas(specs: &Files) -> Schemas {
    let mut all = Schemas::new();
    for (_, text) in specs.iter().filter(|(path, _)| path.ends_with("_openapi.json")) {
        let document: Json = serde_json::from_slice(text).unwrap();
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let fields = schema["properties"].as_object().into_iter().flatten();
            all.entry(name.clone()).or_default().extend(fields.map(|(field, _)| field.clone()));
        }
    }
    all
}

/// The types of a module, each with its name in the documents, and its fields.
fn types<'a>(
    schemas: &'a Schemas,
    module: &str,
) -> impl Iterator<Item = (&'a str, &'a BTreeSet<String>)> {
    let inside = format!(".{module}.");
    schemas.iter().filter_map(move |(name, fields)| Some((name.split_once(&inside)?.1, fields)))
}

/// Removes the descriptions of modules, types and fields that the documents do not have.
fn only_known_descriptions(specs: &mut Files, schemas: &Schemas) {
    let names = specs.keys().filter(|name| name.starts_with("descriptions/"));
    for path in names.cloned().collect::<Vec<String>>() {
        let module = path.trim_start_matches("descriptions/").trim_end_matches(".toml");
        let types: BTreeMap<&str, &BTreeSet<String>> = types(schemas, module).collect();
        if types.is_empty() {
            specs.remove(&path);
            continue;
        }
        invented::edit_toml(specs, &path, |file| {
            file.retain(|name, _| name == "module" || types.contains_key(name));
            for (name, described) in file {
                let fields = described.get_mut("fields").and_then(Value::as_table_mut);
                if let (Some(found), Some(fields)) = (types.get(name.as_str()), fields) {
                    fields.retain(|field, _| found.contains(field));
                }
            }
        });
    }
}

/// Removes the numbers and presences of types and fields that the documents do not have.
fn only_known_messages(specs: &mut Files, schemas: &Schemas) {
    let known =
        |schema: &str, name: &str| schemas.get(schema).is_some_and(|fields| fields.contains(name));
    invented::edit_toml(specs, "field-numbers.toml", |file| {
        for (schema, fields) in file {
            fields.as_table_mut().unwrap().retain(|name, _| known(schema, name));
        }
    });
    invented::edit_toml(specs, "protobuf.toml", |file| {
        for (schema, lists) in file {
            for (_, names) in lists.as_table_mut().unwrap() {
                names.as_array_mut().unwrap().retain(|name| known(schema, name.as_str().unwrap()));
            }
        }
    });
}

/// Removes the versions that the documents do not have from the rules of conversions, and the fields that no type of their
/// version has.
fn only_known_rules(file: &mut Table, schemas: &Schemas) {
    let known = |version: &str, path: &Value| {
        let name = path.as_str().and_then(|path| path.rsplit('.').next());
        types(schemas, version).any(|(_, fields)| name.is_some_and(|name| fields.contains(name)))
    };
    let has_types = |version: &Value| types(schemas, version.as_str().unwrap()).next().is_some();
    for kind in file["kind"].as_array_mut().unwrap() {
        kind["versions"].as_array_mut().unwrap().retain(has_types);
        let lists = kind.as_table_mut().unwrap().iter_mut();
        for rules in lists.filter_map(|(_, rules)| rules.as_array_mut()) {
            for rule in rules.iter_mut() {
                if let Some(versions) = rule.get_mut("versions") {
                    versions.as_array_mut().unwrap().retain(has_types);
                }
                if let Some(names) = rule.get_mut("names") {
                    names.as_table_mut().unwrap().retain(|version, path| known(version, path));
                }
            }
            rules.retain(|rule| {
                rule.get("names").is_none_or(|names| !names.as_table().unwrap().is_empty())
            });
        }
    }
}
