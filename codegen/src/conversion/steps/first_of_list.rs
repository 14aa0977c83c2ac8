//! `first-of-list`: a list in one version, its first element in another.

use super::notes::{with_report, without_values};
use super::stated::check_value;
use crate::Problems;
use crate::conversion::actions::{Action, FirstOfList, NoItem, ObjectForm, OptionalObject};
use crate::conversion::field_ref::Paths;
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Role, Rule, RuleKey, RuleKind};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::Structs;
use crate::plan::{ItemPath, RustType, code};
use crate::problem::RuleFault;
use crate::rules::paths::FieldPath;

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "first-of-list",
    meaning: "A list becomes its first item; a list that this item cannot restore is kept aside.",
    takes: "`first-of-list` takes a list and a value of the type of its items, also words, each optional or required; an \
            object and the items can have other fields, which have rules of their own, and are alike in all versions of one form; \
            `fill` is the value of a required field for a list without items",
    keys: &[RuleKey::FILL],
    example: r#"rule = "first-of-list"
names = { v1beta1 = "spec.logging", v1 = "spec.logging" }
fill = "info"
reason = "v1beta1 has a list of at most one.""#,
    remedy: "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"first-of-list\"` that names the field in all \
             versions",
    mixed: Mixed::Always,
    role: Role::FirstItem,
    converts,
    step,
    objects,
    is_complete,
    ..RuleKind::NONE
};

fn converts(types: &[&RustType]) -> bool {
    let item = |found: &RustType| match found.present() {
        RustType::List(item) => (**item).clone(),
        plain => plain.clone(),
    };
    let items: Vec<RustType> = types.iter().map(|found| item(found)).collect();
    let is_struct = |found: &RustType| matches!(found, RustType::Struct(_));
    let lists = types.iter().filter(|found| found.is_list()).count();
    (1..types.len()).contains(&lists)
        && (items.windows(2).all(|pair| matches!(pair, [one, other] if are_alike(one, other)))
            || items.iter().all(is_struct))
}

/// Whether values of one type are of the other, or words of another version.
fn are_alike(one: &RustType, other: &RustType) -> bool {
    one == other || one.is_text() && other.is_text()
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let (from, to) = between.types();
    check_fill(between.rule, problems);
    let of = |item: &RustType, other: &RustType, step| {
        Action::FirstOfList(if item == other { step } else { FirstOfList::Words(Box::new(step)) })
    };
    match (from.present(), to.present()) {
        (RustType::List(item), other) if are_alike(item, other) => {
            let none = match to {
                RustType::Option(_) => NoItem::Absent,
                _ if between.to.0.required => required(between, problems),
                _ => NoItem::Empty,
            };
            Some(RuleStep::keeps(of(item, other, FirstOfList::First(none))))
        }
        (other, RustType::List(item)) if are_alike(item, other) => {
            let (from_optional, to_optional) = (from.is_option(), to.is_option());
            let list = if between.from.0.required {
                FirstOfList::ListOfRequired { around: around(between.rule) }
            } else {
                FirstOfList::List { from_optional, to_optional }
            };
            Some(RuleStep::restores(of(item, other, list)))
        }
        _ => None,
    }
}

/// What the first item of an empty list is in a target that requires it.
fn required(between: &Between<'_, '_>, problems: &mut Problems) -> NoItem {
    let (rule, around) = (between.rule, around(between.rule));
    let Some(fill) = rule.value(RuleKey::FILL.name) else {
        return NoItem::Reported(around);
    };
    let fill = serde_json::to_value(fill).unwrap_or_default();
    if let Err(fault) = check_value(RuleKey::FILL.name, &fill, between.to.0, between.structs) {
        rule.report_fault(fault, problems);
    }
    NoItem::Filled(around, fill.to_string())
}

/// Reports a `fill` that no version takes: none requires a first item, or the item is an object, whose fields have rules of their own.
/// Also reports one that is missing, where only some of the versions with a first item require it.
fn check_fill(rule: &Rule<'_>, problems: &mut Problems) {
    let values =
        rule.found.iter().map(|(_, field)| field).filter(|field| {
            !field.rust_type.is_list() && item_or_object(&field.rust_type).is_none()
        });
    let required = values.clone().filter(|field| field.required).count();
    let fault = match rule.value(RuleKey::FILL.name) {
        Some(_) if required == 0 => RuleFault::FillUnused,
        None if (1..values.count()).contains(&required) => RuleFault::FillMissing,
        _ => return,
    };
    rule.report_fault(fault, problems);
}

