//! The structure of the model as text. It shows what a change of a document means without reading Rust.

use std::fmt::Write;

use super::Model;
use crate::spec::{
    Facts, MERGE, Operation, Property, Releases, Type, TypeBody, is_empty_object, merge_text,
};
use crate::text::join;

/// The outline of the types and operations whose name or path `select` takes: a line for each type and property, then a
/// line for each operation and one for its parameters.
pub(crate) fn outline(model: &Model, select: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let all = &model.releases;
    // Writing to a string cannot fail.
    for (name, ty) in model.types.iter().filter(|(name, _)| select(name)) {
        let _ = writeln!(text, "{name}{}", of_type(ty, all));
        for (name, property) in ty.properties() {
            let _ = writeln!(text, "  {name}: {}", facts(ty, property, all));
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

fn of_type(ty: &Type, all: &Releases) -> String {
    let value = match &ty.body {
        TypeBody::Struct(_) => String::new(),
        TypeBody::Value(value) => format!(" = {value}"),
    };
    let facts = [ty.releases.shown(all)].into_iter().chain(merging(&ty.merge));
    format!("{value} [{}]", join(facts, ", "))
}

/// The facts about a property in one line: type, required, default, merging, and releases.
pub(crate) fn facts(of: &Type, property: &Property, all: &Releases) -> String {
    let mut facts = vec![property.value.to_string()];
    if property.required_in == property.releases {
        facts.push("required".to_owned());
    } else if property.required() {
        facts.push(format!("required {}", property.required_in.shown(all)));
    }
    facts.extend(property.default.as_ref().map(|default| {
        let bare = is_empty_object(default) || property.default_in == property.releases;
        let since =
            if bare { String::new() } else { format!(" {}", property.default_in.shown(all)) };
        format!("default `{default}`{since}")
    }));
    facts.extend(merging(&property.merge));
    facts.extend(property.nullable.then(|| "nullable".to_owned()));
    facts.extend(property.facts.iter().map(|(keyword, value)| format!("{keyword} `{value}`")));
    if property.releases != of.releases {
        facts.push(property.releases.shown(all));
    }
    facts.join(", ")
}

fn merging(merge: &Facts) -> impl Iterator<Item = String> {
    let names = ["list type", "keys", "map type", "patch strategy"];
    let facts = names.into_iter().zip(MERGE);
    facts.filter_map(|(name, of)| Some(format!("{name} {}", merge_text(merge, of)?)))
}

fn of_operation(operation: &Operation, all: &Releases) -> String {
    let Operation { method, path, releases, .. } = operation;
    let action = operation.action.map(|action| format!(", {}", action.name())).unwrap_or_default();
    let codes = join(operation.responses.keys(), " ");
    format!("{method} {path} [{}]{action}, {codes}", releases.shown(all))
}

/// The releases of a part, if they differ from the releases of the whole.
fn since(part: &Releases, whole: &Releases, all: &Releases) -> String {
    if part == whole { String::new() } else { format!(" [{}]", part.shown(all)) }
}
