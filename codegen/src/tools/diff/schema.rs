//! The comparison of two schemas: of each change it says whether all values that were valid stay valid, and whether others became
//! valid.
//!
//! The schema of a custom resource is what servers enforce, so every keyword counts. The schemas of built-in kinds state types,
//! and few of the checks, not in each release: of these the types, the defaults and the rules of merging are compared.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value};

use super::ChangeKind;
use super::change_kinds::{
    CUSTOM_DEFAULT, CUSTOM_DEFAULT_REMOVED, DEFAULT_CHANGED, FIELD_ADDED, FIELD_ADDED_JUDGED,
    FIELD_ADDED_REQUIRED, FIELD_NARROWER, FIELD_OPTIONAL, FIELD_REMOVED, FIELD_REQUIRED,
    FIELD_REQUIRED_FILLED, FIELD_REQUIRED_STATED, FIELD_TYPE, FIELD_WIDER, FIELD_WIDER_IN_RULE,
    ITEM_DEFAULT, LIST_KEYS, LIST_KEYS_NARROWER, LIST_TYPE, LIST_TYPE_NARROWER,
    LIST_TYPE_OF_NO_LIST, MAP_TYPE, NULL_REFUSED, NULLABLE, OBJECT_DEFAULT, PATCH_KEY,
    PATCH_STRATEGY, TYPE_CHANGED, UNKNOWN_DROPPED, UNKNOWN_KEPT,
};
use super::keywords;
use super::side::Renames;
use crate::gather::Gather;
use crate::spec::{
    Dialect, KEEPS_UNKNOWN, MERGE, REFERENCE, flag, is_empty_object, is_int_or_string, own_name,
    quoted_key,
};
use crate::text::join;

/// A change in a schema.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: Path,
    pub(super) rule: ChangeKind,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
}

/// The steps from a type to the part that changed. It displays as `spec.parts[].size`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Path(pub(super) Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Field(String),
    Items,
    Values,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Field(name) if index == 0 => f.write_str(&quoted_key(name))?,
                Step::Field(name) => write!(f, ".{}", quoted_key(name))?,
                Step::Items => f.write_str("[]")?,
                Step::Values => f.write_str("{}")?,
            }
        }
        Ok(())
    }
}

/// Compares two schemas of a type.
pub(super) fn compare(was: &Value, is: &Value, dialect: Dialect, names: &Renames) -> Vec<Change> {
    let is_custom = dialect == Dialect::Custom;
    let (path, changes) = (Path::default(), Vec::new());
    let mut comparison = Comparison { names, is_custom, path, changes };
    comparison.schema(was, is, Around::default());
    comparison.changes
}

struct Comparison<'a> {
    names: &'a Renames,
    is_custom: bool,
    path: Path,
    changes: Vec<Change>,
}

/// What the schemas around a part check of the value of the part.
#[derive(Clone, Copy, Default)]
struct Around {
    /// CEL rules, which read values by their types.
    has_rules: bool,
    /// Checks that a default can break: of alternatives, or of whole values.
    judges_members: bool,
}

impl Around {
    /// What is around the parts of a schema.
    fn inside(self, schema: &Value) -> Self {
        let has_rules = self.has_rules || schema.get("x-kubernetes-validations").is_some();
        let judges_members = self.judges_members || judges_members(schema);
        Self { has_rules, judges_members }
    }
}

/// Returns `true` if a schema checks more of an object than each member by itself.
fn judges_members(schema: &Value) -> bool {
    const CHECKS: [&str; 6] =
        ["allOf", "anyOf", "enum", "not", "oneOf", "x-kubernetes-validations"];
    CHECKS.iter().any(|keyword| schema.get(*keyword).is_some())
}

/// Returns `true` if a schema can refuse its default once the defaults inside it are written.
fn judges_default(schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut filled =
        properties.into_iter().flat_map(Map::values).filter(|property| has_default(property));
    schema.get("properties").is_some()
        && (judges_members(schema) || schema.get("maxProperties").is_some())
        || filled.any(judges_default)
}

