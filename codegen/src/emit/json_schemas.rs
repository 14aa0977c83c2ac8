//! JSON Schemas, behind the feature `schemars`: what the newest release states, with our descriptions. They are
//! data: a file of JSON for each module, and an implementation for each type that reads its part of it.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::file::{Output, SourceFile};
use super::imports::Imports;
use super::types::file_of_module;
use crate::Options;
use crate::plan::{Field, Module, RustType, Struct};
use crate::spec::{DefaultValue, GroupVersionKind, Merge};

/// Emits `json_schemas.rs` and `json_schemas.json` of a module.
pub(super) fn emit(module: &Module, options: &Options, output: &mut Output) {
    let mut file = SourceFile::of(options, &module.origin);
    file.docs("The JSON Schemas of this module's types.");
    let mut schemas = Map::new();
    let mut call = "k8s_versioned::json_schemas! {\n    \"json_schemas.json\";\n".to_owned();
    let structs = module.structs.iter();
    for planned in structs.filter(|planned| planned.list_item().is_none()) {
        let mut references = References::new();
        let name = file.imports.name(&planned.path).to_string().replace(' ', "");
        let schema = of_struct(planned, &mut file.imports, &mut references);
        schemas.insert(planned.schema.clone(), schema);
        let references: Vec<String> = references.into_iter().collect();
        // Writing to a string cannot fail.
        let _ = writeln!(call, "    {name} = \"{}\" [{}];", planned.schema, references.join(", "));
    }
    file.text_item(call + "}\n");
    output.add_data(
        &format!("{}/json_schemas.json", module.path.replace("::", "/")),
        &module.origin,
        &Value::Object(schemas),
    );
    output.add(&file_of_module(&module.path, "json_schemas"), file);
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
    for field in &planned.fields {
        let schema = of_field(field, imports, references);
        properties.insert(field.wire.clone(), schema.into());
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("description".to_owned(), planned.summary.clone().into());
    schema.insert("properties".to_owned(), properties.into());
    let required = planned.of.required_now();
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    add_merge(&planned.of.merge, &mut schema);
    if !planned.of.kinds.is_empty() {
        let kinds: Vec<Value> = planned.of.kinds.iter().map(kind).collect();
        schema.insert("x-kubernetes-group-version-kind".to_owned(), kinds.into());
    }
    schema.into()
}

fn kind(kind: &GroupVersionKind) -> Value {
    json!({ "group": kind.group, "version": kind.version, "kind": kind.kind })
}

fn of_field(
    field: &Field,
    imports: &mut Imports,
    references: &mut References,
) -> Map<String, Value> {
    let mut schema = of_type(&field.rust_type, field.of.item_default, imports, references);
    schema.insert("description".to_owned(), field.summary.clone().into());
    add_default(field.of.default, &mut schema);
    add_merge(&field.of.merge, &mut schema);
    schema
}

fn of_type(
    of: &RustType,
    item_default: Option<DefaultValue>,
    imports: &mut Imports,
    references: &mut References,
) -> Map<String, Value> {
    let mut inner = |of: &RustType| {
        let mut schema = of_type(of, None, imports, references);
        add_default(item_default, &mut schema);
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
        RustType::External(path, _) | RustType::Struct(path) => {
            let key = imports.name(path).to_string().replace(' ', "");
            references.insert(key.clone());
            vec![("$ref", key.into())]
        }
        RustType::Option(value) => return of_type(value, item_default, imports, references),
    };
    let members = members.into_iter();
    members.map(|(key, value)| (key.to_owned(), value)).collect()
}

fn add_default(default: Option<DefaultValue>, schema: &mut Map<String, Value>) {
    let value = match default {
        None => return,
        Some(DefaultValue::EmptyObject) => json!({}),
        Some(DefaultValue::EmptyString) => json!(""),
        Some(DefaultValue::False) => json!(false),
        Some(DefaultValue::Zero) => json!(0),
    };
    schema.insert("default".to_owned(), value);
}

fn add_merge(merge: &Merge, schema: &mut Map<String, Value>) {
    let mut add = |name: &str, value: Value| {
        schema.insert(format!("x-kubernetes-{name}"), value);
    };
    if let Some(list_type) = merge.list_type {
        add("list-type", list_type.to_string().into());
    }
    if let Some(map_type) = merge.map_type {
        add("map-type", map_type.to_string().into());
    }
    if !merge.list_map_keys.is_empty() {
        add("list-map-keys", merge.list_map_keys.clone().into());
    }
    if let Some(strategy) = &merge.patch_strategy {
        add("patch-strategy", strategy.clone().into());
    }
    if let Some(key) = &merge.patch_merge_key {
        add("patch-merge-key", key.clone().into());
    }
}
