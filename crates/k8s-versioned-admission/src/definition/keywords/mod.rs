//! The effect of each keyword of a schema on servers.
//!
//! [`KEYWORDS`] is the table of keywords whose effect differs from their meaning in OpenAPI: when, and why. Each row has an
//! example, and a test judges the example. [`find`] lists such keywords of a definition with their places.

mod conditions;
mod keyword;
mod table;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use k8s_versioned_core::Release;
use k8s_versioned_core::pointer::Pointer;
use serde_json::Value;

use super::check_defaults::{self, Limits};
use super::part::Part;
use super::shape::JSON_SCHEMA;
use super::structural;
use keyword::Node;
pub use keyword::{Keyword, KeywordEffect};
pub use table::KEYWORDS;

/// A keyword of a definition whose effect differs from its meaning in OpenAPI.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeywordUse {
    /// The JSON pointer of the keyword in the definition, or of the schema that lacks it.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
    /// Whether the schema lacks the keyword.
    pub is_absent: bool,
    /// When the row of the table applies; empty if always.
    pub when: &'static str,
    /// Whether the schema has no type that servers know.
    pub is_of_unknown_type: bool,
    /// The effect on servers, never [`KeywordEffect::Fine`].
    pub effect: KeywordEffect,
    /// Why, or what happens instead.
    pub why: &'static str,
}

/// The depth up to which schemas are searched.
const MAX_DEPTH: usize = 200;

/// The keywords in the schemas of a definition whose effect differs from their meaning in OpenAPI, in the order of the members.
pub fn find(definition: &Value, release: Release) -> Vec<KeywordUse> {
    let (mut findings, limits) = (Vec::new(), Limits::default());
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    for (at, version) in versions.into_iter().flatten().enumerate() {
        if let Some(schema) = version.pointer("/schema/openAPIV3Schema").and_then(Part::from_value)
        {
            let node = Node {
                schema,
                release,
                root: true,
                nested: false,
                int_or_string: false,
                of_type: schema.text("type"),
                compiled: None,
                limits: &limits,
            };
            let before = findings.len();
            visit(&node, 0, None, &mut findings);
            let root = format!("/spec/versions/{at}/schema/openAPIV3Schema");
            for finding in findings.iter_mut().skip(before) {
                finding.pointer.insert_str(0, &root);
            }
        }
    }
    findings
}

/// Keywords whose members are schemas.
const MAPS: [&str; 3] = ["properties", "patternProperties", "definitions"];

/// Searches a schema, which is at `pointer` in the schema of its version.
fn visit(
    node: &Node<'_>,
    depth: usize,
    pointer: Option<&Pointer<'_>>,
    findings: &mut Vec<KeywordUse>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    // The outermost schema with a default is compiled with all in it.
    let is_first = node.compiled.is_none() && !node.nested && node.schema.has("default");
    let own = is_first.then(|| {
        let (schema, patterns) = (node.schema.0.clone(), RefCell::default());
        check_defaults::compile(schema, node.root, node.release, &patterns)
    });
    let own = own.flatten();
    let node = &Node { compiled: node.compiled.or(own.as_ref()), ..*node };
    look(node, pointer, findings);
    for (name, value) in node.schema.0 {
        let nested = node.nested || matches!(name.as_str(), "allOf" | "anyOf" | "oneOf" | "not");
        let is_same_value = nested && !MAPS.contains(&name.as_str()) && name != "items";
        let int_or_string = name == "anyOf" && structural::is_int_or_string(node.schema);
        let keyword = Pointer { parent: pointer, token: name };
        for_each_schema(name, value, &mut |token, schema| {
            let inside = token.map(|token| keyword.inside(token));
            let of_type = match schema.text("type") {
                "" if is_same_value => node.of_type,
                own => own,
            };
            let release = node.release;
            let compiled = node.compiled.filter(|_| !nested);
            let compiled = compiled.and_then(|compiled| match (name.as_str(), token) {
                ("properties", Some(property)) => compiled.properties.get(&property.to_string()),
                ("items", None) => compiled.items.as_deref(),
                ("additionalProperties", _) => compiled.unlisted().schema(),
                _ => None,
            });
            let child = Node {
                schema,
                release,
                root: false,
                nested,
                int_or_string,
                of_type,
                compiled,
                limits: node.limits,
            };
            visit(&child, depth + 1, Some(inside.as_ref().unwrap_or(&keyword)), findings);
        });
    }
}

