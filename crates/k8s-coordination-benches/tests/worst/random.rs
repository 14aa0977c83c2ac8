//! Random combinations of the worst inputs: schemas of several rows side by side and in each other, and rules in CEL that nest calls.

use fastrand::Rng;
use k8s_versioned_admission::formats::Format;
use serde_json::{Map, Value, json};

use crate::schemas::{self, KEYWORDS, PATTERNS, TEXTS};
use crate::{BYTES, Work};

/// The answers to a definition and to requests for an object, which a seed makes.
pub(crate) fn case(seed: u64) -> Work {
    let mut random = Rng::with_seed(seed);
    let of_schema = BYTES / 16 * random.usize(1..16);
    let (schema, spec) = node(&mut random, (of_schema, BYTES - of_schema), 3);
    schemas::admit(&schema, &spec)
}

/// The sizes of a schema and of its value, in bytes.
type Bytes = (usize, usize);

/// A schema and a value of it.
fn node(random: &mut Rng, bytes: Bytes, depth: usize) -> (Value, Value) {
    let leaves = 4;
    match random.u8(..if depth == 0 { leaves } else { leaves + 4 }) {
        0 => one_of(random, KEYWORDS).1(bytes.0, bytes.1, ""),
        1 => text(random, bytes, "pattern", &PATTERNS),
        2 => text(random, bytes, "format", &Format::names().collect::<Vec<_>>()),
        3 => with_rules(random, bytes),
        4 | 5 => side_by_side(random, bytes, depth - 1),
        6 => {
            let (item, value, count) = repeated(random, bytes, depth - 1);
            (json!({"type": "array", "items": item}), json!(vec![value; count]))
        }
        _ => {
            let (member, value, count) = repeated(random, bytes, depth - 1);
            let members = (0..count).map(|at| (format!("k{at}"), value.clone()));
            let schema = json!({"type": "object", "additionalProperties": member});
            (schema, members.collect::<Map<_, _>>().into())
        }
    }
}

fn one_of<'t, T>(random: &mut Rng, all: &'t [T]) -> &'t T {
    &all[random.usize(..all.len())]
}

/// A text with several checks of one kind.
fn text(random: &mut Rng, bytes: Bytes, keyword: &str, words: &[&str]) -> (Value, Value) {
    let (count, part) = (random.usize(1..9), one_of(random, &TEXTS));
    let checks: Vec<Value> = (0..count).map(|_| json!({keyword: one_of(random, words)})).collect();
    let schema = json!({"type": "string", keyword: one_of(random, words), "allOf": checks});
    (schema, part.repeat(bytes.1 / part.len()).into())
}

/// Several fields, which divide the bytes.
fn side_by_side(random: &mut Rng, bytes: Bytes, depth: usize) -> (Value, Value) {
    let count = random.usize(2..5);
    let (mut schemas, mut values) = (Map::new(), Map::new());
    for at in 0..count {
        let (schema, value) = node(random, (bytes.0 / count, bytes.1 / count), depth);
        schemas.insert(format!("p{at}"), schema);
        values.insert(format!("p{at}"), value);
    }
    (json!({"type": "object", "properties": schemas}), values.into())
}

/// A schema, and a value of it that has its share of the bytes, so often that all have them.
fn repeated(random: &mut Rng, bytes: Bytes, depth: usize) -> (Value, Value, usize) {
    let count = 1 << random.u8(..12);
    let (schema, value) = node(random, (bytes.0, bytes.1 / count), depth);
    // The smallest value of some rows is larger than its share: thousands of these in thousands would be gigabytes.
    let most = bytes.1 / value.to_string().len() + 1;
    (schema, value, count.min(most))
}

/// An object with a text, a list of texts and a map, and rules about them.
fn with_rules(random: &mut Rng, bytes: Bytes) -> (Value, Value) {
    let part = one_of(random, &TEXTS);
    let text = part.repeat(bytes.1 / 3 / part.len());
    let item = part.repeat(random.usize(1..20));
    let count = bytes.1 / 3 / (item.len() + 3);
    let members = (0..bytes.1 / 3 / 12).map(|at| (format!("k{at}"), json!("a")));
    let spec = json!({"t": text, "l": vec![item; count], "m": members.collect::<Map<_, _>>()});
    let rules: Vec<Value> =
        (0..random.usize(1..6)).map(|_| json!({"rule": expression(random, 'b', 5, &[])})).collect();
    let schema = schema_of_texts(&rules);
    (schema, spec)
}

