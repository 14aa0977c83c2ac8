//! JSON Schemas, behind the feature `schemars`: the facts of the newest release, with our descriptions. Each module has
//! a file of JSON, and each type an implementation that reads its part of the file.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::file::Output;
use super::imports::Imports;
use super::types::file_of_module;
use crate::plan::{Field, Module, Plan, Presence, RustType, Struct};
use crate::spec::{Dialect, Facts, Merge, shown, split_inline};
use crate::text::join;

/// Emits `json_schemas.rs` and `json_schemas.json` of a module.
pub(super) fn emit(plan: &Plan, module: &Module, output: &mut Output<'_>) {
    let mut file = output.file();
    file.docs("The JSON Schemas of this module's types.");
    let mut schemas = Map::new();
    let up = up_to_kind(plan, module);
    let mut call = format!("k8s_versioned::json_schemas! {{\n    \"{up}json_schemas.json\";\n");
    let structs = module.structs.iter();
    for planned in structs.filter(|planned| planned.list_item().is_none()) {
        let mut references = References::new();
        let name = file.imports.path(&planned.path);
        let key = if planned.of.dialect == Dialect::Custom {
            references.insert(metadata(&file.imports));
            published_key(planned)
        } else {
            let schema = of_struct(planned, &mut file.imports, &mut references);
            schemas.insert(planned.schema.clone(), schema);
            planned.schema.clone()
        };
        if let Some(published) = &planned.of.published {
            schemas.insert(key.clone(), published_schema(published, &file.imports));
        }
        let references = join(references, ", ");
        // Writing to a string cannot fail.
        let _ = writeln!(call, "    {name} = {key:?} [{references}];");
    }
    file.text_item(call + "}\n");
    if up.is_empty() {
        let inside = format!("{}::", module.path);
        let inner = plan.modules.iter().filter(|it| it.path.starts_with(&inside));
        for planned in inner.filter(|it| it.origin == module.origin).flat_map(|it| &it.structs) {
            let published = planned.of.published.as_ref();
            let published = published.filter(|_| split_inline(&planned.schema).is_some());
            schemas.extend(published.map(|published| {
                (published_key(planned), published_schema(published, &file.imports))
            }));
        }
        output.add_data(
            &format!("{}/json_schemas.json", module.path.replace("::", "/")),
            Value::Object(schemas),
        );
    }
    output.add(&file_of_module(&module.path, "json_schemas"), file);
}

/// The way from a module of the types that only one kind has to the folder of the kind: the schemas of the parts of a kind
/// are in its own.
fn up_to_kind(plan: &Plan, module: &Module) -> String {
    let kind = module.structs.iter().find_map(|planned| Some(split_inline(&planned.schema)?.0));
    let kind = kind.and_then(|kind| plan.structs().find(|planned| planned.schema == kind));
    let inside = kind.and_then(|kind| module.path.strip_prefix(&kind.path.module));
    "../".repeat(inside.unwrap_or_default().matches("::").count())
}

/// The place of the schema of a custom resource, or of a part of one: the schemas of the parts are in the schema of the kind,
/// unless they differ.
fn published_key(planned: &Struct) -> String {
    match split_inline(&planned.schema) {
        Some((kind, _)) if planned.of.published.is_none() => {
            format!("{kind}#{}", planned.of.inside)
        }
        _ => shown(&planned.schema),
    }
}

/// The path of the type of the metadata, to which the schemas of custom resources refer: it is the same in all modules.
fn metadata(imports: &Imports) -> String {
    imports.absolute_path(&super::resources::object_meta())
}

/// The schema of a kind as servers publish it, with the names of Rust for its references.
fn published_schema(schema: &Value, imports: &Imports) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(|item| published_schema(item, imports)).collect(),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                let value = match (key.as_str(), value) {
                    ("$ref", Value::String(name)) if name.starts_with("#/components/schemas/") => {
                        metadata(imports).into()
                    }
                    // Properties can have the names of keywords.
                    ("properties", Value::Object(schemas)) => schemas
                        .iter()
                        .map(|(name, schema)| (name.clone(), published_schema(schema, imports)))
                        .collect(),
                    ("default" | "example" | "enum", value) => value.clone(),
                    (_, value) => published_schema(value, imports),
                };
                (key.clone(), value)
            };
            members.iter().map(member).collect()
        }
        other => other.clone(),
    }
}

