//! What the rules of a project are: lines, functions, and how many of them a draft finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::{Files, Plans};
use testing::specs::projects;

/// The figures of a project.
pub(crate) struct Figures {
    /// By kind.
    pub(crate) kinds: BTreeMap<String, OfKind>,
    /// The lines of the rules that kinds share.
    pub(crate) shared: usize,
    /// The lines of the functions, and how many rules call one.
    pub(crate) functions: usize,
    pub(crate) calls: usize,
}

/// The figures of a kind.
#[derive(Default)]
pub(crate) struct OfKind {
    /// The lines of its own rules.
    pub(crate) lines: usize,
    /// The rules, those that it shares with others, too.
    pub(crate) rules: usize,
    /// How many of them a draft has.
    pub(crate) drafted: usize,
}

/// The figures of a project. Its rules are complete, or this panics.
pub(crate) fn figures(project: &str) -> Figures {
    let files = projects::files(project);
    let folder = projects::folder(project);
    let text = String::from_utf8_lossy(&files["conversions.toml"]).into_owned();
    let (lines, shared) = rule_lines(&text);
    let functions = fs::read_to_string(folder.join("functions.rs")).unwrap_or_default();
    let own = rules(&files);
    let drafted = rules(&drafted(files));
    let mut kinds = BTreeMap::new();
    for (kind, own) in own {
        let drafted = own.intersection(drafted.get(&kind).unwrap_or(&BTreeSet::new())).count();
        let lines = lines.get(&kind).copied().unwrap_or_default();
        kinds.insert(kind, OfKind { lines, rules: own.len(), drafted });
    }
    let calls = text.matches("rule = \"custom\"").count();
    Figures { kinds, shared, functions: code_lines(&functions), calls }
}

/// The files with the draft of all rules instead of the rules.
fn drafted(mut files: Files) -> Files {
    files.remove("conversions.toml");
    let plans = Plans::read(&files).unwrap_or_else(|problems| panic!("{problems}"));
    let text = Drafter::new(&plans).drafts(false).unwrap().join("\n");
    files.insert("conversions.toml".to_owned(), text.into_bytes());
    files
}

/// The rules by kind, in a form that can be compared.
fn rules(files: &Files) -> BTreeMap<String, BTreeSet<String>> {
    let plans = Plans::read(files).unwrap_or_else(|problems| panic!("{problems}"));
    plans.comparable_rules()
}

/// The lines of rules without comments and blank lines: by kind, and of those that kinds share.
fn rule_lines(text: &str) -> (BTreeMap<String, usize>, usize) {
    let (mut kinds, mut shared) = (BTreeMap::new(), 0);
    for block in text.split("\n[[").map(|block| block.trim_start_matches("[[")) {
        let lines = code_lines(block);
        let name = block.lines().find_map(|line| line.strip_prefix("kind = \"")?.strip_suffix('"'));
        match name.filter(|_| block.starts_with("kind]]")) {
            Some(name) => _ = kinds.insert(name.to_owned(), lines),
            None => shared += lines,
        }
    }
    (kinds, shared)
}

/// The lines that are neither blank nor comments.
fn code_lines(text: &str) -> usize {
    let is_code = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && !line.starts_with("//")
    };
    // Attributes of Rust begin as comments of TOML do, and are no code either.
    text.lines().filter(is_code).count()
}
