//! Schemas. The first of `$ref`, `allOf` and `type` decides the form of a schema.

use std::collections::BTreeMap;

use k8s_versioned_names::Release;

use super::read_word::{one_of, read_kind, word};
use super::{DefaultValue, Field, GroupVersionKind, Merge, Type, TypeBody, Value};
use crate::json::{Cursor, Fields, Value as Json};
use crate::problem::DocumentCause;

const REFERENCE: &str = "#/components/schemas/";

/// A schema, of a type or of a field.
struct Found {
    body: TypeBody,
    default: Option<DefaultValue>,
    item_default: Option<DefaultValue>,
    merge: Merge,
    kinds: Vec<GroupVersionKind>,
}

/// Reads the schema of a type; `None` if it has problems, which are then reported.
pub(super) fn read_schema(cursor: &Cursor<'_>, release: Release) -> Option<Type> {
    let Found { body, merge, kinds, .. } = read_any(cursor, release)?;
    let kinds = kinds.into_iter().collect();
    Some(Type { place: cursor.place(), releases: release.into(), body, kinds, merge })
}

fn read_any(cursor: &Cursor<'_>, release: Release) -> Option<Found> {
    let mut fields = cursor.fields("a schema")?;
    let body = read_body(&mut fields, release);
    let default = fields.take("default");
    let merge = read_merge(&mut fields);
    let kinds = fields.take("x-kubernetes-group-version-kind").and_then(|kinds| kinds.items());
    let kinds = kinds.iter().flatten().filter_map(read_kind).collect();
    fields.finish();
    let (body, item_default) = body?;
    let default = default.and_then(|default| read_default(&default, &body));
    Some(Found { body, default, item_default, merge, kinds })
}

/// The value that the schema of a field or an item describes. An object with fields would be a type without a name: it
/// is refused.
fn value(body: TypeBody, cursor: &Cursor<'_>) -> Option<Value> {
    match body {
        TypeBody::Value(value) => Some(value),
        TypeBody::Struct(_) => {
            cursor.report(DocumentCause::InlineStruct);
            None
        }
    }
}

/// The values that a schema describes, and the default of its items.
type Body = (TypeBody, Option<DefaultValue>);

/// A list or a map; `cursor` is the schema of its items.
fn read_many(cursor: &Cursor<'_>, of: fn(Box<Value>) -> Value, release: Release) -> Option<Body> {
    let items = read_any(cursor, release)?;
    let value = value(items.body, cursor)?;
    Some((TypeBody::Value(of(Box::new(value))), items.default))
}

fn read_body(fields: &mut Fields<'_>, release: Release) -> Option<Body> {
    let reference = fields.take("$ref");
    let all_of = fields.take("allOf");
    let of_type = match (&reference, &all_of) {
        (None, None) => fields.require("type"),
        _ => fields.take("type"),
    };
    let body = match (reference, all_of) {
        (Some(reference), _) => read_reference(&reference).map(reference_to),
        (None, Some(all_of)) => read_all_of(&all_of),
        (None, None) => of_type.and_then(|of_type| read_type(&of_type, fields, release)),
    };
    if body.is_none() {
        // The problem is reported already: the rest of this schema needs no message.
        for keyword in ["format", "items", "properties", "required", "additionalProperties"] {
            fields.take(keyword);
        }
    }
    body
}

/// The name of the schema that a reference leads to.
fn read_reference(cursor: &Cursor<'_>) -> Option<String> {
    let target = cursor.string()?;
    let name =
        target.strip_prefix(REFERENCE).filter(|name| !name.is_empty() && !name.contains('/'));
    if name.is_none() {
        cursor.report(DocumentCause::ForeignReference(target.to_owned()));
    }
    name.map(str::to_owned)
}

/// Reads `allOf` with one reference: in this form the documents give a reference a default.
fn read_all_of(cursor: &Cursor<'_>) -> Option<Body> {
    let items = cursor.items()?;
    let [only] = items.as_slice() else {
        cursor.report(DocumentCause::AllOf { schemas: items.len() });
        return None;
    };
    read_bare_reference(only, "the schema in `allOf`").map(reference_to)
}

fn reference_to(name: String) -> Body {
    (TypeBody::Value(Value::Reference(name)), None)
}

/// The name of the schema that a schema of nothing but a reference leads to.
pub(super) fn read_bare_reference(cursor: &Cursor<'_>, what: &'static str) -> Option<String> {
    let mut fields = cursor.fields(what)?;
    // Without it, the other keywords need no message.
    let reference = fields.require("$ref")?;
    fields.finish();
    read_reference(&reference)
}

