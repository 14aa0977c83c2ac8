//! The table of keywords.

use serde_json::Value;

use super::conditions;
use super::keyword::KeywordEffect::{Fine, Meaningless, Refused};
use super::keyword::{Applies, Keyword, KeywordEffect, Node};
use crate::definition::check_defaults;
use crate::regex::Pattern;

/// The types that a keyword is for, and its effect on others.
struct For {
    types: &'static [&'static str],
    why: &'static str,
}

const NUMBERS: For = For { types: &["integer", "number"], why: "servers compare numbers only" };
const TEXTS: For = For { types: &["string"], why: "servers look at texts only" };
const LISTS: For = For { types: &["array"], why: "servers look at lists only" };
const OBJECTS: For = For { types: &["object"], why: "servers look at objects only" };
const NESTED: &str = "in `allOf`, `anyOf`, `oneOf` or `not`";
const NOT_STRUCTURAL: &str = "the schema is not structural: alternatives only restrict values";
const NO_VALUE: &str = "no value fits";
const UNSUPPORTED: &str = "structural schemas do not have it";

/// The row of a keyword without an effect.
const ROW: Keyword = Keyword {
    name: "",
    when: "",
    effect: Fine,
    why: "",
    example: "",
    is_of_absent: false,
    is_of_unknown_type: false,
    applies: Applies::Never,
};

/// A row that applies wherever the keyword is.
const fn refused(name: &'static str, why: &'static str, example: &'static str) -> Keyword {
    Keyword { name, effect: Refused, why, example, applies: Applies::Always, ..ROW }
}

/// A row that applies wherever the keyword is, and whose effect is the expected one.
const fn fine(name: &'static str, when: &'static str, example: &'static str) -> Keyword {
    Keyword { name, when, example, ..ROW }
}

/// A row for schemas whose type is another one than those that the keyword is for.
const fn other_type(name: &'static str, own: For, example: &'static str) -> Keyword {
    let (when, For { types, why }) = ("the type is another one", own);
    Keyword {
        name,
        when,
        effect: Meaningless,
        why,
        example,
        applies: Applies::OtherType(types),
        ..ROW
    }
}