/// The names by which a schema refers to types.
type References = BTreeSet<String>;

fn of_struct(planned: &Struct, imports: &mut Imports, references: &mut References) -> Value {
    let mut properties = Map::new();
    if planned.object.is_some() {
        let text = |description| json!({ "type": "string", "description": description });
        let api_version = text("The group and version of the object.");
        properties.insert("apiVersion".to_owned(), api_version);
        properties.insert("kind".to_owned(), text("The kind of the object."));
    }
    for field in planned.fields.iter().filter(|field| field.presence != Presence::Rest) {
        let schema = of_field(field, imports, references);
        properties.insert(field.wire.clone(), schema.into());
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    describe(&planned.summary, &mut schema);
    schema.insert("properties".to_owned(), properties.into());
    let required = planned.of.required_now();
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.extend(extensions(&planned.of.merge));
    add_facts(&planned.of.facts, &mut schema);
    if !planned.of.kinds.is_empty() {
        schema.insert("x-kubernetes-group-version-kind".to_owned(), json!(planned.of.kinds));
    }
    schema.into()
}

fn of_field(
    field: &Field,
    imports: &mut Imports,
    references: &mut References,
) -> Map<String, Value> {
    let item = Item { default: field.of.item_default.as_ref(), facts: &field.of.item_facts };
    let mut schema = of_type(&field.rust_type, item, imports, references);
    describe(&field.summary, &mut schema);
    add_default(field.of.default.as_ref(), &mut schema);
    schema.extend(extensions(&field.of.merge));
    add_facts(&field.of.facts, &mut schema);
    schema
}

/// What the documents state about the items of a list or map, beside their type.
#[derive(Clone, Copy)]
struct Item<'a> {
    default: Option<&'a Value>,
    facts: &'a Facts,
}

/// Nothing is stated.
const NOTHING: Item<'static> = Item { default: None, facts: &Facts::new() };

fn of_type(
    of: &RustType,
    item: Item<'_>,
    imports: &mut Imports,
    references: &mut References,
) -> Map<String, Value> {
    let mut inner = |of: &RustType| {
        let mut schema = of_type(of, NOTHING, imports, references);
        add_default(item.default, &mut schema);
        add_facts(item.facts, &mut schema);
        Value::from(schema)
    };
    let members: Vec<(&str, Value)> = match of {
        RustType::Bool => vec![("type", "boolean".into())],
        RustType::I32 => vec![("type", "integer".into()), ("format", "int32".into())],
        RustType::I64 => vec![("type", "integer".into()), ("format", "int64".into())],
        RustType::F64 => vec![("type", "number".into()), ("format", "double".into())],
        RustType::String | RustType::Vocabulary(_) => vec![("type", "string".into())],
        RustType::List(item) => vec![("type", "array".into()), ("items", inner(item))],
        RustType::Map(value) => {
            let values = ("additionalProperties", inner(value));
            vec![("type", "object".into()), values]
        }
        RustType::External(path, _) | RustType::Struct(path) | RustType::Wrapped(_, path) => {
            let key = imports.name(path).to_string().replace(' ', "");
            references.insert(key.clone());
            vec![("$ref", key.into())]
        }
        RustType::Option(value) => return of_type(value, item, imports, references),
    };
    let members = members.into_iter();
    members.map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The extensions of Kubernetes that state how values merge.
fn extensions(merge: &Merge) -> Map<String, Value> {
    match json!(merge) {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn describe(summary: &str, schema: &mut Map<String, Value>) {
    if !summary.is_empty() {
        schema.insert("description".to_owned(), summary.into());
    }
}

fn add_facts(facts: &Facts, schema: &mut Map<String, Value>) {
    schema.extend(facts.iter().map(|(keyword, value)| ((*keyword).to_owned(), value.clone())));
}

fn add_default(default: Option<&Value>, schema: &mut Map<String, Value>) {
    schema.extend(default.map(|default| ("default".to_owned(), default.clone())));
}