impl Comparison<'_> {
    fn push(
        &mut self,
        rule: ChangeKind,
        old: impl Into<Option<String>>,
        new: impl Into<Option<String>>,
    ) {
        self.changes.push(Change {
            path: self.path.clone(),
            rule,
            old: old.into(),
            new: new.into(),
        });
    }

    /// Calls `compare` at a step inside.
    fn at(&mut self, step: Step, compare: impl FnOnce(&mut Self)) {
        self.path.0.push(step);
        compare(self);
        self.path.0.pop();
    }

    fn schema(&mut self, was: &Value, is: &Value, around: Around) {
        if was == is && self.names.are_the_same() {
            return;
        }
        // Values of another type have nothing in common with the old ones.
        if !self.types(was, is, around) {
            return;
        }
        self.default(was, is);
        let around = around.inside(was).inside(is);
        if self.is_custom {
            match (flag(was, "nullable"), flag(is, "nullable")) {
                (false, true) => self.push(NULLABLE, None, None),
                (true, false) => self.push(NULL_REFUSED, None, None),
                _ => {}
            }
            for keywords::Change { rule, old, new } in keywords::compare(was, is) {
                self.push(rule, old, new);
            }
        }
        self.merges(was, is, around);
        if let (Some(was), Some(is)) = (was.get("items"), is.get("items")) {
            self.at(Step::Items, |inside| inside.schema(was, is, around));
        }
        self.members(was, is, around);
    }

    /// Compares the types of values. Returns `false` if the values have nothing more in common.
    fn types(&mut self, was: &Value, is: &Value, around: Around) -> bool {
        let is_root = self.path.0.is_empty();
        let before = Shape::new(was, self.is_custom, is_root, |name| self.names.schema(name));
        let after = Shape::new(is, self.is_custom, is_root, str::to_owned);
        if before == after {
            return true;
        }
        let other = if is_root { TYPE_CHANGED } else { FIELD_TYPE };
        let is_wider = before.kinds & !after.kinds == 0;
        let is_narrower = after.kinds & !before.kinds == 0;
        let rule = match (is_wider, is_narrower) {
            _ if before.reference != after.reference => other,
            (true, true) if after.kinds == INTEGER && before.form == "int32" => FIELD_WIDER,
            (true, true) if after.kinds == INTEGER => FIELD_NARROWER,
            (true, false) if around.has_rules => FIELD_WIDER_IN_RULE,
            (true, false) => FIELD_WIDER,
            (false, true) => FIELD_NARROWER,
            _ => other,
        };
        self.push(rule, name_of(was), name_of(is));
        rule != other && before.kinds != ANY
    }

    fn default(&mut self, was: &Value, is: &Value) {
        let stated =
            |schema: &Value| schema.get("default").filter(|schema| !schema.is_null()).cloned();
        let (before, after) = (stated(was), stated(is));
        if before == after {
            return;
        }
        let is_bare = |default: &Option<Value>| default.as_ref().is_none_or(is_empty_object);
        let is_of_item = !matches!(self.path.0.last(), Some(Step::Field(_)));
        let rule = match &after {
            Some(_) if self.is_custom => CUSTOM_DEFAULT,
            None if self.is_custom => CUSTOM_DEFAULT_REMOVED,
            _ if is_of_item => ITEM_DEFAULT,
            _ if is_bare(&before) && is_bare(&after) => OBJECT_DEFAULT,
            _ => DEFAULT_CHANGED,
        };
        let text = |default: Option<Value>| {
            default.map_or_else(|| "no default".to_owned(), |default| format!("default {default}"))
        };
        self.push(rule, text(before), text(after));
    }

    /// Compares how values merge.
    fn merges(&mut self, was: &Value, is: &Value, around: Around) {
        let is_list = is.get("type").is_some_and(|of_type| of_type == "array");
        let list_type = if is_list { LIST_TYPE } else { LIST_TYPE_OF_NO_LIST };
        let rules = [list_type, LIST_KEYS, MAP_TYPE, PATCH_STRATEGY, PATCH_KEY];
        for (rule, keyword) in rules.into_iter().zip(MERGE) {
            let (before, after) = (was.get(keyword), is.get(keyword));
            if before == after {
                continue;
            }
            let is_read = self.is_custom && around.has_rules;
            let rule = match rule {
                LIST_TYPE if is_read || self.is_custom && keywords::narrows_list(was, is) => {
                    LIST_TYPE_NARROWER
                }
                LIST_KEYS if self.is_custom && keywords::narrows_keys(was, is) => {
                    LIST_KEYS_NARROWER
                }
                rule => rule,
            };
            let text = |value: Option<&Value>| match value {
                None => "none".to_owned(),
                Some(Value::String(text)) => text.clone(),
                Some(keys) => {
                    join(keys.as_array().into_iter().flatten().filter_map(Value::as_str), ", ")
                }
            };
            self.push(rule, text(before), text(after));
        }
    }

    // Objects.

    fn members(&mut self, was: &Value, is: &Value, around: Around) {
        let (old, new) = (Members::new(was), Members::new(is));
        let meta = ["apiVersion", "kind", "metadata"];
        let is_other_embedded = flag(was, EMBEDDED) != flag(is, EMBEDDED);
        let names: BTreeSet<&str> = old.names().chain(new.names()).gather();
        let judges_count = is.get("maxProperties").is_some();
        for name in names {
            // An embedded object has these fields anyway.
            if is_other_embedded && meta.contains(&name) {
                continue;
            }
            self.at(Step::Field(name.to_owned()), |inside| {
                let around =
                    Around { judges_members: around.judges_members || judges_count, ..around };
                inside.member(name, &old, &new, around);
            });
        }
        self.rest(&old, &new, around);
    }

    /// Compares the member of a name.
    fn member(&mut self, name: &str, old: &Members<'_>, new: &Members<'_>, around: Around) {
        let (was, is) = (old.property(name), new.property(name));
        let (was_required, is_required) = (old.requires(name), new.requires(name));
        let is_filled = self.is_custom && is.is_some_and(has_default);
        match (was, is) {
            (Some(was), Some(is)) => self.schema(was, is, around),
            (Some(was), None) if !new.keeps_any() => {
                return self.push(FIELD_REMOVED, name_of(was), None);
            }
            (None, Some(is)) if !old.keeps_any() => {
                let rule = match (is_required, is_filled) {
                    (true, false) => FIELD_ADDED_REQUIRED,
                    (_, true) if around.judges_members || judges_default(is) => FIELD_ADDED_JUDGED,
                    _ => FIELD_ADDED,
                };
                return self.push(rule, None, name_of(is));
            }
            // The schema keeps any value under a name that it does not list.
            (Some(was), None) => {
                self.push(FIELD_WIDER, name_of(was), "any value".to_owned());
                self.default(was, &Value::Null);
            }
            (None, Some(is)) => {
                self.push(FIELD_NARROWER, "any value".to_owned(), name_of(is));
                self.default(&Value::Null, is);
            }
            (None, None) => {}
        }
        let word = |required| Some(if required { "required" } else { "optional" }.to_owned());
        let rule = match (was_required, is_required) {
            (true, false) => FIELD_OPTIONAL,
            (false, true) if is_filled => FIELD_REQUIRED_FILLED,
            (false, true) if !self.is_custom && was.is_some() && self.names.are_the_same() => {
                FIELD_REQUIRED_STATED
            }
            (false, true) => FIELD_REQUIRED,
            _ => return,
        };
        self.push(rule, word(was_required), word(is_required));
    }

    /// Compares what servers do with members that a schema does not name.
    fn rest(&mut self, old: &Members<'_>, new: &Members<'_>, around: Around) {
        let is_mixed = |map: &Members<'_>, other: &Members<'_>| {
            matches!(map.rest, Rest::Schema(_)) && other.has_properties()
        };
        let texts = || [old, new].map(|side| Some(side.rest.to_string()));
        let rule = match (old.rest, new.rest) {
            (Rest::Schema(was), Rest::Schema(is)) => {
                return self.at(Step::Values, |inside| inside.schema(was, is, around));
            }
            (Rest::Dropped, Rest::Dropped) | (Rest::Any, Rest::Any) => return,
            // The type of the object shows it.
            _ if !self.is_custom => return,
            _ if is_mixed(old, new) || is_mixed(new, old) => FIELD_TYPE,
            (Rest::Dropped, Rest::Any) => UNKNOWN_KEPT,
            (Rest::Any, Rest::Dropped) => UNKNOWN_DROPPED,
            (Rest::Dropped, Rest::Schema(_)) | (Rest::Schema(_), Rest::Any) => FIELD_WIDER,
            (Rest::Schema(_), Rest::Dropped) => FIELD_TYPE,
            (Rest::Any, Rest::Schema(_)) => FIELD_NARROWER,
        };
        let [old, new] = texts();
        self.push(rule, old, new);
    }
}