const fn row(
    name: &'static str,
    when: &'static str,
    effect: KeywordEffect,
    why: &'static str,
    example: &'static str,
    applies: fn(&Node<'_>) -> bool,
) -> Keyword {
    Keyword { name, when, effect, why, example, applies: Applies::When(applies), ..ROW }
}

impl Keyword {
    /// The row applies to schemas that lack the keyword.
    const fn of_absent(self) -> Self {
        Self { is_of_absent: true, ..self }
    }

    /// The row is about schemas without a type that servers know.
    const fn of_unknown_type(self) -> Self {
        Self { is_of_unknown_type: true, ..self }
    }
}

/// The effects of keywords on servers. Servers apply a keyword that is not listed.
#[rustfmt::skip]
pub const KEYWORDS: &[Keyword] = &[
    row("type", "it is absent", Refused,
        "the schema is not structural: a field has a type, or is an integer or a text, or keeps unknown fields",
        "{}",
        conditions::has_no_type).of_absent().of_unknown_type(),
    row("type", "it is a list", Refused, "the decoder expects a text (400)", r#"{"type": ["string", "null"]}"#,
        |node| node.schema.get("type").is_some_and(Value::is_array)).of_unknown_type(),
    row("type", "it is not one of the six types", Refused,
        "there are `array`, `boolean`, `integer`, `number`, `object` and `string`; `null` is `nullable: true`",
        r#"{"type": "null"}"#,
        conditions::has_strange_type).of_unknown_type(),
    row("type", NESTED, Refused, NOT_STRUCTURAL, r#"{"type": "string", "not": {"type": "integer"}}"#,
        |node| node.nested && !node.int_or_string && !node.schema.text("type").is_empty()),
    row("type", "beside `x-kubernetes-int-or-string`", Meaningless, "integers and texts are accepted",
        r#"{"type": "string", "x-kubernetes-int-or-string": true}"#,
        |node| node.schema.is("x-kubernetes-int-or-string") && node.schema.has("type")),
    row("nullable", "at the root", Refused, "an object is never null", "",
        |node| node.root && node.schema.is("nullable")),
    row("nullable", NESTED, Refused, NOT_STRUCTURAL, r#"{"type": "string", "anyOf": [{"nullable": true}]}"#,
        |node| node.nested && node.schema.is("nullable")),
    row("nullable", "`enum` lacks `null`", Meaningless, "`enum` rejects `null`",
        r#"{"type": "string", "nullable": true, "enum": ["a"]}"#,
        conditions::enum_refuses_null),
    row("enum", "it is empty", Meaningless, "servers ignore it", r#"{"type": "string", "enum": []}"#,
        |node| node.schema.list("enum").is_empty()),
    row("enum", "a value has another type", Meaningless, "that value never fits", r#"{"type": "string", "enum": [1]}"#,
        conditions::enum_has_strange_value),
    row("default", "it is `null`", Meaningless, "it is as if it were absent",
        r#"{"type": "string", "nullable": true, "default": null}"#,
        |node| node.schema.0.get("default").is_some_and(Value::is_null)),
    row("default", NESTED, Refused, NOT_STRUCTURAL, r#"{"type": "string", "allOf": [{"default": "a"}]}"#,
        |node| node.nested && node.schema.has("default")),
    row("default", "the schema rejects it", Refused,
        "a default fits its schema and fulfils its rules as it is, without the defaults below it",
        r#"{"type": "integer", "maximum": 5, "default": 7}"#,
        |it| !it.nested && check_defaults::is_refused(it.schema, it.compiled, it.release, it.limits)),
    row("format", "servers do not know it", Meaningless, "it is ignored", r#"{"type": "string", "format": "no-such"}"#,
        conditions::format_is_unknown),
    row("format", "of a number, before 1.36", Meaningless,
        "`int32`, `int64`, `float` and `double` are checked since 1.36", "",
        conditions::format_is_not_checked_yet),
    row("pattern", "Go refuses it", Refused, "servers compile it with Go's `regexp`",
        r#"{"type": "string", "pattern": "(?=a)"}"#,
        |node| Pattern::check(node.schema.text("pattern")).is_err()),
    other_type("pattern", TEXTS, r#"{"type": "integer", "pattern": "^1"}"#),
    other_type("minLength", TEXTS, r#"{"type": "integer", "minLength": 1}"#),
    other_type("maxLength", TEXTS, r#"{"type": "integer", "maxLength": 1}"#),
    row("maxLength", "it is negative or less than `minLength`", Meaningless, NO_VALUE,
        r#"{"type": "string", "maxLength": -1}"#,
        |node| node.has_no_room("minLength", "maxLength")),
    other_type("minimum", NUMBERS, r#"{"type": "string", "minimum": 1}"#),
    other_type("maximum", NUMBERS, r#"{"type": "string", "maximum": 1}"#),
    row("maximum", "it is less than `minimum`", Meaningless, NO_VALUE,
        r#"{"type": "integer", "minimum": 5, "maximum": 1}"#,
        |node| node.above("minimum", "maximum")),
    other_type("multipleOf", NUMBERS, r#"{"type": "string", "multipleOf": 2}"#),
    row("multipleOf", "it is not positive", Meaningless, NO_VALUE, r#"{"type": "integer", "multipleOf": 0}"#,
        |node| node.schema.number("multipleOf").is_some_and(|factor| factor <= 0.0)),
    row("exclusiveMinimum", "it is a number", Refused, "the decoder expects `true` or `false` (400)",
        r#"{"type": "integer", "exclusiveMinimum": 5}"#,
        |node| node.schema.number("exclusiveMinimum").is_some()),
    row("exclusiveMinimum", "without `minimum`", Meaningless, "there is nothing to exclude",
        r#"{"type": "integer", "exclusiveMinimum": true}"#,
        |node| node.schema.is("exclusiveMinimum") && !node.schema.has("minimum")),
    row("exclusiveMaximum", "it is a number", Refused, "the decoder expects `true` or `false` (400)",
        r#"{"type": "integer", "exclusiveMaximum": 5}"#,
        |node| node.schema.number("exclusiveMaximum").is_some()),
    row("exclusiveMaximum", "without `maximum`", Meaningless, "there is nothing to exclude",
        r#"{"type": "integer", "exclusiveMaximum": true}"#,
        |node| node.schema.is("exclusiveMaximum") && !node.schema.has("maximum")),
    row("items", "it is absent from a list", Refused, "the schema is not structural", r#"{"type": "array"}"#,
        |node| !node.nested && node.schema.text("type") == "array" && !node.schema.has("items")).of_absent(),
    row("items", "it is a list", Refused, "all items have one schema",
        r#"{"type": "array", "items": [{"type": "string"}]}"#,
        |node| !node.schema.list("items").is_empty()),
    other_type("items", LISTS, r#"{"type": "string", "items": {"type": "string"}}"#),
    other_type("minItems", LISTS, r#"{"type": "string", "minItems": 1}"#),
    other_type("maxItems", LISTS, r#"{"type": "string", "maxItems": 1}"#),
    row("maxItems", "it is negative or less than `minItems`", Meaningless, NO_VALUE,
        r#"{"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 1}"#,
        |node| node.has_no_room("minItems", "maxItems")),
    row("uniqueItems", "it is `true`", Refused,
        "it would take quadratic time; `x-kubernetes-list-type: set` is the way",
        r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#,
        |node| node.schema.is("uniqueItems")),
    fine("uniqueItems", "it is `false`", r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": false}"#),
    other_type("properties", OBJECTS, r#"{"type": "string", "properties": {"a": {"type": "string"}}}"#),
    row("properties", "`metadata` at the root has more than the form of `name` and `generateName`", Refused,
        "servers know the rest", "",
        conditions::metadata_is_not_plain),
    other_type("required", OBJECTS, r#"{"type": "string", "required": ["a"]}"#),
    row("required", "`properties` lack a name", Meaningless,
        "no object fits, because servers drop unknown fields first",
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}"#,
        conditions::requires_unknown_field),
    other_type("minProperties", OBJECTS, r#"{"type": "string", "minProperties": 1}"#),
    other_type("maxProperties", OBJECTS, r#"{"type": "string", "maxProperties": 1}"#),
    row("maxProperties", "it is negative or less than `minProperties`", Meaningless, NO_VALUE,
        r#"{"type": "object", "minProperties": 2, "maxProperties": 1}"#,
        |node| node.has_no_room("minProperties", "maxProperties")),
    row("additionalProperties", "at the root", Refused, "an object has no unknown fields", "",
        |node| node.root && node.schema.has("additionalProperties")),
    row("additionalProperties", "beside `properties`, unless it is `true`", Refused, "an object is a struct or a map",
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}"#,
        |node| node.schema.has_some("properties") && node.schema.get("additionalProperties") != Some(&Value::Bool(true))),
    row("additionalProperties", NESTED, Refused, NOT_STRUCTURAL,
        r#"{"type": "object", "anyOf": [{"additionalProperties": {"maxLength": 1}}]}"#,
        |node| node.nested && node.schema.has("additionalProperties")),
    other_type("additionalProperties", OBJECTS, r#"{"type": "string", "additionalProperties": {"type": "string"}}"#),
    fine("additionalProperties", "it is `false`, without `properties`",
        r#"{"type": "object", "additionalProperties": false}"#),
    refused("$ref", UNSUPPORTED, r##"{"type": "string", "$ref": "#/a"}"##),
    refused("$schema", UNSUPPORTED, r#"{"type": "string", "$schema": "x"}"#),
    refused("id", UNSUPPORTED, r#"{"type": "string", "id": "x"}"#),
    row("definitions", "it has members", Refused, UNSUPPORTED,
        r#"{"type": "string", "definitions": {"a": {"type": "string"}}}"#,
        |node| node.schema.has_some("definitions")),
    refused("dependencies", UNSUPPORTED, r#"{"type": "object", "dependencies": {"a": ["b"]}}"#),
    row("patternProperties", "it has members", Refused, UNSUPPORTED,
        r#"{"type": "object", "patternProperties": {"^a": {"type": "string"}}}"#,
        |node| node.schema.has_some("patternProperties")),
    refused("additionalItems", UNSUPPORTED,
        r#"{"type": "array", "items": {"type": "string"}, "additionalItems": true}"#),
    row("title", NESTED, Refused, NOT_STRUCTURAL, r#"{"type": "string", "anyOf": [{"title": "x"}]}"#,
        |node| node.nested && !node.schema.text("title").is_empty()),
    fine("title", "elsewhere", r#"{"type": "string", "title": "x"}"#),
    row("description", NESTED, Refused, NOT_STRUCTURAL, r#"{"type": "string", "anyOf": [{"description": "x"}]}"#,
        |node| node.nested && !node.schema.text("description").is_empty()),
    fine("description", "elsewhere", r#"{"type": "string", "description": "x"}"#),
    fine("example", "", r#"{"type": "string", "example": 5}"#),
    fine("externalDocs", "", r#"{"type": "string", "externalDocs": {"url": "x"}}"#),
    row("x-kubernetes-preserve-unknown-fields", "it is `false`", Refused, "it is `true` or absent",
        r#"{"type": "object", "x-kubernetes-preserve-unknown-fields": false}"#,
        |node| node.schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(false))),
    row("x-kubernetes-preserve-unknown-fields", "of a scalar", Meaningless, "it has no fields",
        r#"{"type": "string", "x-kubernetes-preserve-unknown-fields": true}"#,
        |node| node.schema.is("x-kubernetes-preserve-unknown-fields") && !node.is_type(&["object", "array"])),
    row("x-kubernetes-embedded-resource", "the type is not `object`, or it has no fields", Refused,
        "an object has a type and metadata, and more", r#"{"type": "string", "x-kubernetes-embedded-resource": true}"#,
        conditions::embedded_is_incomplete),
    row("x-kubernetes-list-type", "the type is not `array`, or it is not `atomic`, `set` or `map`", Refused, LISTS.why,
        r#"{"type": "string", "x-kubernetes-list-type": "set"}"#,
        conditions::list_type_is_strange),
    row("x-kubernetes-list-type", "`set`, and the items are objects that are not atomic", Refused,
        "items of a set are compared as a whole",
        r#"{"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}"#,
        conditions::set_has_open_items),
    row("x-kubernetes-list-map-keys", "a key is not a scalar field that all items have", Refused,
        "items are told apart by their keys, which are required or have a default, and are never null",
        r#"{"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}"#,
        conditions::keys_are_not_fields),
    row("x-kubernetes-map-type", "the type is not `object`, or it is not `atomic` or `granular`", Refused, OBJECTS.why,
        r#"{"type": "string", "x-kubernetes-map-type": "atomic"}"#,
        conditions::map_type_is_strange),
    row("x-kubernetes-validations", NESTED, Refused, NOT_STRUCTURAL,
        r#"{"type": "string", "anyOf": [{"x-kubernetes-validations": [{"rule": "true"}]}]}"#,
        |node| node.nested && node.schema.has_some("x-kubernetes-validations")),
    row("*", "", Meaningless,
        "servers drop keywords that they do not know, such as `const`, `readOnly` and `discriminator`, with a warning",
        r#"{"type": "string", "const": "a"}"#,
        |_| true),
];
