//! `text`: a number, quantity or time in one version, in another its text, or a value that is either.

use serde_json::Value as Json;

use super::aside;
use super::notes::MADE_UP;
use super::stated::check_value;
use crate::Problems;
use crate::conversion::actions::{Action, Substitute, Text};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Rule, RuleKey, RuleKind};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::Structs;
use crate::plan::{RustType, code};
use crate::problem::RuleFault;

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "text",
    meaning: "A number, quantity or time becomes its text.",
    takes: "`text` takes a number, a quantity, a time of a custom resource or a value that can be a number or a text, and its text; \
            all are optional or all are required; `fallback` has the value of each version in which a text may not fit a \
            required field; `fill` is the text of a required field for a version that lacks it",
    keys: &[RuleKey::FALLBACK, RuleKey::FILL],
    example: r#"rule = "text"
names = { v1beta1 = "spec.port", v1 = "spec.port" }
fallback = { v1 = 80 }
fill = "8080"
reason = "A text in v1beta1, a number in v1.""#,
    remedy: "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"text\"` that names the field in all versions: of two \
             types, of which one has a text for each value of the other; `[]` follows the name of a list, for its items",
    of_items: true,
    mixed: Mixed::Never,
    converts: |types| {
        types.iter().all(|found| is_value(found.present()))
            && types.iter().any(|form| is_widest(form, types))
    },
    check: aside::check_stated,
    step,
    unmatched: Some(unmatched),
    // A quantity that is a JSON number has a text, but a text gives no number.
    is_complete: |rule, (_, field): (&str, &FieldRef)| {
        is_widest(&field.rust_type, &rule.types()) || is_quantity(field.rust_type.present())
    },
    moves: true,
    ..RuleKind::NONE
};

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let (from, to, form) = forms(between)?;
    check_fallback(between, is_widest, problems);
    let is_optional = matches!(form, Form::Optional | Form::OfOptionalText);
    // All versions have one of the two types.
    let mut forms = between.rule.found.iter().map(|(_, field)| field.rust_type.present());
    if !forms.all(|form| form == from || form == to) {
        return None;
    }
    if is_wider(from, to) {
        let around = || between.rule.paths();
        let parse = match form {
            Form::RequiredTime => Text::ParseTime { around: around() },
            Form::OptionalText => Text::ParseOptionalTime { around: around() },
            Form::Present | Form::Optional | Form::OfOptionalText => {
                let substitute = substitute_in(between.rule, between.to.1, is_optional);
                if is_quantity(to) {
                    Text::ParseQuantity(substitute)
                } else {
                    Text::Parse(substitute)
                }
            }
        };
        return Some(RuleStep::keeps(Action::Text(parse)));
    }
    is_wider(to, from).then(|| {
        let write = match form {
            Form::RequiredTime => Text::WriteTime,
            Form::OfOptionalText => Text::WriteOptionalTime,
            _ => {
                let substitute = substitute_in(between.rule, between.from.1, is_optional);
                if is_quantity(from) {
                    Text::WriteQuantity(substitute)
                } else {
                    Text::Write(substitute)
                }
            }
        };
        RuleStep::restores(Action::Text(write))
    })
}

/// The steps for a version that lacks the field.
fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<[RuleStep; 2]> {
    if rule.types().into_iter().any(|of| is_quantity(of.present())) {
        rule.report_fault(RuleFault::QuantityLacking, problems);
        return None;
    }
    aside::unmatched(rule, field, structs, problems, |_, kept| {
        let text = kept.as_str().map_or_else(|| kept.to_string(), str::to_owned);
        match field.rust_type.present() {
            RustType::I32 | RustType::I64 | RustType::F64 => {
                serde_json::from_str(&text).ok().filter(Json::is_number)
            }
            _ => Some(text.into()),
        }
    })
}

/// Whether the values of the two forms can be absent.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Present,
    Optional,
    /// The type of a required time is an `Option`, as no time is empty. The type of its text is not an `Option`.
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

/// What a value becomes that does not fit into the form of a version.
pub(super) fn substitute_in(rule: &Rule<'_>, version: &str, is_optional: bool) -> Substitute {
    match rule.fallback(version) {
        Some(value) => {
            Substitute::Fallback(serde_json::to_value(value).unwrap_or_default().to_string())
        }
        None if is_optional => Substitute::Absent,
        None => Substitute::Zero { report: None },
    }
}

