//! Changes to a value: drop, rename, retype, move, duplicate, swap.

use std::fmt;

use coordination_codegen::json::{Member, Node, Value};
use fastrand::Rng;

/// Keys and texts that mean something to the generator, and some that mean nothing to anybody.
const WORDS: [&str; 44] = [
    "",
    " ",
    "$ref",
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
    "number",
    "object",
    "properties",
    "required",
    "self",
    "set",
    "string",
    "type",
    "x-kubernetes-action",
    "x-kubernetes-group-version-kind",
    "x-kubernetes-list-type",
    "äöü",
    "a/b~c",
    "fooBar",
    "foo_bar",
    "#/components/schemas/nothing",
];

/// What was done where, for people.
#[derive(Debug)]
pub(crate) struct Change {
    kind: &'static str,
    file: String,
    path: Vec<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}#/{}", self.kind, self.file, self.path.join("/"))
    }
}

/// Changes something in the value of `file`.
pub(crate) fn change(file: &str, root: &mut Node, random: &mut Rng) -> Change {
    let path = somewhere(root, random);
    let kinds = ["drop", "rename", "retype", "move", "duplicate", "swap"];
    let kind = kinds[random.usize(..kinds.len())];
    let named = describe(root, &path);
    match kind {
        "drop" => drop(remove(root, &path)),
        "rename" => rename(root, &path, random),
        "retype" => at(root, &path).value = anything(random),
        "move" => {
            if let Some(removed) = remove(root, &path) {
                let target = somewhere(root, random);
                insert(at(root, &target), removed, random);
            }
        }
        "duplicate" => {
            let copy = at(root, &path).clone();
            let parent = path.split_last().map_or(&[][..], |(_, parent)| parent);
            insert(at(root, parent), copy, random);
        }
        _ => {
            let other = somewhere(root, random);
            swap(root, &path, &other);
        }
    }
    Change { kind, file: file.to_owned(), path: named }
}

/// The children of a value.
fn children(node: &Node) -> Vec<&Node> {
    match &node.value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.iter().map(|member| &member.node).collect(),
        _ => Vec::new(),
    }
}

/// A path to some value, deep ones as likely as shallow ones.
fn somewhere(root: &Node, random: &mut Rng) -> Vec<usize> {
    let mut path = Vec::new();
    let mut node = root;
    let depth = random.usize(1..12);
    while path.len() < depth {
        let children = children(node);
        if children.is_empty() {
            break;
        }
        let index = random.usize(..children.len());
        path.push(index);
        node = children[index];
    }
    path
}

fn at<'a>(root: &'a mut Node, path: &[usize]) -> &'a mut Node {
    let mut node = root;
    for index in path {
        node = match &mut node.value {
            Value::Array(items) => &mut items[*index],
            Value::Object(members) => &mut members[*index].node,
            _ => unreachable!("the path was made from this value"),
        };
    }
    node
}

fn describe(root: &Node, path: &[usize]) -> Vec<String> {
    let mut node = root;
    let mut names = Vec::new();
    for index in path {
        names.push(match &node.value {
            Value::Object(members) => members[*index].key.clone(),
            _ => index.to_string(),
        });
        node = children(node)[*index];
    }
    names
}

fn remove(root: &mut Node, path: &[usize]) -> Option<Node> {
    let (last, parent) = path.split_last()?;
    Some(match &mut at(root, parent).value {
        Value::Array(items) => items.remove(*last),
        Value::Object(members) => members.remove(*last).node,
        _ => unreachable!("the path was made from this value"),
    })
}

/// Adds a value under a new key, for a key that stands twice never gets past the parser.
fn insert(target: &mut Node, node: Node, random: &mut Rng) {
    match &mut target.value {
        Value::Array(items) => items.insert(random.usize(..=items.len()), node),
        Value::Object(members) => {
            let key = new_key(members, random);
            members.push(Member { key, node });
        }
        other => *other = node.value,
    }
}

fn rename(root: &mut Node, path: &[usize], random: &mut Rng) {
    let Some((last, parent)) = path.split_last() else {
        return;
    };
    if let Value::Object(members) = &mut at(root, parent).value {
        members[*last].key = new_key(members, random);
    }
}

fn new_key(members: &[Member], random: &mut Rng) -> String {
    let mut key = WORDS[random.usize(..WORDS.len())].to_owned();
    while members.iter().any(|member| member.key == key) {
        key.push('X');
    }
    key
}

/// Exchanges two values, unless one holds the other.
fn swap(root: &mut Node, one: &[usize], other: &[usize]) {
    if !one.starts_with(other) && !other.starts_with(one) {
        let first = at(root, one).value.clone();
        let second = std::mem::replace(&mut at(root, other).value, first);
        at(root, one).value = second;
    }
}

fn anything(random: &mut Rng) -> Value {
    let word = |random: &mut Rng| WORDS[random.usize(..WORDS.len())].to_owned();
    let leaf = |value| Node { span: 0..0, value };
    match random.usize(..10) {
        0 => Value::Null,
        1 => Value::Bool(random.bool()),
        2 => Value::Number(random.i64(..).to_string()),
        3 => Value::Number("1e999".to_owned()),
        4 => Value::Array(Vec::new()),
        5 => Value::Object(Vec::new()),
        6 => Value::Array(vec![leaf(Value::String(word(random)))]),
        7 => {
            let key = word(random);
            Value::Object(vec![Member { key, node: leaf(Value::String(word(random))) }])
        }
        _ => Value::String(word(random)),
    }
}
