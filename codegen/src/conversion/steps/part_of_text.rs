//! `part-of-text`: a text in one version, in another its part before or after a separator.

use crate::Problems;
use crate::conversion::actions::{Action, Pairs, PartOfText};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;
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
            the versions that have the same part of it",
    keys: &[SEPARATOR, LAST, PART, REST],
    example: r#"rule = "part-of-text"
names = { v1beta1 = "spec.ref.apiVersion", v1 = "spec.ref.apiGroup" }
separator = "/"
last = true
part = { v1 = "before" }
rest = { apps = "v1", default = "v1beta1" }
reason = "v1 has the group of the reference alone.""#,
    step,
    mixed: Mixed::Always,
    is_complete: |rule, (version, _): (&str, &FieldRef)| side(rule, version).is_none(),
    changes: |rule, from, to| side(rule, from) != side(rule, to),
    moves: true,
    ..RuleKind::NONE
};

/// Which part a version has; `None` if it has the whole text.
fn side<'a>(rule: &Rule<'a>, version: &str) -> Option<&'a str> {
    rule.table(PART.name)?.get(version)?.as_str()
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let rule = between.rule;
    let (from, to) = (side(rule, between.from.1), side(rule, between.to.1));
    let part = match read(rule, (from, to)) {
        Ok(part) => part,
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
