//! `keep-aside`: a field of one version without a counterpart in another.

use super::stated::check_value;
use crate::Problems;
use crate::conversion::actions::{Action, KeepAside};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Role, Rule, RuleKey, RuleKind};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::structs::Structs;
use crate::plan::{RustType, code};
use crate::problem::RuleFault;
use crate::rules::Correspondence;

/// The field whose value the field can have where none is kept.
const NAMESPACE: &str = "metadata.namespace";

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "keep-aside",
    meaning: "Some versions lack the field; there its value is kept aside.",
    takes: "`keep-aside` takes a field that some versions lack: name it in the versions that have it; `fill` is a value of a \
            field of a custom resource, which its words and limits allow: a text, number or boolean, or a list or map of these; `fill-from` is \
            `metadata.namespace`, for a text",
    keys: &[RuleKey::FILL, RuleKey::FILL_FROM],
    example: r#"rule = "keep-aside"
names = { v1 = "spec.replicas" }
fill = 1
fill-from = "metadata.namespace"
reason = "New in v1, and required there; a rule has one of the two keys.""#,
    role: Role::KeepAside,
    check: check_stated,
    unmatched: Some(unmatched),
    ..RuleKind::OF_ABSENT
};

/// The members that a schema does not name have a reason of their own.
fn check_stated(stated: &Correspondence, versions: usize) -> Result<(), RuleFault> {
    let is_stated = |key: RuleKey| stated.keys.contains_key(key.name);
    if is_stated(RuleKey::FILL) && is_stated(RuleKey::FILL_FROM) {
        let keys = [RuleKey::FILL.name, RuleKey::FILL_FROM.name];
        return Err(RuleFault::OneOfKeys(keys));
    }
    let is_rest = || stated.names.values().any(|name| name.value.ends_with('*'));
    if stated.names.len() == versions && !is_rest() {
        return Err(RuleFault::InAllVersions);
    }
    Ok(())
}

#[allow(clippy::unnecessary_wraps, reason = "the type of `RuleKind::unmatched`")]
pub(super) fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<[RuleStep; 2]> {
    if let Some(from) = rule.text(RuleKey::FILL_FROM.name) {
        return Some(namespace(rule, (field, from), problems));
    }
    Some(match (rule.value(RuleKey::FILL.name), default(field, structs)) {
        (Some(fill), _) => filled(rule, (field, fill), structs, problems),
        // A server fills in the default before it asks whether the field is there.
        (None, Some(default)) if field.required => with_value(&default.to_string()),
        (None, _) => keep(field),
    })
}

/// The step for a field that the target lacks, and the one for a field that the source lacks. A required `field` for which
/// no value is kept is reported.
pub(super) fn keep(field: &FieldRef) -> [RuleStep; 2] {
    let keep = KeepAside::Keep { optional: field.rust_type.is_option(), required: field.required };
    let restore = KeepAside::Restore { required: field.required };
    [RuleStep::keeps(Action::KeepAside(keep)), RuleStep::restores(Action::KeepAside(restore))]
}

/// The steps of [`keep`] for a field that has this value if none is kept.
fn filled(
    rule: &Rule<'_>,
    (field, fill): (&FieldRef, &toml::Value),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> [RuleStep; 2] {
    let fill = serde_json::to_value(fill).unwrap_or_default();
    if let Err(fault) = check_value(RuleKey::FILL.name, &fill, field, structs) {
        rule.report_fault(fault, problems);
    }
    with_value(&fill.to_string())
}

/// The steps of [`keep`] for a text that is the namespace of the object if none is kept.
fn namespace(
    rule: &Rule<'_>,
    (field, from): (&FieldRef, &str),
    problems: &mut Problems,
) -> [RuleStep; 2] {
    if from != NAMESPACE || *field.rust_type.present() != RustType::String {
        rule.report_fault(RuleFault::FillFrom, problems);
    }
    [
        RuleStep::keeps(Action::KeepAside(KeepAside::KeepUnlessNamespace)),
        RuleStep::restores(Action::KeepAside(KeepAside::RestoreNamespace)),
    ]
}

/// The steps of [`keep`] for a field that has this JSON if none is kept.
pub(super) fn with_value(json: &str) -> [RuleStep; 2] {
    [
        RuleStep::keeps(Action::KeepAside(KeepAside::KeepUnless(json.to_owned()))),
        RuleStep::restores(Action::KeepAside(KeepAside::RestoreOr(json.to_owned()))),
    ]
}

/// Whether a field has a value where none is kept: by the rule, or its default.
pub(in crate::conversion) fn has_value(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> bool {
    let is_stated = |key: RuleKey| rule.value(key.name).is_some();
    is_stated(RuleKey::FILL) || is_stated(RuleKey::FILL_FROM) || default(field, structs).is_some()
}

/// The JSON of a field where none is kept: by the rule, or its default if it is required. `null` is the namespace of the object.
pub(in crate::conversion) fn fill(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
) -> Option<String> {
    let stated = rule.value(RuleKey::FILL.name);
    let stated = stated.and_then(|fill| serde_json::to_string(fill).ok());
    if rule.value(RuleKey::FILL_FROM.name).is_some() {
        return Some(serde_json::Value::Null.to_string());
    }
    stated.or_else(|| Some(default(field, structs).filter(|_| field.required)?.to_string()))
}

fn default<'a>(field: &FieldRef, structs: &Structs<'a>) -> Option<&'a serde_json::Value> {
    structs.field(field)?.property.default.as_ref()
}

pub(super) fn text(step: &KeepAside) -> (String, &'static str) {
    let (how, loss) = match step {
        KeepAside::Keep { required: true, .. } => ("has no counterpart", "kept in an annotation"),
        KeepAside::Keep { optional: true, .. } => {
            ("has no counterpart", "kept in an annotation, unless it is absent")
        }
        KeepAside::Keep { optional: false, .. } => {
            ("has no counterpart", "kept in an annotation, unless it is empty")
        }
        KeepAside::Restore { required: true } => {
            ("the kept value, else empty, which is reported", "filled")
        }
        KeepAside::Restore { required: false } => ("the kept value, else empty", "filled"),
        KeepAside::KeepUnless(_) => (
            "has no counterpart",
            "kept in an annotation, unless the conversion back fills in the same value",
        ),
        KeepAside::KeepUnlessNamespace => (
            "has no counterpart",
            "kept in an annotation, unless it is the namespace of the object",
        ),
        KeepAside::RestoreNamespace => {
            ("the kept value, else the namespace of the object", "filled")
        }
        KeepAside::RestoreOr(fill) => {
            return (format!("the kept value, else {}", code(fill)), "filled");
        }
    };
    (how.to_owned(), loss)
}
