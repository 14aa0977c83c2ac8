//! The rules for structural schemas: every part has a type, and `allOf`, `anyOf`, `oneOf` and `not` only restrict values.

use std::fmt;

use super::part::Part;
use crate::answer::RefusalCause;
use crate::path::Path;
use crate::regex::Pattern;

/// What a schema describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Object,
    Item,
    Field,
}

/// The keywords that no structural schema has.
const UNSUPPORTED: [&str; 7] = [
    "id",
    "$schema",
    "$ref",
    "patternProperties",
    "dependencies",
    "additionalItems",
    "definitions",
];

/// The message of the server about a keyword that no structural schema has, if there is one.
pub(super) fn unsupported(schema: Part<'_>) -> Option<String> {
    let present = |name: &str| match name {
        "id" | "$schema" | "$ref" => !schema.text(name).is_empty(),
        "additionalItems" => schema.has(name),
        _ => schema.has_some(name),
    };
    let is_stated = schema.has_any(&UNSUPPORTED);
    let mut keywords = UNSUPPORTED.into_iter().filter(|_| is_stated);
    if let Some(keyword) = keywords.find(|keyword| present(keyword)) {
        let keyword = if keyword == "$schema" { "schema" } else { keyword };
        return Some(format!("OpenAPIV3Schema '{keyword}' is not supported"));
    }
    if !schema.list("items").is_empty() {
        return Some("OpenAPIV3Schema 'items' must be a schema, but is an array".to_owned());
    }
    schema.below().find_map(unsupported)
}

/// Checks the schema of a version. The causes are in the order of their texts.
pub(super) fn check(schema: Part<'_>, path: &Path<'_>) -> Vec<RefusalCause> {
    let mut causes = Vec::new();
    visit(schema, Subject::Object, path, &mut |schema, subject, path| {
        if is_plain(schema, subject) {
            return;
        }
        check_type(schema, subject, path, &mut causes);
        check_extensions(schema, path, &mut causes);
        check_meta_fields(schema, subject, path, &mut causes);
        check_pattern(schema, path, &mut causes);
        check_structure(schema, subject, path, &mut causes);
        alternatives(schema, path, &mut |which, part, path| {
            let has_types = match which {
                Which::Any => is_int_or_string(schema),
                Which::FirstOfAll | Which::Other => false,
            };
            let is_int_or_string = which == Which::FirstOfAll && is_int_or_string(part);
            if !has_types {
                check_nested(part, is_int_or_string, path, &mut causes);
            }
        });
    });
    // The server compares only the alternatives at the root with the fields.
    compare_alternatives(schema, schema, path, path, &mut causes);
    causes.sort_by_cached_key(ToString::to_string);
    causes
}

/// Returns `true` for a schema with the structure of its type and nothing to check, as most have.
fn is_plain(schema: Part<'_>, subject: Subject) -> bool {
    let of_type = schema.text("type");
    subject != Subject::Object
        && !of_type.is_empty()
        && schema.is_plain()
        && (of_type != "array" || schema.part("items").is_some())
}

type Visitor<'a> = &'a mut dyn FnMut(Part<'_>, Subject, &Path<'_>);

/// Visits a schema and all below it, except those in `allOf`, `anyOf`, `oneOf` and `not`.
fn visit(schema: Part<'_>, subject: Subject, path: &Path<'_>, visitor: Visitor<'_>) {
    visitor(schema, subject, path);
    if let Some(items) = schema.part("items") {
        visit(items, Subject::Item, &path.field("items"), visitor);
    }
    let properties = path.field("properties");
    for (name, property) in schema.map("properties") {
        visit(property, Subject::Field, &properties.key(name), visitor);
    }
    if let Some(additional) = schema.part("additionalProperties") {
        visit(additional, Subject::Field, &path.field("additionalProperties"), visitor);
    }
}

/// Which alternative a schema is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Any,
    FirstOfAll,
    Other,
}

/// Calls a function with each part of `allOf`, `anyOf`, `oneOf` and `not`.
fn alternatives(
    schema: Part<'_>,
    path: &Path<'_>,
    visitor: &mut dyn FnMut(Which, Part<'_>, &Path<'_>),
) {
    for keyword in ["anyOf", "allOf", "oneOf"] {
        let path = path.field(keyword);
        for (at, part) in schema.parts(keyword).enumerate() {
            let which = match (keyword, at) {
                ("anyOf", _) => Which::Any,
                ("allOf", 0) => Which::FirstOfAll,
                _ => Which::Other,
            };
            visitor(which, part, &path.index(at));
        }
    }
    if let Some(part) = schema.part("not") {
        visitor(Which::Other, part, &path.field("not"));
    }
}