/// The structs of a list of objects and of an object, and the step around the conversion of the one into the other.
fn objects<'t>(
    rule: &Rule<'_>,
    (from, to): (&'t RustType, &'t RustType),
    _: &Structs<'_>,
    problems: &mut Problems,
) -> Option<((&'t ItemPath, &'t ItemPath), RuleStep)> {
    let (source, target) = (item_or_object(from)?, item_or_object(to)?);
    check_fill(rule, problems);
    let around = around(rule);
    let of = ObjectForm::Object;
    // What its fields are without it is known when they are planned.
    let (required, empty) = <_>::default();
    let object = |around| OptionalObject { of, around, required, empty };
    let keeps = |step| RuleStep::keeps(Action::FirstOfList(step));
    let restores = |step| RuleStep::restores(Action::FirstOfList(step));
    let step = match (from.is_list(), to.is_list()) {
        (true, false) if to.is_option() => keeps(FirstOfList::FirstObjectOrNone { around }),
        (true, false) => keeps(FirstOfList::FirstObject(object(around))),
        (false, true) if from.is_option() => restores(FirstOfList::ListOfObjectOrNone),
        (false, true) => restores(FirstOfList::ListOfObject(object(around))),
        _ => return None,
    };
    Some(((source, target), step))
}

/// The path of the first item in every version.
fn around(rule: &Rule<'_>) -> Paths {
    let path = |(version, path): (String, FieldPath)| {
        let is_list = rule.in_version(&version).is_some_and(|field| field.rust_type.is_list());
        (version, if is_list { path.items() } else { path.first_item() })
    };
    rule.paths().into_iter().map(path).collect()
}

fn is_complete(rule: &Rule<'_>, (_, field): (&str, &FieldRef)) -> bool {
    let RustType::List(item) = field.rust_type.present() else {
        return false;
    };
    let is_struct = |of: &RustType| matches!(of, RustType::Struct(_));
    rule.types().into_iter().any(|other| {
        are_alike(other.present(), item) || is_struct(item) && is_struct(other.present())
    })
}

/// Returns `true` for a field whose object is the first item of a list in other versions.
pub(in crate::conversion) fn is_object(field: &FieldRef) -> bool {
    item_or_object(&field.rust_type).is_some() && !field.rust_type.is_list()
}

/// The struct of an object or of the items of a list, each perhaps optional.
fn item_or_object(rust_type: &RustType) -> Option<&ItemPath> {
    match rust_type.present() {
        RustType::List(item) => match &**item {
            RustType::Struct(path) => Some(path),
            _ => None,
        },
        RustType::Struct(path) => Some(path),
        _ => None,
    }
}

pub(super) fn text(step: &FirstOfList) -> (String, &'static str) {
    const OTHERS: &str = "the other items are kept in an annotation";
    let none = |is_optional: bool| if is_optional { "absent" } else { "empty" };
    match step {
        FirstOfList::Words(step) => text(step),
        FirstOfList::First(no_item) => {
            let none = match no_item {
                NoItem::Absent => "absent".to_owned(),
                NoItem::Empty => "empty".to_owned(),
                NoItem::Reported(_) => "empty, which is reported,".to_owned(),
                NoItem::Filled(_, fill) => code(fill),
            };
            (
                format!("the first element, {none} if there is none"),
                "kept in an annotation, unless the first element alone restores it",
            )
        }
        FirstOfList::List { from_optional, to_optional } => (
            format!(
                "the kept list if it begins with this value; else a list of this value alone, {} if the value is {}",
                none(*to_optional),
                none(*from_optional)
            ),
            "lossless",
        ),
        FirstOfList::ListOfRequired { .. } => (
            "the kept list if it begins with this value; else a list of this value alone, empty if the value is made up"
                .to_owned(),
            "lossless",
        ),
        FirstOfList::FirstObjectOrNone { .. } => (
            "the first item, an object of the fields below; absent if there is none".to_owned(),
            OTHERS,
        ),
        FirstOfList::FirstObject(object) => (
            format!(
                "the first item, an object of the fields below; {} if there is none{}",
                without_values(object),
                with_report(&object.required)
            ),
            "the other items are kept in an annotation, and that the item was empty",
        ),
        FirstOfList::ListOfObject(_) | FirstOfList::ListOfObjectOrNone => (
            "a list of this object, by the fields below, and of the kept items".to_owned(),
            "lossless",
        ),
    }
}
