//! The structure of the model as text. It shows what a change of a document means without reading Rust.

use std::collections::BTreeSet;
use std::fmt::Write;

use k8s_versioned_names::Release;

use super::Model;
use crate::spec::{Field, Merge, Operation, Releases, Type, TypeBody, is_empty_object};
use crate::text::join;

/// The outline of the types and operations whose name or path `select` takes: a line for each type and field, then a
/// line for each operation and one for its parameters.
pub fn outline(model: &Model, select: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let all = &model.releases;
    // Writing to a string cannot fail.
    for (name, found) in model.types.iter().filter(|(name, _)| select(name)) {
        let _ = writeln!(text, "{name}{}", of_type(found, all));
        for (name, field) in found.fields() {
            let _ = writeln!(text, "  {name}: {}", facts(found, field, all));
        }
    }
    for (id, operation) in model.operations.iter().filter(|(_, operation)| select(&operation.path))
    {
        let _ = writeln!(text, "{id}: {}", of_operation(operation, all));
        let query = operation.query().map(|(name, parameter)| {
            name.to_owned() + &since(&parameter.releases, &operation.releases, all)
        });
        let query = join(query, ", ");
        if !query.is_empty() {
            let _ = writeln!(text, "  query {query}");
        }
    }
    text
}

fn of_type(found: &Type, all: &BTreeSet<Release>) -> String {
    let value = match &found.body {
        TypeBody::Struct(_) => String::new(),
        TypeBody::Value(value) => format!(" = {value}"),
    };
    let facts = [found.releases.shown(all)].into_iter().chain(merging(&found.merge));
    format!("{value} [{}]", join(facts, ", "))
}

/// The facts about a field in one line: type, required, default, merging, and releases.
pub fn facts(of: &Type, field: &Field, all: &BTreeSet<Release>) -> String {
    let mut facts = vec![field.value.to_string()];
    if field.required_in == field.releases {
        facts.push("required".to_owned());
    } else if field.required() {
        facts.push(format!("required {}", field.required_in.shown(all)));
    }
    facts.extend(field.default.as_ref().map(|default| {
        let bare = is_empty_object(default) || field.default_in == field.releases;
        let since = if bare { String::new() } else { format!(" {}", field.default_in.shown(all)) };
        format!("default `{default}`{since}")
    }));
    facts.extend(merging(&field.merge));
    facts.extend(field.nullable.then(|| "nullable".to_owned()));
    facts.extend(field.facts.iter().map(|(keyword, value)| format!("{keyword} `{value}`")));
    if field.releases != of.releases {
        facts.push(field.releases.shown(all));
    }
    facts.join(", ")
}

fn merging(merge: &Merge) -> Vec<String> {
    let names = ["list type", "keys", "map type", "patch strategy"];
    let facts = names.into_iter().zip(merge.facts());
    facts.filter_map(|(name, fact)| Some(format!("{name} {}", fact?))).collect()
}

fn of_operation(operation: &Operation, all: &BTreeSet<Release>) -> String {
    let Operation { method, path, releases, .. } = operation;
    let action = operation.action.map(|action| format!(", {action}")).unwrap_or_default();
    let codes = join(operation.responses.keys(), " ");
    format!("{method} {path} [{}]{action}, {codes}", releases.shown(all))
}

/// The releases of a part, if they differ from the releases of the whole.
fn since(part: &Releases, whole: &Releases, all: &BTreeSet<Release>) -> String {
    if part == whole { String::new() } else { format!(" [{}]", part.shown(all)) }
}
