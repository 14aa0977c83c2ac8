//! The fields of other versions that a client of a version does not see, and what its writes do to them.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use litemap::LiteMap;
use serde::Serialize;

use super::is_in;
use super::plan::{FieldRef, ItemNames, KindConversion, Mapping, Naming, Pair, Step, StructPair};
use crate::plan::{RustType, code};
use crate::text::{in_cell, join};

/// What a client of a version loses sight of, in short: the page of the conversions has all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Unseen {
    /// The kind, with its group if another kind has its name.
    pub kind: String,
    /// The versions whose fields these are.
    pub of: Vec<String>,
    /// The version of the client.
    pub version: String,
    /// The paths of the fields without a counterpart: a write of the client leaves them as they are.
    pub hidden: BTreeSet<String>,
    /// The paths of the fields of which the client sees a part, or another form: a write that changes it counts.
    pub in_part: BTreeSet<String>,
    /// The lists with kept values that belong to a position: a write that moves the items drops these values.
    pub by_position: BTreeSet<String>,
}

/// The most fields that a line names of each sort.
const NAMED: usize = 2;

/// One line.
impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, version, of, hidden, in_part, by_position } = self;
        let counted = |what: &str, paths: &BTreeSet<String>| {
            let text = || format!("{} {what} ({})", paths.len(), first(paths));
            (!paths.is_empty()).then(text)
        };
        let lists = || format!("dropped where items move: {}", first(by_position));
        let parts = [
            counted("hidden", hidden),
            counted("in part", in_part),
            (!by_position.is_empty()).then(lists),
        ];
        let parts = join(parts.into_iter().flatten(), ", ");
        write!(f, "{kind} {} to {version}: {parts}", join(of, " and "))
    }
}

/// The first of many paths.
fn first(paths: &BTreeSet<String>) -> String {
    let others = if paths.len() > NAMED { ", …" } else { "" };
    join(paths.iter().take(NAMED), ", ") + others
}

/// What clients of each version of a kind lose sight of; versions of which they lose the same are together.
pub(crate) fn unseen(kind: &KindConversion) -> Vec<Unseen> {
    let mut all: Vec<Unseen> = Vec::new();
    for version in &kind.versions {
        let start = all.len();
        for pair in kind.pairs.iter().filter(|pair| pair.to == version.name) {
            let next = unseen_in(kind, pair);
            if next.hidden.is_empty() && next.in_part.is_empty() {
                continue;
            }
            let own = all.iter_mut().skip(start);
            let same = |other: &Unseen| Unseen { of: other.of.clone(), ..next.clone() } == *other;
            match own.into_iter().find(|other| same(other)) {
                Some(other) => other.of.extend(next.of),
                None => all.push(next),
            }
        }
    }
    all
}

/// What a client of the target of a pair loses sight of.
fn unseen_in(kind: &KindConversion, pair: &Pair) -> Unseen {
    let lists = by_position(&pair.object);
    let mut found = Unseen {
        kind: kind.title(),
        version: pair.to.clone(),
        of: vec![pair.from.clone()],
        ..Unseen::default()
    };
    for (kept, shown) in pair.object.leaves().into_iter().filter_map(row) {
        let paths = kept.iter().map(|field| field.path.to_string());
        let is_hidden = matches!(shown, Shown::Fields([]));
        let part = if is_hidden { &mut found.hidden } else { &mut found.in_part };
        part.extend(paths);
        let around = lists.iter().filter(|list| list.is_around(kept));
        found.by_position.extend(around.map(|list| list.to.path.to_string()));
    }
    found
}

/// A table for each version with such fields, as Markdown.
pub(super) fn losses(kind: &KindConversion) -> String {
    let mut text = String::new();
    for version in &kind.versions {
        let rows = rows(kind, &version.name);
        if rows.is_empty() {
            continue;
        }
        let name = code(&version.name);
        let _ = write!(
            text,
            "\n### What a client of {name} does not see\n\n| value | in {name} | a write in {name} |\n|---|---|---|\n"
        );
        for ((field, shown, write), versions) in rows {
            let versions = join(versions.iter().map(|version| code(version)), " and ");
            let [field, shown, write] = [field, shown, write].map(|cell| in_cell(&cell));
            let _ = writeln!(text, "| {field} of {versions} | {shown} | {write} |");
        }
    }
    if !text.is_empty() {
        text += "\nAnnotations have these values, so a write without the annotations drops them all: such as a file that is applied with \
                 `kubectl replace`.\n";
    }
    text
}

