//! Schemas. Which form a schema has is decided by the first of `$ref`, `allOf` and `type` that it has.

use super::{
    DefaultValue, GroupVersionKind, ListType, MapType, Merge, Property, Schema, SchemaBody, Value,
    Width,
};
use crate::Problems;
use crate::json::{Cursor, Fields, Value as Json};
use crate::problem::Cause;

const SCHEMA: &str = "a schema";
const REFERENCE: &str = "#/components/schemas/";

/// A schema, of a type or of a field.
struct Found {
    body: SchemaBody,
    default: Option<DefaultValue>,
    item_default: Option<DefaultValue>,
    merge: Merge,
    kinds: Vec<GroupVersionKind>,
}

/// Reads the schema of a type; nothing if there is none to be made of it, which is then reported.
pub(super) fn read_schema(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Schema> {
    let found = read_any(cursor, problems)?;
    Some(Schema { place: cursor.place(), body: found.body, merge: found.merge, kinds: found.kinds })
}

fn read_any(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Found> {
    let mut fields = cursor.fields(problems)?;
    let body = read_body(&mut fields, problems);
    let default = fields.take("default");
    let merge = read_merge(&mut fields, problems);
    let kinds =
        fields.take("x-kubernetes-group-version-kind").map(|kinds| read_kinds(&kinds, problems));
    fields.finish(SCHEMA, problems);
    let (body, item_default) = body?;
    let default = default.and_then(|default| read_default(&default, &body, problems));
    Some(Found { body, default, item_default, merge, kinds: kinds.unwrap_or_default() })
}

/// The value that the schema of a field or an item describes: no object with fields, which would be a type without a
/// name.
fn value(body: SchemaBody, cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Value> {
    match body {
        SchemaBody::Value(value) => Some(value),
        SchemaBody::Struct(_) => {
            cursor.report(Cause::InlineStruct, problems);
            None
        }
    }
}

/// What a schema describes, and the default of its items.
type Body = (SchemaBody, Option<DefaultValue>);

/// A list or a map of what `cursor` describes.
fn read_many(
    cursor: &Cursor<'_>,
    of: fn(Box<Value>) -> Value,
    problems: &mut Problems,
) -> Option<Body> {
    let items = read_any(cursor, problems)?;
    let value = value(items.body, cursor, problems)?;
    Some((SchemaBody::Value(of(Box::new(value))), items.default))
}

fn read_body(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Body> {
    let reference = fields.take("$ref");
    let all_of = fields.take("allOf");
    let of_type = fields.take("type");
    let body = if let Some(reference) = reference {
        read_reference(&reference, problems).map(reference_to)
    } else if let Some(all_of) = all_of {
        read_all_of(&all_of, problems)
    } else if let Some(of_type) = of_type {
        read_type(&of_type, fields, problems)
    } else {
        let whole = fields.whole().clone();
        whole.report(Cause::MissingKeyword { keyword: "type", of: SCHEMA }, problems);
        None
    };
    if body.is_none() {
        // Said what is wrong already: the rest of this schema is not worth a message of its own.
        for keyword in ["format", "items", "properties", "required", "additionalProperties"] {
            fields.take(keyword);
        }
    }
    body
}

/// The name of the schema that a reference leads to.
fn read_reference(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<String> {
    let target = cursor.string(problems)?;
    let name =
        target.strip_prefix(REFERENCE).filter(|name| !name.is_empty() && !name.contains('/'));
    if name.is_none() {
        cursor.report(Cause::ForeignReference(target.to_owned()), problems);
    }
    name.map(str::to_owned)
}

/// `allOf` with one reference is how the documents attach a default to a reference.
fn read_all_of(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Body> {
    let items = cursor.items(problems)?;
    let [only] = items.as_slice() else {
        cursor.report(Cause::AllOf { schemas: items.len() }, problems);
        return None;
    };
    read_bare_reference(only, "the schema in `allOf`", problems).map(reference_to)
}

fn reference_to(name: String) -> Body {
    (SchemaBody::Value(Value::Reference(name)), None)
}

/// The name of the schema that a schema of nothing but a reference leads to.
pub(super) fn read_bare_reference(
    cursor: &Cursor<'_>,
    of: &'static str,
    problems: &mut Problems,
) -> Option<String> {
    let mut fields = cursor.fields(problems)?;
    // Without it, whatever else is there needs no message of its own.
    let reference = fields.require("$ref", of, problems)?;
    fields.finish(of, problems);
    read_reference(&reference, problems)
}

fn read_type(
    cursor: &Cursor<'_>,
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) -> Option<Body> {
    let value = match cursor.string(problems)? {
        "string" => match fields.take("format") {
            None => Value::String,
            Some(format) => {
                let known = [("date-time", Value::DateTime)];
                one_of("format of a string", &format, &known, problems)?
            }
        },
        "integer" => {
            let format = fields.require("format", "an integer", problems)?;
            let known = [("int32", Width::I32), ("int64", Width::I64)];
            Value::Integer(one_of("format of an integer", &format, &known, problems)?)
        }
        "number" => {
            let format = fields.require("format", "a number", problems)?;
            let known = [("double", Value::Number)];
            one_of("format of a number", &format, &known, problems)?
        }
        "boolean" => Value::Boolean,
        "array" => {
            let items = fields.require("items", "an array", problems)?;
            return read_many(&items, Value::List, problems);
        }
        "object" => return read_object(fields, problems),
        other => {
            let understood = ["array", "boolean", "integer", "number", "object", "string"];
            cursor.report(Cause::unknown("type", other.to_owned(), understood), problems);
            return None;
        }
    };
    Some((SchemaBody::Value(value), None))
}

/// An object has named fields, or values under any name, or nothing is said about it.
fn read_object(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Body> {
    let properties = fields.take("properties");
    let required = fields.take("required");
    let values = fields.take("additionalProperties");
    let body = match (properties, values) {
        (Some(properties), None) => {
            SchemaBody::Struct(read_properties(&properties, required, problems))
        }
        (None, Some(values)) => return read_many(&values, Value::Map, problems),
        (None, None) => SchemaBody::Value(Value::Opaque),
        (Some(_), Some(values)) => {
            values.report(Cause::FieldsAndMap, problems);
            return None;
        }
    };
    Some((body, None))
}

fn read_properties(
    cursor: &Cursor<'_>,
    required: Option<Cursor<'_>>,
    problems: &mut Problems,
) -> Vec<Property> {
    let names = required.as_ref().map(|required| required.strings(problems)).unwrap_or_default();
    let members = cursor.members(problems).unwrap_or_default();
    if let Some(required) = required {
        for name in names.iter().filter(|name| !members.iter().any(|(member, _)| member == name)) {
            required.report(Cause::RequiredUnknown(name.clone()), problems);
        }
    }
    let property = |(name, cursor): (&str, Cursor<'_>)| {
        let found = read_any(&cursor, problems)?;
        Some(Property {
            place: cursor.place(),
            name: name.to_owned(),
            value: value(found.body, &cursor, problems)?,
            required: names.iter().position(|required| required == name),
            default: found.default,
            item_default: found.item_default,
            merge: found.merge,
        })
    };
    members.into_iter().filter_map(property).collect()
}

fn read_default(
    cursor: &Cursor<'_>,
    body: &SchemaBody,
    problems: &mut Problems,
) -> Option<DefaultValue> {
    use SchemaBody::{Struct, Value as Of};
    let default = match (cursor.value(), body) {
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
            cursor.report(Cause::Default { found: other.kind() }, problems);
            return None;
        }
    };
    Some(default)
}

fn read_merge(fields: &mut Fields<'_>, problems: &mut Problems) -> Merge {
    let list_type = fields.take("x-kubernetes-list-type");
    let keys = fields.take("x-kubernetes-list-map-keys");
    let map_type = fields.take("x-kubernetes-map-type");
    let strategy = fields.take("x-kubernetes-patch-strategy");
    let merge_key = fields.take("x-kubernetes-patch-merge-key");
    let list_types = [("atomic", ListType::Atomic), ("map", ListType::Map), ("set", ListType::Set)];
    let map_types = [("atomic", MapType::Atomic), ("granular", MapType::Granular)];
    let strategies = [("merge", ()), ("replace", ()), ("merge,retainKeys", ()), ("retainKeys", ())];
    Merge {
        list_type: list_type.and_then(|cursor| one_of("list type", &cursor, &list_types, problems)),
        list_map_keys: keys.map(|keys| keys.strings(problems)).unwrap_or_default(),
        map_type: map_type.and_then(|cursor| one_of("map type", &cursor, &map_types, problems)),
        patch_strategy: strategy.and_then(|cursor| {
            one_of("patch strategy", &cursor, &strategies, problems)?;
            cursor.string(problems).map(str::to_owned)
        }),
        patch_merge_key: merge_key.and_then(|key| key.string(problems).map(str::to_owned)),
    }
}

/// The value that `cursor` names, one of `known`.
pub(super) fn one_of<T: Clone>(
    what: &'static str,
    cursor: &Cursor<'_>,
    known: &[(&'static str, T)],
    problems: &mut Problems,
) -> Option<T> {
    let found = cursor.string(problems)?;
    let value = known.iter().find(|(name, _)| *name == found).map(|(_, value)| value.clone());
    if value.is_none() {
        let names = known.iter().map(|(name, _)| *name);
        cursor.report(Cause::unknown(what, found.to_owned(), names), problems);
    }
    value
}

fn read_kinds(cursor: &Cursor<'_>, problems: &mut Problems) -> Vec<GroupVersionKind> {
    let items = cursor.items(problems).unwrap_or_default();
    items.iter().filter_map(|item| read_kind(item, problems)).collect()
}

/// Reads a group, version and kind.
pub(super) fn read_kind(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<GroupVersionKind> {
    const KIND: &str = "a group-version-kind";
    let mut fields = cursor.fields(problems)?;
    let mut text = |key| fields.require(key, KIND, problems)?.string(problems).map(str::to_owned);
    let (group, version, kind) = (text("group"), text("version"), text("kind"));
    fields.finish(KIND, problems);
    Some(GroupVersionKind { group: group?, version: version?, kind: kind? })
}