/// Checks that a list has items, and that only fields have additional properties.
fn check_structure(
    schema: Part<'_>,
    subject: Subject,
    path: &Path<'_>,
    causes: &mut Vec<RefusalCause>,
) {
    if schema.text("type") == "array" && schema.part("items").is_none() {
        causes.push(RefusalCause::required(path.field("items"), "must be specified"));
    }
    if subject == Subject::Object && schema.has("additionalProperties") {
        let field = path.field("additionalProperties");
        causes.push(RefusalCause::forbidden(field, "must not be used at the root"));
    }
}

fn check_pattern(schema: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let pattern = schema.text("pattern");
    if let Some(error) = Pattern::check(pattern).err().filter(|_| !pattern.is_empty()) {
        let detail = format!("must be a valid regular expression, but isn't: {error}");
        causes.push(RefusalCause::invalid(path.field("pattern"), pattern, detail));
    }
}

fn check_extensions(schema: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let detail = "must be false if x-kubernetes-int-or-string is true";
    for name in ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] {
        if schema.is("x-kubernetes-int-or-string") && schema.is(name) {
            causes.push(RefusalCause::invalid_value(path.field(name), &true.into(), detail));
        }
    }
}

fn check_type(schema: Part<'_>, subject: Subject, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    let (name, embedded) = (schema.text("type"), schema.is("x-kubernetes-embedded-resource"));
    let type_path = path.field("type");
    let untyped = schema.is("x-kubernetes-int-or-string")
        || schema.is("x-kubernetes-preserve-unknown-fields");
    if embedded && name != "object" {
        must_be(
            name,
            &type_path,
            "must be object if x-kubernetes-embedded-resource is true",
            causes,
        );
    } else if name.is_empty() && !untyped {
        let detail = match subject {
            Subject::Object => "must not be empty at the root",
            Subject::Item => "must not be empty for specified array items",
            Subject::Field => "must not be empty for specified object fields",
        };
        causes.push(RefusalCause::required(type_path, detail));
    }
    if embedded && schema.has("additionalProperties") {
        let detail = "must not be used if x-kubernetes-embedded-resource is set";
        causes.push(RefusalCause::forbidden(path.field("additionalProperties"), detail));
    }
    if subject == Subject::Object && !name.is_empty() && name != "object" {
        causes.push(RefusalCause::invalid(type_path, name, "must be object at the root"));
    }
}

/// A type that is another one, or absent.
pub(super) fn must_be(name: &str, path: &Path<'_>, detail: &str, causes: &mut Vec<RefusalCause>) {
    causes.push(if name.is_empty() {
        RefusalCause::required(path, detail)
    } else {
        RefusalCause::invalid(path, name, detail)
    });
}

/// Checks `apiVersion`, `kind` and `metadata` of the object, and of objects inside of it.
fn check_meta_fields(
    schema: Part<'_>,
    subject: Subject,
    path: &Path<'_>,
    causes: &mut Vec<RefusalCause>,
) {
    let embedded = schema.is("x-kubernetes-embedded-resource");
    let is_object = subject == Subject::Object || embedded;
    let properties = path.field("properties");
    for name in ["kind", "apiVersion"] {
        if let Some(property) = schema.member("properties", name)
            && is_object
            && property.text("type") != "string"
        {
            let path = properties.key(name);
            causes.push(RefusalCause::invalid(
                path.field("type"),
                property.text("type"),
                "must be string",
            ));
        }
    }
    if let Some(metadata) = schema.member("properties", "metadata") {
        let path = properties.key("metadata");
        if is_object && metadata.text("type") != "object" {
            causes.push(RefusalCause::invalid(
                path.field("type"),
                metadata.text("type"),
                "must be object",
            ));
        }
        if subject == Subject::Object && !is_plain_metadata(metadata) {
            let detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
            causes.push(RefusalCause::forbidden(path, detail));
        }
    }
    if embedded
        && !schema.is("x-kubernetes-preserve-unknown-fields")
        && !schema.has_some("properties")
    {
        let detail = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
        causes.push(RefusalCause::required(properties, detail));
    }
}

/// Returns `true` if the schema of metadata restricts only `name` and `generateName`.
pub(super) fn is_plain_metadata(metadata: Part<'_>) -> bool {
    let mut names = metadata.map("properties").map(|(name, _)| name);
    names.all(|name| matches!(name, "name" | "generateName"))
        && keywords(metadata).all(|keyword| matches!(keyword, "type" | "default" | "properties"))
}

/// The keywords of a schema that are not the zero value in a structural schema.
fn keywords(schema: Part<'_>) -> impl Iterator<Item = &str> {
    let counts = move |name: &str| match name {
        "externalDocs" => false,
        // Servers keep an example of any value, and an empty list of keys.
        "example" | "not" | "additionalProperties" | "items" | "x-kubernetes-list-map-keys" => {
            schema.has(name)
        }
        _ => schema.get(name).is_some_and(|value| match value {
            serde_json::Value::String(text) => !text.is_empty() || name.starts_with("x-"),
            serde_json::Value::Bool(value) => *value,
            serde_json::Value::Number(_) => true,
            _ => schema.has_some(name),
        }),
    };
    schema.0.keys().map(String::as_str).filter(move |name| counts(name))
}

