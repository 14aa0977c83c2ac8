//! Schemas. The first of `$ref`, `allOf` and `type` decides the form of a schema.

use std::collections::BTreeMap;

use super::read_word::{one_of, read_kind, word};
use super::{
    DefaultValue, Dialect, Facts, Field, GroupVersionKind, Merge, Releases, Source, Type, TypeBody,
    Value, Width,
};
use crate::json::{Cursor, Fields, Value as Json};
use crate::problem::DocumentCause;

const REFERENCE: &str = "#/components/schemas/";

/// The keywords that cannot change a Rust type. They are facts of the model.
const FACTS: [&str; 23] = [
    // Servers check them. A value that breaks them still has its type, and a later release may relax them.
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
    "x-kubernetes-validations",
    // They combine checks. Structural schemas state every field and type outside of them.
    "anyOf",
    "not",
    "oneOf",
    // It says which fields exclude each other. Each of them is a field still.
    "x-kubernetes-unions",
    // Known words make an open enum, which holds any other word, too.
    "enum",
    // Texts for readers.
    "example",
    "externalDocs",
    "title",
    // It says which fields a list can select by.
    "x-kubernetes-selectable-fields",
];

/// A schema, of a type or of a field.
struct Found {
    body: TypeBody,
    default: Option<DefaultValue>,
    items: Items,
    merge: Merge,
    kinds: Vec<GroupVersionKind>,
    description: Option<String>,
    facts: Facts,
    nullable: bool,
}

/// Reads the schema of a type; `None` if it has problems, which are then reported.
pub(super) fn read_schema(name: &str, cursor: &Cursor<'_>, source: Source) -> Option<Type> {
    let Found { mut body, merge, kinds, description, facts, .. } = read_any(cursor, source)?;
    if let TypeBody::Value(Value::Opaque) = body {
        // A name for an object that has no fields so far.
        body = TypeBody::Struct(BTreeMap::new());
    }
    Some(Type {
        place: cursor.place(),
        releases: source.release.into(),
        body,
        kinds: kinds.into_iter().collect(),
        merge,
        dialect: if is_meta(name) { Dialect::BuiltIn } else { source.dialect },
        description,
        facts,
    })
}

/// Returns `true` for the types that all groups share. They are built in, whatever document has them.
pub(crate) fn is_meta(schema: &str) -> bool {
    schema.starts_with("io.k8s.apimachinery.")
}

