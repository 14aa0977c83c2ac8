//! The page that shows all plans.

use std::fmt::Write as _;

use super::losses::losses;
use super::matrix::{matrix, says_all};
use super::plan::{FieldRef, ItemNames, KindConversion, Mapping, Naming, Pair, Step, StructPair};
use super::rule_step::RuleStep;
use super::steps::pattern;
use crate::plan::{RustType, code};
use crate::text::{in_cell, join, mark};

/// Rules of all conversions, as Markdown, for the page and the rustdoc.
pub(crate) const ABOUT: &str = include_str!("about.md");

/// All plans as a Markdown page; `command` is the command that writes it.
pub(crate) fn page(kinds: &[KindConversion], command: &str) -> String {
    let mark = mark(command);
    let mut page = format!(
        "{mark}# Conversions\n\nThe first table of a kind shows where each version has \
         each field, and by which rule. The rules are in\n`specs/conversions.toml`; fields with the same name and type need \
         none. The tables below it show each conversion\nthat does more than to move values or to keep them aside.\n\n{ABOUT}"
    );
    for kind in kinds {
        if let Some(servers) = &kind.servers {
            let _ =
                write!(page, "\n## {}: the conversions of servers\n\n{servers}\n", kind.title());
        }
        let _ = write!(page, "\n## {}\n\n{}", kind.title(), matrix(kind));
        if let Some(key) = &kind.annotation {
            let _ = writeln!(page, "\nThe keys of the annotations begin with {}.", code(key));
        }
        for adoption in &kind.adopted {
            let _ = writeln!(page, "\n{}", adoption.text());
        }
        page += &losses(kind);
        for pair in kind.pairs.iter().filter(|pair| !says_all(&pair.object)) {
            let Pair { from, to, .. } = pair;
            let _ = write!(page, "\n### {from} to {to}\n\n{}", table(kind, pair));
        }
    }
    page
}

/// The anchor that a reader of Markdown gives to the heading of a kind.
pub(crate) fn anchor(kind: &KindConversion) -> String {
    let title = kind.title().to_lowercase();
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    title.chars().filter(kept).collect::<String>().replace(' ', "-")
}

// A plan as a table for people.

/// The plan of a pair as Markdown: a table of the fields, then the changes of the annotations, then the fields that are
/// reported when they are empty.
pub(crate) fn table(kind: &KindConversion, pair: &Pair) -> String {
    let mut text = format!("| `{}` | `{}` | how | loss |\n|---|---|---|---|\n", pair.from, pair.to);
    for row in rows(&pair.object) {
        text.push_str(&row);
        text.push('\n');
    }
    if let Some(key) = &kind.annotation {
        let _ = write!(text, "\nThe annotations of `{key}`: {}.\n", annotations(pair));
    }
    let target = kind.version(&pair.to);
    let required = target.into_iter().flat_map(|version| &version.required);
    let required = join(required.map(|field| code(&field.path)), ", ");
    if !required.is_empty() {
        let _ = write!(text, "\nReported when empty in the result: {required}.\n");
    }
    text
}

fn annotations(pair: &Pair) -> &'static str {
    match (pair.object.can_restore(), pair.object.can_keep()) {
        (true, true) => {
            "kept values come back, values that the target cannot hold are kept, and all other annotations are copied"
        }
        (true, false) => "kept values come back, and all other annotations are copied",
        (false, true) => {
            "values that the target cannot hold are kept, and all other annotations are copied"
        }
        (false, false) => "all are copied",
    }
}

fn rows(pair: &StructPair) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for step in &pair.steps {
        match (&step.how, &step.from) {
            (Mapping::Part { pair: part, items, .. }, Some(from)) => {
                rows.extend(row_of_part(step, from, items));
                rows.extend(self::rows(part));
            }
            (Mapping::Into(part), Some(from)) if is_part(from) => rows.extend(self::rows(part)),
            (Mapping::Nest(_, part) | Mapping::Flatten(_, part), _) => {
                let (how, loss) = how(step);
                rows.push(row(step, &how, loss));
                rows.extend(self::rows(part));
            }
            (Mapping::Moved | Mapping::ByPattern, _) => {}
            (Mapping::Key, _) => rows.push(row(step, "the key", "lossless")),
            _ => {
                let (how, loss) = how(step);
                rows.push(row(step, &how, loss));
            }
        }
    }
    rows.extend(pair.patterns.iter().flat_map(patterns));
    for step in &pair.moves {
        let (how, loss) = match &step.how {
            Mapping::Rule(_) => how(step),
            _ => ("the same".to_owned(), "lossless"),
        };
        rows.push(row(step, &format!("{how} at another path"), loss));
        if let Mapping::Part { pair: part, .. } | Mapping::Into(part) = &step.how {
            rows.extend(self::rows(part));
        }
    }
    for step in &pair.objects_around_moves {
        let (how, loss) = how(step);
        rows.push(row(step, &how, loss));
    }
    rows
}

