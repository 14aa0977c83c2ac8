//! Compiles schemas.

use std::cell::RefCell;
use std::collections::HashMap;

use k8s_cel::{RuleNode, RuleScope, Rules};
use k8s_versioned_core::Release;
use serde_json::{Map, Value};
use thiserror::Error;

use super::enumeration::Enumeration;
use super::properties::{Defaults, Properties};
use super::tree::{
    Additional, Alternatives, Below, Constraints, CountLimits, ListType, NamedFormat, NumberLimits,
    Schema, TextLimits, TextPattern, Types,
};
use crate::formats::{Format, NumberFormat};
use crate::path::Path;
use crate::regex::Patterns;

/// The deepest schema that is read. Definitions are at most a few dozen levels deep.
const MAX_DEPTH: usize = 200;

/// A schema that cannot be read. Servers store no such definition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {problem}")]
pub struct SchemaError {
    path: String,
    problem: &'static str,
}

impl SchemaError {
    pub(crate) fn new(path: Path<'_>, problem: &'static str) -> Self {
        Self { path: path.to_string(), problem }
    }

    /// The path to the part of the definition.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Schema {
    /// Reads a schema for a release of servers. Its patterns are those of a definition.
    ///
    /// # Errors
    /// A part is not a schema, or the schema nests deeper than 200 levels.
    pub(crate) fn read(
        value: &Value,
        path: Path<'_>,
        release: Release,
        patterns: &RefCell<Patterns>,
    ) -> Result<Self, SchemaError> {
        let (scope, nodes) = (RuleScope { release, is_root: true }, RefCell::default());
        let reader = Reader { scope, of_default: false, depth: 0, patterns, nodes: &nodes };
        reader.read(value, path, Some(value))
    }

    /// Compiles the schema of a default as servers judge it when a definition is created: any value fits an int-or-string without a
    /// type, and unknown formats count. The schema of a whole object knows that its values have a type and metadata.
    pub(crate) fn of_default(
        schema: &Value,
        is_object: bool,
        release: Release,
        patterns: &RefCell<Patterns>,
    ) -> Result<Self, SchemaError> {
        let (scope, nodes) = (RuleScope { release, is_root: is_object }, RefCell::default());
        let reader = Reader { scope, of_default: true, depth: 0, patterns, nodes: &nodes };
        let mut compiled = reader.read(schema, Path::Root, Some(schema))?;
        compiled.embedded |= is_object;
        compiled.below.embedded |= is_object;
        Ok(compiled)
    }

    /// The patterns that are too large for this package.
    pub(crate) fn unknown_patterns(&self) -> Vec<&str> {
        let constraints = self.constraints.as_deref();
        let own = constraints
            .and_then(|constraints| constraints.text.pattern.as_ref())
            .filter(|pattern| pattern.compiled.as_ref().is_err_and(|error| !error.is_refused()));
        let additional = match &self.additional {
            Additional::Schema(schema) => Some(&**schema),
            _ => None,
        };
        let boxed = [additional, self.items.as_deref()].into_iter().flatten();
        let alternatives = constraints.and_then(|constraints| constraints.alternatives.as_deref());
        let alternatives = alternatives.into_iter().flat_map(Alternatives::schemas);
        let properties = self.properties.iter().map(|(_, schema)| schema);
        let inner = properties.chain(boxed).chain(alternatives);
        own.map(|pattern| pattern.source.as_str())
            .into_iter()
            .chain(inner.flat_map(Self::unknown_patterns))
            .collect()
    }

    /// What this schema or one below it contains. Only the structure counts, and the rules in `allOf`.
    fn summary(&self) -> Below {
        let own = Below {
            defaults: self.default.is_some(),
            float_defaults: self.default.as_ref().is_some_and(has_float),
            embedded: self.embedded,
            keyed_lists: matches!(self.list_type, ListType::Set | ListType::Map),
            rules: self.rules.is_some() || self.all_of().iter().any(|branch| branch.below.rules),
        };
        let additional = match &self.additional {
            Additional::Schema(schema) => schema.below,
            _ => Below::default(),
        };
        let items = self.items.as_ref().map_or_else(Below::default, |items| items.below);
        let properties = self.properties.iter().map(|(_, property)| property.below);
        properties.fold(own.and(additional).and(items), Below::and)
    }
}

#[cfg(test)]
thread_local! {
    /// How many schemas with rules this thread has compiled.
    pub(crate) static COMPILED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(members) => members.values().any(has_float),
        _ => false,
    }
}

