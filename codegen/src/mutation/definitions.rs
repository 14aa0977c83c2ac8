//! Definitions of custom resources, and mutants of them.

use std::path::Path;

use crate::input::crd;
use crate::{Builder, Files, Generated, Problems};
use fastrand::Rng;
use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;
use testing::specs::groups::{custom_documents, lines};

use super::change::change;

/// Definitions, each as a text and as a value, and documents that servers published for such.
pub(crate) struct Definitions(Vec<(Vec<u8>, Value)>, Vec<(String, Value)>);

impl Definitions {
    /// The definitions of public projects in the cases, without descriptions.
    pub(crate) fn of_cases() -> Self {
        let texts = lines("../crds/manifests.jsonl.gz").map(String::into_bytes);
        // Most changes of large ones are in parts that many other definitions share.
        Self::of(texts.filter(|text| text.len() < 20_000))
    }

    /// All files of a folder that have one definition and at most `largest` bytes.
    pub(crate) fn of_folder(folder: &Path, largest: usize) -> Self {
        let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
        let files = files.map(Result::unwrap).filter(|file| file.file_type().is_file());
        let texts = files.map(|file| std::fs::read(file.path()).unwrap());
        Self::of(texts.filter(|text| text.len() <= largest))
    }

    fn of(texts: impl Iterator<Item = Vec<u8>>) -> Self {
        let value = |text: Vec<u8>| Some((serde_saphyr::from_slice(&text).ok()?, text));
        let documents = custom_documents().values().flatten();
        let documents = documents.filter(|(_, text)| text.len() < 60_000);
        let documents =
            documents.map(|(path, text)| (path.clone(), serde_json::from_slice(text).unwrap()));
        let definitions = texts.filter_map(value).map(|(value, text)| (text, value)).collect();
        Self(definitions, documents.collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The files of a mutant: a definition, or the documents that a server publishes for it.
pub(crate) fn mutant(definitions: &Definitions, random: &mut Rng) -> Files {
    let (text, value) = &definitions.0[random.usize(..definitions.len())];
    let rules = ["none", "documents"][random.usize(..2)];
    let rules = format!("descriptions = \"{rules}\"").into_bytes();
    let mut files = Files::from([("group.toml".to_owned(), rules)]);
    match random.usize(..8) {
        // Text of YAML that is almost right.
        0 => drop(files.insert("crd.yaml".to_owned(), with_other_bytes(text.clone(), random))),
        1..=4 => {
            let folder = ["", "", "", crd::FOLDER][random.usize(..4)];
            files.insert(format!("{folder}crd.yaml"), changed(value, random));
        }
        _ => {
            let (path, document) = &definitions.1[random.usize(..definitions.1.len())];
            files.insert(format!("v1.0/{path}"), changed(document, random));
        }
    }
    files
}

/// A value with one to three changes, as text. Most of them are in the schemas: elsewhere, a change is soon refused.
fn changed(value: &Value, random: &mut Rng) -> Vec<u8> {
    let mut value = value.clone();
    let schemas = ["/spec/versions/0/schema", "/components/schemas"];
    let schemas = schemas.into_iter().find(|pointer| value.pointer(pointer).is_some());
    for _ in 0..random.usize(1..=3) {
        let part = schemas.filter(|_| random.usize(..8) > 0).unwrap_or_default();
        if let Some(part) = value.pointer_mut(part) {
            change("", part, random);
        }
    }
    value.to_string().into_bytes()
}

/// A text with some bytes changed, removed or doubled.
fn with_other_bytes(mut text: Vec<u8>, random: &mut Rng) -> Vec<u8> {
    for _ in 0..random.usize(1..=8) {
        let at = random.usize(..=text.len());
        let end = (at + random.usize(..16)).min(text.len());
        let part: Vec<u8> = match random.usize(..4) {
            0 => Vec::new(),
            1 => text[at..end].repeat(2),
            2 => b":-{}[]&*!|>'\"%@`#,? \n"[random.usize(..21)..].iter().take(1).copied().collect(),
            _ => vec![random.u8(..)],
        };
        text.splice(at..end, part);
    }
    text
}

pub(crate) fn generate(files: &Files) -> Result<Generated, Problems> {
    Builder::new(files.clone()).generate()
}

/// The path of each file is inside the folder, and each file of Rust is Rust, without code in its rustdoc.
pub(crate) fn check(generated: &Generated) {
    for (path, text) in &generated.files {
        let part = |part: &str| {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
            !part.is_empty() && !part.starts_with('.') && part.chars().all(plain)
        };
        assert!(path.split('/').all(part), "the path {path:?}");
        if path.ends_with(".rs") {
            let text = str::from_utf8(text).unwrap();
            let turns =
                |letter| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            assert!(
                !text.contains(turns),
                "{path}: the compiler refuses text of another direction"
            );
            syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
            for docs in rustdoc(text.parse().unwrap()) {
                check_docs(path, &docs);
            }
        }
    }
}

/// The texts of rustdoc in a file.
fn rustdoc(tokens: TokenStream) -> Vec<String> {
    let mut texts = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Punct(mark) if "#!".contains(mark.as_char()) => {}
            TokenTree::Group(group) => {
                let attribute = syn::parse2::<syn::MetaNameValue>(group.stream());
                let attribute =
                    attribute.map(|attribute| (attribute.path.is_ident("doc"), attribute.value));
                if let Ok((true, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }))) =
                    attribute
                {
                    lines.push(line.value());
                } else {
                    texts.push(std::mem::take(&mut lines).join("\n"));
                    texts.extend(rustdoc(group.stream()));
                }
            }
            _ => texts.push(std::mem::take(&mut lines).join("\n")),
        }
    }
    texts
}

/// No text becomes a block of code, which would be run as a test: no line behind an empty one or behind the mark of a list
/// is indented, and blocks of code are of text.
fn check_docs(path: &str, docs: &str) {
    let lines = docs.split(['\n', '\r']).map(|line| line.strip_prefix(' ').unwrap_or(line));
    let (mut is_new, mut in_block) = (true, false);
    for line in lines {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let behind_mark = trimmed.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let behind_mark = behind_mark.trim_start_matches(['-', '*', '+', '.', ')', '>', ' ']);
        if behind_mark.starts_with("```") || behind_mark.starts_with("~~~") {
            assert!(in_block || line == "```text", "{path}: a block of code in {docs:?}");
            in_block = !in_block;
        } else if !in_block {
            let is_code = is_new && (indent >= 4 || line.starts_with('\t'));
            assert!(!is_code, "{path}: an indented line in {docs:?}");
            let is_item = trimmed.len() > behind_mark.len();
            assert!(!is_item || !trimmed.contains("     "), "{path}: code in a list in {docs:?}");
        }
        is_new = trimmed.is_empty();
    }
}

/// Each problem is in a file of the input, or in a document that the generator derived of it.
pub(crate) fn check_places(files: &Files, problems: &Problems) {
    assert!(!problems.is_empty(), "refused without a problem");
    let known = |file: &str| {
        let derived = file.starts_with("v1.0/apis__") || file.contains("crd.yaml");
        derived || files.contains_key(file)
    };
    for problem in problems.iter() {
        assert!(known(&problem.place.file), "no such file: {problem}");
    }
}
