//! A plan as a table for people.

use std::fmt::Write as _;

use super::items::{FieldRef, How, KindConversion, Pair, Step, StructPair};
use crate::plan::RustType;

/// The plan of a pair as Markdown: a table of the fields, then what becomes of the annotation, then what is
/// reported when it is empty.
pub fn table(kind: &KindConversion, pair: &Pair) -> String {
    let mut text = format!(
        "| `{}` | `{}` | how | loss |\n|---|---|---|---|\n",
        pair.from, pair.to
    );
    for row in rows(&pair.object) {
        text.push_str(&row);
        text.push('\n');
    }
    if let Some(key) = &kind.annotation {
        let _ = write!(
            text,
            "\nThe annotation `{key}` {}.\n",
            annotation(kind, pair)
        );
    }
    let target = kind.version(&pair.to);
    let required: Vec<String> = target
        .into_iter()
        .flat_map(|version| &version.required)
        .map(|field| format!("`{}`", field.path))
        .collect();
    if !required.is_empty() {
        let required = required.join(", ");
        let _ = write!(text, "\nReported when empty in the result: {required}.\n");
    }
    text
}

fn annotation(kind: &KindConversion, pair: &Pair) -> &'static str {
    let source = kind.version(&pair.from);
    let discards = source.is_some_and(|source| source.discards_annotation);
    match (discards, pair.restores(), pair.keeps()) {
        (true, _, true) => "is dropped from the source, and written for what is kept aside",
        (true, _, false) => "is dropped from the source",
        (false, true, true) => "is taken out and read, and written for what is kept aside",
        (false, true, false) => "is taken out and read",
        (false, false, true) => "is written for what is kept aside",
        (false, false, false) => "is carried over",
    }
}

fn rows(pair: &StructPair) -> Vec<String> {
    let row = |step: &Step| match (&step.how, &step.from) {
        (How::Into(part) | How::Part(part), Some(from)) if is_part(from) => rows(part),
        _ => vec![row(step)],
    };
    pair.steps.iter().flat_map(row).collect()
}

/// Whether the field is a struct that is always there, so that its own fields can be shown.
fn is_part(field: &FieldRef) -> bool {
    matches!(field.rust_type, RustType::Struct(_))
}

fn row(step: &Step) -> String {
    let path = |field: &Option<FieldRef>| match field {
        Some(field) => format!("`{}`", field.path),
        None => "-".to_owned(),
    };
    let (how, loss) = how(step);
    format!(
        "| {} | {} | {how} | {loss} |",
        path(&step.from),
        path(&step.to)
    )
}

fn how(step: &Step) -> (String, &'static str) {
    let same_name =
        step.from.as_ref().map(|from| &from.path) == step.to.as_ref().map(|to| &to.path);
    let carried_over = if same_name {
        "the same"
    } else {
        "the same under another name"
    };
    let (text, loss) = match &step.how {
        How::Move | How::Into(_) | How::Recursive { .. } | How::Part(_) => {
            (carried_over, "lossless")
        }
        How::FirstOfList => (
            "the first element, empty if there is none",
            "a list that its first element does not tell is kept aside",
        ),
        How::ListOfFirst => (
            "the kept list if its first element is this; else a list of this alone, none if it is empty",
            "lossless",
        ),
        How::AbsentToZero { other, .. } => {
            return (
                absent_to_zero(other.as_ref()),
                "filled; a present but empty value is kept aside, and so is an absent one that a policy fills",
            );
        }
        How::ZeroToAbsent => (
            "absent if it is empty, unless an empty value was kept; absent again if a policy had filled it",
            "lossless",
        ),
        How::KeepAside => ("has no counterpart", "kept aside"),
        How::TakeBack => ("what was kept, else empty", "filled"),
    };
    (text.to_owned(), loss)
}

fn absent_to_zero(other: Option<&FieldRef>) -> String {
    match other {
        Some(other) => format!(
            "empty if absent, unless a policy fills it: with a given value or that of `{}`",
            other.path
        ),
        None => "empty if absent, unless a policy fills it with a given value".to_owned(),
    }
}
