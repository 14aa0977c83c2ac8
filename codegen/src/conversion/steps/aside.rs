//! Fields that some versions lack, of rules about values: not a rule, but a part of several.
//!
//! The annotation keeps the value in the form that holds all values, of which each version with the field makes its own.

use serde_json::Value as Json;

use super::keep_aside;
use super::stated::check_value;
use super::varying;
use crate::Problems;
use crate::conversion::actions::{Action, KeepAside};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Rule, RuleKey};
use crate::conversion::rule_step::{AsideForm, Effect, RuleStep};
use crate::conversion::structs::{Side, Structs};
use crate::plan::{RustType, code};
use crate::problem::RuleFault;
use crate::rules::Correspondence;

/// The step for a field that the target lacks, and the one for a field that the source lacks. `own_value` is what the step from the form
/// that is kept makes of a value.
pub(super) fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
    own_value: impl Fn(&Action, &Json) -> Option<Json>,
) -> Option<[RuleStep; 2]> {
    if rule.found.iter().any(|(version, _)| rule.is_of_items(version)) {
        let lacking = rule.lacking.clone();
        rule.report_fault(RuleFault::ItemsLacking { lacking }, problems);
        return None;
    }
    check_required(rule, field, structs, problems);
    let places = rule.places();
    let (version, _) = rule.found.iter().find(|(_, found)| found == field)?;
    let (lowest, _) = places.first()?;
    let own = rule.in_version(lowest)?;
    let optional = varying::optional(rule, (lowest, own));
    let complete = optional.as_ref().map_or(own, |(field, _)| field);
    // A version that lacks the field is like one in which the value is absent, if there are such.
    let is_absent = rule.kind.mixed == Mixed::Always && complete.rust_type.is_option();
    let is_complete = |field: &FieldRef| field.rust_type.is_option() || !is_absent;
    if places.iter().any(|(complete, _)| complete == version) && is_complete(field) {
        return if is_absent {
            Some(keep_aside::keep(field))
        } else {
            keep_aside::unmatched(rule, field, structs, problems)
        };
    }
    let [keep, restore] = if is_absent {
        keep_aside::keep(complete)
    } else {
        keep_aside::unmatched(rule, complete, structs, problems)?
    };
    let mut step = |from: (&FieldRef, &str), to| {
        let side = Side::new(structs.get(&from.0.parent)?, &[]);
        let between = Between { rule, structs, from: (from.0, from.1, &side), to };
        varying::step(&between, problems)
    };
    let there = step((field, version), (complete, lowest))?;
    let back = step((complete, lowest), (field, version))?;
    let fill = fill_of((rule, field, version), (&back, &restore), (structs, problems), own_value);
    let through = |aside: RuleStep, step: RuleStep, effect| {
        let (rust_type, fill) = (as_text(&complete.rust_type), fill.clone());
        let form = AsideForm { step, rust_type, fill };
        RuleStep { effect, aside_form: Some(Box::new(form)), ..aside }
    };
    // The version can hold less than what is kept.
    let effect = if back.effect == Effect::Keeps { Effect::Keeps } else { Effect::Restores };
    Some([through(keep, there, Effect::Keeps), through(restore, back, effect)])
}

/// The value that a version without the field gives this one, as the step from the form that is kept makes it. Reports a stated value that
/// the version does not take.
fn fill_of(
    (rule, field, version): (&Rule<'_>, &FieldRef, &str),
    (back, restore): (&RuleStep, &RuleStep),
    (structs, problems): (&Structs<'_>, &mut Problems),
    own_value: impl Fn(&Action, &Json) -> Option<Json>,
) -> Option<Json> {
    let Some(stated) = stated(restore) else {
        return (rule.kind.fill_in)(rule, version).filter(|_| !field.rust_type.is_option());
    };
    let fill = own_value(&back.action, &stated);
    let is_value = |fill: &Json| check_value(RuleKey::FILL.name, fill, field, structs);
    let checked = fill.as_ref().map_or_else(|| Err(no_value(&stated, field)), is_value);
    if let Err(fault) = checked
        && rule.value(RuleKey::FILL.name).is_some()
    {
        rule.report_fault(fault, problems);
    }
    fill
}

/// Reports a field that its version requires, and that has no value where none is kept.
fn check_required(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) {
    if field.required && !keep_aside::has_value(rule, field, structs) {
        let (path, lacking) = (field.path.to_string(), rule.lacking.clone());
        rule.report_fault(RuleFault::RequiredLacking { path, lacking }, problems);
    }
}

fn no_value(fill: &Json, field: &FieldRef) -> RuleFault {
    RuleFault::FillWithoutForm { path: field.path.to_string(), value: fill.clone() }
}

/// Checks the `fill` of a rule: only a version that lacks the field needs it.
pub(super) fn check_stated(stated: &Correspondence, versions: usize) -> Result<(), RuleFault> {
    let is_stated = stated.keys.contains_key(RuleKey::FILL.name);
    if is_stated && stated.names.len() == versions {
        return Err(RuleFault::FillInAllVersions);
    }
    Ok(())
}

/// The value of the field where none is kept.
fn stated(restore: &RuleStep) -> Option<Json> {
    match &restore.action {
        Action::KeepAside(KeepAside::RestoreOr(fill)) => serde_json::from_str(fill).ok(),
        _ => None,
    }
}

/// A type with texts in place of its words: each version has a type of its own for them.
fn as_text(rust_type: &RustType) -> RustType {
    match rust_type {
        RustType::Option(inner) => RustType::Option(Box::new(as_text(inner))),
        RustType::List(item) => RustType::List(Box::new(as_text(item))),
        RustType::Map(item) => RustType::Map(Box::new(as_text(item))),
        RustType::OpenEnum(_) => RustType::String,
        other => other.clone(),
    }
}

/// The step for people: what the field is.
pub(super) fn with_form(how: String, form: &AsideForm) -> String {
    match &form.fill {
        Some(fill) => format!("the kept value in this form, else {}", code(&fill.to_string())),
        None => how,
    }
}
