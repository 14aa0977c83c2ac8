//! Drops the fields that a schema does not have.

use serde_json::{Map, Value};

use crate::path::{Path, UnknownFields};
use crate::schema::{Member, Schema};

/// Returns `true` for the fields of an embedded object that are never unknown.
fn is_meta_field(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

/// Drops the fields of a value that its schema does not have; without a schema, all. The paths of dropped fields are
/// noted. `embedded` says that the value is an object with a type and metadata.
pub(crate) fn prune(
    value: &mut Value,
    schema: Option<&Schema>,
    embedded: bool,
    unknown: &mut UnknownFields,
) {
    prune_value(value, schema, embedded, Path::Root, unknown);
}

/// Drops the unknown fields of the defaults in a schema, as servers do when they read the schema.
pub(crate) fn prune_defaults(schema: &mut Schema) {
    schema.for_each_mut(&mut |schema| {
        if let Some(mut default) = schema.default.take() {
            prune(&mut default, Some(schema), schema.embedded, &mut UnknownFields::Ignored);
            schema.default = Some(default);
        }
    });
}

fn prune_value(
    value: &mut Value,
    schema: Option<&Schema>,
    embedded: bool,
    path: Path<'_>,
    unknown: &mut UnknownFields,
) {
    match (value, schema) {
        (Value::Object(members), Some(schema)) => {
            prune_members(members, schema, embedded, path, unknown);
        }
        (Value::Object(members), None) => {
            members.keys().for_each(|name| note(path.field(name), unknown));
            members.clear();
        }
        (Value::Array(items), schema) => {
            let preserves = schema.is_some_and(|schema| schema.preserves);
            let schema = schema.and_then(|schema| schema.items.as_deref());
            // Everything below a list without a schema for its items stays.
            if preserves && schema.is_none() {
                return;
            }
            let embedded = schema.is_some_and(|schema| schema.embedded);
            let next = if preserves { preserve_value } else { prune_value };
            for (at, item) in items.iter_mut().enumerate() {
                next(item, schema, embedded, path.index(at), unknown);
            }
        }
        _ => {}
    }
}

/// Prunes an item of a list whose unknown fields stay: unknown fields of the item stay, but not those inside of fields that the
/// schema describes.
fn preserve_value(
    value: &mut Value,
    schema: Option<&Schema>,
    embedded: bool,
    path: Path<'_>,
    unknown: &mut UnknownFields,
) {
    let Some(schema) = schema else { return };
    match value {
        Value::Object(members) => _ = prune_known(members, schema, embedded, path, unknown),
        Value::Array(items) => {
            let items_schema = schema.items.as_deref();
            let embedded = items_schema.is_some_and(|schema| schema.embedded);
            for (at, item) in items.iter_mut().enumerate() {
                preserve_value(item, items_schema, embedded, path.index(at), unknown);
            }
        }
        _ => {}
    }
}

fn prune_members(
    members: &mut Map<String, Value>,
    schema: &Schema,
    embedded: bool,
    path: Path<'_>,
    unknown: &mut UnknownFields,
) {
    let are_known = prune_known(members, schema, embedded, path, unknown);
    if are_known || schema.preserves {
        return;
    }
    members.retain(|name, _| {
        let stays =
            (embedded && is_meta_field(name)) || !matches!(schema.member(name), Member::Unknown);
        if !stays {
            note(path.field(name), unknown);
        }
        stays
    });
}

/// Prunes the members that the schema describes. Returns `true` if it describes all.
fn prune_known(
    members: &mut Map<String, Value>,
    schema: &Schema,
    embedded: bool,
    path: Path<'_>,
    unknown: &mut UnknownFields,
) -> bool {
    let mut are_known = true;
    let mut lookup = schema.properties.lookup();
    for (name, member) in members.iter_mut() {
        if embedded && is_meta_field(name) {
            continue;
        }
        let inner = match lookup.get(name).map_or_else(|| schema.unlisted(), Member::Listed) {
            Member::Unknown => {
                are_known = false;
                continue;
            }
            known => known.schema(),
        };
        if matches!(member, Value::Object(_) | Value::Array(_)) {
            let embedded = inner.is_some_and(|inner| inner.embedded);
            prune_value(member, inner, embedded, path.field(name), unknown);
        }
    }
    are_known
}

#[cold]
fn note(path: Path<'_>, unknown: &mut UnknownFields) {
    unknown.note(&path);
}
