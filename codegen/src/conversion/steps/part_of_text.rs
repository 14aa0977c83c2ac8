//! `part-of-text`: a text in one version, in another its part before or after a separator.

use serde_json::Value as Json;

use super::aside;
use super::stated::check_value;
use crate::Problems;
use crate::conversion::actions::{Action, Pairs, PartOfText};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::Structs;
use crate::plan::{RustType, code};
use crate::problem::RuleFault;

const SEPARATOR: RuleKey = RuleKey {
    name: "separator",
    meaning: "the text between the two parts",
    shape: Shape::Text,
    required: true,
    states_value: false,
};

const LAST: RuleKey = RuleKey {
    name: "last",
    meaning: "`true` if the last separator of a text counts; otherwise the first does",
    shape: Shape::Flag,
    required: false,
    states_value: false,
};

const PART: RuleKey = RuleKey {
    name: "part",
    meaning: "for each version that has a part: whether it is the one `before` or `after` the separator",
    shape: Shape::Values,
    required: true,
    states_value: false,
};

const REST: RuleKey = RuleKey {
    name: "rest",
    meaning: "the other part where none is kept: a text, or a table with one for each part and one for all others as `default`",
    shape: Shape::Any,
    required: false,
    states_value: true,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "part-of-text",
    meaning: "A text has two parts, and some versions have one of them; the other is kept aside.",
    takes: "`part-of-text` takes texts, each optional or required; `part` names \
            the versions that have the same part of it; versions can lack the field; `fill` is the text in place of an absent one, \
            where a version requires the field",
    keys: &[SEPARATOR, LAST, PART, REST, RuleKey::FILL],
    example: r#"rule = "part-of-text"
names = { v1beta1 = "spec.ref.apiVersion", v1 = "spec.ref.apiGroup" }
separator = "/"
last = true
part = { v1 = "before" }
rest = { apps = "v1", default = "v1beta1" }
fill = "apps/v1"
reason = "v1 has the group of the reference alone.""#,
    step,
    mixed: Mixed::Always,
    fill_in,
    unmatched: Some(|rule, field, structs, problems| {
        check_fill(rule, structs, problems);
        let own = |_: &_, _: &_| fill_in(rule, rule.version_of(field));
        aside::unmatched(rule, field, structs, problems, own)
    }),
    is_complete: |rule, (version, _): (&str, &FieldRef)| side(rule, version).is_none(),
    changes: |rule, from, to| side(rule, from) != side(rule, to),
    moves: true,
    ..RuleKind::NONE
};

/// Which part a version has; `None` if it has the whole text.
fn side<'a>(rule: &Rule<'a>, version: &str) -> Option<&'a str> {
    rule.table(PART.name)?.get(version)?.as_str()
}

/// The `fill` of a rule as a version has it: whole, or its part.
fn fill_in(rule: &Rule<'_>, version: &str) -> Option<Json> {
    let (fill, separator) = (rule.text(RuleKey::FILL.name)?, rule.text(SEPARATOR.name)?);
    let Some(side) = side(rule, version) else {
        return Some(fill.into());
    };
    let last = rule.flag(LAST.name);
    let parts = if last { fill.rsplit_once(separator) } else { fill.split_once(separator) };
    // The only part of a text without separator is the last one.
    let (before, after) = parts.unwrap_or(("", fill));
    Some(if side == "after" { after } else { before }.into())
}

/// Reports a `fill` that a version which requires the field does not take, and one that no version needs.
fn check_fill(rule: &Rule<'_>, structs: &Structs<'_>, problems: &mut Problems) {
    let Some(fill) = rule.value(RuleKey::FILL.name) else {
        return;
    };
    let required = || rule.found.iter().filter(|(_, field)| !field.rust_type.is_option());
    let can_be_absent = required().count() < rule.found.len() || !rule.lacking.is_empty();
    if !can_be_absent || required().next().is_none() {
        rule.report_fault(RuleFault::FillNotNeeded, problems);
    }
    // A version without the field could not tell such a text from the value of an object.
    let is_in_doubt = !rule.lacking.is_empty() && required().count() == rule.found.len();
    let mut versions = required().map(|(version, _)| *version).filter(|_| is_in_doubt);
    if fill.as_str().is_some_and(|fill| versions.any(|version| changes_in(rule, version, fill))) {
        rule.report_fault(RuleFault::FillWithOtherRest, problems);
    }
    for (version, field) in required() {
        let own = fill_in(rule, version).or_else(|| serde_json::to_value(fill).ok());
        // An empty one says that the field may be empty.
        let own = own.filter(|own| own != "");
        let checked = own.map(|own| check_value(RuleKey::FILL.name, &own, field, structs));
        if let Some(Err(fault)) = checked {
            rule.report_fault(fault, problems);
        }
    }
}