fn read_any(cursor: &Cursor<'_>, source: Source) -> Option<Found> {
    let mut fields = cursor.fields("a schema")?;
    let description = fields.description();
    let body = read_body(&mut fields, source);
    let default = fields.take("default");
    let merge = read_merge(&mut fields);
    let kinds = fields.take("x-kubernetes-group-version-kind").and_then(|kinds| kinds.items());
    let kinds = kinds.iter().flatten().filter_map(read_kind).collect();
    let facts = FACTS.into_iter().filter_map(|key| Some((key, fields.take(key)?.to_json())));
    let facts = facts.collect();
    let nullable = fields.flag("nullable");
    fields.finish();
    let (body, items) = body?;
    let default = default.and_then(|default| read_default(&default, &body));
    Some(Found { body, default, items, merge, kinds, description, facts, nullable })
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

/// What a schema states about the items of a list or a map, beside their type.
#[derive(Default)]
struct Items {
    default: Option<DefaultValue>,
    facts: Facts,
}

/// The values that a schema describes.
type Body = (TypeBody, Items);

/// A list or a map; `cursor` is the schema of its items.
fn read_many(cursor: &Cursor<'_>, of: fn(Box<Value>) -> Value, source: Source) -> Option<Body> {
    let Found { body, default, facts, .. } = read_any(cursor, source)?;
    let value = value(body, cursor)?;
    Some((TypeBody::Value(of(Box::new(value))), Items { default, facts }))
}

fn read_body(fields: &mut Fields<'_>, source: Source) -> Option<Body> {
    let reference = fields.take("$ref");
    let all_of = fields.take("allOf");
    let of_type = fields.take("type");
    let body = match (reference, all_of, of_type) {
        (Some(reference), ..) => read_reference(&reference).map(reference_to),
        (None, Some(all_of), _) => read_all_of(&all_of),
        (None, None, Some(of_type)) => read_type(&of_type, fields, source),
        (None, None, None) => {
            read_untyped(fields).map(|value| (TypeBody::Value(value), Items::default()))
        }
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
    (TypeBody::Value(Value::Reference(name)), Items::default())
}

/// The name of the schema that a schema of nothing but a reference leads to.
pub(super) fn read_bare_reference(cursor: &Cursor<'_>, what: &'static str) -> Option<String> {
    let mut fields = cursor.fields(what)?;
    // Without it, the other keywords need no message.
    let reference = fields.require("$ref")?;
    fields.finish();
    read_reference(&reference)
}

/// Reads a schema that states no type: any value, unless a format limits it.
fn read_untyped(fields: &mut Fields<'_>) -> Option<Value> {
    let format = fields.take("format");
    if fields.flag("x-kubernetes-int-or-string") {
        return Some(Value::IntOrString);
    }
    match format {
        None => Some(Value::Any),
        Some(format) => word("format of a value without a type", &format, &["int-or-string"])
            .map(|_| Value::IntOrString),
    }
}

fn read_type(of_type: &Cursor<'_>, fields: &mut Fields<'_>, source: Source) -> Option<Body> {
    const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
    let value = match word("type", of_type, &TYPES)? {
        "string" => match fields.take("format") {
            None => Value::String,
            // The authors of custom resources may write any format: it is a hint for people then.
            Some(format) => match (format.string()?, source.dialect) {
                ("date-time", _) => Value::DateTime,
                ("byte", _) => Value::Bytes,
                (_, Dialect::Custom) => Value::String,
                _ => word("format of a string", &format, &["byte", "date-time"])
                    .map(|_| Value::String)?,
            },
        },
        "integer" => match (fields.take("format"), source.dialect) {
            (Some(format), Dialect::BuiltIn) => {
                Value::Integer(one_of("format of an integer", Some(format))?)
            }
            (Some(format), Dialect::Custom) if format.string()? == "int32" => {
                Value::Integer(Width::I32)
            }
            // JSON has no size of integers: the largest that servers keep.
            _ => Value::Integer(Width::I64),
        },
        "number" => {
            let format = fields.take("format").filter(|_| source.dialect == Dialect::BuiltIn);
            if let Some(format) = format {
                word("format of a number", &format, &["double"])?;
            }
            Value::Number
        }
        "boolean" => Value::Boolean,
        "array" => {
            return read_many(&fields.require_of("an array", "items")?, Value::List, source);
        }
        _ => return read_object(fields, source),
    };
    Some((TypeBody::Value(value), Items::default()))
}

/// Reads an object: with named fields, with values under any name, or with neither.
fn read_object(fields: &mut Fields<'_>, source: Source) -> Option<Body> {
    let properties = fields.take("properties");
    let required = fields.take("required");
    let values = fields.take("additionalProperties");
    let body = match (properties, values) {
        (Some(properties), None) => {
            TypeBody::Struct(read_properties(&properties, required, source))
        }
        (None, Some(values)) => return read_many(&values, Value::Map, source),
        (None, None) => TypeBody::Value(Value::Opaque),
        (Some(_), Some(values)) => {
            values.report(DocumentCause::FieldsAndMap);
            return None;
        }
    };
    Some((body, Items::default()))
}

fn read_properties(
    cursor: &Cursor<'_>,
    required: Option<Cursor<'_>>,
    source: Source,
) -> BTreeMap<String, Field> {
    let names = required.as_ref().map(Cursor::strings).unwrap_or_default();
    let members = cursor.members().unwrap_or_default();
    if let Some(required) = required {
        for name in names.iter().filter(|name| !members.iter().any(|(member, _)| member == name)) {
            required.report(DocumentCause::RequiredUnknown(name.clone()));
        }
    }
    let field = |(name, cursor): (&str, Cursor<'_>)| {
        let Found { body, default, items, merge, description, facts, nullable, .. } =
            read_any(&cursor, source)?;
        let rank = names.iter().position(|required| required == name);
        let field = Field {
            place: cursor.place(),
            releases: source.release.into(),
            required_in: rank.map(|_| source.release.into()).unwrap_or_default(),
            rank: rank.unwrap_or(usize::MAX),
            value: value(body, &cursor)?,
            default_in: default.as_ref().map_or_else(Releases::default, |_| source.release.into()),
            default,
            item_default: items.default,
            item_facts: items.facts,
            merge,
            description,
            facts,
            nullable,
        };
        Some((name.to_owned(), field))
    };
    members.into_iter().filter_map(field).collect()
}

fn read_default(cursor: &Cursor<'_>, body: &TypeBody) -> Option<DefaultValue> {
    use TypeBody::{Struct, Value as Of};
    let found = cursor.value();
    let fits = match found {
        Json::Object(_) => matches!(
            body,
            Struct(_) | Of(Value::Reference(_) | Value::Opaque | Value::Map(_) | Value::Any)
        ),
        Json::String(_) => !matches!(
            body,
            Struct(_)
                | Of(Value::List(_)
                    | Value::Map(_)
                    | Value::Integer(_)
                    | Value::Number
                    | Value::Boolean)
        ),
        Json::Bool(_) => matches!(body, Of(Value::Boolean | Value::Any)),
        Json::Number(_) => matches!(
            body,
            Of(Value::Integer(_)
                | Value::Number
                | Value::IntOrString
                | Value::Any
                | Value::Reference(_))
        ),
        Json::Array(_) => matches!(body, Of(Value::List(_) | Value::Any | Value::Reference(_))),
        Json::Null => false,
    };
    if !fits {
        cursor.report(DocumentCause::Default { found: found.kind() });
        return None;
    }
    Some(match found {
        Json::Object(members) if members.is_empty() => DefaultValue::EmptyObject,
        Json::String(text) if text.is_empty() => DefaultValue::EmptyString,
        Json::Bool(false) => DefaultValue::False,
        Json::Number(text) if text == "0" => DefaultValue::Zero,
        _ => DefaultValue::Other(cursor.to_json().to_string()),
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
