//! `absent-to-zero`: a value that can be absent in one version, and in another is always present, perhaps empty.

use serde_json::Value as Json;

use super::keep_aside;
use super::notes::{MADE_UP, with_report, without_values};
use super::stated::{check_value, made_up, refused};
use super::varying;
use crate::Problems;
use crate::conversion::actions::{
    AbsentToZero, Action, FilledBy, ObjectForm, Optional, OptionalObject, ValueForm,
};
use crate::conversion::field_ref::Paths;
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Role, Rule, RuleKey, RuleKind};
use crate::conversion::rule_step::{Effect, RuleStep};
use crate::conversion::structs::{Structs, innermost, type_text};
use crate::plan::{ItemPath, RustType, code};
use crate::problem::RuleFault;
use crate::rules::paths::FieldPath;
use crate::spec::is_zero;

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "absent-to-zero",
    meaning: "An absent value becomes the zero value.",
    takes: "`absent-to-zero` takes fields of one type, enums of words, lists of these, objects, or lists and maps of objects, \
            that are optional in a version and required in another, or can be `null` in some versions; versions can lack a field \
            that is not an object",
    keys: &[RuleKey::FILL, RuleKey::FILL_FROM],
    example: r#"rule = "absent-to-zero"
names = { v1beta1 = "spec.version", v1 = "spec.version" }
fill = "1.0"
fill-from = "spec.minimumVersion"
reason = "v1 requires it, and objects without a version are of the first one.""#,
    remedy: "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"absent-to-zero\"` that names the field in all \
             versions that have it",
    role: Role::Filled,
    converts,
    step,
    objects,
    unmatched: Some(unmatched),
    is_complete,
    ..RuleKind::NONE
};

fn converts(types: &[&RustType]) -> bool {
    // An optional value that can be `null` has two.
    let present = || types.iter().map(|found| found.present().present());
    let is_struct = |found: &RustType| matches!(found, RustType::Struct(_));
    let first = present().next();
    present().all(|found| Some(found) == first)
        || present().all(is_struct)
        || present().all(RustType::is_text)
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let by_text = by_text(between.rule);
    let fits = |inner: &RustType, other: &RustType| {
        inner == other || by_text.is_some() && inner.is_option() == other.is_option()
    };
    let form = form(by_text.as_ref());
    match between.types() {
        (RustType::Option(inner), other) if fits(inner, other) => {
            let other = fill_from(between, inner, problems).map(Box::new);
            let policy = policy(between.rule, between.to.0, between.structs, problems);
            let fill = AbsentToZero::Fill { form, policy, other, report: None };
            Some(RuleStep::keeps(Action::AbsentToZero(fill)))
        }
        (other, RustType::Option(inner)) if fits(inner, other) => {
            let filled = value_of_absent(between.rule, between.from.0, between.structs).is_some();
            let restore = AbsentToZero::Restore { form, filled };
            Some(RuleStep::restores(Action::AbsentToZero(restore)))
        }
        _ => None,
    }
}