fn has_default(schema: &Value) -> bool {
    schema.get("default").is_some_and(|default| !default.is_null())
}

const EMBEDDED: &str = "x-kubernetes-embedded-resource";

/// How a schema restricts the members of objects.
struct Members<'a> {
    properties: Option<&'a Map<String, Value>>,
    required: BTreeSet<&'a str>,
    rest: Rest<'a>,
}

/// What servers do with members that a schema does not name.
#[derive(Clone, Copy)]
enum Rest<'a> {
    Dropped,
    Any,
    /// They keep values of a schema.
    Schema(&'a Value),
}

impl<'a> Members<'a> {
    fn new(schema: &'a Value) -> Self {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let rest = match schema.get("additionalProperties") {
            Some(values @ Value::Object(_)) => Rest::Schema(values),
            Some(Value::Bool(true)) => Rest::Any,
            _ if flag(schema, KEEPS_UNKNOWN) => Rest::Any,
            _ => Rest::Dropped,
        };
        let properties = schema.get("properties").and_then(Value::as_object);
        Self { properties, required: required.filter_map(Value::as_str).collect(), rest }
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        let named = self.properties.into_iter().flat_map(Map::keys).map(String::as_str);
        named.chain(self.required.iter().copied())
    }

    fn property(&self, name: &str) -> Option<&'a Value> {
        self.properties?.get(name)
    }

    fn requires(&self, name: &str) -> bool {
        self.required.contains(name)
    }

    fn has_properties(&self) -> bool {
        self.properties.is_some_and(|properties| !properties.is_empty())
    }

    fn keeps_any(&self) -> bool {
        matches!(self.rest, Rest::Any)
    }
}

