//! `text`: a number or quantity in one version, its text in another.

use super::{Applied, Argument, Between, Call, Effect, call};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let (from, to) = between.types();
    let in_option = match (from, to) {
        (RustType::Option(_), RustType::Option(_)) => true,
        (RustType::Option(_), _) | (_, RustType::Option(_)) => return None,
        _ => false,
    };
    let arguments = vec![Argument::Places, Argument::Borrowed, Argument::Context];
    let applied = match (from.present(), to.present()) {
        (RustType::String, number) if has_text(number) => Applied {
            call: call(("text", "parse"), arguments),
            how: "the value of the text, zero if it is none".to_owned(),
            loss: "a text that is not written like its value is kept in the annotation",
            effect: Effect::Keeps,
        },
        (number, RustType::String) if has_text(number) => Applied {
            call: call(("text", "write"), arguments),
            how: "the kept text if this is its value, else the text of the value".to_owned(),
            loss: "lossless",
            effect: Effect::Restores,
        },
        _ => return None,
    };
    Some(Applied { call: Call { in_option, ..applied.call }, ..applied })
}

pub(super) fn is_complete(form: &RustType, others: &[&RustType]) -> bool {
    let numbers = || others.iter().any(|other| has_text(other.present()));
    *form.present() == RustType::String && numbers()
}

/// Returns `true` for types whose values are written in one way, and read from it.
fn has_text(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::I32 | RustType::I64 => true,
        RustType::External(path, _) => path.name == "Quantity",
        _ => false,
    }
}
