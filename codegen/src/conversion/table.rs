//! A plan as a table for people.

use std::fmt::Write as _;

use super::descriptions::{self, Description};

use super::plan::{FieldRef, How, KindConversion, Pair, Step, StructPair};
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
    let row = |step: &Step| match (&step.how, &step.from) {
        (How::Into(part) | How::Part(part), Some(from)) if is_part(from) => rows(part),
        _ => vec![row(step)],
    };
    pair.steps.iter().flat_map(row).collect()
}

/// Tells if the field is a struct that is always present, so that the table can show its fields.
fn is_part(field: &FieldRef) -> bool {
    matches!(field.rust_type, RustType::Struct(_))
}

fn row(step: &Step) -> String {
    let path = |field: &Option<FieldRef>| match field {
        Some(field) => format!("`{}`", field.path),
        None => "-".to_owned(),
    };
    let (how, loss) = how(step);
    format!("| {} | {} | {how} | {loss} |", path(&step.from), path(&step.to))
}

/// The effect and the loss of a step. The words are in `k8s-versioned`, beside the code of the steps.
fn how(step: &Step) -> (String, &'static str) {
    let Description { how, loss } = match &step.how {
        How::Move | How::Into(_) | How::Recursive { .. } | How::Part(_) => moved(step),
        How::FirstOfList => descriptions::FIRST_OF_LIST,
        How::ListOfFirst => descriptions::LIST_OF_FIRST,
        How::AbsentToZero { .. } => descriptions::ABSENT_TO_ZERO,
        How::ZeroToAbsent => descriptions::ZERO_TO_ABSENT,
        How::KeepAside => descriptions::KEEP_ASIDE,
        How::TakeBack => descriptions::TAKE_BACK,
    };
    let other = match &step.how {
        How::AbsentToZero { other: Some(other), .. } => format!(" or that of `{}`", other.path),
        _ => String::new(),
    };
    (format!("{how}{other}"), loss)
}

fn moved(step: &Step) -> Description {
    let path = |field: &Option<FieldRef>| field.as_ref().map(|field| field.path.clone());
    let how =
        if path(&step.from) == path(&step.to) { "the same" } else { "the same under another name" };
    let loss = "lossless";
    Description { how, loss }
}
