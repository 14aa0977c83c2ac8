//! YAML as `libyaml` reads it, which is what `kubectl` has: a second reader over mutated files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by panicking")]

use std::io::Cursor;
use std::panic;

use k8s_versioned_source::{Errors, ReadLimits, Tree, TreeValue, documents};
use libyaml_safer::{Event, EventData, Parser, ScalarStyle};

/// Quoted scalars whose lines are as deep as their key or less deep, as Istio and others ship them, and what else definitions have.
const FILE: &str = r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations: {"a.b/c": 'one
    two', d: e}
  labels:
    app.kubernetes.io/managed-by: "Helm"
spec:
  description: 'What it means: "a | b"
  and it''s more.

  - one'
  versions:
  - name: v1
    description: "first\n\
    second \"third\"
  fourth"
    list:
    - 'a

  b'
    - [c, 'd
e', {f: "g
 h"}]
    text: |
      one
        two

      three
    folded: >-
      one
      two
  - ? 'key'
    : 'value
  of it'
---
a: 'b
c'
"#;

/// What is put into the file.
const TOKENS: [&str; 36] = [
    "'",
    "\"",
    " ",
    "  ",
    "\n",
    "---\n",
    "{",
    "}",
    "[",
    "]",
    ", ",
    ": ",
    ":",
    "- ",
    "|\n",
    ">\n",
    " #c",
    "\\",
    "\r\n",
    "é",
    "~",
    "''",
    "\n\n",
    "\n  ",
    "http://x",
    ">-\n",
    "'x\n y'",
    "\"x\\\n y\"",
    "{a: b}",
    "\"\"",
    "\t",
    " \t",
    "...\n",
    "\t\n",
    "-\t",
    "&a ",
];

/// What our parser refuses, and `libyaml` takes, with the reason why that stays.
const REFUSED: [(&str, &str); 6] = [
    ("comments must be separated", "`{}#c`, which the specification refuses; nobody writes it"),
    (
        "simple key expected",
        "a text in two lines before a key; `libyaml` takes its last line alone",
    ),
    ("invalid document separator", "`kubectl` refuses it when it splits a file"),
    ("in brackets,", "`{a:}` and `{a: b?}`, which `kubectl` reads otherwise"),
    ("cannot be a key", "a list or a mapping, which `kubectl` refuses when it makes JSON"),
    ("occurs twice", "a key, which `kubectl` refuses when it makes JSON"),
];

/// A value with the texts of its scalars.
#[derive(Debug, PartialEq)]
enum Node {
    Null,
    Text(String),
    List(Vec<Node>),
    /// Members, in the order of the file.
    Map(Vec<(Node, Node)>),
}

/// The documents of a text, as `libyaml` reads them.
fn libyaml(text: &str) -> Option<Vec<Node>> {
    let mut parser = Parser::new();
    // `kubectl` ends each line with a line break.
    parser.set_input(Cursor::new(format!("{text}\n").into_bytes()));
    let mut all = Vec::new();
    while let Some(event) = parser.next() {
        if let EventData::DocumentStart { .. } = event.ok()?.data {
            let first = parser.next()?.ok()?;
            all.push(node(first, &mut parser)?);
        }
    }
    Some(all)
}

fn node(event: Event, parser: &mut Parser<Cursor<Vec<u8>>>) -> Option<Node> {
    Some(match event.data {
        EventData::Scalar { value, style: ScalarStyle::Plain, .. }
            if matches!(value.as_str(), "" | "~") =>
        {
            Node::Null
        }
        EventData::Scalar { value, .. } => Node::Text(value),
        EventData::SequenceStart { .. } => {
            let mut items = Vec::new();
            loop {
                match parser.next()?.ok()? {
                    Event { data: EventData::SequenceEnd, .. } => break Node::List(items),
                    next => items.push(node(next, parser)?),
                }
            }
        }
        EventData::MappingStart { .. } => {
            let mut members = Vec::new();
            loop {
                match parser.next()?.ok()? {
                    Event { data: EventData::MappingEnd, .. } => break Node::Map(members),
                    next => {
                        let key = node(next, parser)?;
                        let value = parser.next()?.ok()?;
                        members.push((key, node(value, parser)?));
                    }
                }
            }
        }
        _ => return None,
    })
}

/// Returns `true` if our value is the one of `libyaml`. What a word means is compared elsewhere.
fn is_same(ours: TreeValue<'_>, theirs: &Node) -> bool {
    match theirs {
        Node::Null => ours.is_null(),
        Node::Text(text) => ours.string().is_none_or(|string| string == text),
        Node::List(items) => {
            let ours: Vec<_> = ours.items().into_iter().flatten().collect();
            ours.len() == items.len()
                && ours.into_iter().zip(items).all(|(one, two)| is_same(one, two))
        }
        Node::Map(members) => {
            let ours: Vec<_> = ours.members().into_iter().flatten().collect();
            let is_key = |ours: &str, theirs: &Node| matches!(theirs, Node::Text(text) if text == ours || text.len() < 6);
            ours.len() == members.len()
                && ours
                    .into_iter()
                    .zip(members)
                    .all(|((name, one), (key, two))| is_key(name, key) && is_same(one, two))
        }
    }
}

/// Ours are the documents that are not `null`. What `libyaml` refuses, we refuse.
fn assert_same(text: &str) -> bool {
    let Ok(theirs) = panic::catch_unwind(|| libyaml(text)) else { return false };
    let Some(theirs) = theirs else {
        let mut ours = documents("a.yaml", text.as_bytes(), &ReadLimits::OBJECTS);
        // A document that is a text is no object, whatever it has.
        let is_refused = |it: Result<Tree<'_>, Errors>| match it {
            Ok(tree) => tree.root().string().is_some(),
            Err(_) => true,
        };
        assert!(ours.any(is_refused), "libyaml refuses:\n{text}\n{text:?}");
        return false;
    };
    let theirs: Vec<Node> = theirs.into_iter().filter(|node| *node != Node::Null).collect();
    let ours: Result<Vec<_>, _> =
        documents("a.yaml", text.as_bytes(), &ReadLimits::OBJECTS).collect();
    match ours {
        Ok(ours) => {
            assert_eq!(ours.len(), theirs.len(), "{text}");
            for (tree, node) in ours.iter().zip(&theirs) {
                assert!(is_same(tree.root(), node), "{text}\n{:?}\n{node:?}", tree.root());
            }
        }
        Err(errors) => {
            let message = errors.to_string();
            assert!(REFUSED.iter().any(|(known, _)| message.contains(known)), "{message}:\n{text}");
        }
    }
    true
}

/// A text that ends without a line break: `kubectl` reads lines, and ends each with a line break.
#[test]
fn the_end_of_a_text() {
    for (text, expected) in [
        ("a: |\n  x", "x\n"),
        ("a: |+\n  x", "x\n"),
        ("a: |-\n  x", "x"),
        ("a: |+\n  x\n\n", "x\n\n"),
        ("a: >\n  x\n  y", "x y\n"),
        ("a: 'x\n'", "x "),
    ] {
        let tree =
            documents("a.yaml", text.as_bytes(), &ReadLimits::OBJECTS).next().unwrap().unwrap();
        assert_eq!(tree.root().get("a").and_then(TreeValue::string), Some(expected), "{text:?}");
    }
}

#[test]
fn what_libyaml_takes_is_read_as_it_reads_it() {
    assert!(assert_same(FILE));
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !info.location().is_some_and(|location| location.file().contains("libyaml-safer")) {
            hook(info);
        }
    }));
    let lines: Vec<&str> = FILE.split_inclusive('\n').collect();
    let mut random = fastrand::Rng::with_seed(7);
    let cases = std::env::var("MUTANTS").map_or(20_000, |value| value.parse().unwrap());
    let mut taken = 0;
    for _ in 0..cases {
        let start = random.usize(..lines.len());
        let end = (start + random.usize(3..16)).min(lines.len());
        let mut some: Vec<String> = lines[start..end].iter().map(|&line| line.to_owned()).collect();
        for _ in 0..random.usize(0..3) {
            let line = &mut some[random.usize(..end - start)];
            match random.u8(..5) {
                0 => *line = line.trim_start_matches(' ').to_owned(),
                1 => line.insert(0, ' '),
                2 => {
                    let indent = line.len() - line.trim_start_matches(' ').len();
                    line.insert(random.usize(..=indent), '\t');
                }
                _ => {
                    let places: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
                    let at = random.choice(places).unwrap_or(0);
                    line.insert_str(at, random.choice(TOKENS).unwrap());
                }
            }
        }
        taken += usize::from(assert_same(&some.concat()));
    }
    // Most mutants are YAML for neither.
    assert!(taken > cases / 10, "{taken}");
}
