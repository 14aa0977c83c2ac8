//! The structure of the model as text: what a change of a document means, before any Rust is read.

use std::fmt::Write;

use k8s_versioned::Release;

use super::Model;
use crate::spec::{Field, ListType, Location, Merge, Operation, Releases, Type, TypeBody};

/// A line per type and per field, then a line per operation with one for its parameters, of the types and
/// operations that `select` takes by name or path.
pub fn outline(model: &Model, select: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let newest = model.releases.last().copied();
    // Writing to a string cannot fail.
    for (name, found) in model.types.iter().filter(|(name, _)| select(name)) {
        let _ = writeln!(text, "{name}{}", of_type(found, newest));
        for (name, field) in found.fields() {
            let since = since(&field.releases, &found.releases, newest);
            let _ = writeln!(text, "  {name}: {}{since}", of_field(field, newest));
        }
    }
    for (id, operation) in model.operations.iter().filter(|(_, operation)| select(&operation.path))
    {
        let _ = writeln!(text, "{id}: {}", of_operation(operation, newest));
        let query =
            operation.parameters.iter().filter(|((location, _), _)| *location == Location::Query);
        let query = query.map(|((_, name), parameter)| {
            name.clone() + &since(&parameter.releases, &operation.releases, newest)
        });
        let query: Vec<String> = query.collect();
        if !query.is_empty() {
            let _ = writeln!(text, "  query {}", query.join(", "));
        }
    }
    text
}

fn of_type(found: &Type, newest: Option<Release>) -> String {
    let value = match &found.body {
        TypeBody::Struct(_) => String::new(),
        TypeBody::Value(value) => format!(" = {value}"),
    };
    format!("{value} [{}]{}", found.releases.shown(newest), merging(&found.merge))
}

fn of_field(field: &Field, newest: Option<Release>) -> String {
    let mut text = field.value.to_string();
    if field.required_in == field.releases {
        text += ", required";
    } else if field.required() {
        let _ = write!(text, ", required [{}]", field.required_in.shown(newest));
    }
    if let Some(default) = field.default {
        let _ = write!(text, ", default {default}");
    }
    text + &merging(&field.merge)
}

fn of_operation(operation: &Operation, newest: Option<Release>) -> String {
    let Operation { method, path, releases, .. } = operation;
    let action = operation.action.map(|action| format!(", {action}")).unwrap_or_default();
    let codes: Vec<String> = operation.responses.keys().map(u16::to_string).collect();
    format!("{method} {path} [{}]{action}, {}", releases.shown(newest), codes.join(" "))
}

fn merging(merge: &Merge) -> String {
    let list = match merge.list_type {
        Some(ListType::Map) => format!(", map by {}", merge.list_map_keys.join(", ")),
        Some(other) => format!(", {other}"),
        None => String::new(),
    };
    let map = merge.map_type.map(|map_type| format!(", {map_type}")).unwrap_or_default();
    list + &map
}

/// The releases of a part, if they are not those of the whole.
fn since(part: &Releases, whole: &Releases, newest: Option<Release>) -> String {
    if part == whole { String::new() } else { format!(" [{}]", part.shown(newest)) }
}
