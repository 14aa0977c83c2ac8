//! The fields of other versions that a client of a version does not see, and what its writes do to them.

use std::fmt::Write as _;

use litemap::LiteMap;

use super::is_in;
use super::plan::{FieldRef, ItemNames, KindConversion, Mapping, Naming, Step, StructPair};
use crate::plan::{RustType, code};
use crate::text::{in_cell, join};

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
            let is_around = |list: &&Positions<'_>| {
                kept.first().is_some_and(|field| is_in(&field.path, &list.from.path))
            };
            let around: Vec<_> = lists.iter().filter(is_around).collect();
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
