//! `text`: a number, quantity or time in one version, in another its text, or a value that is either. `narrow`: a number of
//! 64 bits in one version, of 32 bits in another.

use super::stated::misfit;
use super::{Applied, Argument, Between, Call, call};
use crate::Problems;
use crate::plan::{RustType, code};
use crate::problem::StepName;
use crate::text::join;

pub(super) fn fit(between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
    let (from, to, form) = forms(between)?;
    check_fallback(between, problems);
    let is_optional = matches!(form, Form::Optional | Form::OfOptionalText);
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
            Form::Present | Form::Optional | Form::OfOptionalText => None,
        };
        if let Some((function, reported)) = required {
            let how = format!("the parsed time, else `0001-01-01T00:00:00Z`; {reported}");
            let around = Argument::Around(between.rule.paths(&|_, _| true));
            let call = call(("text", function), [around, Argument::Borrowed]);
            return Some(Applied::keeps(call, how, loss));
        }
        let how = match fallback(between, between.to.1) {
            Some(fallback) => format!("the parsed value, else {}", code(&fallback)),
            None if is_optional => "the parsed value, else absent".to_owned(),
            None => "the parsed value, else empty or zero".to_owned(),
        };
        return Some(Applied::keeps(parse(between, is_optional), how, loss));
    }
    let how = "the kept text if this is its value, else the text of the value";
    is_wider(to, from).then(|| {
        let write = match form {
            Form::RequiredTime => call(("text", "write_required"), [Argument::Borrowed]),
            Form::OfOptionalText => call(("text", "write_optional"), [Argument::Borrowed]),
            _ => write(between, is_optional),
        };
        Applied::restores(write, how)
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
    /// The conversion back: a required time becomes an optional text.
    OfOptionalText,
}

/// The types, without the `Option` around both or around a required time.
fn forms<'b>(between: &Between<'_, 'b>) -> Option<(&'b RustType, &'b RustType, Form)> {
    let is_required = |field| between.structs.is_always_there(field);
    match between.types() {
        (RustType::Option(from), RustType::Option(to)) => {
            let form = match (is_required(between.from.0), is_required(between.to.0)) {
                (false, true) => Form::OptionalText,
                (true, false) => Form::OfOptionalText,
                _ => Form::Optional,
            };
            Some((from, to, form))
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

pub(super) fn fit_number(between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
    let (from, to, is_optional) = between.inside()?;
    check_fallback(between, problems);
    match (from, to) {
        (RustType::I64, RustType::I32) => Some(Applied::keeps(
            parse(between, is_optional),
            match fallback(between, between.to.1) {
                Some(fallback) => format!("the same, {} if it does not fit", code(&fallback)),
                None if is_optional => "the same, absent if it does not fit".to_owned(),
                None => "the same, zero if it does not fit".to_owned(),
            },
            "a number that does not fit is kept in the annotation",
        )),
        (RustType::I32, RustType::I64) => {
            let how = match fallback(between, between.from.1) {
                Some(fallback) => {
                    format!("the kept number if this is {}, else the same", code(&fallback))
                }
                None if is_optional => {
                    "the kept number if this is absent, else the same".to_owned()
                }
                None => "the kept number if this is zero, else the same".to_owned(),
            };
            Some(Applied::restores(write(between, is_optional), how))
        }
        _ => None,
    }
}

/// Reads a value out of a wider one. One that does not fit is the fallback; without it an optional one is absent.
fn parse(between: &Between<'_, '_>, is_optional: bool) -> Call {
    let Some(fallback) = fallback(between, between.to.1) else {
        let function = if is_optional { "parse_or_none" } else { "parse" };
        return call(("text", function), [Argument::Borrowed]);
    };
    call(("text", "parse_or"), [Argument::Json(fallback), Argument::Borrowed])
}

/// The conversion back of [`parse`].
fn write(between: &Between<'_, '_>, is_optional: bool) -> Call {
    let Some(fallback) = fallback(between, between.from.1) else {
        let function = if is_optional { "write_or_none" } else { "write" };
        return call(("text", function), [Argument::Borrowed]);
    };
    call(("text", "write_or"), [Argument::Json(fallback), Argument::Borrowed])
}

/// The value of a version for those that do not fit, as JSON.
fn fallback(between: &Between<'_, '_>, version: &str) -> Option<String> {
    let value = between.rule.stated.fallback_value(version)?;
    Some(serde_json::to_value(value).unwrap_or_default().to_string())
}

/// Reports the fallbacks that versions do not need, those that are wrong, and those that are missing.
fn check_fallback(between: &Between<'_, '_>, problems: &mut Problems) {
    let (rule, stated) = (between.rule, between.rule.stated);
    let Some(all) = &stated.fallback else {
        return;
    };
    let types: Vec<_> = rule.found.iter().map(|(_, field)| &field.rust_type).collect();
    let holds_all = |of: &RustType| match stated.rule.value {
        StepName::Narrow => is_wide(of, &types),
        _ => is_complete(of, &types),
    };
    let mut wrong = Vec::new();
    for (version, value) in &all.value {
        let Some(field) = rule.in_version(version) else {
            wrong.push(format!("`fallback` has {version}, but `names` has not"));
            continue;
        };
        let path = code(&field.path);
        if holds_all(&field.rust_type) {
            wrong.push(format!("{path} of {version} holds all values and needs no fallback"));
        } else if field.rust_type.is_option() {
            wrong.push(format!(
                "{path} of {version} needs no fallback: it is absent where a value does not fit, or has no value for a time"
            ));
        } else {
            let value = serde_json::to_value(value).unwrap_or_default();
            wrong.extend(misfit("fallback", &value, field, between.structs));
        }
    }
    let narrow = || rule.found.iter().filter(|(_, field)| !holds_all(&field.rust_type));
    let value = |version: &str| all.value.get(version).map(ToString::to_string);
    let mut values = narrow().map(|(version, _)| value(version));
    let first = values.next();
    if values.any(|other| Some(other) != first) {
        wrong.push(format!(
            "values go unchanged between {}, so these versions have the same fallback",
            join(narrow().map(|(version, _)| *version), " and ")
        ));
    }
    for why in wrong {
        rule.report_misfit(why, problems);
    }
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
