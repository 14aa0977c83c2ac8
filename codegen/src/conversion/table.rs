//! A plan as a table for people.

use std::fmt::Write as _;

use super::plan::{FieldRef, How, ItemNames, KindConversion, Pair, Step, StructPair};
use crate::plan::RustType;
use crate::text::join;

/// The plan of a pair as Markdown: a table of the fields, then the changes of the annotation, then the fields that are
/// reported when they are empty.
pub fn table(kind: &KindConversion, pair: &Pair) -> String {
    let mut text = format!("| `{}` | `{}` | how | loss |\n|---|---|---|---|\n", pair.from, pair.to);
    for row in rows(&pair.object) {
        text.push_str(&row);
        text.push('\n');
    }
    if let Some(key) = &kind.annotation {
        let _ = write!(text, "\nThe annotation `{key}` {}.\n", annotation(pair));
    }
    let target = kind.version(&pair.to);
    let required = target.into_iter().flat_map(|version| &version.required);
    let required = join(required.map(|field| format!("`{}`", field.path)), ", ");
    if !required.is_empty() {
        let _ = write!(text, "\nReported when empty in the result: {required}.\n");
    }
    text
}

fn annotation(pair: &Pair) -> &'static str {
    match (pair.object.can_restore(), pair.object.can_keep()) {
        (true, true) => {
            "gives back kept values, keeps values that the target cannot hold, and carries the rest along"
        }
        (true, false) => "gives back kept values, and carries the rest along",
        (false, true) => "keeps values that the target cannot hold, and carries the rest along",
        (false, false) => "is carried along",
    }
}

fn rows(pair: &StructPair) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for step in &pair.steps {
        match (&step.how, &step.from) {
            (How::Part { pair: part, items }, Some(from)) => {
                if !is_part(from) {
                    rows.push(row(step, &named(&from.rust_type, items), "lossless"));
                }
                rows.extend(self::rows(part));
            }
            (How::Into(part), Some(from)) if is_part(from) => rows.extend(self::rows(part)),
            (How::Nest(_, part) | How::Flatten(_, part), _) => {
                let (how, loss) = how(step);
                rows.push(row(step, &how, loss));
                rows.extend(self::rows(part));
            }
            (How::Moved, _) => {}
            _ => {
                let (how, loss) = how(step);
                rows.push(row(step, &how, loss));
            }
        }
    }
    rows.extend(pair.moves.iter().map(|(from, to)| {
        format!("| `{}` | `{}` | the same at another path | lossless |", from.path, to.path)
    }));
    rows
}

/// The way in which the annotation names the items of a list or map.
fn named(rust_type: &RustType, items: &ItemNames) -> String {
    let fields = join(items.wire.iter().map(|name| format!("`{name}`")), ", ");
    let name = match (rust_type.present(), items.are_keys, fields.as_str()) {
        (RustType::Struct(_), ..) => return "the fields below, if it is there".to_owned(),
        (RustType::Map(_), ..) => "its key".to_owned(),
        (_, true, _) => fields,
        (_, false, "") => "its position".to_owned(),
        (_, false, _) => format!("its position and {fields}"),
    };
    format!("each item by the fields below; the annotation names it by {name}")
}

/// Returns `true` if the field is a struct that is always present, so that the table can show its fields.
fn is_part(field: &FieldRef) -> bool {
    matches!(field.rust_type, RustType::Struct(_))
}

fn row(step: &Step, how: &str, loss: &str) -> String {
    let path = |field: &Option<FieldRef>| match field {
        Some(field) => format!("`{}`", field.path),
        None => "-".to_owned(),
    };
    format!("| {} | {} | {how} | {loss} |", path(&step.from), path(&step.to))
}

/// The effect and the loss of a step.
fn how(step: &Step) -> (String, &'static str) {
    if let Some(applied) = step.applied() {
        return (applied.how.clone(), applied.loss);
    }
    let how = match (&step.how, &step.from, &step.to) {
        (How::Nest(..), ..) => "an object of the fields below",
        (How::Flatten(..), ..) => "the fields below",
        (_, Some(from), Some(to)) if from.name() != to.name() => "the same under another name",
        _ => "the same",
    };
    (how.to_owned(), "lossless")
}