/// Expressions by their type, with the types of those in them: `b`ooleans, `t`exts, `l`ists of texts, `i`ntegers. `v` is a new variable,
/// which is a text in the last of the expressions.
const EXPRESSIONS: &[(char, &str)] = &[
    ('b', "#l.all(#v, #b)"),
    ('b', "#l.exists(#v, #b)"),
    ('b', "#l.exists_one(#v, #b)"),
    ('b', "self.m.all(#v, #b)"),
    ('b', "#t.matches(#t)"),
    ('b', "#t.matches('(a|b)*c')"),
    ('b', "#t.contains(#t)"),
    ('b', "#t.startsWith(#t)"),
    ('b', "#t == #t"),
    ('b', "#t < #t"),
    ('b', "#l == #l"),
    ('b', "#l.isSorted()"),
    ('b', "#t in #l"),
    ('b', "#t in self.m"),
    ('b', "sets.contains(#l, #l)"),
    ('b', "sets.intersects(#l, #l)"),
    ('b', "sets.equivalent(#l, #l)"),
    ('b', "#i < #i"),
    ('b', "(#b && #b)"),
    ('b', "(#b || !#b)"),
    ('b', "isURL(#t)"),
    ('b', "isQuantity(#t)"),
    ('b', "isIP(#t)"),
    ('b', "isCIDR(#t)"),
    ('b', "format.dns1123Label().validate(#t).hasValue()"),
    ('t', "self.t"),
    ('t', "(#t + #t)"),
    ('t', "#t.replace(#t, #t)"),
    ('t', "#t.upperAscii()"),
    ('t', "#t.trim()"),
    ('t', "#t.find('a+')"),
    ('t', "#t.substring(#i)"),
    ('t', "#l.join(#t)"),
    ('t', "#l.min()"),
    ('t', "'%s'.format([#l])"),
    ('t', "string(#i)"),
    ('t', "(#b ? #t : #t)"),
    ('l', "self.l"),
    ('l', "(#l + #l)"),
    ('l', "#l.map(#v, #t)"),
    ('l', "#l.filter(#v, #b)"),
    ('l', "#l.sort()"),
    ('l', "#l.sortBy(#v, #t)"),
    ('l', "#l.distinct()"),
    ('l', "#l.reverse()"),
    ('l', "#l.slice(0, #i)"),
    ('l', "[#l, #l].flatten()"),
    ('l', "[#t, #t]"),
    ('l', "#t.split(#t)"),
    ('l', "#t.findAll('a')"),
    ('l', "#t.findAll('')"),
    ('i', "size(#t)"),
    ('i', "size(#l)"),
    ('i', "size(self.m)"),
    ('i', "#t.indexOf(#t)"),
    ('i', "#l.indexOf(#t)"),
    ('i', "#l.map(#v, #i).sum()"),
    ('i', "1"),
];

/// An expression of a type, with the variables around it.
fn expression(random: &mut Rng, of: char, depth: usize, variables: &[String]) -> String {
    if depth == 0 || (of == 't' && !variables.is_empty() && random.bool()) {
        return match (of, variables) {
            ('b', _) => "true".to_owned(),
            ('t', [.., last]) => last.clone(),
            ('t', []) => "self.t".to_owned(),
            ('l', _) => "self.l".to_owned(),
            _ => "1".to_owned(),
        };
    }
    let of_type: Vec<&str> =
        EXPRESSIONS.iter().filter(|(it, _)| *it == of).map(|(_, text)| *text).collect();
    let mut variables = variables.to_vec();
    let mut parts = one_of(random, &of_type).split('#');
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (inner, rest) = part.split_at(1);
        if inner == "v" {
            variables.push(format!("x{}", variables.len()));
            text += variables.last().unwrap();
        } else {
            text += &expression(random, inner.chars().next().unwrap(), depth - 1, &variables);
        }
        text += rest;
    }
    text
}

/// A rule that is not understood costs nothing.
/// An object with a text, a list and a map of texts, which the expressions name.
fn schema_of_texts(rules: &[Value]) -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {
            "t": text, "l": {"type": "array", "items": text},
            "m": {"type": "object", "additionalProperties": text},
        },
        "x-kubernetes-validations": rules,
    })
}

#[test]
fn most_expressions_are_rules() {
    let mut random = Rng::with_seed(1);
    let mut understood = 0;
    for _ in 0..200 {
        let rule = expression(&mut random, 'b', 3, &[]);
        let schema = schema_of_texts(&[json!({"rule": rule})]);
        let definition = crate::definitions::of_one("Widget", &schema);
        understood +=
            usize::from(k8s_versioned_admission::Definition::compile(&definition).is_ok());
    }
    assert!(understood > 150, "{understood} of 200");
}
