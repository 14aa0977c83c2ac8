//! Objects inside of objects (`x-kubernetes-embedded-resource`).

use serde_json::Value;

use crate::answer::{Causes, Reason, RefusalCause, Shown};
use crate::facts::{Facts, ServerFact};
use crate::metadata::{self, Names, Scope, text};
use crate::path::{Path, UnknownFields};
use crate::schema::{Additional, Schema};

/// Reads the types and the metadata of embedded objects. Unknown fields of metadata are dropped and noted.
///
/// # Errors
/// A part has another type.
pub(crate) fn coerce(
    value: &mut Value,
    schema: &Schema,
    path: &Path<'_>,
    facts: Facts,
    unknown: &mut UnknownFields,
) -> Result<(), RefusalCause> {
    if !schema.below.embedded {
        return Ok(());
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if schema.embedded {
                    coerce_meta(name, member, path, facts, unknown)?;
                }
                if let Some(inner) = schema.properties.get(name) {
                    coerce(member, inner, &path.field(name), facts, unknown)?;
                } else if let Additional::Schema(inner) = &schema.additional {
                    coerce(member, inner, &path.key(name), facts, unknown)?;
                }
            }
        }
        Value::Array(items) => {
            if let Some(inner) = schema.items.as_deref() {
                for (at, item) in items.iter_mut().enumerate() {
                    coerce(item, inner, &path.index(at), facts, unknown)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn coerce_meta(
    name: &str,
    member: &mut Value,
    path: &Path<'_>,
    facts: Facts,
    unknown: &mut UnknownFields,
) -> Result<(), RefusalCause> {
    let invalid = |value: &Value, detail: &str| {
        RefusalCause::new(facts, Reason::Invalid, path.field(name), Shown::Value(value), detail)
    };
    match name {
        "apiVersion" | "kind" if !member.is_string() => Err(invalid(member, "must be a string")),
        "metadata" => {
            match metadata::decode(member.clone(), &path.field(name), unknown) {
                Ok(read) => *member = read.into(),
                Err(error) => return Err(invalid(member, &error.message)),
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Checks the types and the metadata of embedded objects.
pub(crate) fn check(value: &Value, schema: &Schema, path: &Path<'_>, causes: &mut Causes) {
    if !schema.below.embedded {
        return;
    }
    if schema.embedded && value.is_object() {
        check_object(value, path, causes);
    }
    schema.for_each_part(value, path, |part, inner, path| check(part, inner, path, causes));
}

fn check_object(object: &Value, path: &Path<'_>, causes: &mut Causes) {
    for name in ["apiVersion", "kind"] {
        if object.get(name).is_none() {
            let plain = causes.facts.hold(ServerFact::EmbeddedTypesWithoutDetail);
            let detail = if plain { "" } else { "must not be empty" };
            causes.push(RefusalCause::required(path.field(name), detail));
        }
    }
    if let Some(version) = object.get("apiVersion") {
        check_version(version, &path.field("apiVersion"), causes);
    }
    if let Some(kind) = object.get("kind") {
        check_kind(kind, &path.field("kind"), causes);
    }
    if let Some(Value::Object(members)) = object.get("metadata") {
        let mut members = members.clone();
        if text(&members, "name").is_empty() {
            // Servers do not ask for a name here.
            members.insert("name".to_owned(), "fakename".into());
        }
        let namespaced = !text(&members, "namespace").is_empty();
        let scope = if namespaced { Scope::Namespaced } else { Scope::Cluster };
        let path = path.field("metadata");
        metadata::check(&members, Names::PathSegment, scope, &path, causes);
    }
}

fn check_version(version: &Value, path: &Path<'_>, causes: &mut Causes) {
    let mut invalid =
        |detail: &str| causes.add(Reason::Invalid, path, Shown::Value(version), detail);
    match version.as_str() {
        None => invalid("must be a string"),
        Some("") => invalid("must not be empty"),
        Some(text) if text.matches('/').count() > 1 => {
            invalid(&format!("unexpected GroupVersion string: {text}"));
        }
        Some(_) => {}
    }
}

fn check_kind(kind: &Value, path: &Path<'_>, causes: &mut Causes) {
    let mut invalid = |detail: &str| causes.add(Reason::Invalid, path, Shown::Value(kind), detail);
    let Some(text) = kind.as_str() else {
        return invalid("must be a string");
    };
    if text.is_empty() {
        return invalid("must not be empty");
    }
    let broken = metadata::dns1035_label(&text.to_lowercase());
    if !broken.is_empty() {
        let text = broken.join(",");
        invalid(&format!("may have mixed case, but should otherwise match: {text}"));
    }
}
