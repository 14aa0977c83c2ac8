//! When a row of the table applies, where the condition is longer than a line.

use serde_json::Value;

use super::keyword::Node;
use crate::definition::structural::is_plain_metadata;
use crate::formats::{Format, NumberFormat};
use k8s_cel::{Fact, Facts};

const PRESERVES: &str = "x-kubernetes-preserve-unknown-fields";

pub(super) fn has_no_type(node: &Node<'_>) -> bool {
    let needs_none = node.schema.is("x-kubernetes-int-or-string") || node.schema.is(PRESERVES);
    !node.nested && !needs_none && !node.schema.has("type")
}

pub(super) fn has_strange_type(node: &Node<'_>) -> bool {
    let name = node.schema.text("type");
    !name.is_empty()
        && !["array", "boolean", "integer", "number", "object", "string"].contains(&name)
}

pub(super) fn enum_refuses_null(node: &Node<'_>) -> bool {
    let values = node.schema.list("enum");
    node.schema.is("nullable") && !values.is_empty() && !values.contains(&Value::Null)
}

pub(super) fn enum_has_strange_value(node: &Node<'_>) -> bool {
    let fits = |value: &Value| match value {
        Value::String(_) => node.is_type(&["string"]),
        Value::Bool(_) => node.is_type(&["boolean"]),
        Value::Number(number) => {
            let whole = number.as_f64().is_some_and(|number| number.fract() == 0.0);
            node.is_type(&["number"]) || (whole && node.is_type(&["integer"]))
        }
        Value::Array(_) => node.is_type(&["array"]),
        Value::Object(_) => node.is_type(&["object"]),
        Value::Null => node.nested || node.schema.is("nullable"),
    };
    !node.schema.list("enum").iter().all(fits)
}

pub(super) fn format_is_unknown(node: &Node<'_>) -> bool {
    let name = node.schema.text("format");
    let is_known = match node.of_type {
        "" | "string" => Format::named_in(name, node.release).is_some(),
        of_type => NumberFormat::named(of_type, name).is_some(),
    };
    !name.is_empty() && !is_known
}

pub(super) fn format_is_not_checked_yet(node: &Node<'_>) -> bool {
    let format = NumberFormat::named(node.of_type, node.schema.text("format"));
    format.is_some() && !Facts::at(node.release).hold(Fact::NumberFormats)
}

pub(super) fn metadata_is_not_plain(node: &Node<'_>) -> bool {
    let metadata = node.schema.member("properties", "metadata");
    node.root && metadata.is_some_and(|metadata| !is_plain_metadata(metadata))
}

pub(super) fn requires_unknown_field(node: &Node<'_>) -> bool {
    let schema = node.schema;
    let keeps = [PRESERVES, "x-kubernetes-embedded-resource"].iter().any(|name| schema.is(name));
    let is_closed = !node.nested && !node.root && !keeps && !schema.has("additionalProperties");
    let is_unknown = |name| schema.member("properties", name).is_none();
    is_closed && node.is_type(&["object"]) && schema.texts("required").any(is_unknown)
}

pub(super) fn embedded_is_incomplete(node: &Node<'_>) -> bool {
    let schema = node.schema;
    let has_fields = schema.is(PRESERVES) || schema.has_some("properties");
    schema.is("x-kubernetes-embedded-resource") && (schema.text("type") != "object" || !has_fields)
}

pub(super) fn list_type_is_strange(node: &Node<'_>) -> bool {
    let list_type = node.schema.text("x-kubernetes-list-type");
    node.schema.text("type") != "array" || !["atomic", "set", "map"].contains(&list_type)
}

pub(super) fn set_has_open_items(node: &Node<'_>) -> bool {
    let items = node.schema.part("items");
    let is_open = items.is_some_and(|items| {
        items.text("type") == "object" && items.text("x-kubernetes-map-type") != "atomic"
    });
    node.schema.text("x-kubernetes-list-type") == "set" && is_open
}

pub(super) fn keys_are_not_fields(node: &Node<'_>) -> bool {
    let items = node.schema.part("items");
    let is_key = |key: &str| {
        let Some((items, field)) =
            items.and_then(|items| Some((items, items.member("properties", key)?)))
        else {
            return false;
        };
        let is_there = field.has("default") || items.texts("required").any(|name| name == key);
        is_there && !field.is("nullable") && !matches!(field.text("type"), "object" | "array")
    };
    let is_map = node.schema.text("x-kubernetes-list-type") == "map";
    !is_map || !node.schema.texts("x-kubernetes-list-map-keys").all(is_key)
}

pub(super) fn map_type_is_strange(node: &Node<'_>) -> bool {
    let map_type = node.schema.text("x-kubernetes-map-type");
    node.schema.text("type") != "object" || !["atomic", "granular"].contains(&map_type)
}
