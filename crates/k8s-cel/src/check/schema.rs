//! Structural schemas as CEL sees them: the type of a node, and how its data becomes values.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use crate::cost::REQUEST;
use crate::facts::Fact;
use crate::since::Facts;
use crate::syntax::escape::escape;
use crate::syntax::reserved::RESERVED;

/// A node of a schema as CEL sees it.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) nullable: bool,
    pub(crate) kind: ShapeKind,
    /// The most characters, bytes, items or entries that servers expect, or 0 for values that have none.
    pub(crate) max_elements: u64,
    /// The fewest bytes of such a value as JSON.
    pub(crate) min_bytes: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum ShapeKind {
    IntOrString,
    Object(Arc<ObjectShape>),
    /// An object with `additionalProperties`: the shape of its values.
    Map(Arc<Shape>),
    List(Arc<ListShape>),
    String,
    Bytes,
    Duration,
    Date,
    DateTime,
    Bool,
    Int,
    Double,
    /// Data whose type is known when it is read.
    Any,
    /// Data without a type, which rules can only compare as a part of something else.
    Untyped,
}

/// An object with `properties`.
#[derive(Debug)]
pub(crate) struct ObjectShape {
    /// The name in messages of the type checker: the place of the node below the node with the rule.
    pub(crate) name: String,
    /// All properties, in the order of their names in data.
    pub(crate) properties: Vec<Property>,
    /// The fewest bytes of such an object: its brackets and its required fields.
    pub(crate) min_bytes: u64,
}

/// A property of an object.
#[derive(Debug)]
pub(crate) struct Property {
    /// The name in data.
    pub(crate) name: String,
    /// The name in rules, if they can name it.
    pub(crate) identifier: Option<String>,
    pub(crate) shape: Shape,
}

impl ObjectShape {
    /// The number of a property by its name in data.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.properties.binary_search_by(|property| property.name.as_str().cmp(name)).ok()
    }

    /// The shape of a property by its name in data.
    pub(crate) fn property(&self, name: &str) -> Option<&Shape> {
        self.properties.get(self.position(name)?).map(|property| &property.shape)
    }

    /// The number of a property by its identifier in rules. A reserved word is an identifier of its own if the checker
    /// accepts it.
    pub(crate) fn position_in_rules(&self, identifier: &str) -> Option<usize> {
        let is_named = |property: &Property| property.identifier.as_deref() == Some(identifier);
        // Most identifiers are the names.
        let own = self.position(identifier);
        let own = own.filter(|at| {
            self.properties.get(*at).is_some_and(is_named) || RESERVED.contains(&identifier)
        });
        own.or_else(|| {
            let is_escaped = identifier.contains("__");
            is_escaped.then(|| self.properties.iter().position(is_named)).flatten()
        })
    }

    /// The name in data and the shape of a property by its identifier in rules.
    pub(crate) fn field(&self, identifier: &str) -> Option<(&str, &Shape)> {
        let property = self.properties.get(self.position_in_rules(identifier)?)?;
        Some((&property.name, &property.shape))
    }
}

#[derive(Debug)]
pub(crate) struct ListShape {
    pub(crate) items: Shape,
    pub(crate) order: ListOrder,
    /// Whether servers see that another list has an item of a set, or a key of a map list, twice.
    pub(crate) sees_duplicates: bool,
}

/// `x-kubernetes-list-type`.
#[derive(Debug)]
pub(crate) enum ListOrder {
    Atomic,
    Set,
    /// By these keys. Servers look for them in data by their escaped names, so a key such as `a-b` is never found.
    Map(Vec<String>),
}

/// Lists of data of any type.
pub(crate) static ANY_LIST: ListShape =
    ListShape { items: Shape::ANY, order: ListOrder::Atomic, sees_duplicates: false };

/// Data of any type.
pub(crate) static ANY: Shape = Shape::ANY;

/// Schemas that nest deeper have rules that are not judged.
const MAX_DEPTH: usize = 64;

/// A schema that nests too deep to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooDeep;

impl Shape {
    /// Reads a node. `resource` says whether it is the root of a kind; the node may also be an embedded resource.
    pub(crate) fn read(schema: &Json, resource: bool, facts: Facts) -> Result<Self, TooDeep> {
        let resource = resource || flag(schema, "x-kubernetes-embedded-resource");
        read(schema, resource, facts, "selfType", 0)
    }

