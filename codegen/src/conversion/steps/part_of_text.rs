//! `part-of-text`: a text in one version, in another its part before or after a separator.

use crate::Problems;
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Key, Rule, RuleKind, Shape};
use crate::conversion::rule_step::{Action, Pairs, PartOfText, RuleStep, TextPart};
use crate::plan::{RustType, code};

const SEPARATOR: Key = Key {
    name: "separator",
    meaning: "the text between the two parts",
    shape: Shape::Text,
    required: true,
    states_value: false,
};

const PART: Key = Key {
    name: "part",
    meaning: "for each version that has a part: whether it is the one `before` or `after` the separator",
    shape: Shape::Values,
    required: true,
    states_value: false,
};

const REST: Key = Key {
    name: "rest",
    meaning: "the other part where none is kept: a text, or a table with one for each part and one for all others as `default`",
    shape: Shape::Any,
    required: false,
    states_value: true,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "part-of-text",
    meaning: "A text has two parts, and some versions have one of them; the other is kept aside.",
    takes: "`part-of-text` takes texts, each optional or required; `part` names the versions that have the same part of it",
    keys: &[SEPARATOR, PART, REST],
    example: r#"rule = "part-of-text"
names = { v1beta1 = "spec.ref.apiVersion", v1 = "spec.ref.apiGroup" }
separator = "/"
part = { v1 = "before" }
rest = { apps = "v1", default = "v1beta1" }
reason = "v1 has the group of the reference alone.""#,
    step,
    is_complete: |rule, (version, _): (&str, &FieldRef)| side(rule, version).is_none(),
    changes: |rule, from, to| side(rule, from) != side(rule, to),
    moves: true,
    ..RuleKind::NONE
};

/// Whether the rule does not say the part after the separator, of a text of which the part before it is all that is there.
pub(in crate::conversion) fn lacks_rest(rule: &Rule<'_>, step: &RuleStep) -> bool {
    let Action::PartOfText(PartOfText { part, cuts: false, .. }) = &step.action else {
        return false;
    };
    !part.after && part.other.is_empty() && rule.text(REST.name).is_none()
}

/// Which part a version has; `None` if it has the whole text.
fn side<'a>(rule: &Rule<'a>, version: &str) -> Option<&'a str> {
    rule.table(PART.name)?.get(version)?.as_str()
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let rule = between.rule;
    let part = match read(rule) {
        Ok(part) => part,
        Err(why) => {
            rule.report_misfit(why, problems);
            return None;
        }
    };
    let are_texts =
        [between.types().0, between.types().1].iter().all(|of| *of.present() == RustType::String);
    let [whole, parts] =
        [false, true].map(|is_part| rule.paths_in(&|of, _| side(rule, of).is_some() == is_part));
    let (cuts, keep, restore) = match (side(rule, between.from.1), side(rule, between.to.1)) {
        (None, Some(_)) => (true, whole, parts),
        (Some(_), None) => (false, parts, whole),
        _ => return None,
    };
    let action = Action::PartOfText(PartOfText { part, cuts, keep, restore });
    are_texts.then(|| RuleStep::keeps(action))
}

/// The part that some versions have, or why the keys of the rule do not say it.
fn read(rule: &Rule<'_>) -> Result<TextPart, String> {
    let separator = rule.text(SEPARATOR.name).filter(|text| !text.is_empty());
    let separator = separator.ok_or("`separator` is the text between the two parts")?.to_owned();
    let parts = rule.table(PART.name).ok_or("`part` names the versions that have a part")?;
    let mut sides = parts.iter();
    let first = sides.next().and_then(|(_, side)| side.as_str());
    if !matches!(first, Some("before" | "after")) {
        return Err("`part` is `before` or `after` for each version that has a part".to_owned());
    }
    if sides.any(|(_, side)| side.as_str() != first) {
        return Err("all versions that have a part have the same one".to_owned());
    }
    if let Some(version) = parts.keys().find(|version| !rule.stated.names.contains_key(*version)) {
        return Err(format!("`part` has {version}, but `names` has not"));
    }
    if rule.stated.names.keys().all(|version| parts.contains_key(version)) {
        return Err("no version has the whole text: leave it out of `part`".to_owned());
    }
    let (others, other) = rest(rule)?;
    Ok(TextPart { separator, after: first == Some("after"), others, other })
}

/// The other part for some parts, and for all others.
fn rest(rule: &Rule<'_>) -> Result<(Pairs, String), String> {
    const FORM: &str = "`rest` is a text, or a table of texts";
    let mut pairs = Pairs::new();
    let mut other = String::new();
    match rule.value(REST.name) {
        None => {}
        Some(toml::Value::String(text)) => other.clone_from(text),
        Some(toml::Value::Table(table)) => {
            for (part, rest) in table {
                let rest = rest.as_str().ok_or(FORM)?.to_owned();
                if part == "default" {
                    other = rest;
                } else {
                    pairs.push((part.clone(), rest));
                }
            }
        }
        Some(_) => return Err(FORM.to_owned()),
    }
    Ok((pairs, other))
}

pub(super) fn text(step: &PartOfText) -> (String, &'static str) {
    let PartOfText { part, cuts, .. } = step;
    if *cuts {
        let (side, separator) = (if part.after { "after" } else { "before" }, &part.separator);
        let what = format!("the part {side} the first {}", code(separator));
        return (what, "kept in an annotation, unless the part alone restores it");
    }
    let what = "the kept text if this is its part, else a text with this part".to_owned();
    (what, "kept in an annotation if it is not the part of that text")
}
