//! `embedded`: a value of any JSON is an object of a kind, which converts.

use crate::Problems;
use crate::conversion::actions::{Action, Embedded, Words};
use crate::conversion::field_ref::Paths;
use crate::conversion::rule::{Between, Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::{Effect, RuleStep};
use crate::conversion::structs::Structs;
use crate::plan::{ItemPath, RustType, code};
use crate::problem::RuleFault;
use crate::rules::paths::is_in_items;

const KIND: RuleKey = RuleKey {
    name: "kind",
    meaning: "the kind that has the object in its own schema; it has rules for these versions",
    shape: Shape::Text,
    required: true,
    states_value: false,
};

const PATH: RuleKey = RuleKey {
    name: "path",
    meaning: "the path of the object in that kind, such as `spec`: a text, or a table with the path in each version",
    shape: Shape::Any,
    required: true,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "embedded",
    meaning: "A value without a schema is an object of this or another kind, or a list of such objects, and converts as there.",
    takes: "`embedded` takes a value of any JSON, or a list of such values, in two versions, of which one can have a schema: `kind` is a \
            kind with rules for these versions, and `path` the path of the object in it, outside of lists and maps",
    keys: &[KIND, PATH],
    example: r#"rule = "embedded"
names = { v1beta1 = "status.taskSpec", v1 = "status.taskSpec" }
kind = "Task"
path = "spec"
reason = "A run shows the spec of its task.""#,
    step,
    ..RuleKind::AS_IT_IS
};

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let rule = between.rule;
    if rule.found.len() > 2 {
        rule.report_fault(RuleFault::OverTwoVersions, problems);
        return None;
    }
    let ((from_field, from, _), (to_field, to)) = (between.from, between.to);
    let parts = [from, to].map(|version| part(rule, version, between.structs));
    let is_json = |of: &RustType| of.innermost().is_json();
    let fault = match parts {
        [Ok(part), Ok(other)] => {
            if is_json(&from_field.rust_type) || is_json(&to_field.rust_type) {
                let keep = vec![(from.to_owned(), from_field.path.clone())];
                let restore = vec![(to.to_owned(), to_field.path.clone())];
                return Some(of_parts(rule, (keep, restore), [part, other]));
            }
            RuleFault::SchemaInBoth(from_field.path.to_string())
        }
        [Err(fault), _] | [_, Err(fault)] => fault,
    };
    rule.report_fault(fault, problems);
    None
}

fn of_parts(rule: &Rule<'_>, (keep, restore): (Paths, Paths), parts: [ItemPath; 2]) -> RuleStep {
    if matches!(&parts, [part, other] if part == other) {
        // Nothing differs in these versions.
        let same = Words::Rename { names: Vec::new(), renamed: Vec::new() };
        return RuleStep::new(Action::Words(same), Effect::Nothing);
    }
    let of = rule.text(KIND.name).unwrap_or_default().to_owned();
    let place = rule.stated.rule.place.clone();
    RuleStep::keeps(Action::Embedded(Embedded { of, keep, restore, parts, place }))
}

/// The type of the object in a version of its kind.
fn part(rule: &Rule<'_>, version: &str, structs: &Structs<'_>) -> Result<ItemPath, RuleFault> {
    let kind = rule.text(KIND.name).unwrap_or_default();
    let owned = || (version.to_owned(), kind.to_owned());
    let groups = structs.groups_of(kind);
    let group = match groups.iter().next() {
        Some(group) if groups.len() == 1 => group,
        Some(_) => return Err(RuleFault::SeveralGroups { kind: kind.to_owned() }),
        None => {
            let (kind, near) = (kind.to_owned(), structs.near_kind(kind));
            return Err(RuleFault::NoSuchKind { kind, near });
        }
    };
    let path = match rule.value(PATH.name) {
        Some(toml::Value::String(path)) => Some(path.as_str()),
        Some(toml::Value::Table(paths)) => paths.get(version).and_then(toml::Value::as_str),
        _ => None,
    };
    let path = path.ok_or_else(|| RuleFault::NoPath { version: version.to_owned() })?;
    let versions = structs.of_kind(group, kind);
    let object = versions.get(version).ok_or_else(|| {
        let (version, kind) = owned();
        RuleFault::NoVersionOfKind { kind, version }
    })?;
    match structs.at(object, path).map(|field| field.rust_type.present().clone()) {
        Some(RustType::Struct(found)) if !is_in_items(path) => Ok(found),
        Some(_) => {
            let ((version, kind), path) = (owned(), path.to_owned());
            Err(RuleFault::NotAnObject { path, version, kind })
        }
        None => {
            let (object, near) = (format!("{version} {kind}"), structs.near(object, path));
            Err(RuleFault::NoField { object, name: path.to_owned(), near })
        }
    }
}

pub(super) fn text(step: &Embedded) -> (String, &'static str) {
    (
        format!(
            "as an object of {}; a value that is not such an object stays as it is",
            code(&step.of)
        ),
        "kept in an annotation, unless the conversion back restores it",
    )
}
