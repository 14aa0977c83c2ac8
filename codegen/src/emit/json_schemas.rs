//! JSON Schemas, behind the feature `schemars`: the facts of the newest release, with our descriptions. Each module has
//! a file of JSON, and each type an implementation that reads its part of the file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::file::Output;
use super::imports::Imports;
use super::types::file_of_module;
use crate::gather::Gather;
use crate::plan::{Field, Module, Plan, Presence, RustType, Struct};
use crate::spec::{self, Dialect, Facts, Items, shown, split_inline};
use crate::text::{join, json_text};

/// Emits `json_schemas.rs` and `json_schemas.json` of a module.
pub(super) fn emit(plan: &Plan, module: &Module, output: &mut Output<'_>) {
    let mut file = output.file();
    file.docs("The JSON Schemas of this module's types.");
    let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
    let metadata = file.imports.absolute_path(&super::resources::object_meta());
    let up = up_to_kind(plan, module);
    let mut call = format!("k8s_versioned::json_schemas! {{\n    \"{up}json_schemas.json\";\n");
    let structs = module.structs.iter();
    for planned in structs.filter(|planned| planned.list_item().is_none()) {
        let mut references = References::new();
        let name = file.imports.path(&planned.path);
        let key = if planned.schema_type.dialect == Dialect::Custom {
            references.insert(metadata.clone());
            published_key(planned)
        } else {
            let mut schema = of_struct(planned, &mut file.imports, &mut references);
            schema.sort_all_objects();
            schemas.insert(planned.schema.clone(), schema);
            planned.schema.clone()
        };
        schemas.extend(published(plan, planned, &metadata).map(|schema| (key.clone(), schema)));
        let references = join(references, ", ");
        // Writing to a string cannot fail.
        let _ = writeln!(call, "    {name} = {key:?} [{references}];");
    }
    file.text_item(call + "}\n");
    if up.is_empty() {
        let inside = format!("{}::", module.path);
        let inner = plan.modules.iter().filter(|module| module.path.starts_with(&inside));
        let inner =
            inner.filter(|inner| inner.package == module.package).flat_map(|inner| &inner.structs);
        for planned in inner.filter(|inner| split_inline(&inner.schema).is_some()) {
            let published = published(plan, planned, &metadata);
            schemas.extend(published.map(|schema| (published_key(planned), schema)));
        }
        let path = format!("{}/json_schemas.json", module.path.replace("::", "/"));
        output.add_text(&path, json_text(&schemas));
    }
    output.add(&file_of_module(&module.path, "json_schemas"), file);
}

/// The path from a module with types of only one kind to the folder of the kind: the schemas of a kind's parts
/// are in its own.
fn up_to_kind(plan: &Plan, module: &Module) -> String {
    let kind = module.structs.iter().find_map(|planned| Some(split_inline(&planned.schema)?.0));
    let kind = kind.and_then(|kind| plan.structs().find(|planned| planned.schema == kind));
    let inside = kind.and_then(|kind| module.path.strip_prefix(&kind.path.module));
    "../".repeat(inside.unwrap_or_default().matches("::").count())
}

/// Where the schema of a custom resource or of its part is: the schema of the kind has the schemas of its parts,
/// unless they differ.
fn published_key(planned: &Struct) -> String {
    match split_inline(&planned.schema) {
        Some((kind, _)) if planned.schema_type.published.is_none() => {
            format!("{kind}#{}", planned.schema_type.inside)
        }
        _ => shown(&planned.schema),
    }
}

/// The schema of a custom resource, or of a part whose schema differs from that in the kind. It is as servers publish it, except for names
/// and descriptions: types have their names in Rust, the rules choose the descriptions, and those that servers add to every object are left
/// out.
fn published(plan: &Plan, planned: &Struct, metadata: &str) -> Option<Value> {
    let mut schema = Value::clone(planned.schema_type.published.as_ref()?);
    let is_kind = split_inline(&planned.schema).is_none();
    spec::walk(&mut schema, &mut |members, outermost| {
        if !plan.has_prose && members.get("description").is_some_and(Value::is_string) {
            members.remove("description");
        }
        if let Some(Value::String(name)) = members.get_mut("$ref") {
            metadata.clone_into(name);
        }
        let is_object =
            (is_kind && outermost) || members.contains_key("x-kubernetes-embedded-resource");
        let mut properties = members.get_mut("properties").filter(|_| is_object);
        for name in ["apiVersion", "kind", "metadata"] {
            let added = properties.as_mut().and_then(|properties| properties.get_mut(name));
            if let Some(Value::Object(added)) = added {
                added.remove("description");
            }
        }
    });
    schema.sort_all_objects();
    Some(schema)
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
    let required = planned.schema_type.required_now();
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    add_facts(&planned.schema_type.merge, &mut schema);
    add_facts(&planned.schema_type.facts, &mut schema);
    if !planned.schema_type.kinds.is_empty() {
        schema
            .insert("x-kubernetes-group-version-kind".to_owned(), json!(planned.schema_type.kinds));
    }
    schema.into()
}

fn of_field(
    field: &Field,
    imports: &mut Imports,
    references: &mut References,
) -> Map<String, Value> {
    let mut schema = of_type(&field.rust_type, &field.property.items, imports, references);
    describe(&field.summary, &mut schema);
    add_default(field.property.default.as_ref(), &mut schema);
    add_facts(&field.property.merge, &mut schema);
    add_facts(&field.property.facts, &mut schema);
    schema
}

fn of_type(
    of: &RustType,
    items: &Items,
    imports: &mut Imports,
    references: &mut References,
) -> Map<String, Value> {
    let mut inner = |of: &RustType| {
        let mut schema = of_type(of, &Items::default(), imports, references);
        add_default(items.default.as_ref(), &mut schema);
        add_facts(&items.facts, &mut schema);
        Value::from(schema)
    };
    let members: Vec<(&str, Value)> = match of {
        RustType::Bool => vec![("type", "boolean".into())],
        RustType::I32 => vec![("type", "integer".into()), ("format", "int32".into())],
        RustType::I64 => vec![("type", "integer".into()), ("format", "int64".into())],
        RustType::F64 => vec![("type", "number".into()), ("format", "double".into())],
        RustType::String | RustType::OpenEnum(_) => vec![("type", "string".into())],
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
        RustType::Option(value) => return of_type(value, items, imports, references),
    };
    let members = members.into_iter();
    members.map(|(key, value)| (key.to_owned(), value)).gather()
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
