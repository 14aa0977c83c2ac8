//! The real input as parsed values, and one that differs from it in a few places.

use std::fmt;
use std::sync::Arc;

use coordination_codegen::manifest::{self, Entry};
use coordination_codegen::spec::{self, Document};
use coordination_codegen::{Files, Problems, conversion, emit, json, model, plan, rules};
use fastrand::Rng;
use serde_json::Value;

use crate::change::{Change, change};
use crate::support;

/// The real documents and rule files. Reading a document takes longer than everything else together, so that
/// those that a mutant leaves alone are read once.
#[derive(Clone)]
pub(crate) struct Input {
    documents: Vec<(Entry, Value)>,
    read: Vec<Document>,
    rules: Files,
    parsed_rules: Vec<(String, Value)>,
}

impl Input {
    pub(crate) fn real() -> Self {
        let specs = support::specs();
        let manifest = manifest::verify(&specs).unwrap();
        let read = spec::read_all(&specs, &manifest).unwrap();
        let documents = manifest.documents.into_iter().map(|entry| {
            let document = serde_json::from_slice(&specs[&entry.path()]).unwrap();
            (entry, document)
        });
        let documents = documents.collect();
        let mut rules = specs;
        rules.retain(|path, _| path.ends_with(".toml") && path != manifest::PATH);
        let parsed =
            rules.iter().map(|(path, text)| (path.clone(), toml::from_slice(text).unwrap()));
        let parsed_rules = parsed.collect();
        Self { documents, read, rules, parsed_rules }
    }

    /// Tells if problems can be in this file.
    pub(crate) fn knows(&self, file: &str) -> bool {
        // A rule about a module that has no file yet names the file that it should have.
        let rule = |file: &str| file.ends_with(".toml");
        rule(file) || self.documents.iter().any(|(entry, _)| entry.path() == file)
    }
}

/// A few changes to the real input.
pub(crate) struct Mutant {
    documents: Vec<(usize, Value)>,
    rules: Vec<(String, Value)>,
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
        let (_, value) = self.documents.iter_mut().find(|(changed, _)| *changed == index).unwrap();
        change(&entry.path(), value, random)
    }

    fn change_rules(&mut self, input: &Input, random: &mut Rng) -> Change {
        let (path, original) = &input.parsed_rules[random.usize(..input.parsed_rules.len())];
        if !self.rules.iter().any(|(changed, _)| changed == path) {
            self.rules.push((path.clone(), original.clone()));
        }
        let (_, value) = self.rules.iter_mut().find(|(changed, _)| changed == path).unwrap();
        change(path, value, random)
    }

    /// Generates, as `coordination_codegen::generate` does, but with what is read already. The documents that
    /// the mutant changes are exchanged for the time of the call.
    pub(crate) fn generate(&self, input: &mut Input) -> Result<Files, Problems> {
        let mut originals = Vec::new();
        let mut problems = Problems::new();
        for (index, value) in &self.documents {
            let (entry, _) = &input.documents[*index];
            let path: Arc<str> = entry.path().into();
            match json::parse(&path, &serde_json::to_vec(value).unwrap()) {
                Err(found) => problems.append(found),
                Ok(node) => {
                    let (release, name) = (entry.release, &entry.name);
                    let document = spec::read(&path, release, name, &node, &mut problems);
                    originals.push((*index, std::mem::replace(&mut input.read[*index], document)));
                }
            }
        }
        let result = problems.or(()).and_then(|()| self.generate_from(&input.read, &input.rules));
        for (index, original) in originals {
            input.read[index] = original;
        }
        result
    }

    fn generate_from(&self, documents: &[Document], rule_files: &Files) -> Result<Files, Problems> {
        let mut rule_files = rule_files.clone();
        for (path, value) in &self.rules {
            // What TOML cannot hold, such as null, is written as JSON: not TOML at all.
            let text = toml::to_string(value).unwrap_or_else(|_| value.to_string());
            rule_files.insert(path.clone(), text.into_bytes());
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