impl Constraints {
    /// Returns `true` if every value fits.
    fn is_empty(&self) -> bool {
        let counts = [self.text.least, self.text.most, self.item_count.least, self.item_count.most];
        self.format.is_none()
            && self.enumeration.values.is_empty()
            && self.number.are_empty()
            && self.text.pattern.is_none()
            && !self.unique_items
            && self.property_count.least.or(self.property_count.most).is_none()
            && counts.iter().all(Option::is_none)
            && self.alternatives.is_none()
    }
}

/// Reads schemas for a release.
#[derive(Clone, Copy)]
struct Reader<'a> {
    scope: RuleScope,
    /// Whether the schema is for a default.
    of_default: bool,
    depth: usize,
    /// The patterns of the definition.
    patterns: &'a RefCell<Patterns>,
    /// The nodes with rules, by their addresses.
    nodes: &'a RefCell<HashMap<*const Value, RuleNode<'a>>>,
}

impl<'a> Reader<'a> {
    /// Reads a schema. The types are those for its rules: the schema itself, or the one around its `allOf`. Servers ignore rules in other
    /// alternatives.
    fn read(
        self,
        value: &Value,
        path: Path<'_>,
        types: Option<&'a Value>,
    ) -> Result<Schema, SchemaError> {
        let Value::Object(members) = value else {
            return Err(SchemaError::new(path, "a schema is an object"));
        };
        if self.depth > MAX_DEPTH {
            return Err(SchemaError::new(path, "the schema nests deeper than 200 levels"));
        }
        let part = SchemaMembers { members, types, path: &path, reader: self };
        let mut schema = Schema {
            types: part.types()?,
            nullable: part.is("nullable"),
            preserves: part.is("x-kubernetes-preserve-unknown-fields"),
            embedded: part.is("x-kubernetes-embedded-resource"),
            list_type: part.list_type(),
            atomic_map: part.text("x-kubernetes-map-type") == Some("atomic"),
            below: Below::default(),
            properties: part.properties()?,
            additional: part.additional()?,
            required: part.texts_of("required"),
            items: part.boxed("items", part.types_of("items"))?,
            map_keys: part.texts_of("x-kubernetes-list-map-keys"),
            default: members.get("default").filter(|default| !default.is_null()).cloned(),
            constraints: part.constraints()?,
            rules: types.and_then(|types| self.rules(value, types)).map(Box::new),
        };
        schema.below = schema.summary();
        Ok(schema)
    }

    /// A reader of the parts of a schema.
    const fn inside(self) -> Self {
        let scope = RuleScope { is_root: false, ..self.scope };
        Self { scope, ..self.beside() }
    }

    /// A reader of the alternatives of a schema.
    const fn beside(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    /// The rules of a schema with the types of a schema, which many parts of `allOf` share.
    fn rules(self, schema: &Value, types: &'a Value) -> Option<Rules> {
        let own = schema.get("x-kubernetes-validations").filter(|rules| rules.is_array())?;
        #[cfg(test)]
        COMPILED.set(COMPILED.get() + 1);
        let mut nodes = self.nodes.borrow_mut();
        let read = || RuleNode::of_stored(types, self.scope);
        let node = nodes.entry(std::ptr::from_ref(types)).or_insert_with(read);
        Some(node.compile(Some(own)))
    }

    /// A format that servers of the release keep.
    fn format(self, name: &str) -> Option<NamedFormat> {
        let check = Format::named_in(name, self.scope.release);
        // Servers keep formats of numbers for all types, and use them for numbers only.
        let of_number =
            |of_type| NumberFormat::named_in(of_type, name, self.scope.release).is_some();
        let of_numbers = || ["integer", "number"].into_iter().any(of_number);
        let kept = check.is_some() || self.of_default || of_numbers();
        kept.then(|| NamedFormat { name: name.to_owned(), check })
    }
}

/// The members of a schema, and its place.
struct SchemaMembers<'p, 'a> {
    members: &'p Map<String, Value>,
    /// The types for the rules.
    types: Option<&'a Value>,
    path: &'p Path<'p>,
    reader: Reader<'a>,
}

impl<'p, 'a> SchemaMembers<'p, 'a> {
    fn types(&self) -> Result<Types, SchemaError> {
        if self.is("x-kubernetes-int-or-string") && !self.reader.of_default {
            return Ok(Types::IntOrString);
        }
        let Some(name) = self.text("type") else { return Ok(Types::Any) };
        let none = || SchemaError::new(self.path.field("type"), "the type does not exist");
        Types::named(name).ok_or_else(none)
    }