    /// A value of any type.
    pub(crate) const ANY: Self =
        Self { nullable: true, kind: ShapeKind::Any, max_elements: REQUEST, min_bytes: 1 };

    /// Returns `false` for data that CEL has no type for.
    fn has_type(&self) -> bool {
        match &self.kind {
            ShapeKind::Untyped => false,
            ShapeKind::Map(values) => values.has_type(),
            ShapeKind::List(list) => list.items.has_type(),
            _ => true,
        }
    }

    /// A value that CEL has no type for.
    pub(crate) const fn untyped() -> Self {
        Self { nullable: false, kind: ShapeKind::Untyped, max_elements: 0, min_bytes: 0 }
    }
}

fn flag(schema: &Json, keyword: &str) -> bool {
    schema.get(keyword).and_then(Json::as_bool).unwrap_or_default()
}

fn text<'a>(schema: &'a Json, keyword: &str) -> &'a str {
    schema.get(keyword).and_then(Json::as_str).unwrap_or_default()
}

fn read(
    schema: &Json,
    resource: bool,
    facts: Facts,
    name: &str,
    depth: usize,
) -> Result<Shape, TooDeep> {
    if depth > MAX_DEPTH {
        return Err(TooDeep);
    }
    let below = |schema: &Json, part: &str| {
        let resource = flag(schema, "x-kubernetes-embedded-resource");
        read(schema, resource, facts, &format!("{name}.{part}"), depth + 1)
    };
    let kind = kind(schema, (resource, facts, name), &below)?;
    let (max_elements, min_bytes) = sizes(schema, &kind, facts);
    Ok(Shape { nullable: flag(schema, "nullable"), kind, max_elements, min_bytes })
}

/// The kind of the values of a schema. `below` reads the schema of a part.
fn kind(
    schema: &Json,
    (resource, facts, name): (bool, Facts, &str),
    below: &dyn Fn(&Json, &str) -> Result<Shape, TooDeep>,
) -> Result<ShapeKind, TooDeep> {
    if flag(schema, "x-kubernetes-int-or-string") {
        return Ok(ShapeKind::IntOrString);
    }
    Ok(match text(schema, "type") {
        "object" => {
            let values = schema.get("additionalProperties").filter(|values| values.is_object());
            match values.filter(|_| !resource) {
                Some(values) => ShapeKind::Map(Arc::new(below(values, "@elem")?)),
                None => ShapeKind::Object(Arc::new(object(schema, resource, facts, name, below)?)),
            }
        }
        "array" => match schema.get("items") {
            Some(items) => {
                let items = below(items, "@idx")?;
                let sees_duplicates = facts.hold(Fact::SetsWithoutDuplicates);
                let list = ListShape { items, order: order(schema), sees_duplicates };
                ShapeKind::List(Arc::new(list))
            }
            None => ShapeKind::Untyped,
        },
        "string" => match text(schema, "format") {
            "byte" => ShapeKind::Bytes,
            "duration" => ShapeKind::Duration,
            "date" => ShapeKind::Date,
            "date-time" => ShapeKind::DateTime,
            _ => ShapeKind::String,
        },
        "boolean" => ShapeKind::Bool,
        "integer" => ShapeKind::Int,
        "number" => ShapeKind::Double,
        _ => ShapeKind::Untyped,
    })
}

/// The most elements of a value, and the fewest bytes, as servers estimate them.
fn sizes(schema: &Json, kind: &ShapeKind, facts: Facts) -> (u64, u64) {
    let limit = |keyword: &str| Some(schema.get(keyword)?.as_i64()?.max(0).cast_unsigned());
    // A character of JSON has up to four bytes; a text has two quotes.
    let text = || limit("maxLength").map(|length| length.saturating_mul(4));
    let request = REQUEST - 2;
    match kind {
        ShapeKind::IntOrString => {
            let length = if facts.hold(Fact::CostOfIntOrString) { text() } else { None };
            (length.unwrap_or(request), 1)
        }
        ShapeKind::Object(object) => (0, object.min_bytes),
        ShapeKind::Map(values) => {
            let most = || request / (values.min_bytes + 6);
            (limit("maxProperties").unwrap_or_else(most), 2)
        }
        ShapeKind::List(list) => {
            let most = || request / (list.items.min_bytes + 1);
            (limit("maxItems").unwrap_or_else(most), 2)
        }
        ShapeKind::String => (text().or_else(|| longest_word(schema)).unwrap_or(request), 2),
        ShapeKind::Bytes => (limit("maxLength").unwrap_or(request), 2),
        ShapeKind::Duration => (32, 3),
        ShapeKind::Date => (12, 12),
        ShapeKind::DateTime => (32, 21),
        ShapeKind::Bool => (0, 4),
        ShapeKind::Int | ShapeKind::Double => (0, 1),
        ShapeKind::Any | ShapeKind::Untyped => (0, 0),
    }
}

