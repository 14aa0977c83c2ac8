//! What the rules of a project are: lines, functions, and how many of them a draft finds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::{fmt, fs};

use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::{Files, Plans};
use testing::specs::projects;

use crate::facts;

/// The figures of a project.
pub(crate) struct Figures {
    /// By kind.
    pub(crate) kinds: BTreeMap<String, OfKind>,
    /// The lines of all rules, of which kinds share some.
    pub(crate) lines: Lines,
    pub(crate) shared: Lines,
    /// The lines of the functions, and how many rules call one.
    pub(crate) functions: u32,
    pub(crate) calls: usize,
}

/// Lines, as they are, and as many as they are where none has more than [`WIDTH`] characters. Kinds have parts of lines that they share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines<N = u32> {
    pub(crate) count: N,
    pub(crate) narrow: N,
}

/// The width of the code of this workspace.
const WIDTH: usize = 100;

/// The figures of a kind.
#[derive(Default)]
pub(crate) struct OfKind {
    /// The lines of its own rules, and its part of those that it shares: two kinds have a half each.
    pub(crate) lines: Lines<f64>,
    /// The rules, those that it shares with others, too.
    pub(crate) rules: Share,
    /// Those of them that need thought: no problem of the generator asks for them.
    pub(crate) thought: Share,
    pub(crate) others: Others,
}

/// How many rules there are, and how many of them a draft has.
#[derive(Clone, Copy, Default)]
pub(crate) struct Share {
    pub(crate) all: usize,
    pub(crate) drafted: usize,
}

/// The rules of a draft that the case does not have.
#[derive(Default)]
pub(crate) struct Others {
    /// Those that say that they are guesses.
    pub(crate) guesses: usize,
    /// Those that lose nothing and guess nothing: a field is kept aside, or has the zero of its type.
    pub(crate) kept: usize,
    /// All others. They would be wrong without a word.
    pub(crate) unmarked: Vec<String>,
}

/// The rules of a kind in a form that can be compared, with their reasons.
type Rules = BTreeMap<String, String>;

/// The figures of a project. Its rules are complete, or this panics.
pub(crate) fn figures(project: &str) -> Figures {
    let files = projects::files(project);
    let folder = projects::folder(project);
    let text = String::from_utf8_lossy(&files["conversions.toml"]).into_owned();
    let functions = fs::read_to_string(folder.join("functions.rs")).unwrap_or_default();
    let own = rules(&files);
    let drafted = rules(&drafted(files));
    let (mut by_kind, lines, shared) = rule_lines(&text);
    let none = Rules::new();
    let kinds = own.iter().map(|(kind, own)| {
        let lines = by_kind.remove(kind).unwrap_or_default();
        (kind.clone(), OfKind::new(lines, own, drafted.get(kind).unwrap_or(&none)))
    });
    let kinds = kinds.collect();
    assert!(by_kind.is_empty(), "rules of other kinds: {by_kind:?}");
    let calls = text.matches("rule = \"custom\"").count();
    Figures { kinds, lines, shared, functions: count(code_lines(&functions).count()), calls }
}

impl OfKind {
    fn new(lines: Lines<f64>, own: &Rules, drafted: &Rules) -> Self {
        let share = |is_meant: fn(&str) -> bool| {
            let meant: Vec<&String> = own.keys().filter(|rule| is_meant(rule)).collect();
            let drafted = meant.iter().filter(|rule| drafted.contains_key(**rule)).count();
            Share { all: meant.len(), drafted }
        };
        let others = drafted.iter().filter(|(rule, _)| !own.contains_key(*rule));
        Self {
            lines,
            rules: share(|_| true),
            thought: share(needs_thought),
            others: others.collect(),
        }
    }
}

impl<'r> FromIterator<(&'r String, &'r String)> for Others {
    fn from_iter<I: IntoIterator<Item = (&'r String, &'r String)>>(rules: I) -> Self {
        let mut others = Self::default();
        for (rule, reason) in rules {
            if reason.starts_with("A guess") {
                others.guesses += 1;
            } else if needs_thought(rule) {
                others.unmarked.push(rule.clone());
            } else {
                others.kept += 1;
            }
        }
        others
    }
}