/// The policy that fills a required field, with the value where programs choose none.
fn policy(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> FilledBy {
    let value = value_of_absent(rule, field, structs);
    if let Some(fill) = &value
        && rule.value(RuleKey::FILL.name).is_some()
        && let Err(fault) = check_value(RuleKey::FILL.name, fill, field, structs)
    {
        rule.report_fault(fault, problems);
    }
    let is_value = value.is_some();
    let fill = value.or_else(|| stated(rule, field, structs));
    // An empty value says that the field may be empty, also where servers reject it.
    let is_empty = !is_value && fill.is_some();
    FilledBy { policy: rule.policy.clone(), fill: fill.map(|fill| fill.to_string()), is_empty }
}

/// Returns `true` if an absent value of the field becomes this value without the rule.
fn is_empty(value: &Json, field: &FieldRef) -> bool {
    made_up(&field.rust_type).as_ref() == Some(value)
}

/// What an absent value is, if an empty value is not the same: what [`stated`] says, or the zero of numbers and booleans.
pub(in crate::conversion) fn value_of_absent(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Option<Json> {
    let zero = || made_up(&field.rust_type).filter(|_| zero_counts(rule, structs));
    let value = stated(rule, field, structs).or_else(zero)?;
    (!is_empty(&value, field) || zero_counts(rule, structs)).then_some(value)
}

/// Returns `true` if zero is a value like others: of numbers and booleans, where servers of all versions accept it, and no schema says that
/// an absent value is zero. A version that lacks the field keeps no zero.
fn zero_counts(rule: &Rule<'_>, structs: &Structs<'_>) -> bool {
    rule.lacking.is_empty()
        && rule.found.iter().all(|(_, field)| {
            let zero = made_up(field.rust_type.present());
            let zero = zero.filter(|zero| zero.is_number() || zero.is_boolean());
            let counts = |zero: &Json| {
                let default = default_of(field, structs);
                default.as_ref() != Some(zero) && refused(zero, field, structs).is_none()
            };
            zero.as_ref().is_some_and(counts)
        })
}

/// The default of a field in its schema.
fn default_of(field: &FieldRef, structs: &Structs<'_>) -> Option<Json> {
    structs.field(field)?.property.default.clone()
}

/// What an absent value is: the `fill` of the rule, or the default of the required field or of a field that can be absent, unless it is the
/// zero that an absent value becomes anyway.
pub(in crate::conversion) fn stated(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Option<Json> {
    let default = |field: &FieldRef| default_of(field, structs);
    if let Some(fill) = rule.value(RuleKey::FILL.name) {
        return serde_json::to_value(fill).ok();
    }
    let mut others = rule.found.iter().filter_map(|(_, other)| default(other));
    let fits = |default: &Json| check_value("", default, field, structs).is_ok();
    let default = default(field).or_else(|| others.find(fits));
    default.filter(|default| !is_zero(default))
}

/// The step into a required time, which has no zero value: an absent one stays absent, and is reported. It needs no rule.
pub(in crate::conversion) fn require_time(
    from: (&FieldRef, &str),
    to: (&FieldRef, &str),
) -> RuleStep {
    let around = [from, to].map(|(field, version)| (version.to_owned(), field.path.clone()));
    let require = AbsentToZero::RequireTime { around: around.into() };
    RuleStep::new(Action::AbsentToZero(require), Effect::Reports)
}

/// The step of a field that both versions require, in an object that can be absent in one of them, and the places of the note that it is
/// absent; `None` if the rule states no value for an absent one, or no version can lack it.
pub(in crate::conversion) fn pass(
    rule: &Rule<'_>,
    (from, to): (&FieldRef, (&FieldRef, &str)),
    structs: &Structs<'_>,
) -> Option<(RuleStep, Paths)> {
    if from.rust_type.is_option() || to.0.rust_type.is_option() {
        return None;
    }
    let step = |form, around, fill| {
        RuleStep::keeps(Action::AbsentToZero(AbsentToZero::Pass { form, around, fill }))
    };
    if rule.kind.role != Role::Filled {
        let (_, optional) = varying::optional(rule, (to.1, to.0))?;
        let Optional { places, around, fill, is_stated } = optional;
        return is_stated.then(|| (step(ValueForm::Plain, around, fill), places));
    }
    if !rule.types().into_iter().any(RustType::is_option) {
        return None;
    }
    let fill = value_of_absent(rule, to.0, structs)?.to_string();
    let form = if from.rust_type == to.0.rust_type {
        ValueForm::Plain
    } else {
        form(by_text(rule).as_ref())
    };
    Some((step(form, rule.paths(), fill), rule.places()))
}

/// The type of the texts, or of the lists of texts, by which values go: the versions have types of their own for the words. An optional
/// word that can be `null` in some versions is an optional text.
pub(in crate::conversion) fn by_text(rule: &Rule<'_>) -> Option<RustType> {
    let types = rule.found.iter().map(|(_, field)| field.rust_type.present());
    let first = types.clone().next()?;
    if types.clone().all(|found| found == first) {
        return None;
    }
    let is_list = |found: &RustType| matches!(found, RustType::List(item) if item.is_text());
    if types.clone().all(is_list) {
        return Some(RustType::List(Box::new(RustType::String)));
    }
    let is_optional = rule.found.iter().all(|(_, field)| field.rust_type.is_option());
    if is_optional && types.clone().any(RustType::is_option) {
        let are_words = types.clone().all(|found| found.present().is_text());
        return are_words.then(|| RustType::Option(Box::new(RustType::String)));
    }
    types.clone().all(RustType::is_text).then_some(RustType::String)
}

fn form(by_text: Option<&RustType>) -> ValueForm {
    match by_text {
        None => ValueForm::Plain,
        Some(RustType::String) => ValueForm::Word,
        Some(RustType::Option(_)) => ValueForm::NullableWord,
        Some(_) => ValueForm::Words,
    }
}

/// The steps for a version that lacks the field.
fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<[RuleStep; 2]> {
    if matches!(field.rust_type.innermost(), RustType::Struct(_)) {
        return None;
    }
    if field.rust_type.is_option() {
        return Some(keep_aside::keep(field));
    }
    if !rule.found.iter().any(|(_, found)| found.rust_type.is_option()) {
        rule.report_fault(RuleFault::OptionalInNone, problems);
    }
    let policy = policy(rule, field, structs, problems);
    let form = form(by_text(rule).as_ref());
    // The rule says that an absent value is an empty one, which servers accept unless the schema refuses it.
    let is_refused = policy.fill.is_none()
        && made_up(&field.rust_type).is_some_and(|value| refused(&value, field, structs).is_some());
    let report = is_refused.then(|| rule.paths());
    // A version in which the value can be absent has none after this one, so the conversions know what they have filled in.
    let keep = AbsentToZero::Keep { form, filled: policy.stated().is_some() };
    let make = AbsentToZero::Make { form, policy, report };
    Some([
        RuleStep::keeps(Action::AbsentToZero(keep)),
        RuleStep::restores(Action::AbsentToZero(make)),
    ])
}

fn is_complete(rule: &Rule<'_>, (_, field): (&str, &FieldRef)) -> bool {
    match &field.rust_type {
        RustType::Option(inner) => rule.types().into_iter().any(|other| are_alike(inner, other)),
        _ => false,
    }
}

/// Returns `true` if the rule fits: the value can be absent in one version and is always present in the other. Versions have
/// structs and enums of their own.
fn are_alike(inner: &RustType, other: &RustType) -> bool {
    let are_structs = innermost(inner, other).is_some();
    inner == other || are_structs || super::words::are_texts(inner, other)
}

/// The step around the conversion of a struct, or of a list or map of them, that can be absent in one of the versions. No
/// policy fills it.
fn objects<'t>(
    rule: &Rule<'_>,
    (from, to): (&'t RustType, &'t RustType),
    _: &Structs<'_>,
    problems: &mut Problems,
) -> Option<((&'t ItemPath, &'t ItemPath), RuleStep)> {
    if let Some(step) = nullable_objects(rule, (from, to)) {
        return Some(step);
    }
    let types = innermost(from.present(), to.present())?;
    let is_fill = match (from, to) {
        (RustType::Option(inner), other) if are_alike(inner, other) => true,
        (other, RustType::Option(inner)) if are_alike(inner, other) => false,
        _ => return None,
    };
    let fill = rule.value(RuleKey::FILL.name);
    let is_empty = |fill: &toml::Value| match to.present() {
        RustType::List(_) => fill.as_array().is_some_and(Vec::is_empty),
        _ => fill.as_table().is_some_and(toml::Table::is_empty),
    };
    if rule.value(RuleKey::FILL_FROM.name).is_some() || fill.is_some_and(|fill| !is_empty(fill)) {
        rule.report_fault(RuleFault::FillOfObject, problems);
    }
    let of = match from.present() {
        RustType::Struct(_) => ObjectForm::Object,
        _ => ObjectForm::Items,
    };
    // What its fields are without it is known when they are planned.
    let (required, empty) = <_>::default();
    let object = OptionalObject { of, around: rule.paths(), required, empty };
    let step = if is_fill {
        let fill = AbsentToZero::FillObject { object, may_be_empty: fill.is_some() };
        RuleStep::keeps(Action::AbsentToZero(fill))
    } else {
        RuleStep::restores(Action::AbsentToZero(AbsentToZero::RestoreObject(object)))
    };
    Some((types, step))
}

/// The step around the conversion of optional objects, or lists or maps of them, that can be `null` in one of the versions.
fn nullable_objects<'t>(
    rule: &Rule<'_>,
    (from, to): (&'t RustType, &'t RustType),
) -> Option<((&'t ItemPath, &'t ItemPath), RuleStep)> {
    let (RustType::Option(source), RustType::Option(target)) = (from, to) else {
        return None;
    };
    if source.is_option() == target.is_option() || rule.value(RuleKey::FILL.name).is_some() {
        return None;
    }
    let types = innermost(source.present(), target.present())?;
    let step = if source.is_option() {
        RuleStep::keeps(Action::AbsentToZero(AbsentToZero::KeepNull { around: rule.paths() }))
    } else {
        RuleStep::restores(Action::AbsentToZero(AbsentToZero::RestoreNull))
    };
    Some((types, step))
}

/// The field whose value a policy can use. It is in the same struct as the field to fill.
fn fill_from(
    between: &Between<'_, '_>,
    value: &RustType,
    problems: &mut Problems,
) -> Option<FieldRef> {
    let (rule, (_, version, side)) = (between.rule, between.from);
    let name = fill_from_path(rule)?;
    let other = side.at(&name, between.structs).map(|(other, _)| other);
    if !other.as_ref().is_some_and(|other| other.rust_type.present() == value) {
        let (version, path) = (version.to_owned(), name.to_string());
        let wanted = type_text(value);
        rule.report_fault(RuleFault::NothingToFillFrom { version, path, wanted }, problems);
    }
    other
}

/// The path of the field whose value a policy can use.
pub(in crate::conversion) fn fill_from_path(rule: &Rule<'_>) -> Option<FieldPath> {
    rule.text(RuleKey::FILL_FROM.name).map(FieldPath::read)
}

pub(super) fn text(step: &AbsentToZero) -> (String, &'static str) {
    let reported = |report: &Option<_>| if report.is_some() { MADE_UP } else { "" };
    match step {
        AbsentToZero::Fill { policy, other, report, .. } => {
            let from = other.iter().map(|other| format!(" or the value of `{}`", other.path));
            let (from, reported) = (from.collect::<String>(), reported(report));
            let empty = policy.empty();
            (
                format!(
                    "{empty} if absent, unless a policy fills it: with a given value{from}{reported}"
                ),
                "filled; an annotation records an empty value, and an absent one that a policy filled",
            )
        }
        AbsentToZero::Restore { filled: true, .. } => {
            ("the same; absent again if an absent one was filled".to_owned(), "lossless")
        }
        AbsentToZero::Restore { .. } => (
            "absent if it is empty, unless an empty value is kept; absent again if a policy filled it".to_owned(),
            "lossless",
        ),
        AbsentToZero::RequireTime { .. } => {
            ("the same; an absent one is reported".to_owned(), "lossless")
        }
        AbsentToZero::Keep { filled: true, .. } => (
            "has no counterpart".to_owned(),
            "kept in an annotation, unless an absent one was filled with it",
        ),
        AbsentToZero::Keep { .. } => {
            ("has no counterpart".to_owned(), "kept in an annotation, unless it is empty")
        }
        AbsentToZero::Make { policy, report, .. } => {
            let (empty, reported) = (policy.empty(), reported(report));
            (
                format!("the kept value, else {empty}, unless a policy fills it{reported}"),
                "filled",
            )
        }
        AbsentToZero::Pass { fill, .. } => (
            format!("the same; {} where the object around it is absent", code(fill)),
            "lossless; an annotation records that it is absent in other versions",
        ),
        AbsentToZero::FillObject { object, may_be_empty } => (
            filled_object(object, *may_be_empty),
            "filled; an annotation distinguishes empty from absent",
        ),
        AbsentToZero::KeepNull { .. } => {
            ("the same; absent if it is `null`".to_owned(), "an annotation records a `null`")
        }
        AbsentToZero::RestoreNull => ("the same; `null` if a `null` is kept".to_owned(), "lossless"),
        AbsentToZero::RestoreObject(object) => {
            let how = match object.of {
                ObjectForm::Object => "an object of the fields below; absent if they are empty",
                ObjectForm::Item => "an object of the fields below; `null` if they are empty",
                ObjectForm::Items => "absent if it is empty",
            };
            (format!("{how}, unless it was kept otherwise"), "lossless")
        }
    }
}

fn filled_object(object: &OptionalObject, may_be_empty: bool) -> String {
    let empty = without_values(object);
    let how = match object.of {
        ObjectForm::Object => format!("an object of the fields below, {empty} if absent"),
        ObjectForm::Item => format!("an object of the fields below, {empty} if `null`"),
        ObjectForm::Items => "empty if absent".to_owned(),
    };
    if may_be_empty { how } else { how + &with_report(&object.required) }
}