    fn constraints(&self) -> Result<Option<Box<Constraints>>, SchemaError> {
        let constraints = Constraints {
            format: self.text("format").and_then(|name| self.reader.format(name)),
            enumeration: Enumeration::new(self.list("enum")),
            number: self.numbers(),
            text: self.texts(),
            item_count: self.counts("minItems", "maxItems"),
            unique_items: self.is("uniqueItems"),
            property_count: self.counts("minProperties", "maxProperties"),
            alternatives: self.alternatives()?,
        };
        Ok((!constraints.is_empty()).then(|| Box::new(constraints)))
    }

    fn alternatives(&self) -> Result<Option<Box<Alternatives>>, SchemaError> {
        let alternatives = Alternatives {
            all_of: self.schemas("allOf", self.types)?,
            any_of: self.schemas("anyOf", None)?,
            one_of: self.schemas("oneOf", None)?,
            not: self.boxed("not", None)?,
        };
        let has_any = alternatives.schemas().next().is_some();
        Ok(has_any.then(|| Box::new(alternatives)))
    }

    fn is(&self, name: &str) -> bool {
        self.members.get(name) == Some(&Value::Bool(true))
    }

    fn text(&self, name: &str) -> Option<&'p str> {
        self.members.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    fn list(&self, name: &str) -> &'p [Value] {
        self.members.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    fn texts_of(&self, name: &str) -> Vec<String> {
        self.list(name).iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    fn float(&self, name: &str) -> Option<f64> {
        self.members.get(name)?.as_f64()
    }

    fn count(&self, name: &str) -> Option<i64> {
        let value = self.members.get(name)?;
        #[allow(clippy::cast_possible_truncation, reason = "definitions have whole numbers here")]
        value.as_i64().or_else(|| value.as_f64().map(|float| float as i64))
    }

    fn counts(&self, least: &str, most: &str) -> CountLimits {
        CountLimits { least: self.count(least), most: self.count(most) }
    }

    fn numbers(&self) -> NumberLimits {
        NumberLimits {
            multiple_of: self.float("multipleOf"),
            minimum: self.float("minimum"),
            exclusive_minimum: self.is("exclusiveMinimum"),
            maximum: self.float("maximum"),
            exclusive_maximum: self.is("exclusiveMaximum"),
        }
    }

    fn texts(&self) -> TextLimits {
        let pattern = self.text("pattern").map(|source| TextPattern {
            source: source.to_owned(),
            compiled: self.reader.patterns.borrow_mut().compile(source),
        });
        TextLimits { most: self.count("maxLength"), least: self.count("minLength"), pattern }
    }

    fn list_type(&self) -> ListType {
        match self.text("x-kubernetes-list-type") {
            Some("atomic") => ListType::Atomic,
            Some("set") => ListType::Set,
            Some("map") => ListType::Map,
            _ => ListType::None,
        }
    }

    fn properties(&self) -> Result<Properties<Schema>, SchemaError> {
        let place = self.path.field("properties");
        let properties = self.members.get("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten();
        let types = self.types_of("properties");
        let read = properties.map(|(name, property)| {
            let types = types.and_then(|types| types.get(name));
            let schema = self.reader.inside().read(property, place.key(name), types)?;
            Ok((name.clone(), schema))
        });
        let properties: Vec<_> = read.collect::<Result<_, _>>()?;
        Ok(Properties::new(properties, |schema| match schema.default {
            Some(_) => Defaults::Own,
            None if schema.below.defaults => Defaults::Inside,
            None => Defaults::None,
        }))
    }

    fn additional(&self) -> Result<Additional, SchemaError> {
        match self.members.get("additionalProperties") {
            None | Some(Value::Null) => Ok(Additional::Unknown),
            Some(Value::Bool(allowed)) => Ok(Additional::Allowed(*allowed)),
            Some(schema) => {
                let place = self.path.field("additionalProperties");
                let types = self.types_of("additionalProperties");
                let schema = self.reader.inside().read(schema, place, types)?;
                Ok(Additional::Schema(Box::new(schema)))
            }
        }
    }

    fn types_of(&self, name: &str) -> Option<&'a Value> {
        self.types.and_then(|types| types.get(name))
    }

    fn boxed(
        &self,
        name: &'static str,
        types: Option<&'a Value>,
    ) -> Result<Option<Box<Schema>>, SchemaError> {
        let schema = self.members.get(name).filter(|schema| !schema.is_null());
        let read = |schema| self.reader.inside().read(schema, self.path.field(name), types);
        schema.map(read).transpose().map(|schema| schema.map(Box::new))
    }

    fn schemas(
        &self,
        name: &'static str,
        types: Option<&'a Value>,
    ) -> Result<Vec<Schema>, SchemaError> {
        let place = self.path.field(name);
        let read = |(at, schema)| self.reader.beside().read(schema, place.index(at), types);
        self.list(name).iter().enumerate().map(read).collect()
    }
}