impl fmt::Display for Rest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dropped => f.write_str("object"),
            Self::Any => f.write_str("object of any members"),
            Self::Schema(values) => write!(f, "map of {}", name_of(values)),
        }
    }
}

// The types of values.

const STRING: u8 = 1;
const INTEGER: u8 = 2;
const NUMBER: u8 = INTEGER | 4;
const BOOLEAN: u8 = 8;
const ARRAY: u8 = 16;
const OBJECT: u8 = 32;
const ANY: u8 = 63;

/// The values that a schema allows, by their types.
#[derive(Debug, PartialEq, Eq)]
struct Shape<'a> {
    kinds: u8,
    /// The name of the type to which it refers.
    reference: Option<String>,
    /// The size of a whole number. Of built-in kinds also the format of a text, and whether an object has fields.
    form: &'a str,
}

impl<'a> Shape<'a> {
    fn new(schema: &'a Value, custom: bool, is_root: bool, name: impl Fn(&str) -> String) -> Self {
        if let Some(target) = reference(schema) {
            return Self { kinds: OBJECT, reference: Some(name(target)), form: "" };
        }
        let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
        let fields =
            if schema.get("properties").is_some() || is_root { "fields" } else { "object" };
        let is_map = schema.get("additionalProperties").is_some();
        let (kinds, form) = match schema.get("type").and_then(Value::as_str) {
            _ if is_int_or_string(schema) => (INTEGER | STRING, ""),
            Some("string") => (STRING, if custom { "" } else { format }),
            Some("integer") => (INTEGER, if format == "int32" { "int32" } else { "int64" }),
            Some("number") => (NUMBER, ""),
            Some("boolean") => (BOOLEAN, ""),
            Some("array") => (ARRAY, ""),
            Some("object") if custom => (OBJECT, ""),
            Some("object") => (OBJECT, if is_map { "map" } else { fields }),
            _ => (ANY, ""),
        };
        Self { kinds, reference: None, form }
    }
}

/// The type to which a schema refers. A reference with a default is in `allOf`.
fn reference(schema: &Value) -> Option<&str> {
    let only = || schema.get("allOf")?.as_array()?.first()?.get("$ref");
    schema.get("$ref").or_else(only)?.as_str()?.strip_prefix(REFERENCE)
}

/// The type of the values of a schema, for people.
fn name_of(schema: &Value) -> String {
    if let Some(target) = reference(schema) {
        return own_name(target).to_owned();
    }
    let of_type = schema.get("type").and_then(Value::as_str);
    let format = schema.get("format").and_then(Value::as_str);
    let of_items = |keyword| {
        let items = schema.get(keyword).filter(|items| items.is_object());
        let null = if items.is_some_and(|items| flag(items, "nullable")) { " or null" } else { "" };
        items.map_or("any value".to_owned(), name_of) + null
    };
    match (of_type, format) {
        _ if is_int_or_string(schema) => "integer or string".to_owned(),
        (Some("string"), Some("date-time")) => "date-time".to_owned(),
        (Some("string"), Some("byte")) => "bytes".to_owned(),
        (Some("integer"), Some("int32")) => "int32".to_owned(),
        (Some("integer"), _) => "int64".to_owned(),
        (Some("number"), _) => "double".to_owned(),
        (Some("array"), _) => format!("list of {}", of_items("items")),
        (Some("object"), _) if schema.get("additionalProperties").is_some() => {
            format!("map of {}", of_items("additionalProperties"))
        }
        (Some("object"), _) if schema.get("properties").is_some() => {
            "object with fields".to_owned()
        }
        (Some(name), _) => name.to_owned(),
        (None, _) => "any value".to_owned(),
    }
}