fn read_type(of_type: &Cursor<'_>, fields: &mut Fields<'_>, release: Release) -> Option<Body> {
    const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
    let value = match word("type", of_type, &TYPES)? {
        "string" => match fields.take("format") {
            None => Value::String,
            Some(format) => {
                word("format of a string", &format, &["date-time"]).map(|_| Value::DateTime)?
            }
        },
        "integer" => {
            let format = fields.require_of("an integer", "format");
            Value::Integer(one_of("format of an integer", format)?)
        }
        "number" => {
            let format = fields.require_of("a number", "format")?;
            word("format of a number", &format, &["double"]).map(|_| Value::Number)?
        }
        "boolean" => Value::Boolean,
        "array" => {
            return read_many(&fields.require_of("an array", "items")?, Value::List, release);
        }
        _ => return read_object(fields, release),
    };
    Some((TypeBody::Value(value), None))
}

/// Reads an object: with named fields, with values under any name, or with neither.
fn read_object(fields: &mut Fields<'_>, release: Release) -> Option<Body> {
    let properties = fields.take("properties");
    let required = fields.take("required");
    let values = fields.take("additionalProperties");
    let body = match (properties, values) {
        (Some(properties), None) => {
            TypeBody::Struct(read_properties(&properties, required, release))
        }
        (None, Some(values)) => return read_many(&values, Value::Map, release),
        (None, None) => TypeBody::Value(Value::Opaque),
        (Some(_), Some(values)) => {
            values.report(DocumentCause::FieldsAndMap);
            return None;
        }
    };
    Some((body, None))
}

fn read_properties(
    cursor: &Cursor<'_>,
    required: Option<Cursor<'_>>,
    release: Release,
) -> BTreeMap<String, Field> {
    let names = required.as_ref().map(Cursor::strings).unwrap_or_default();
    let members = cursor.members().unwrap_or_default();
    if let Some(required) = required {
        for name in names.iter().filter(|name| !members.iter().any(|(member, _)| member == name)) {
            required.report(DocumentCause::RequiredUnknown(name.clone()));
        }
    }
    let field = |(name, cursor): (&str, Cursor<'_>)| {
        let Found { body, default, item_default, merge, .. } = read_any(&cursor, release)?;
        let rank = names.iter().position(|required| required == name);
        let field = Field {
            place: cursor.place(),
            releases: release.into(),
            required_in: rank.map(|_| release.into()).unwrap_or_default(),
            rank: rank.unwrap_or(usize::MAX),
            value: value(body, &cursor)?,
            default,
            item_default,
            merge,
        };
        Some((name.to_owned(), field))
    };
    members.into_iter().filter_map(field).collect()
}

fn read_default(cursor: &Cursor<'_>, body: &TypeBody) -> Option<DefaultValue> {
    use TypeBody::{Struct, Value as Of};
    Some(match (cursor.value(), body) {
        (
            Json::Object(members),
            Struct(_) | Of(Value::Reference(_) | Value::Opaque | Value::Map(_)),
        ) if members.is_empty() => DefaultValue::EmptyObject,
        (Json::String(text), Of(Value::String | Value::Reference(_))) if text.is_empty() => {
            DefaultValue::EmptyString
        }
        (Json::Bool(false), Of(Value::Boolean)) => DefaultValue::False,
        (Json::Number(text), Of(Value::Integer(_) | Value::Number)) if text == "0" => {
            DefaultValue::Zero
        }
        (other, _) => {
            cursor.report(DocumentCause::Default { found: other.kind() });
            return None;
        }
    })
}

fn read_merge(fields: &mut Fields<'_>) -> Merge {
    const STRATEGIES: [&str; 4] = ["merge", "replace", "merge,retainKeys", "retainKeys"];
    let list_type = one_of("list type", fields.take("x-kubernetes-list-type"));
    let list_map_keys = fields.take("x-kubernetes-list-map-keys").map(|keys| keys.strings());
    let map_type = one_of("map type", fields.take("x-kubernetes-map-type"));
    let strategy = fields.take("x-kubernetes-patch-strategy");
    let strategy = strategy.and_then(|it| word("patch strategy", &it, &STRATEGIES));
    let merge_key = fields.take("x-kubernetes-patch-merge-key").and_then(|key| key.string());
    Merge {
        list_type,
        list_map_keys: list_map_keys.unwrap_or_default(),
        map_type,
        patch_strategy: strategy.map(str::to_owned),
        patch_merge_key: merge_key.map(str::to_owned),
    }
}
