//! The glossary of ARCHITECTURE.md holds for the public names of all published packages: one word for one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use walkdir::WalkDir;

use crate::workspace::repository;

/// Types that several packages have under one name, with the meaning that they share.
const SHARED: [(&str, &str); 4] = [
    ("Cli", "the command line of its command"),
    ("Command", "the subcommands of its command"),
    ("Error", "the error of its module or package, as in the standard library"),
    ("ValidateArgs", "the arguments of `validate` of its command"),
];

/// The kinds of items that are types.
const TYPES: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

/// The rows of the glossary: the word, and the words that nothing is called by.
fn glossary() -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let (_, table) = text.split_once("\n| word | meaning | not |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with("| "));
    let rows = rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [word, _, not] = cells[..] else { panic!("{row}") };
        let not = not.split(", ").filter(|word| !word.is_empty());
        (word.to_owned(), not.map(str::to_owned).collect())
    });
    rows.collect()
}

/// The sources of the published packages, without generated code.
fn sources() -> impl Iterator<Item = PathBuf> {
    let root = repository();
    let folders = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let published = |folder: &PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        !manifest.contains("\npublish = false\n")
    };
    let folders = folders.chain([root.join("codegen")]).filter(published);
    folders.flat_map(|folder| {
        let files =
            WalkDir::new(folder.join("src")).into_iter().map(|new| new.unwrap().into_path());
        let is_source = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension == "rs")
                && !path.components().any(|part| part.as_os_str() == "generated")
        };
        files.filter(is_source)
    })
}

/// The kind and the name of each public item of a text.
fn items(text: &str) -> impl Iterator<Item = (&str, &str)> {
    const KINDS: [&str; 9] =
        ["struct", "enum", "trait", "type", "union", "fn", "mod", "const", "static"];
    text.lines().filter_map(|line| {
        let mut words = line.trim_start().strip_prefix("pub ")?.split(' ');
        let kind = words.find(|word| !matches!(*word, "async" | "unsafe"))?;
        let name = words.next()?;
        // A function can be `const`.
        let (kind, name) = if name == "fn" { ("fn", words.next()?) } else { (kind, name) };
        let end = name.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(name.len());
        (KINDS.contains(&kind) && end > 0).then(|| (kind, name.get(..end).unwrap_or(name)))
    })
}

/// The words of a name in either case, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = 'A';
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() && before.is_lowercase() {
            words.push(String::new());
        }
        if letter != '_' {
            words.last_mut().unwrap().extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

#[test]
fn public_names_use_the_words_of_the_glossary() {
    let glossary = glossary();
    assert!((15..=25).contains(&glossary.len()), "{} words", glossary.len());
    let mut wrong = BTreeSet::new();
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        for (_, name) in items(&text) {
            let words = words(name);
            for (right, not) in &glossary {
                if let Some(word) = words.iter().find(|word| not.contains(word)) {
                    wrong.insert(format!("{}: {name}: {word} -> {right}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A type has one meaning, in all packages and modules: public types that are defined in several files have several names. A re-export
/// defines nothing. The lint `unreachable_pub` refuses `pub` for what no other package can name.
#[test]
fn each_type_has_one_meaning() {
    let mut defined: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        for (_, name) in items(&text).filter(|(kind, _)| TYPES.contains(kind)) {
            defined.entry(name.to_owned()).or_default().insert(file.clone());
        }
    }
    defined.retain(|_, files| files.len() > 1);
    for (name, meaning) in SHARED {
        assert!(
            defined.remove(name).is_some(),
            "{name} has one definition, not several: {meaning}"
        );
    }
    assert!(defined.is_empty(), "types of one name: rename one, or say why not: {defined:#?}");
}