/// The bytes of the longest word of an `enum`.
fn longest_word(schema: &Json) -> Option<u64> {
    let words = schema.get("enum")?.as_array().filter(|words| !words.is_empty())?;
    let lengths = words.iter().map(|word| word.as_str().map_or(0, str::len));
    lengths.max().map(|length| length as u64)
}

fn order(schema: &Json) -> ListOrder {
    match text(schema, "x-kubernetes-list-type") {
        "set" => ListOrder::Set,
        "map" => {
            let keys = schema.get("x-kubernetes-list-map-keys").and_then(Json::as_array);
            let keys = keys.into_iter().flatten().filter_map(Json::as_str);
            ListOrder::Map(keys.map(|key| escape(key).unwrap_or_else(|| key.to_owned())).collect())
        }
        _ => ListOrder::Atomic,
    }
}

fn object(
    schema: &Json,
    resource: bool,
    facts: Facts,
    name: &str,
    below: &dyn Fn(&Json, &str) -> Result<Shape, TooDeep>,
) -> Result<ObjectShape, TooDeep> {
    let none = Map::new();
    let declared = schema.get("properties").and_then(Json::as_object).unwrap_or(&none);
    let mut properties = Vec::new();
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    let mut min_bytes = 2;
    let added = if resource { resource_properties(declared, facts) } else { Map::new() };
    for (property, schema) in
        declared.iter().filter(|(property, _)| !added.contains_key(*property)).chain(&added)
    {
        let identifier = escape(property);
        let shape = below(schema, identifier.as_deref().unwrap_or(property))?;
        // Servers fill in defaults, so requests need not contain them.
        let has_default = schema.get("default").is_some_and(|default| !default.is_null());
        if required.contains(&&**property) && !has_default && shape.has_type() {
            // The name, two quotes, a colon and a comma.
            min_bytes += property.len() as u64 + shape.min_bytes + 4;
        }
        properties.push(Property { name: property.clone(), identifier, shape });
    }
    properties.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(ObjectShape { name: name.to_owned(), properties, min_bytes })
}

/// What rules on a resource can always read, unless its schema has all of these fields.
fn resource_properties(declared: &Map<String, Json>, facts: Facts) -> Map<String, Json> {
    let mut properties = Map::new();
    let mut metadata = if declares_meta(declared) {
        declared.get("metadata").cloned().unwrap_or_default()
    } else {
        properties.insert("apiVersion".to_owned(), json!({"type": "string"}));
        properties.insert("kind".to_owned(), json!({"type": "string"}));
        let text = || json!({"type": "string"});
        json!({"type": "object", "properties": {"name": text(), "generateName": text()}})
    };
    if facts.hold(Fact::ShortNames) {
        for name in ["/properties/name", "/properties/generateName"] {
            if let Some(name) = metadata.pointer_mut(name).and_then(Json::as_object_mut) {
                name.entry("maxLength").or_insert_with(|| json!(MAX_OBJECT_NAME_CHARS));
            }
        }
    }
    properties.insert("metadata".to_owned(), metadata);
    properties
}

/// The characters of the longest name of an object.
const MAX_OBJECT_NAME_CHARS: u64 = 253;

/// Returns `true` if the schema itself has all that rules on a resource can read. Only then its own `metadata` counts.
fn declares_meta(properties: &Map<String, Json>) -> bool {
    let is_text =
        |schema: Option<&Json>| schema.is_some_and(|schema| text(schema, "type") == "string");
    let Some(metadata) = properties.get("metadata") else { return false };
    let named = |field: &str| {
        is_text(metadata.get("properties").and_then(|properties| properties.get(field)))
    };
    is_text(properties.get("kind"))
        && is_text(properties.get("apiVersion"))
        && text(metadata, "type") == "object"
        && named("name")
        && named("generateName")
}
