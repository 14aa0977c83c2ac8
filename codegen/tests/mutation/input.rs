//! The real input as parsed values, and one that differs from it in a few places.

use std::fmt;
use std::sync::Arc;

use coordination_codegen::json::{self, Member, Node, Value};
use coordination_codegen::manifest::{self, Entry};
use coordination_codegen::spec::{self, Document};
use coordination_codegen::{Files, Problems, conversion, emit, model, plan, rules};
use fastrand::Rng;

use crate::change::{Change, change};
use crate::support;

/// The real documents and rule files. Reading a document takes longer than everything else together, so that
/// those that a mutant leaves alone are read once.
#[derive(Clone)]
pub(crate) struct Input {
    documents: Vec<(Entry, Node)>,
    read: Vec<Document>,
    rules: Files,
    parsed_rules: Vec<(String, Node)>,
}

impl Input {
    pub(crate) fn real() -> Self {
        let specs = support::specs();
        let manifest = manifest::verify(&specs).unwrap();
        let read = spec::read_all(&specs, &manifest).unwrap();
        let parse = |entry: Entry| {
            let path: Arc<str> = entry.path().into();
            let node = json::parse(&path, &specs[&*path]).unwrap();
            (entry, node)
        };
        let documents = manifest.documents.into_iter().map(parse).collect();
        let is_rule = |path: &String| path.ends_with(".toml") && path != manifest::PATH;
        let rules: Files = specs.iter().filter(|(path, _)| is_rule(path)).map(clone_pair).collect();
        let parsed_rules =
            rules.iter().map(|(path, text)| (path.clone(), parse_toml(text))).collect();
        Self { documents, read, rules, parsed_rules }
    }

    /// Whether problems can be in this file.
    pub(crate) fn knows(&self, file: &str) -> bool {
        // A rule about a module that has no file yet names the file that it should have.
        let rule = |file: &str| file.ends_with(".toml");
        rule(file) || self.documents.iter().any(|(entry, _)| entry.path() == file)
    }
}

fn clone_pair((path, text): (&String, &Vec<u8>)) -> (String, Vec<u8>) {
    (path.clone(), text.clone())
}

/// A few changes to the real input.
pub(crate) struct Mutant {
    documents: Vec<(usize, Node)>,
    rules: Vec<(String, Node)>,
    changes: Vec<Change>,
}

impl Mutant {
    /// One to three changes. Two of three are in documents.
    pub(crate) fn new(input: &Input, random: &mut Rng) -> Self {
        let mut mutant = Self { documents: Vec::new(), rules: Vec::new(), changes: Vec::new() };
        for _ in 0..random.usize(1..=3) {
            let change = if random.usize(..3) < 2 {
                mutant.change_document(input, random)
            } else {
                mutant.change_rules(input, random)
            };
            mutant.changes.push(change);
        }
        mutant
    }

    fn change_document(&mut self, input: &Input, random: &mut Rng) -> Change {
        let index = random.usize(..input.documents.len());
        let (entry, original) = &input.documents[index];
        if !self.documents.iter().any(|(changed, _)| *changed == index) {
            self.documents.push((index, original.clone()));
        }
        let (_, node) = self.documents.iter_mut().find(|(changed, _)| *changed == index).unwrap();
        change(&entry.path(), node, random)
    }

    fn change_rules(&mut self, input: &Input, random: &mut Rng) -> Change {
        let (path, original) = &input.parsed_rules[random.usize(..input.parsed_rules.len())];
        if !self.rules.iter().any(|(changed, _)| changed == path) {
            self.rules.push((path.clone(), original.clone()));
        }
        let (_, node) = self.rules.iter_mut().find(|(changed, _)| changed == path).unwrap();
        change(path, node, random)
    }

    /// Generates, as `coordination_codegen::generate` does, but with what is read already. The documents that
    /// the mutant changes are exchanged for the time of the call.
    pub(crate) fn generate(&self, input: &mut Input) -> Result<Files, Problems> {
        let mut originals = Vec::new();
        let mut problems = Problems::new();
        for (index, node) in &self.documents {
            let (entry, _) = &input.documents[*index];
            let path: Arc<str> = entry.path().into();
            let document = spec::read(&path, entry.release, &entry.name, node, &mut problems);
            originals.push((*index, std::mem::replace(&mut input.read[*index], document)));
        }
        let result = problems.or(()).and_then(|()| self.generate_from(&input.read, &input.rules));
        for (index, original) in originals {
            input.read[index] = original;
        }
        result
    }

    fn generate_from(&self, documents: &[Document], rule_files: &Files) -> Result<Files, Problems> {
        let mut rule_files = rule_files.clone();
        for (path, node) in &self.rules {
            rule_files.insert(path.clone(), print_toml(node));
        }
        let rules = rules::read(&rule_files)?;
        let model = model::merge(&rules.group, documents)?;
        let plan = plan::plan(&model, &rules)?;
        let conversions = conversion::plan(&plan, &rules)?;
        Ok(emit::emit(&plan, &conversions, &support::options())?.own)
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.changes.iter().try_for_each(|change| write!(f, "\n  {change}"))
    }
}

fn parse_toml(text: &[u8]) -> Node {
    let table: toml::Table = toml::from_str(std::str::from_utf8(text).unwrap()).unwrap();
    node_of(&toml::Value::Table(table))
}

fn node_of(value: &toml::Value) -> Node {
    let value = match value {
        toml::Value::Table(table) => Value::Object(
            table
                .iter()
                .map(|(key, value)| Member { key: key.clone(), node: node_of(value) })
                .collect(),
        ),
        toml::Value::Array(items) => Value::Array(items.iter().map(node_of).collect()),
        toml::Value::String(text) => Value::String(text.clone()),
        toml::Value::Boolean(bool) => Value::Bool(*bool),
        other => Value::Number(other.to_string()),
    };
    Node { span: 0..0, value }
}

fn print_toml(node: &Node) -> Vec<u8> {
    match toml_of(node) {
        Some(toml::Value::Table(table)) => toml::to_string(&table).unwrap().into_bytes(),
        // A file that is no table: not TOML at all.
        other => other.map_or_else(String::new, |value| value.to_string()).into_bytes(),
    }
}

/// TOML has no null: it is left out.
fn toml_of(node: &Node) -> Option<toml::Value> {
    Some(match &node.value {
        Value::Null => return None,
        Value::Bool(bool) => toml::Value::Boolean(*bool),
        Value::Number(text) => {
            text.parse().map_or_else(|_| toml::Value::Float(f64::NAN), toml::Value::Integer)
        }
        Value::String(text) => toml::Value::String(text.clone()),
        Value::Array(items) => toml::Value::Array(items.iter().filter_map(toml_of).collect()),
        Value::Object(members) => {
            let pair = |member: &Member| Some((member.key.clone(), toml_of(&member.node)?));
            toml::Value::Table(members.iter().filter_map(pair).collect())
        }
    })
}