/// The row of a part that is converted field by field, if it says more than the rows of its fields.
fn row_of_part(step: &Step, from: &FieldRef, items: &ItemNames) -> Option<String> {
    let named = named(&from.rust_type, items);
    let (how, loss) = match step.by_rule() {
        Some(by_rule) if by_rule.keeps_objects() => how(step),
        Some(by_rule) => {
            let (how, loss) = by_rule.text();
            let is_object = matches!(from.rust_type.present(), RustType::Struct(_));
            (if is_object { how } else { format!("{named}; {how}") }, loss)
        }
        None if is_part(from) => return None,
        None => (named, "lossless"),
    };
    Some(row(step, &how, loss))
}

/// A row for each pattern, and one for the members without one.
fn patterns(step: &Step) -> Vec<String> {
    let Some(pattern) = step.by_rule().and_then(RuleStep::pattern) else {
        return Vec::new();
    };
    let (from, to) = (pattern.versions.0.as_str(), pattern.versions.1.as_str());
    let each = pattern.same.iter().filter_map(|same| {
        let (own, other) = (pattern::in_version(same, from)?, pattern::in_version(same, to)?);
        let loss = pattern::loss(own, other)?;
        let [own, other] = [own, other].map(|members| in_cell(&code(&pattern::toml(members))));
        Some(format!("| {own} | {other} | by a pattern | {loss} |"))
    });
    let names = |version: &str| {
        in_cell(&join(pattern.fields(version).iter().map(|field| code(&field.path)), ", "))
    };
    let (how, loss) = pattern::text();
    each.chain([format!("| {} | {} | {how} | {loss} |", names(from), names(to))]).collect()
}

/// The way in which the annotation names the items of a list or map.
fn named(rust_type: &RustType, items: &ItemNames) -> String {
    let fields = join(items.fields.iter().map(name_field), ", ");
    let name = match (rust_type.present(), items.by, fields.as_str()) {
        (RustType::Struct(_), ..) => return "the fields below, if it is there".to_owned(),
        (RustType::Map(_), ..) => "its key".to_owned(),
        (_, Naming::Keys | Naming::Occurrence | Naming::AfterOccurrence, _) => fields,
        (_, Naming::First | Naming::AfterFirst, "") => {
            "its position, and the first one by `0`".to_owned()
        }
        (_, Naming::First | Naming::AfterFirst, _) => {
            format!("its position and {fields}, and the first one by `0`")
        }
        (_, Naming::Position, "") => "its position".to_owned(),
        (_, Naming::Position, _) => format!("its position and {fields}"),
    };
    format!("each item by the fields below; its annotation names it by {name}")
}

/// A field that names an item, with the value that an absent one has.
fn name_field(field: &FieldRef) -> String {
    let default = field.default.iter().map(|json| format!(" ({} if absent)", code(json)));
    code(&field.name()) + &default.collect::<String>()
}

/// Returns `true` if the field is a struct that is always present, so that the table can show its fields.
fn is_part(field: &FieldRef) -> bool {
    matches!(field.rust_type, RustType::Struct(_))
}

fn row(step: &Step, how: &str, loss: &str) -> String {
    let path = |field: &Option<FieldRef>| match field {
        Some(field) => in_cell(&code(&field.path)),
        None => "-".to_owned(),
    };
    format!("| {} | {} | {} | {loss} |", path(&step.from), path(&step.to), in_cell(how))
}

/// The effect and the loss of a step.
fn how(step: &Step) -> (String, &'static str) {
    if let Some(by_rule) = step.by_rule() {
        let form = step.kept_form.iter().filter_map(|_| step.places.first());
        let form = form.map(|(lowest, _)| format!(", in the form of {lowest}"));
        let (how, loss) = by_rule.text();
        return (how + &form.collect::<String>(), loss);
    }
    let how = match (&step.how, &step.from, &step.to) {
        (Mapping::Nest(..), ..) => "an object of the fields below",
        (Mapping::Flatten(..), ..) => "the fields below",
        (_, Some(from), Some(to)) if from.name() != to.name() => "the same under another name",
        _ => "the same",
    };
    (how.to_owned(), "lossless")
}
