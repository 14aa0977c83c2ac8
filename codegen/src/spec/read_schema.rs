//! Schemas. Which form a schema has is decided by the first of `$ref`, `allOf` and `type` that it has.

use super::{Default, GroupVersionKind, ListType, MapType, Merge, Property, Schema, Shape, Width};
use crate::Problems;
use crate::json::{Cursor, Fields, Value};
use crate::problem::Cause;

const SCHEMA: &str = "a schema";
const REFERENCE: &str = "#/components/schemas/";

/// Reads a schema; nothing if there is none to be made of it, which is then reported.
pub(super) fn read_schema(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Schema> {
    let mut fields = cursor.fields(problems)?;
    let shape = read_shape(&mut fields, problems);
    let default = fields.take("default");
    let merge = read_merge(&mut fields, problems);
    let kinds = fields
        .take("x-kubernetes-group-version-kind")
        .map(|kinds| read_kinds(&kinds, problems));
    fields.finish(SCHEMA, problems);
    let shape = shape?;
    let default = default.and_then(|default| read_default(&default, &shape, problems));
    Some(Schema {
        place: cursor.place(),
        shape,
        default,
        merge,
        kinds: kinds.unwrap_or_default(),
    })
}

fn read_shape(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Shape> {
    let reference = fields.take("$ref");
    let all_of = fields.take("allOf");
    let of_type = fields.take("type");
    let shape = if let Some(reference) = reference {
        read_reference(&reference, problems).map(Shape::Reference)
    } else if let Some(all_of) = all_of {
        read_all_of(&all_of, problems)
    } else if let Some(of_type) = of_type {
        read_type(&of_type, fields, problems)
    } else {
        let whole = fields.whole().clone();
        whole.report(
            Cause::MissingKeyword {
                keyword: "type",
                of: SCHEMA,
            },
            problems,
        );
        None
    };
    if shape.is_none() {
        // Said what is wrong already: the rest of this schema is not worth a message of its own.
        for keyword in [
            "format",
            "items",
            "properties",
            "required",
            "additionalProperties",
        ] {
            fields.take(keyword);
        }
    }
    shape
}

/// The name of the schema that a reference leads to.
fn read_reference(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<String> {
    let target = cursor.string(problems)?;
    let name = target
        .strip_prefix(REFERENCE)
        .filter(|name| !name.is_empty() && !name.contains('/'));
    if name.is_none() {
        cursor.report(Cause::ForeignReference(target.to_owned()), problems);
    }
    name.map(str::to_owned)
}

/// `allOf` with one reference is how the documents attach a default to a reference.
fn read_all_of(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<Shape> {
    let items = cursor.items(problems)?;
    let [only] = items.as_slice() else {
        cursor.report(
            Cause::AllOf {
                schemas: items.len(),
            },
            problems,
        );
        return None;
    };
    read_bare_reference(only, "the schema in `allOf`", problems).map(Shape::Reference)
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
) -> Option<Shape> {
    match cursor.string(problems)? {
        "string" => read_string(fields, problems),
        "integer" => read_integer(fields, problems),
        "number" => read_number(fields, problems),
        "boolean" => Some(Shape::Boolean),
        "array" => {
            let items = fields.require("items", "an array", problems)?;
            read_schema(&items, problems).map(|schema| Shape::List(Box::new(schema)))
        }
        "object" => read_object(fields, problems),
        other => {
            let understood = ["array", "boolean", "integer", "number", "object", "string"];
            cursor.report(
                Cause::unknown("type", other.to_owned(), understood),
                problems,
            );
            None
        }
    }
}

fn read_string(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Shape> {
    let Some(format) = fields.take("format") else {
        return Some(Shape::String);
    };
    match format.string(problems)? {
        "date-time" => Some(Shape::DateTime),
        other => {
            format.report(
                Cause::unknown("format of a string", other.to_owned(), ["date-time"]),
                problems,
            );
            None
        }
    }
}

fn read_integer(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Shape> {
    let format = fields.require("format", "an integer", problems)?;
    match format.string(problems)? {
        "int32" => Some(Shape::Integer(Width::I32)),
        "int64" => Some(Shape::Integer(Width::I64)),
        other => {
            let understood = ["int32", "int64"];
            format.report(
                Cause::unknown("format of an integer", other.to_owned(), understood),
                problems,
            );
            None
        }
    }
}

fn read_number(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Shape> {
    let format = fields.require("format", "a number", problems)?;
    match format.string(problems)? {
        "double" => Some(Shape::Number),
        other => {
            format.report(
                Cause::unknown("format of a number", other.to_owned(), ["double"]),
                problems,
            );
            None
        }
    }
}

/// An object has named fields, or values under any name, or nothing is said about it.
fn read_object(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Shape> {
    let properties = fields.take("properties");
    let required = fields.take("required");
    let values = fields.take("additionalProperties");
    match (properties, values) {
        (Some(properties), None) => Some(Shape::Struct(read_properties(
            &properties,
            required,
            problems,
        ))),
        (None, Some(values)) => {
            read_schema(&values, problems).map(|schema| Shape::Map(Box::new(schema)))
        }
        (None, None) => Some(Shape::Opaque),
        (Some(_), Some(values)) => {
            values.report(Cause::FieldsAndMap, problems);
            None
        }
    }
}

fn read_properties(
    cursor: &Cursor<'_>,
    required: Option<Cursor<'_>>,
    problems: &mut Problems,
) -> Vec<Property> {
    let names = required
        .as_ref()
        .map(|required| required.strings(problems))
        .unwrap_or_default();
    let members = cursor.members(problems).unwrap_or_default();
    if let Some(required) = required {
        for name in names
            .iter()
            .filter(|name| !members.iter().any(|(member, _)| member == name))
        {
            required.report(Cause::RequiredUnknown(name.clone()), problems);
        }
    }
    let property = |(name, cursor): (&str, Cursor<'_>)| {
        let schema = read_schema(&cursor, problems)?;
        Some(Property {
            name: name.to_owned(),
            schema,
            required: names.iter().position(|required| required == name),
        })
    };
    members.into_iter().filter_map(property).collect()
}

fn read_default(cursor: &Cursor<'_>, shape: &Shape, problems: &mut Problems) -> Option<Default> {
    let default = match (cursor.value(), shape) {
        (
            Value::Object(members),
            Shape::Reference(_) | Shape::Struct(_) | Shape::Opaque | Shape::Map(_),
        ) if members.is_empty() => Default::EmptyObject,
        (Value::String(text), Shape::String | Shape::Reference(_)) if text.is_empty() => {
            Default::EmptyString
        }
        (Value::Bool(false), Shape::Boolean) => Default::False,
        (Value::Number(text), Shape::Integer(_) | Shape::Number) if text == "0" => Default::Zero,
        (other, _) => {
            cursor.report(
                Cause::Default {
                    found: other.kind(),
                },
                problems,
            );
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
    let list_types = [
        ("atomic", ListType::Atomic),
        ("map", ListType::Map),
        ("set", ListType::Set),
    ];
    let map_types = [("atomic", MapType::Atomic), ("granular", MapType::Granular)];
    let strategies = [
        ("merge", ()),
        ("replace", ()),
        ("merge,retainKeys", ()),
        ("retainKeys", ()),
    ];
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
pub(super) fn one_of<T: Copy>(
    what: &'static str,
    cursor: &Cursor<'_>,
    known: &[(&'static str, T)],
    problems: &mut Problems,
) -> Option<T> {
    let found = cursor.string(problems)?;
    let value = known
        .iter()
        .find(|(name, _)| *name == found)
        .map(|(_, value)| *value);
    if value.is_none() {
        let names = known.iter().map(|(name, _)| *name);
        cursor.report(Cause::unknown(what, found.to_owned(), names), problems);
    }
    value
}

fn read_kinds(cursor: &Cursor<'_>, problems: &mut Problems) -> Vec<GroupVersionKind> {
    let items = cursor.items(problems).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| read_kind(item, problems))
        .collect()
}

/// Reads a group, version and kind.
pub(super) fn read_kind(cursor: &Cursor<'_>, problems: &mut Problems) -> Option<GroupVersionKind> {
    const KIND: &str = "a group-version-kind";
    let mut fields = cursor.fields(problems)?;
    let mut text = |key| {
        fields
            .require(key, KIND, problems)?
            .string(problems)
            .map(str::to_owned)
    };
    let (group, version, kind) = (text("group"), text("version"), text("kind"));
    fields.finish(KIND, problems);
    Some(GroupVersionKind {
        group: group?,
        version: version?,
        kind: kind?,
    })
}