impl Figures {
    /// The lines of Go of the project, where they are known.
    pub(crate) fn go(&self, project: &str) -> Option<u32> {
        let of_kinds = self.kinds.keys().filter_map(|kind| facts::of(project, kind).1);
        let of_project = facts::OF_PROJECT.iter().filter(|(name, _)| *name == project);
        let all: u32 = of_kinds.chain(of_project.map(|(_, lines)| *lines)).sum();
        (all > 0).then_some(all)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { all, drafted } = *self;
        write!(f, "{drafted} of {all}")?;
        if all > 0 { write!(f, " ({} %)", percent(drafted, all)) } else { Ok(()) }
    }
}

/// The rounded percentage.
pub(crate) fn percent(part: usize, of: usize) -> usize {
    (part * 100 + of / 2).checked_div(of).unwrap_or_default()
}

impl Share {
    pub(crate) fn add(&mut self, other: Self) {
        self.all += other.all;
        self.drafted += other.drafted;
    }
}

/// Returns `true` for rules that no problem of the generator names, as the test of `rules_of_twelve_projects` does.
fn needs_thought(rule: &str) -> bool {
    !["keep-aside ", "absent-to-zero "].iter().any(|name| rule.starts_with(name))
}

/// The files with the draft of all rules instead of the rules.
fn drafted(mut files: Files) -> Files {
    files.remove("conversions.toml");
    let plans = Plans::read(&files).unwrap_or_else(|problems| panic!("{problems}"));
    let text = Drafter::new(&plans).drafts(false).unwrap().join("\n");
    files.insert("conversions.toml".to_owned(), text.into_bytes());
    files
}

/// The draft of the rules of a project.
pub(crate) fn draft(project: &str) -> String {
    let drafted = drafted(projects::files(project));
    String::from_utf8_lossy(&drafted["conversions.toml"]).into_owned()
}

fn rules(files: &Files) -> BTreeMap<String, Rules> {
    let plans = Plans::read(files).unwrap_or_else(|problems| panic!("{problems}"));
    plans.comparable_rules()
}

/// The lines of rules without comments and blank lines: by kind, all, and those that kinds share.
fn rule_lines(text: &str) -> (BTreeMap<String, Lines<f64>>, Lines, Lines) {
    let (mut by_kind, mut all, mut shared) =
        (BTreeMap::<_, Lines<f64>>::new(), Lines::default(), Lines::default());
    for block in text.split("\n[[").map(|block| block.trim_start_matches("[[")) {
        let lines: Lines = code_lines(block).collect();
        if lines.count == 0 {
            continue;
        }
        all.add(lines);
        let table: toml::Table = format!("[[{block}").parse().unwrap();
        let kinds = table.get("shared").map_or_else(|| own_kind(&table), kinds_of);
        if table.contains_key("shared") {
            shared.add(lines);
        }
        for kind in &kinds {
            by_kind.entry(kind.clone()).or_default().add(lines.part(kinds.len()));
        }
    }
    (by_kind, all, shared)
}

/// The kind of a table with its own rules.
fn own_kind(table: &toml::Table) -> BTreeSet<String> {
    BTreeSet::from([table["kind"][0]["kind"].as_str().unwrap().to_owned()])
}

/// The kinds of rules that several share: those that `kinds` names, or those for which `under` has paths.
fn kinds_of(shared: &toml::Value) -> BTreeSet<String> {
    let shared = &shared[0];
    let named = shared.get("kinds").and_then(toml::Value::as_array).into_iter().flatten();
    let named = named.filter_map(toml::Value::as_str).map(str::to_owned);
    let under = shared.get("under").and_then(toml::Value::as_table).into_iter().flatten();
    named.chain(under.map(|(kind, _)| kind.clone())).collect()
}

impl<N: AddAssign> Lines<N> {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.narrow += other.narrow;
    }
}

impl Lines {
    /// The part of one of so many kinds.
    fn part(self, kinds: usize) -> Lines<f64> {
        let part = |lines: u32| f64::from(lines) / f64::from(count(kinds));
        Lines { count: part(self.count), narrow: part(self.narrow) }
    }
}

impl<'l> FromIterator<&'l str> for Lines {
    fn from_iter<I: IntoIterator<Item = &'l str>>(lines: I) -> Self {
        let mut all = Self::default();
        for line in lines {
            all.add(Self { count: 1, narrow: count(line.chars().count().div_ceil(WIDTH)) });
        }
        all
    }
}

/// A number of lines, from which floats follow.
fn count(lines: usize) -> u32 {
    u32::try_from(lines).unwrap()
}

/// The lines that are neither blank nor comments.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    // `#` begins an attribute in Rust and a comment in TOML. Neither counts as a line of code.
    text.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#') && !line.starts_with("//")
    })
}
