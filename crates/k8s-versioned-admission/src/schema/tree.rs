//! A schema as a tree: what each part requires of a value.

use std::sync::Arc;

use k8s_cel::Rules;
use serde_json::Value;

use super::enumeration::Enumeration;
use super::properties::Properties;
use crate::formats::Format;
use crate::path::Path;
use crate::regex::{Pattern, PatternError};

/// A schema of a definition (`openAPIV3Schema`), or a part of it.
///
/// Most parts have only a type, so the rest is in `constraints`: a walk reads few bytes of each part. Hot path, row `answer` of
/// the benches.
#[allow(clippy::struct_excessive_bools, reason = "each is a keyword")]
#[derive(Debug, Default)]
pub(crate) struct Schema {
    pub(crate) types: Types,
    pub(crate) nullable: bool,
    /// `x-kubernetes-preserve-unknown-fields`
    pub(crate) preserves: bool,
    /// `x-kubernetes-embedded-resource`
    pub(crate) embedded: bool,
    pub(crate) list_type: ListType,
    /// `true` for `x-kubernetes-map-type: atomic`
    pub(crate) atomic_map: bool,
    /// What this schema or one below it contains.
    pub(crate) below: Below,
    pub(crate) properties: Properties<Self>,
    pub(crate) additional: Additional,
    pub(crate) required: Vec<String>,
    pub(crate) items: Option<Box<Schema>>,
    pub(crate) map_keys: Vec<String>,
    pub(crate) default: Option<Value>,
    /// Further requirements, if there are any.
    pub(crate) constraints: Option<Box<Constraints>>,
    /// `x-kubernetes-validations`. Those of a branch of `allOf` are about the types of the schema around it.
    pub(crate) rules: Option<Box<Rules>>,
}

/// What a schema requires of a value in addition to its type, members and items.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    pub(crate) format: Option<NamedFormat>,
    pub(crate) enumeration: Enumeration,
    pub(crate) number: NumberLimits,
    pub(crate) text: TextLimits,
    pub(crate) item_count: CountLimits,
    pub(crate) unique_items: bool,
    pub(crate) property_count: CountLimits,
    pub(crate) alternatives: Option<Box<Alternatives>>,
}

/// The parts of a schema that a step looks for. A step skips values whose schema has none.
#[allow(clippy::struct_excessive_bools, reason = "each is a part")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Below {
    pub(crate) defaults: bool,
    /// Defaults with a float, which a server may store as an integer.
    pub(crate) float_defaults: bool,
    pub(crate) embedded: bool,
    /// Lists that are sets or maps.
    pub(crate) keyed_lists: bool,
    /// Rules, also those in `allOf`.
    pub(crate) rules: bool,
}

impl Below {
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            defaults: self.defaults || other.defaults,
            float_defaults: self.float_defaults || other.float_defaults,
            embedded: self.embedded || other.embedded,
            keyed_lists: self.keyed_lists || other.keyed_lists,
            rules: self.rules || other.rules,
        }
    }
}

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Type {
    /// The type of a value. A number is an integer if it is written without fraction and exponent.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_i64() => Self::Integer,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// The type that a schema names. No schema names `null`.
    fn named(name: &str) -> Option<Self> {
        use Type::{Array, Boolean, Integer, Number, Object, String};
        [Array, Boolean, Integer, Number, Object, String]
            .into_iter()
            .find(|candidate| candidate.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// The types that a schema allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Types {
    #[default]
    Any,
    One(Type),
    IntOrString,
}

impl Types {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Type::named(name).map(Self::One)
    }

    /// Returns `true` if the schema names the type.
    pub(crate) fn names(self, named: Type) -> bool {
        match self {
            Self::Any => false,
            Self::One(one) => one == named,
            Self::IntOrString => matches!(named, Type::Integer | Type::String),
        }
    }

    /// The names, as in messages.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::One(one) => one.name(),
            Self::IntOrString => "integer,string",
        }
    }
}

/// A format that servers know, with the check of its texts. Formats of numbers have none.
#[derive(Debug)]
pub(crate) struct NamedFormat {
    pub(crate) name: String,
    pub(crate) check: Option<Format>,
}

/// The least and the most items.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountLimits {
    pub(crate) least: Option<i64>,
    pub(crate) most: Option<i64>,
}

/// The limits of a number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberLimits {
    pub(crate) multiple_of: Option<f64>,
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
}

