//! Changes to a value: drop, rename, retype, move, duplicate, swap.

use std::fmt;

use fastrand::Rng;
use k8s_versioned_core::pointer;
use serde_json::{Map, Value, json};

/// Keys and texts that the generator knows, and some that it does not.
const WORDS: [&str; 65] = [
    "",
    " ",
    "$ref",
    "*/ #![evil]",
    "../../x",
    "3d",
    "Option",
    "Self",
    "String",
    "additionalProperties",
    "allOf",
    "apiVersion",
    "array",
    "atomic",
    "boolean",
    "clientCIDRs",
    "content",
    "date-time",
    "default",
    "description",
    "enum",
    "double",
    "format",
    "get",
    "int32",
    "int64",
    "integer",
    "items",
    "kind",
    "map",
    "metadata",
    "not",
    "nullable",
    "number",
    "object",
    "openAPIV3Schema",
    "properties",
    "required",
    "self",
    "set",
    "spec",
    "status",
    "string",
    "type",
    "x-kubernetes-action",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-group-version-kind",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-preserve-unknown-fields",
    "äöü",
    "a/b~c",
    "a\n\n    std::process::abort();\n\nb",
    "a\r\r    std::process::abort();",
    "-     std::process::abort();",
    "fooBar",
    "foo_bar",
    "gen",
    "int-or-string",
    "quote\"s and \\",
    "two\nlines\u{2028}\u{202e}\0",
    "with_type",
    "{}",
    "```",
    "#/components/schemas/nothing",
];

/// A change and its place.
#[derive(Debug)]
pub(crate) struct Change {
    kind: &'static str,
    file: String,
    at: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}#{}", self.kind, self.file, self.at)
    }
}

/// Changes something in the value of `file`.
pub(crate) fn change(file: &str, root: &mut Value, random: &mut Rng) -> Change {
    let at = somewhere(root, random);
    let kinds = ["drop", "rename", "retype", "move", "duplicate", "swap"];
    let kind = kinds[random.usize(..kinds.len())];
    match kind {
        "drop" => drop(remove(root, &at)),
        "rename" => rename(root, &at, random),
        "retype" => *value(root, &at) = anything(random),
        "move" => {
            if let Some(removed) = remove(root, &at) {
                let target = somewhere(root, random);
                insert(value(root, &target), removed, random);
            }
        }
        "duplicate" => {
            let copy = value(root, &at).clone();
            let parent = at.rsplit_once('/').map_or("", |(parent, _)| parent);
            insert(value(root, parent), copy, random);
        }
        _ => {
            let other = somewhere(root, random);
            swap(root, &at, &other);
        }
    }
    Change { kind, file: file.to_owned(), at }
}

/// The JSON pointer of some value, deep ones as likely as shallow ones.
fn somewhere(root: &Value, random: &mut Rng) -> String {
    let mut at = String::new();
    for _ in 0..random.usize(1..12) {
        let steps: Vec<String> = match root.pointer(&at) {
            Some(Value::Array(items)) => (0..items.len()).map(|index| index.to_string()).collect(),
            Some(Value::Object(members)) => members.keys().cloned().collect(),
            _ => Vec::new(),
        };
        let Some(step) = random.choice(steps) else {
            break;
        };
        at = pointer::child(&at, step);
    }
    at
}

fn value<'a>(root: &'a mut Value, at: &str) -> &'a mut Value {
    root.pointer_mut(at).unwrap()
}

/// The object or array around a value, and the value's name or index in it.
fn around<'a>(root: &'a mut Value, at: &str) -> Option<(&'a mut Value, String)> {
    let (parent, step) = at.rsplit_once('/')?;
    Some((value(root, parent), step.replace("~1", "/").replace("~0", "~")))
}

fn remove(root: &mut Value, at: &str) -> Option<Value> {
    match around(root, at)? {
        (Value::Array(items), step) => Some(items.remove(step.parse().unwrap())),
        (parent, step) => parent.as_object_mut().unwrap().remove(&step),
    }
}

/// Adds a value under a new key: the parser refuses a key that occurs twice.
fn insert(target: &mut Value, value: Value, random: &mut Rng) {
    match target {
        Value::Array(items) => items.insert(random.usize(..=items.len()), value),
        Value::Object(members) => drop(members.insert(new_key(members, random), value)),
        other => *other = value,
    }
}

fn rename(root: &mut Value, at: &str, random: &mut Rng) {
    if let Some((Value::Object(members), step)) = around(root, at) {
        let value = members.remove(&step).unwrap();
        members.insert(new_key(members, random), value);
    }
}

fn new_key(members: &Map<String, Value>, random: &mut Rng) -> String {
    let mut key = word(random);
    while members.contains_key(&key) {
        key.push('X');
    }
    key
}

fn word(random: &mut Rng) -> String {
    WORDS[random.usize(..WORDS.len())].to_owned()
}

/// Exchanges two values, unless one holds the other.
fn swap(root: &mut Value, one: &str, other: &str) {
    let holds = |outer: &str, inner: &str| format!("{inner}/").starts_with(&format!("{outer}/"));
    if !holds(one, other) && !holds(other, one) {
        let first = value(root, one).take();
        let second = std::mem::replace(value(root, other), first);
        *value(root, one) = second;
    }
}

fn anything(random: &mut Rng) -> Value {
    match random.usize(..10) {
        0 => Value::Null,
        1 => random.bool().into(),
        2 => random.i64(..).into(),
        3 => json!(1e300),
        4 => json!([]),
        5 => json!({}),
        6 => json!([word(random)]),
        7 => json!({word(random): word(random)}),
        _ => word(random).into(),
    }
}
