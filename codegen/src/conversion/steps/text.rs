//! `text`: a number, quantity or time in one version, in another its text, or a value that is either. `narrow`: a number of
//! 64 bits in one version, of 32 bits in another.

use super::{Applied, Argument, Between, Call, call};
use crate::plan::RustType;

pub(super) fn fit(between: &Between<'_, '_>) -> Option<Applied> {
    let (from, to, form) = forms(between)?;
    let is_optional = form == Form::Optional;
    // All versions have one of the two types.
    let found = &between.rule.found;
    let forms = || found.iter().map(|(_, field)| field.rust_type.present());
    if !forms().all(|form| form == from || form == to) {
        return None;
    }
    if is_wider(from, to) {
        let loss = "kept in the annotation, unless the value alone restores it";
        let required = match form {
            Form::RequiredTime => {
                Some(("parse_required", "an empty text gives no time, which is reported"))
            }
            Form::OptionalText => {
                Some(("parse_optional", "an absent text gives no time, which is reported"))
            }
            Form::Present | Form::Optional => None,
        };
        if let Some((function, reported)) = required {
            let how = format!("the parsed time, else `0001-01-01T00:00:00Z`; {reported}");
            let around = Argument::Around(between.rule.paths(|_, _| true));
            let call = call(("text", function), [around, Argument::Borrowed]);
            return Some(Applied::keeps(call, how, loss));
        }
        let how = if is_optional {
            "the parsed value, else absent"
        } else {
            "the parsed value, else empty or zero"
        };
        return Some(Applied::keeps(parse(is_optional), how, loss));
    }
    let how = "the kept text if this is its value, else the text of the value";
    is_wider(to, from).then(|| {
        let required = call(("text", "write_required"), [Argument::Borrowed]);
        let is_required = form == Form::RequiredTime;
        Applied::restores(if is_required { required } else { write(is_optional) }, how)
    })
}

/// Whether the values of the two forms can be absent.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Present,
    Optional,
    /// The type of a required time is an `Option`, as no time is empty. That of its text is none.
    RequiredTime,
    /// An optional text becomes a required time.
    OptionalText,
}

/// The types, without the `Option` around both or around a required time.
fn forms<'b>(between: &Between<'_, 'b>) -> Option<(&'b RustType, &'b RustType, Form)> {
    let is_required = |field| between.structs.is_always_there(field);
    match between.types() {
        (RustType::Option(from), RustType::Option(to)) => {
            let becomes_required = is_required(between.to.0) && !is_required(between.from.0);
            Some((from, to, if becomes_required { Form::OptionalText } else { Form::Optional }))
        }
        (RustType::Option(from), to) => {
            is_required(between.from.0).then_some((from, to, Form::RequiredTime))
        }
        (from, RustType::Option(to)) => {
            is_required(between.to.0).then_some((from, to, Form::RequiredTime))
        }
        (from, to) => Some((from, to, Form::Present)),
    }
}

pub(super) fn fit_number(between: &Between<'_, '_>) -> Option<Applied> {
    let (from, to, is_optional) = between.inside()?;
    match (from, to) {
        (RustType::I64, RustType::I32) => Some(Applied::keeps(
            parse(is_optional),
            if is_optional {
                "the same, absent if it does not fit"
            } else {
                "the same, zero if it does not fit"
            },
            "a number that does not fit is kept in the annotation",
        )),
        (RustType::I32, RustType::I64) => {
            let how = if is_optional {
                "the kept number if this is absent, else the same"
            } else {
                "the kept number if this is zero, else the same"
            };
            Some(Applied::restores(write(is_optional), how))
        }
        _ => None,
    }
}

/// Reads a value out of a wider one. An optional one that does not fit is absent.
fn parse(is_optional: bool) -> Call {
    let function = if is_optional { "parse_or_none" } else { "parse" };
    call(("text", function), [Argument::Borrowed])
}

/// The way back of [`parse`].
fn write(is_optional: bool) -> Call {
    let function = if is_optional { "write_or_none" } else { "write" };
    call(("text", function), [Argument::Borrowed])
}

pub(super) fn is_wide(form: &RustType, others: &[&RustType]) -> bool {
    *form.present() == RustType::I64 && others.iter().any(|other| *other.present() == RustType::I32)
}

pub(in crate::conversion) fn is_complete(form: &RustType, others: &[&RustType]) -> bool {
    others.iter().any(|other| is_wider(form.present(), other.present()))
}

/// Returns `true` for the types of which `text` makes one of another.
pub(in crate::conversion) fn is_value(rust_type: &RustType) -> bool {
    let is_either = matches!(rust_type, RustType::External(path, _) if path.name == "IntOrString");
    *rust_type == RustType::String || is_either || has_text(rust_type)
}

/// Returns `true` if the first type has a text for each value of the other.
fn is_wider(wide: &RustType, other: &RustType) -> bool {
    match wide {
        RustType::String => has_text(other),
        RustType::External(path, _) if path.name == "IntOrString" => {
            matches!(other, RustType::I32 | RustType::I64 | RustType::String)
        }
        _ => false,
    }
}

/// Returns `true` for types whose values are written in one way, and read from it.
fn has_text(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::I32 | RustType::I64 | RustType::F64 => true,
        RustType::External(path, _) => matches!(path.name.as_str(), "Quantity" | "DateTime"),
        _ => false,
    }
}
