//! The glossary of ARCHITECTURE.md holds for the public names of all published packages: one word for one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::workspace::repository;

/// Types that two packages have under one name, with what they are in each.
const SHARED: [(&str, &str); 2] = [
    ("Error", "the error of its module or package, as in the standard library"),
    ("Object", "what an object of an API has; the same for `kube`"),
];

/// The kinds of items that are types.
const TYPES: [&str; 4] = ["struct", "enum", "trait", "type"];

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
fn sources() -> impl Iterator<Item = (PathBuf, PathBuf)> {
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
        files.filter(is_source).map(move |file| (folder.clone(), file))
    })
}

/// The kind and the name of each public item of a text.
fn items(text: &str) -> impl Iterator<Item = (&str, &str)> {
    const KINDS: [&str; 8] = ["struct", "enum", "trait", "type", "fn", "mod", "const", "static"];
    text.lines().filter_map(|line| {
        let mut words = line.trim_start().strip_prefix("pub ")?.split(' ');
        let kind = words.find(|word| !matches!(*word, "async" | "unsafe"))?;
        let name = words.next()?;
        // A function can be `const`.
        let (kind, name) = if name == "fn" { ("fn", words.next()?) } else { (kind, name) };
        let end = name.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(name.len());
        KINDS.contains(&kind).then(|| (kind, name.get(..end).unwrap_or(name)))
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
    for (_, file) in sources() {
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

/// Returns `true` for the module of a version, such as `v1beta1`.
fn is_version(module: &str) -> bool {
    module.strip_prefix('v').is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()))
}

/// The types that a package shows at its root, or in the list of its public items.
fn shown(package: &Path) -> BTreeSet<String> {
    let root = fs::read_to_string(package.join("src/lib.rs")).unwrap();
    let exports = root.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let exported = exports.flat_map(|list| list.split(move |character| !is_word(character)));
    let own = items(&root).map(|(_, name)| name);
    let types = exported.chain(own).filter(|name| name.starts_with(char::is_uppercase));
    let mut shown: BTreeSet<String> = types.map(str::to_owned).collect();
    let listed = fs::read_to_string(package.join("public-items.txt")).unwrap_or_default();
    for line in listed.lines() {
        let (kind, path) = line.split_once(' ').unwrap();
        // The modules of versions have the types of an API, which other packages can have too.
        let is_api = path.split("::").any(|part| part == "meta" || is_version(part));
        if TYPES.contains(&kind) && !is_api {
            shown.extend(path.rsplit("::").next().map(str::to_owned));
        }
    }
    shown
}

/// A type has one meaning. A re-export is the same type, and is defined in one package.
#[test]
fn each_type_has_one_meaning() {
    let mut defined: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    let mut packages = BTreeSet::new();
    for (package, file) in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let types = items(&text).filter(|(kind, _)| TYPES.contains(kind));
        for (_, name) in types {
            defined.entry(name.to_owned()).or_default().insert(package.clone());
        }
        packages.insert(package);
    }
    let mut meanings: BTreeMap<String, usize> = BTreeMap::new();
    for package in &packages {
        let own = |name: &String| defined.get(name).is_some_and(|all| all.contains(package));
        for name in shown(package).into_iter().filter(own) {
            *meanings.entry(name).or_default() += 1;
        }
    }
    let found: BTreeSet<&str> =
        meanings.iter().filter(|(_, count)| **count > 1).map(|(name, _)| &**name).collect();
    let stated: BTreeSet<&str> = SHARED.into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, stated, "types of one name in two packages: rename one, or say why not");
}