/// Reports the fallbacks that versions do not need, those that are wrong, and those that are missing.
pub(super) fn check_fallback(
    between: &Between<'_, '_>,
    is_widest: fn(&RustType, &[&RustType]) -> bool,
    problems: &mut Problems,
) {
    let rule = between.rule;
    let Some(all) = rule.table(RuleKey::FALLBACK.name) else {
        return;
    };
    let types = rule.types();
    let holds_all = |of: &RustType| is_widest(of, &types);
    let mut wrong = Vec::new();
    for (version, value) in all {
        let Some(field) = rule.in_version(version) else {
            let (key, version) = (RuleKey::FALLBACK.name, version.clone());
            wrong.push(RuleFault::VersionNotNamed { key, version });
            continue;
        };
        let (path, version) = (field.path.to_string(), version.clone());
        if holds_all(&field.rust_type) {
            wrong.push(RuleFault::FallbackOfAll { path, version });
        } else if field.rust_type.is_option() {
            wrong.push(RuleFault::FallbackOfOptional { path, version });
        } else {
            let value = serde_json::to_value(value).unwrap_or_default();
            let checked = check_value(RuleKey::FALLBACK.name, &value, field, between.structs);
            wrong.extend(checked.err());
        }
    }
    let narrow = || rule.found.iter().filter(|(_, field)| !holds_all(&field.rust_type));
    let value = |version: &str| all.get(version).map(ToString::to_string);
    let mut values = narrow().map(|(version, _)| value(version));
    let first = values.next();
    if values.any(|other| Some(other) != first) {
        let versions = narrow().map(|(version, _)| (*version).to_owned()).collect();
        wrong.push(RuleFault::FallbacksDiffer { versions });
    }
    for fault in wrong {
        rule.report_fault(fault, problems);
    }
}

/// Returns `true` if a form has a text for each value of another one.
fn is_widest(form: &RustType, others: &[&RustType]) -> bool {
    others.iter().any(|other| is_wider(form.present(), other.present()))
}

/// Returns `true` for the types of which `text` makes one of another.
fn is_value(rust_type: &RustType) -> bool {
    let is_either = matches!(rust_type, RustType::External(path, _) if path.name == "IntOrString");
    *rust_type == RustType::String || is_either || has_text(rust_type)
}

/// Returns `true` if the first type has a text for each value of the other.
fn is_wider(wide: &RustType, other: &RustType) -> bool {
    match wide {
        RustType::String => has_text(other),
        RustType::External(path, _) if path.name == "IntOrString" => {
            matches!(other, RustType::I32 | RustType::I64 | RustType::String) || is_quantity(other)
        }
        _ => false,
    }
}

fn is_quantity(rust_type: &RustType) -> bool {
    matches!(rust_type, RustType::External(path, _) if path.name == "Quantity")
}

/// Returns `true` for types whose values are written in one way, and read from it.
fn has_text(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::I32 | RustType::I64 | RustType::F64 => true,
        RustType::External(path, _) => matches!(path.name.as_str(), "Quantity" | "DateTime"),
        _ => false,
    }
}

pub(super) fn text(step: &Text) -> (String, &'static str) {
    const TIME: &str = "the parsed time, else `0001-01-01T00:00:00Z`";
    const KEPT: &str = "kept in an annotation, unless the value alone restores it";
    const WRITTEN: &str = "the kept text if this is its value, else the text of the value";
    match step {
        Text::Parse(substitute) | Text::ParseQuantity(substitute) => {
            let how = match substitute {
                Substitute::Fallback(fallback) => {
                    format!("the parsed value, else {}", code(fallback))
                }
                Substitute::Absent => "the parsed value, else absent".to_owned(),
                Substitute::Zero { report } => {
                    let reported = if report.is_some() { MADE_UP } else { "" };
                    format!("the parsed value, else empty or zero{reported}")
                }
            };
            (how, KEPT)
        }
        Text::ParseTime { .. } => {
            (format!("{TIME}; an empty text gives no time, which is reported"), KEPT)
        }
        Text::ParseOptionalTime { .. } => {
            (format!("{TIME}; an absent text gives no time, which is reported"), KEPT)
        }
        Text::Write(_) | Text::WriteTime | Text::WriteOptionalTime => {
            (WRITTEN.to_owned(), "lossless")
        }
        Text::WriteQuantity(_) => {
            (WRITTEN.to_owned(), "a JSON number is kept in an annotation, else lossless")
        }
    }
}