/// Calls a function with the schemas that a keyword has, each with its name or number if there can be several.
fn for_each_schema<'a>(
    keyword: &str,
    value: &'a Value,
    visitor: &mut dyn FnMut(Option<&dyn Display>, Part<'a>),
) {
    let mut call = |token: Option<&dyn Display>, value: &'a Value| {
        if let Some(schema) = Part::from_value(value) {
            visitor(token, schema);
        }
    };
    match (keyword, value) {
        (keyword, Value::Object(members)) if MAPS.contains(&keyword) => {
            members.iter().for_each(|(name, value)| call(Some(name), value));
        }
        ("items" | "additionalProperties" | "additionalItems" | "not", Value::Object(_)) => {
            call(None, value);
        }
        ("items" | "allOf" | "anyOf" | "oneOf", Value::Array(items)) => {
            let numbered = items.iter().enumerate();
            numbered.for_each(|(at, value)| call(Some(&at), value));
        }
        _ => {}
    }
}

/// A row of the table, with its number in it.
type Numbered = (usize, &'static Keyword);

/// The rows of the table by the keywords that a schema has or lacks: it has few of them.
struct Rows {
    /// For schemas that have the keyword; none for a keyword that servers apply.
    present: HashMap<&'static str, Vec<Numbered>>,
    /// For schemas that lack it.
    absent: Vec<Numbered>,
    /// For keywords that schemas do not have.
    unknown: Vec<Numbered>,
}

static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let known = JSON_SCHEMA.fields.iter().map(|field| (field.name, Vec::new()));
    let mut rows = Rows { present: known.collect(), absent: Vec::new(), unknown: Vec::new() };
    for (number, row) in KEYWORDS.iter().enumerate() {
        let of_keyword = match row.name {
            "*" => &mut rows.unknown,
            _ if row.is_of_absent => &mut rows.absent,
            name => rows.present.entry(name).or_default(),
        };
        of_keyword.push((number, row));
    }
    rows
});

/// Applies the table to one schema.
fn look(node: &Node<'_>, pointer: Option<&Pointer<'_>>, findings: &mut Vec<KeywordUse>) {
    let schema = node.schema;
    // In the order of the table.
    let mut applying: Vec<(Numbered, &str)> = Vec::new();
    let mut add = |rows: &[Numbered], keyword| {
        for row in rows.iter().filter(|(_, row)| node.is_for(row)) {
            let index = applying.partition_point(|((number, _), _)| *number <= row.0);
            applying.insert(index, (*row, keyword));
        }
    };
    for (name, value) in schema.0 {
        // Servers treat `null` as absent. They report it for a default only.
        if !value.is_null() || name == "default" {
            add(ROWS.present.get(name.as_str()).unwrap_or(&ROWS.unknown), name);
        }
    }
    for row in ROWS.absent.iter().filter(|(_, row)| !schema.has(row.name)) {
        add(std::slice::from_ref(row), row.1.name);
    }
    for ((_, row), keyword) in applying {
        let is_absent = row.is_of_absent;
        let inside = Pointer { parent: pointer, token: &keyword };
        findings.push(KeywordUse {
            pointer: Pointer::text(if is_absent { pointer } else { Some(&inside) }),
            keyword: keyword.to_owned(),
            is_absent,
            when: row.when,
            is_of_unknown_type: row.is_of_unknown_type,
            effect: row.effect,
            why: row.why,
        });
    }
}