impl NumberLimits {
    pub(super) const fn are_empty(&self) -> bool {
        self.multiple_of.is_none() && self.minimum.is_none() && self.maximum.is_none()
    }
}

/// The limits of a text.
#[derive(Debug, Default)]
pub(crate) struct TextLimits {
    pub(crate) most: Option<i64>,
    pub(crate) least: Option<i64>,
    pub(crate) pattern: Option<TextPattern>,
}

/// A pattern as text and compiled, or why it does not compile. A pattern that is too large for this package fits every
/// text, and answers list it as not judged.
#[derive(Debug)]
pub(crate) struct TextPattern {
    pub(crate) source: String,
    pub(crate) compiled: Result<Arc<Pattern>, PatternError>,
}

/// The schemas of `allOf`, `anyOf`, `oneOf` and `not`.
#[derive(Debug, Default)]
pub(crate) struct Alternatives {
    pub(super) all_of: Vec<Schema>,
    pub(super) any_of: Vec<Schema>,
    pub(super) one_of: Vec<Schema>,
    pub(super) not: Option<Box<Schema>>,
}

impl Alternatives {
    pub(super) fn schemas(&self) -> impl Iterator<Item = &Schema> {
        let lists = self.all_of.iter().chain(&self.any_of).chain(&self.one_of);
        lists.chain(self.not.as_deref())
    }
}

/// What a schema says about keys that it does not list.
#[derive(Debug, Default)]
pub(crate) enum Additional {
    /// Nothing: they are unknown fields.
    #[default]
    Unknown,
    /// `true` or `false`.
    Allowed(bool),
    Schema(Box<Schema>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListType {
    #[default]
    None,
    Atomic,
    Set,
    Map,
}

impl Schema {
    /// Visits this schema and those of its fields, keys and items, innermost first.
    pub(crate) fn for_each_mut(&mut self, visit: &mut impl FnMut(&mut Self)) {
        self.properties.schemas_mut().for_each(|property| property.for_each_mut(visit));
        if let Additional::Schema(additional) = &mut self.additional {
            additional.for_each_mut(visit);
        }
        if let Some(items) = &mut self.items {
            items.for_each_mut(visit);
        }
        visit(self);
    }

    /// The branches of `allOf`.
    pub(super) fn all_of(&self) -> &[Self] {
        let constraints = self.constraints.as_deref();
        let alternatives = constraints.and_then(|constraints| constraints.alternatives.as_deref());
        alternatives.map_or(&[], |alternatives| &alternatives.all_of)
    }

    /// The schema of a member, and whether `properties` lists it.
    pub(crate) fn member(&self, name: &str) -> Member<'_> {
        self.properties.get(name).map_or_else(|| self.unlisted(), Member::Listed)
    }

    /// What the schema says about members that it does not list.
    pub(crate) const fn unlisted(&self) -> Member<'_> {
        match &self.additional {
            Additional::Unknown => Member::Unknown,
            Additional::Allowed(_) => Member::Additional(None),
            Additional::Schema(schema) => Member::Additional(Some(schema)),
        }
    }

    /// Calls a function with each member or item of a value that has a schema, with that schema and the path.
    pub(crate) fn for_each_part(
        &self,
        value: &Value,
        path: &Path<'_>,
        mut visit: impl FnMut(&Value, &Self, &Path<'_>),
    ) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match self.member(name) {
                        Member::Listed(inner) => visit(member, inner, &path.field(name)),
                        Member::Additional(Some(inner)) => visit(member, inner, &path.key(name)),
                        Member::Additional(None) | Member::Unknown => {}
                    }
                }
            }
            Value::Array(items) => {
                if let Some(inner) = self.items.as_deref() {
                    for (at, item) in items.iter().enumerate() {
                        visit(item, inner, &path.index(at));
                    }
                }
            }
            _ => {}
        }
    }
}

/// What a schema says about a member of an object.
pub(crate) enum Member<'a> {
    Listed(&'a Schema),
    Additional(Option<&'a Schema>),
    Unknown,
}

impl<'a> Member<'a> {
    /// The schema of the member, if there is one.
    pub(crate) const fn schema(&self) -> Option<&'a Schema> {
        match self {
            Self::Listed(schema) => Some(schema),
            Self::Additional(schema) => *schema,
            Self::Unknown => None,
        }
    }
}
