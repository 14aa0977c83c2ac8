//! What servers make of each keyword of a schema.
//!
//! [`KEYWORDS`] is the table: a keyword, when it has an effect other than the one that its name promises, and why. Each row
//! has an example, and a test judges it. [`find`] lists the places in a definition.

mod conditions;
mod table;

use k8s_versioned_names::Release;
use serde_json::Value;

use super::part::Part;
use super::shape::JSON_SCHEMA;
use super::structural;
pub use table::KEYWORDS;

/// What servers make of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// It is accepted, and it means what it says.
    Fine,
    /// The definition is accepted, but the keyword means nothing, or no value fits it.
    Meaningless,
    /// The definition is refused. One that an older server stored is served all the same.
    Refused,
}

/// A row of [`KEYWORDS`].
#[derive(Clone, Copy)]
pub struct Keyword {
    /// The keyword; `*` is any keyword that schemas do not have.
    pub name: &'static str,
    /// When the row applies; empty if always.
    pub when: &'static str,
    /// What servers make of it.
    pub effect: Effect,
    /// Why, or what happens instead.
    pub why: &'static str,
    /// A schema of a field for which the row applies, as JSON.
    pub example: &'static str,
    applies: Applies,
}

/// When a row applies to a schema that has the keyword.
#[derive(Clone, Copy)]
enum Applies {
    Always,
    Never,
    /// The type is none of these.
    OtherType(&'static [&'static str]),
    When(fn(&Node<'_>) -> bool),
}

/// A keyword in a definition that does not mean what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The JSON pointer of the keyword in the definition, or of the schema that lacks it.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
    /// When the row of the table applies; empty if always.
    pub when: &'static str,
    /// What servers make of it, never [`Effect::Fine`].
    pub effect: Effect,
    /// Why, or what happens instead.
    pub why: &'static str,
}

/// A schema, and where it stands.
struct Node<'a> {
    schema: Part<'a>,
    release: Release,
    /// The schema of a version.
    root: bool,
    /// In `allOf`, `anyOf`, `oneOf` or `not`.
    nested: bool,
    /// One of the two alternatives of an integer or a text.
    int_or_string: bool,
    /// The type, also of the schema that the alternatives are for; empty if it is not known.
    of_type: &'a str,
}

impl Node<'_> {
    fn is_type(&self, names: &[&str]) -> bool {
        self.of_type.is_empty()
            || self.schema.is("x-kubernetes-int-or-string")
            || names.contains(&self.of_type)
    }

    fn is_for(&self, row: &Keyword) -> bool {
        match row.applies {
            Applies::Always => true,
            Applies::Never => false,
            Applies::OtherType(types) => !self.is_type(types),
            Applies::When(applies) => applies(self),
        }
    }

    /// Returns `true` if the second limit is less than the first, or negative.
    fn has_no_room(&self, least: &str, most: &str) -> bool {
        self.schema.number(most).is_some_and(|most| most < 0.0) || self.above(least, most)
    }

    fn above(&self, least: &str, most: &str) -> bool {
        let (least, most) = (self.schema.number(least), self.schema.number(most));
        least.zip(most).is_some_and(|(least, most)| least > most)
    }
}

/// Schemas that nest deeper than this are not looked into.
const MAX_DEPTH: usize = 200;

/// The keywords in the schemas of a definition that do not mean what they say, by the order of the members.
pub fn find(definition: &Value, release: Release) -> Vec<Finding> {
    let mut findings = Vec::new();
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
            };
            let mut pointer = format!("/spec/versions/{at}/schema/openAPIV3Schema");
            visit(&node, 0, &mut pointer, &mut findings);
        }
    }
    findings
}

/// Keywords whose members are schemas.
const MAPS: [&str; 3] = ["properties", "patternProperties", "definitions"];

fn visit(node: &Node<'_>, depth: usize, pointer: &mut String, findings: &mut Vec<Finding>) {
    if depth > MAX_DEPTH {
        return;
    }
    look(node, pointer, findings);
    for (name, value) in node.schema.0 {
        let nested = node.nested || matches!(name.as_str(), "allOf" | "anyOf" | "oneOf" | "not");
        let is_same_value = nested && !MAPS.contains(&name.as_str()) && name != "items";
        let int_or_string = name == "anyOf" && structural::is_int_or_string(node.schema);
        let length = pointer.len();
        push(pointer, name);
        for_each_schema(name, value, &mut |token, schema| {
            let length = pointer.len();
            if let Some(token) = token {
                push(pointer, token);
            }
            let of_type = match schema.text("type") {
                "" if is_same_value => node.of_type,
                own => own,
            };
            let release = node.release;
            let child = Node { schema, release, root: false, nested, int_or_string, of_type };
            visit(&child, depth + 1, pointer, findings);
            pointer.truncate(length);
        });
        pointer.truncate(length);
    }
}

/// Calls a function with the schemas that a keyword has, each with its name or number if there can be several.
fn for_each_schema<'a>(
    keyword: &str,
    value: &'a Value,
    visitor: &mut dyn FnMut(Option<&str>, Part<'a>),
) {
    let mut call = |token: Option<&str>, value: &'a Value| {
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
            numbered.for_each(|(at, value)| call(Some(&at.to_string()), value));
        }
        _ => {}
    }
}

/// Appends a token to a JSON pointer.
fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
}

/// Applies the table to one schema.
fn look(node: &Node<'_>, pointer: &mut String, findings: &mut Vec<Finding>) {
    let mut add = |keyword: &str, present: bool, row: &Keyword| {
        let length = pointer.len();
        if present {
            push(pointer, keyword);
        }
        let Keyword { when, effect, why, .. } = *row;
        let (pointer_of_keyword, keyword) = (pointer.clone(), keyword.to_owned());
        findings.push(Finding { pointer: pointer_of_keyword, keyword, when, effect, why });
        pointer.truncate(length);
    };
    for row in KEYWORDS {
        if row.name == "*" {
            let is_known = |name: &str| JSON_SCHEMA.fields.iter().any(|field| field.name == name);
            let members =
                node.schema.0.iter().filter(|(name, value)| !is_known(name) && !value.is_null());
            for (name, _) in members {
                add(name, true, row);
            }
        } else {
            // To servers, `null` is absent. Only for a default they say so.
            let value = node.schema.0.get(row.name);
            let present = value.is_some_and(|value| !value.is_null() || row.name == "default");
            let of_absent = row.when.starts_with("it is absent");
            if present != of_absent && node.is_for(row) {
                add(row.name, present, row);
            }
        }
    }
}
