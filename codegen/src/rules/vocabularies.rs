//! `vocabularies.toml`: string fields with known words, open for others.

use serde::Deserialize;

use super::toml_file::{Text, optional, place};
use crate::problem::{Cause, Place};
use crate::{Files, Problems};

const FILE: &str = "vocabularies.toml";

/// A set of words that some fields or parameters use.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// Where the rule stands.
    pub place: Place,
    /// The name of the Rust type.
    pub name: String,
    /// The module that has it; the root of the group's modules if it is absent.
    pub module: Option<(Place, String)>,
    /// Its rustdoc.
    pub description: String,
    /// The full names of the fields, with their places.
    pub fields: Vec<(Place, String)>,
    /// The names of the parameters of operations, with their places.
    pub parameters: Vec<(Place, String)>,
    /// The known words.
    pub words: Vec<Word>,
}

/// A known word.
#[derive(Clone, Debug)]
pub struct Word {
    /// Where it stands.
    pub place: Place,
    /// The word.
    pub word: String,
    /// The rustdoc of its variant.
    pub description: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    vocabulary: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Text,
    module: Option<Text>,
    description: Text,
    #[serde(default)]
    fields: Vec<Text>,
    #[serde(default)]
    parameters: Vec<Text>,
    words: Vec<WordEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordEntry {
    word: Text,
    description: Text,
}

pub(super) fn read(specs: &Files) -> Result<Vec<Vocabulary>, Problems> {
    let file: File = optional(specs, FILE)?;
    let mut problems = Problems::new();
    let vocabularies =
        file.vocabulary.into_iter().map(|entry| read_vocabulary(entry, &mut problems));
    let vocabularies = vocabularies.collect();
    problems.or(vocabularies)
}

fn read_vocabulary(entry: Entry, problems: &mut Problems) -> Vocabulary {
    let word = |entry: WordEntry| Word {
        place: place(FILE, &entry.word),
        description: described(&entry.word, entry.description, problems),
        word: entry.word.into_inner(),
    };
    let words = entry.words.into_iter().map(word).collect();
    Vocabulary {
        place: place(FILE, &entry.name),
        description: described(&entry.name, entry.description, problems),
        module: entry.module.map(placed),
        fields: entry.fields.into_iter().map(placed).collect(),
        parameters: entry.parameters.into_iter().map(placed).collect(),
        words,
        name: entry.name.into_inner(),
    }
}

fn placed(text: Text) -> (Place, String) {
    (place(FILE, &text), text.into_inner())
}

fn described(name: &Text, description: Text, problems: &mut Problems) -> String {
    if description.get_ref().trim().is_empty() {
        problems
            .push(place(FILE, &description), Cause::NoDescription(format!("`{}`", name.get_ref())));
    }
    description.into_inner()
}