/// Returns `true` if the alternatives are an integer and a text, in this order and with nothing else.
pub(super) fn is_int_or_string(schema: Part<'_>) -> bool {
    let is = |alternative: Part<'_>, name| {
        alternative.text("type") == name && keywords(alternative).all(|keyword| keyword == "type")
    };
    let alternatives: Vec<_> = schema.parts("anyOf").collect();
    matches!(alternatives.as_slice(), [first, second] if is(*first, "integer") && is(*second, "string"))
}

/// Keywords that parts of `allOf`, `anyOf`, `oneOf` and `not` must not have, with the words of the server.
const FORBIDDEN: [(&str, &str); 11] = [
    ("type", "empty"),
    ("additionalProperties", "undefined"),
    ("default", "undefined"),
    ("title", "empty"),
    ("description", "empty"),
    ("nullable", "false"),
    ("x-kubernetes-preserve-unknown-fields", "false"),
    ("x-kubernetes-embedded-resource", "false"),
    ("x-kubernetes-int-or-string", "false"),
    ("x-kubernetes-list-map-keys", "empty"),
    ("x-kubernetes-validations", "empty"),
];

/// Checks a part of `allOf`, `anyOf`, `oneOf` or `not`, and all below it. The alternatives of an int-or-string may have types.
fn check_nested(
    schema: Part<'_>,
    is_int_or_string: bool,
    path: &Path<'_>,
    causes: &mut Vec<RefusalCause>,
) {
    check_pattern(schema, path, causes);
    forbid_structure(schema, path, causes);
    alternatives(schema, path, &mut |which, part, path| {
        if !(is_int_or_string && which == Which::Any) {
            check_nested(part, false, path, causes);
        }
    });
    if let Some(items) = schema.part("items") {
        check_nested(items, false, &path.field("items"), causes);
    }
    let properties = path.field("properties");
    for (name, property) in schema.map("properties") {
        check_nested(property, false, &properties.key(name), causes);
    }
}

/// Forbids the keywords that define the structure of a value.
fn forbid_structure(schema: Part<'_>, path: &Path<'_>, causes: &mut Vec<RefusalCause>) {
    for keyword in ["x-kubernetes-list-type", "x-kubernetes-map-type"] {
        if schema.has(keyword) {
            causes.push(RefusalCause::forbidden(
                path.field(keyword),
                "must be undefined to be structural",
            ));
        }
    }
    for (keyword, state) in FORBIDDEN {
        let is_present = match state {
            "undefined" => schema.has(keyword),
            "false" => schema.is(keyword),
            _ => !schema.text(keyword).is_empty() || schema.has_some(keyword),
        };
        if is_present {
            let detail = format!("must be {state} to be structural");
            causes.push(RefusalCause::forbidden(path.field(keyword), detail));
        }
    }
    if schema.member("properties", "metadata").is_some() {
        let detail = "must not be specified in a nested context";
        causes.push(RefusalCause::forbidden(path.field("properties").key("metadata"), detail));
    }
}

/// Checks that what the alternatives describe is also described outside of them.
fn compare_alternatives(
    value: Part<'_>,
    schema: Part<'_>,
    schema_path: &Path<'_>,
    path: &Path<'_>,
    causes: &mut Vec<RefusalCause>,
) {
    alternatives(value, path, &mut |_, part, path| {
        compare(part, schema, schema_path, path, causes);
    });
}

fn compare(
    value: Part<'_>,
    schema: Part<'_>,
    schema_path: &Path<'_>,
    path: &Path<'_>,
    causes: &mut Vec<RefusalCause>,
) {
    compare_alternatives(value, schema, schema_path, path, causes);
    let missing = |place: &dyn fmt::Display, because: &dyn fmt::Display| {
        RefusalCause::required(place, &format!("because it is defined in {because}"))
    };
    if let Some(items) = value.part("items") {
        let (schema_path, path) = (schema_path.field("items"), path.field("items"));
        match schema.part("items") {
            Some(schema) => compare(items, schema, &schema_path, &path, causes),
            None => causes.push(missing(&schema_path, &path)),
        }
    }
    let (schema_path, path) = (schema_path.field("properties"), path.field("properties"));
    for (name, property) in value.map("properties") {
        let (schema_path, path) = (schema_path.key(name), path.key(name));
        match schema.member("properties", name) {
            Some(schema) => compare(property, schema, &schema_path, &path, causes),
            None => causes.push(missing(&schema_path, &path)),
        }
    }
}