/// Returns `true` if the part of a text, as a version has it, does not give the text back.
fn changes_in(rule: &Rule<'_>, version: &str, text: &str) -> bool {
    let (Some(side), Some(Json::String(part))) = (side(rule, version), fill_in(rule, version))
    else {
        return false;
    };
    let Ok((others, other)) = rest(rule) else { return false };
    let own = others.into_iter().find(|(of, _)| *of == part).map(|(_, own)| own);
    let other = own.or(other).unwrap_or_default();
    let separator = rule.text(SEPARATOR.name).unwrap_or_default();
    let (before, after) = if side == "after" { (other, part) } else { (part, other) };
    let whole = if before.is_empty() { after } else { before + separator + &after };
    !text.is_empty() && whole != text
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let rule = between.rule;
    let (from, to) = (side(rule, between.from.1), side(rule, between.to.1));
    check_fill(rule, between.structs, problems);
    let part = match read(rule, (from, to)) {
        Ok(part) => {
            PartOfText { fill: fill_in(rule, between.to.1).map(|fill| fill.to_string()), ..part }
        }
        Err(fault) => {
            rule.report_fault(fault, problems);
            return None;
        }
    };
    let are_texts =
        [between.types().0, between.types().1].iter().all(|of| *of.present() == RustType::String);
    (are_texts && from.is_some() != to.is_some()).then(|| RuleStep::keeps(Action::PartOfText(part)))
}

/// What becomes of a text or a part, or why the keys of the rule do not say it.
fn read(
    rule: &Rule<'_>,
    (from, to): (Option<&str>, Option<&str>),
) -> Result<PartOfText, RuleFault> {
    let separator = rule.text(SEPARATOR.name).filter(|text| !text.is_empty());
    let separator = separator.ok_or(RuleFault::EmptySeparator)?.to_owned();
    let parts = rule.table(PART.name).ok_or(RuleFault::NoSuchPart)?;
    let mut sides = parts.iter();
    let first = sides.next().and_then(|(_, side)| side.as_str());
    if !matches!(first, Some("before" | "after")) {
        return Err(RuleFault::NoSuchPart);
    }
    if sides.any(|(_, side)| side.as_str() != first) {
        return Err(RuleFault::PartsDiffer);
    }
    if let Some(version) = parts.keys().find(|version| !rule.stated.names.contains_key(*version)) {
        let (key, version) = (PART.name, version.clone());
        return Err(RuleFault::VersionNotNamed { key, version });
    }
    if rule.stated.names.keys().all(|version| parts.contains_key(version)) {
        return Err(RuleFault::NoWholeText);
    }
    let (others, other) = rest(rule)?;
    let like = |part: Option<&str>| rule.paths_in(&|version, _| side(rule, version) == part);
    Ok(PartOfText {
        completes: from.is_some(),
        separator,
        last: rule.flag(LAST.name),
        after: first == Some("after"),
        others,
        other,
        fill: None,
        keep: like(from),
        restore: like(to),
    })
}

/// The other part for some parts, and for all others.
fn rest(rule: &Rule<'_>) -> Result<(Pairs, Option<String>), RuleFault> {
    let mut pairs = Pairs::new();
    let mut other = None;
    match rule.value(REST.name) {
        None => {}
        Some(toml::Value::String(text)) => other = Some(text.clone()),
        Some(toml::Value::Table(table)) => {
            for (part, rest) in table {
                let rest = rest.as_str().ok_or(RuleFault::RestForm)?.to_owned();
                if part == "default" {
                    other = Some(rest);
                } else {
                    pairs.push((part.clone(), rest));
                }
            }
        }
        Some(_) => return Err(RuleFault::RestForm),
    }
    Ok((pairs, other))
}

pub(super) fn text(step: &PartOfText) -> (String, &'static str) {
    let separator = code(&step.separator);
    if step.completes {
        let how = "the kept text if this is its part, else a text with this part".to_owned();
        return (how, "kept in an annotation if it is not the part of that text");
    }
    let side = if step.after { "after" } else { "before" };
    let which = if step.last { "last" } else { "first" };
    (
        format!("the part {side} the {which} {separator}"),
        "kept in an annotation, unless the part alone restores it",
    )
}
