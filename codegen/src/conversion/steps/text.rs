//! `text`: a number or quantity in one version, its text in another. `narrow`: a number of 64 bits in one version, of 32 bits
//! in another.

use super::{Applied, Argument, Between, Call, Effect, call};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let (from, to, in_option) = both(between)?;
    let applied = match (from, to) {
        (RustType::String, number) if has_text(number) => Applied {
            call: step("parse", in_option),
            how: "the value of the text, zero if it is none".to_owned(),
            loss: "a text that is not written like its value is kept in the annotation",
            effect: Effect::Keeps,
        },
        (number, RustType::String) if has_text(number) => Applied {
            call: step("write", in_option),
            how: "the kept text if this is its value, else the text of the value".to_owned(),
            loss: "lossless",
            effect: Effect::Restores,
        },
        _ => return None,
    };
    Some(applied)
}

pub(super) fn fit_number(between: &Between<'_, '_>) -> Option<Applied> {
    let (from, to, in_option) = both(between)?;
    match (from, to) {
        (RustType::I64, RustType::I32) => Some(Applied {
            call: step("parse", in_option),
            how: "the same, zero if it does not fit".to_owned(),
            loss: "a number that does not fit is kept in the annotation",
            effect: Effect::Keeps,
        }),
        (RustType::I32, RustType::I64) => Some(Applied {
            call: step("write", in_option),
            how: "the kept number if this is zero, else the same".to_owned(),
            loss: "lossless",
            effect: Effect::Restores,
        }),
        _ => None,
    }
}

/// The types, without the `Option` around both, and whether there is one.
fn both<'t>(between: &'t Between<'_, '_>) -> Option<(&'t RustType, &'t RustType, bool)> {
    match between.types() {
        (RustType::Option(from), RustType::Option(to)) => Some((from, to, true)),
        (RustType::Option(_), _) | (_, RustType::Option(_)) => None,
        (from, to) => Some((from, to, false)),
    }
}

fn step(function: &'static str, in_option: bool) -> Call {
    let arguments = vec![Argument::Places, Argument::Borrowed, Argument::Context];
    Call { in_option, ..call(("text", function), arguments) }
}

pub(super) fn is_wide(form: &RustType, others: &[&RustType]) -> bool {
    *form.present() == RustType::I64 && others.iter().any(|other| *other.present() == RustType::I32)
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
