//! Parts of a definition as messages show them: the server's internal types as JSON, with the names of Go.

use serde_json::Value;

use super::shape::{JSON_SCHEMA, Shape, Struct};
use crate::go;

/// A value as JSON with the names of its type's fields in Go.
pub(super) fn dump(value: &Value, shape: &Struct) -> String {
    let mut text = String::new();
    write_struct(value, shape, &mut text);
    text
}

/// The `items` of a schema, which can be a list of schemas.
pub(super) fn dump_items(items: &Value) -> String {
    let mut text = String::new();
    write(Some(items), &Shape::SchemaOrList, &mut text);
    text
}

/// A list of values as JSON.
pub(super) fn dump_list(values: &[Value], shape: &Struct) -> String {
    let items: Vec<_> = values.iter().map(|value| dump(value, shape)).collect();
    format!("[{}]", items.join(","))
}

fn write_struct(value: &Value, shape: &Struct, text: &mut String) {
    text.push('{');
    for (at, field) in shape.fields.iter().filter(|field| !field.go.is_empty()).enumerate() {
        text.push_str(if at > 0 { ",\"" } else { "\"" });
        text.push_str(field.go);
        text.push_str("\":");
        write(value.get(field.name), &field.shape, text);
    }
    text.push('}');
}

fn write(value: Option<&Value>, shape: &Shape, text: &mut String) {
    let Some(value) = value.filter(|value| !value.is_null()) else {
        return text.push_str(match shape {
            Shape::Text => "\"\"",
            Shape::Flag => "false",
            Shape::Integer(32) => "0",
            _ => "null",
        });
    };
    match shape {
        Shape::Struct(inner) => write_struct(value, inner, text),
        Shape::Schema => write_struct(value, &JSON_SCHEMA, text),
        Shape::List(inner) => write_list(value, inner, text),
        Shape::Map(inner) => write_map(value, inner, text),
        Shape::SchemaOrFlag => {
            let allows = value != &Value::Bool(false);
            text.push_str(if allows {
                "{\"Allows\":true,\"Schema\":"
            } else {
                "{\"Allows\":false,\"Schema\":"
            });
            write_schema(value, text);
            text.push('}');
        }
        Shape::SchemaOrList | Shape::SchemaOrTexts => {
            let texts = matches!(shape, Shape::SchemaOrTexts);
            text.push_str("{\"Schema\":");
            write_schema(value, text);
            text.push_str(if texts { ",\"Property\":" } else { ",\"JSONSchemas\":" });
            write_list(value, if texts { &Shape::Text } else { &Shape::Schema }, text);
            text.push('}');
        }
        _ => text.push_str(&go::json(value)),
    }
}

fn write_schema(value: &Value, text: &mut String) {
    if value.is_object() { write_struct(value, &JSON_SCHEMA, text) } else { text.push_str("null") }
}

fn write_list(value: &Value, inner: &Shape, text: &mut String) {
    let Some(items) = value.as_array() else {
        return text.push_str("null");
    };
    text.push('[');
    for (at, item) in items.iter().enumerate() {
        text.push_str(if at > 0 { "," } else { "" });
        write(Some(item), inner, text);
    }
    text.push(']');
}

fn write_map(value: &Value, inner: &Shape, text: &mut String) {
    let Some(members) = value.as_object() else {
        return text.push_str("null");
    };
    text.push('{');
    for (at, (key, member)) in members.iter().enumerate() {
        text.push_str(if at > 0 { "," } else { "" });
        text.push_str(&go::json(&Value::from(key.as_str())));
        text.push(':');
        write(Some(member), inner, text);
    }
    text.push('}');
}