/// The fields of other versions, each with what a version shows of it and what a write does to it, and the versions that have it.
type Rows = LiteMap<(String, String, String), Vec<String>>;

fn rows(kind: &KindConversion, version: &str) -> Rows {
    let mut rows = Rows::new();
    for pair in kind.pairs.iter().filter(|pair| pair.to == version) {
        let lists = by_position(&pair.object);
        for (kept, shown) in pair.object.leaves().into_iter().filter_map(row) {
            let around: Vec<_> = lists.iter().filter(|list| list.is_around(kept)).collect();
            let (shown, write) = match shown {
                Shown::Fields(shown) => (paths(shown), write(shown, &around)),
                Shown::Key(key) => {
                    let write = format!("changes it where it changes {key}");
                    (in_cell(&key), write)
                }
            };
            let row = (paths(kept), shown, write);
            let versions: &mut Vec<String> = rows.entry(row).or_default();
            versions.push(pair.from.clone());
        }
    }
    rows
}

/// What a version shows of a value.
enum Shown<'s> {
    /// These fields show something of it.
    Fields(&'s [FieldRef]),
    /// An annotation or label of the object has it: the text names it.
    Key(String),
}

/// The fields whose values a step may keep, or move to an annotation or label of the object, and what shows them.
fn row(step: &Step) -> Option<(&[FieldRef], Shown<'_>)> {
    let rule = step.by_rule()?;
    if let Some(key) = rule.action.metadata_key() {
        return step.to.is_none().then(|| (step.from.as_slice(), Shown::Key(key.text())));
    }
    let kept = step.kept_fields();
    let shown = match rule.pattern() {
        Some(pattern) => pattern.fields(&pattern.versions.1),
        None => step.to.as_slice(),
    };
    (!kept.is_empty()).then_some((kept, Shown::Fields(shown)))
}

/// What a write of a client that does not see a value does to it.
fn write(shown: &[FieldRef], around: &[&Positions<'_>]) -> String {
    let mut text = "leaves it as it is".to_owned();
    for (index, Positions { to, items, .. }) in around.iter().enumerate() {
        let names = join(items.fields.iter().map(|field| code(&field.name())), " and ");
        let with = if names.is_empty() { names } else { format!(" with its {names}") };
        let before = if index == 0 { "while" } else { "and" };
        let list = code(&to.path);
        let _ = write!(text, " {before} the item of {list} stays at its position{with}");
    }
    if !shown.is_empty() {
        text += ", unless it changes what is shown: that counts then";
    }
    text
}

/// A list whose items have no keys: the annotation names them by their positions, so an edit of the list drops what is kept for them.
struct Positions<'p> {
    from: &'p FieldRef,
    to: &'p FieldRef,
    items: &'p ItemNames,
}

impl Positions<'_> {
    /// Whether a step keeps these fields for an item of the list.
    fn is_around(&self, kept: &[FieldRef]) -> bool {
        kept.first().is_some_and(|field| is_in(&field.path, &self.from.path))
    }
}

/// The lists of these, outer ones first.
fn by_position(pair: &StructPair) -> Vec<Positions<'_>> {
    let mut lists = Vec::new();
    for step in pair.steps.iter().chain(&pair.moves) {
        match (&step.how, &step.from, &step.to) {
            (Mapping::Part { pair, items, .. }, Some(from), Some(to)) => {
                let is_list = matches!(from.rust_type.present(), RustType::List(_));
                if is_list && matches!(items.by, Naming::Position | Naming::First) {
                    lists.push(Positions { from, to, items });
                }
                lists.extend(by_position(pair));
            }
            (Mapping::Nest(_, pair) | Mapping::Flatten(_, pair), ..) => {
                lists.extend(by_position(pair));
            }
            _ => {}
        }
    }
    lists
}

/// The paths of fields.
fn paths(fields: &[FieldRef]) -> String {
    let all = join(fields.iter().map(|field| code(&field.path)), ", ");
    if all.is_empty() { "-".to_owned() } else { all }
}
