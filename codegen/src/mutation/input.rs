//! The real input as parsed values, and mutants of it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use fastrand::Rng;
use k8s_versioned_source::{ReadLimits, json};
use serde_json::Value;

use super::change::{Change, change};
use crate::input::manifest::{self, ManifestEntry};
use crate::input::{self, Sources};
use crate::spec::Document;
use crate::{EmitOptions, Files, Problems, conversion, emit, model, plan, rules};
use testing::specs;
use testing::specs::groups::{documents, group_of};

/// The real documents and rule files. Reading a document takes longer than everything else together, so documents that
/// a mutant does not change are read once.
#[derive(Clone)]
pub(crate) struct Input {
    entries: Vec<ManifestEntry>,
    /// The document of each entry.
    read: Vec<Document>,
    rules: Files,
    /// The documents and the rule files, by their paths.
    values: BTreeMap<String, Value>,
}

impl Input {
    /// The documents and rules of this workspace.
    pub(crate) fn real() -> Self {
        Self::of(specs::project())
    }

    /// The documents of each of these built-in groups in the newest release, or in all releases; of all groups if none is
    /// named.
    pub(crate) fn of_groups(names: &[&str], releases: &str) -> impl Iterator<Item = Self> {
        let wanted = |path: &str| {
            path.starts_with(releases)
                && (names.is_empty() || names.contains(&group_of(path).as_str()))
        };
        let mut groups: BTreeMap<String, Files> = BTreeMap::new();
        for (path, text) in documents(wanted) {
            groups.entry(group_of(&path)).or_default().insert(path, text);
        }
        groups.into_iter().map(|(group, mut files)| {
            let rules = format!("group = {group:?}\ndescriptions = \"none\"\n");
            files.insert("group.toml".to_owned(), rules.into_bytes());
            specs::add_manifest(&mut files);
            Self::of(files)
        })
    }

    fn of(mut rules: Files) -> Self {
        let manifest = manifest::read(&rules).unwrap();
        let read = Sources::read(&rules).unwrap().documents(&rules).unwrap().documents;
        rules.remove(manifest::PATH);
        let value = |(path, text): (&String, &Vec<u8>)| {
            let value = if path.ends_with(".toml") {
                toml::from_slice(text).unwrap()
            } else {
                serde_json::from_slice(text).unwrap()
            };
            (path.clone(), value)
        };
        let values = rules.iter().map(value).collect();
        rules.retain(|path, _| path.ends_with(".toml"));
        Self { entries: manifest.documents, read, rules, values }
    }

    /// Returns `true` if this file can have problems.
    pub(crate) fn knows(&self, file: &str) -> bool {
        // The problem of a module without a file of descriptions names the file to write.
        file.ends_with(".toml") || self.values.contains_key(file)
    }
}

/// A few changes to the real input.
pub(crate) struct Mutant {
    /// The files that differ.
    values: BTreeMap<String, Value>,
    changes: Vec<Change>,
}

impl Mutant {
    /// One to three changes. Two of three are in documents.
    pub(crate) fn new(input: &Input, random: &mut Rng) -> Self {
        let mut mutant = Self { values: BTreeMap::new(), changes: Vec::new() };
        for _ in 0..random.usize(1..=3) {
            let ending = if random.usize(..3) < 2 { ".json" } else { ".toml" };
            let files = input.values.iter().filter(|(path, _)| path.ends_with(ending));
            let (path, original) = random.choice(files.collect::<Vec<_>>()).unwrap();
            let value = mutant.values.entry(path.clone()).or_insert_with(|| original.clone());
            mutant.changes.push(change(path, value, random));
        }
        mutant
    }

    /// Generates like [`generate`](crate::generate()), but with documents that are read already. The call replaces the
    /// documents that the mutant changes, and restores them.
    pub(crate) fn generate(&self, input: &mut Input) -> Result<Files, Problems> {
        let (mut originals, mut rules, mut problems) =
            (Vec::new(), input.rules.clone(), Problems::new());
        for (path, value) in &self.values {
            let Some(index) = input.entries.iter().position(|entry| entry.path() == *path) else {
                // A value that TOML cannot hold, such as null, is written as JSON: the file is not TOML then.
                let text = toml::to_string(value).unwrap_or_else(|_| value.to_string());
                rules.insert(path.clone(), text.into_bytes());
                continue;
            };
            let (path, ManifestEntry { release, name, .. }) =
                (Arc::from(&**path), &input.entries[index]);
            match json(&path, &serde_json::to_vec(value).unwrap(), &ReadLimits::DOCUMENT) {
                Err(found) => problems.append(found.into()),
                Ok(tree) => {
                    let document = input::read_document(&tree, *release, name, &mut problems);
                    originals.push((index, std::mem::replace(&mut input.read[index], document)));
                }
            }
        }
        let result = problems.or(()).and_then(|()| generate(&input.read, &rules));
        for (index, original) in originals {
            input.read[index] = original;
        }
        result
    }
}

fn generate(documents: &[Document], rules: &Files) -> Result<Files, Problems> {
    let rules = rules::read(rules, input::read_group(rules))?;
    let model = model::merge(&rules.group.groups, documents.to_vec())?;
    let plan = plan::plan(&model, &rules)?;
    let conversions = conversion::plan(&plan, &model, &rules)?;
    let options =
        EmitOptions { root: "crate".to_owned(), command: "a test".to_owned(), shared: None };
    emit::emit(&plan, &conversions, &options)
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.changes.iter().try_for_each(|change| write!(f, "\n  {change}"))
    }
}
