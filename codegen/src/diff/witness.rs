//! Objects that show a change.

use serde_json::{Map, Value as Json, json};

use super::Witness;
use crate::model::Model;
use crate::spec::{TypeBody, Value};

/// The depth of an example. Deeper required fields are empty objects.
const DEPTH: usize = 8;

/// An object without the field, which the old side accepts and the new side refuses.
pub(super) fn without_field(model: &Model, of: &str, field: &str) -> Option<Witness> {
    let object = object(model, of, field, false)?;
    let (old, new) = ("accepted", "refused");
    Some(Witness { object, old, new })
}

/// An object with the field as `model` has it.
pub(super) fn with_field(
    model: &Model,
    of: &str,
    field: &str,
    new: &'static str,
) -> Option<Witness> {
    let object = object(model, of, field, true)?;
    let old = "accepted";
    Some(Witness { object, old, new })
}

/// A small object of a kind that holds the type `of`, with the field or without it.
fn object(model: &Model, of: &str, field: &str, with: bool) -> Option<Json> {
    let kinds = model.resources.iter().map(|resource| &resource.kind);
    let mut types = kinds.filter_map(|kind| {
        let (name, _) = model.object(kind)?;
        Some((kind, name, way(model, name, of)?))
    });
    let (kind, root, way) = types.next()?;
    let mut object = example_of(model, root, 0);
    let at = dig(&mut object, model, root, &way)?;
    let members = at.as_object_mut()?;
    if with {
        let found = model.types.get(of)?.field(field)?;
        members.insert(field.to_owned(), example(model, &found.value, 0));
    } else {
        members.remove(field);
    }
    let head = object.as_object_mut()?;
    head.insert("apiVersion".to_owned(), json!(kind.api_version()));
    head.insert("kind".to_owned(), json!(kind.kind));
    let metadata = head.entry("metadata").or_insert_with(|| json!({}));
    let metadata = metadata.as_object_mut()?;
    metadata.entry("name").or_insert_with(|| json!("example"));
    Some(object)
}

/// The fields that lead from one type to another through references alone.
fn way(model: &Model, from: &str, to: &str) -> Option<Vec<String>> {
    if from == to {
        return Some(Vec::new());
    }
    let fields = model.types.get(from)?.fields();
    fields.into_iter().find_map(|(name, field)| {
        let Value::Reference(next) = &field.value else {
            return None;
        };
        let mut rest = way(model, next, to).filter(|rest| rest.len() < DEPTH)?;
        rest.insert(0, name.to_owned());
        Some(rest)
    })
}

/// The member at the end of a path of fields. Missing members are added.
fn dig<'a>(object: &'a mut Json, model: &Model, of: &str, way: &[String]) -> Option<&'a mut Json> {
    let Some((field, rest)) = way.split_first() else {
        return Some(object);
    };
    let Value::Reference(next) = &model.types.get(of)?.field(field)?.value else {
        return None;
    };
    let member = object.as_object_mut()?.entry(field.clone());
    let member = member.or_insert_with(|| example_of(model, next, 0));
    dig(member, model, next, rest)
}

/// A value of a type with its required fields and no others.
fn example_of(model: &Model, name: &str, depth: usize) -> Json {
    match model.types.get(name).map(|found| &found.body) {
        Some(TypeBody::Struct(fields)) if depth < DEPTH => {
            let required = fields.iter().filter(|(_, field)| field.required());
            let members = required
                .map(|(name, field)| (name.clone(), example(model, &field.value, depth + 1)));
            Json::Object(members.collect())
        }
        Some(TypeBody::Value(value)) if depth < DEPTH => example(model, value, depth + 1),
        _ => Json::Object(Map::new()),
    }
}

fn example(model: &Model, value: &Value, depth: usize) -> Json {
    match value {
        Value::String => json!("example"),
        Value::DateTime => json!("2026-01-02T03:04:05.000000Z"),
        Value::Bytes => json!("ZXhhbXBsZQ=="),
        Value::Integer(_) | Value::IntOrString | Value::Any => json!(1),
        Value::Number => json!(1.5),
        Value::Boolean => json!(true),
        Value::Opaque => json!({}),
        Value::List(item) => json!([example(model, item, depth)]),
        Value::Map(value) => json!({"example": example(model, value, depth)}),
        Value::Nullable(value) => example(model, value, depth),
        Value::Reference(name) => example_of(model, name, depth),
    }
}
