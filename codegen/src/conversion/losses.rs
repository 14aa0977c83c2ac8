//! What a client of a version does not see of the objects of other versions, and what its writes do to that.

use std::fmt::Write as _;

use litemap::LiteMap;

use super::plan::{FieldRef, KindConversion, Step};
use super::rule_step::{Action, Effect, Pattern};
use crate::plan::code;
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
        for ((field, shown), versions) in rows {
            let versions = join(versions.iter().map(|version| code(version)), " and ");
            let write = match shown.as_str() {
                "-" => "leaves it as it is",
                _ => "leaves it as it is, unless it changes what is shown: that counts then",
            };
            let _ = writeln!(text, "| {field} of {versions} | {shown} | {write} |");
        }
    }
    if !text.is_empty() {
        text += "\nAnnotations have these values, so a write without the annotations drops them all: such as a file that is applied with \
                 `kubectl replace`.\n";
    }
    text
}

/// The fields of other versions, each with what a version shows of it, and the versions that have it.
type Rows = LiteMap<(String, String), Vec<String>>;

fn rows(kind: &KindConversion, version: &str) -> Rows {
    let mut rows = Rows::new();
    for pair in kind.pairs.iter().filter(|pair| pair.to == version) {
        for (field, shown) in pair.object.leaves().into_iter().filter_map(row) {
            let versions: &mut Vec<String> = rows.entry((field, shown)).or_default();
            versions.push(pair.from.clone());
        }
    }
    rows
}

/// A value that a step may keep, and what it shows of it.
fn row(step: &Step) -> Option<(String, String)> {
    let by_rule = step.by_rule().filter(|by_rule| by_rule.effect == Effect::Keeps)?;
    match &by_rule.action {
        // These only keep whether an empty value or object was there.
        Action::AbsentToZero(_) | Action::Move(_) | Action::Nest(_) if step.to.is_some() => None,
        Action::Nest(_) => None,
        Action::Pattern(pattern) => {
            let Pattern { versions: (from, to), .. } = pattern;
            Some((paths(pattern.fields(from)), paths(pattern.fields(to))))
        }
        _ => Some((paths(step.from.as_slice()), paths(step.to.as_slice()))),
    }
}

/// The paths of fields in a cell of a table.
fn paths(fields: &[FieldRef]) -> String {
    let all = join(fields.iter().map(|field| code(&field.path)), ", ");
    if all.is_empty() { "-".to_owned() } else { in_cell(&all) }
}
