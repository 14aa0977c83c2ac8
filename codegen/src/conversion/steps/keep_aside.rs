//! `keep-aside`: a field of one version without a counterpart in another.

use super::stated::check_value;
use crate::Problems;
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Key, Role, Rule, RuleKind, Shape};
use crate::conversion::rule_step::{Action, KeepAside, RuleStep};
use crate::conversion::structs::Structs;
use crate::plan::code;
use crate::rules::Correspondence;

const FILL: Key = Key {
    name: "fill",
    meaning: "the value of a required field for which none is kept",
    shape: Shape::Any,
    required: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "keep-aside",
    meaning: "Some versions lack the field; there its value is kept aside.",
    takes: "`keep-aside` takes a field that some versions lack: name it in the versions that have it; `fill` is a value of a \
            required field of a custom resource, which its words and limits allow, or the default of a field: a text, number \
            or boolean, or a list or map of these",
    keys: &[FILL],
    example: r#"rule = "keep-aside"
names = { v1 = "spec.replicas" }
fill = 1
reason = "New in v1, and required there.""#,
    role: Role::KeepAside,
    contradiction,
    unmatched,
    is_complete: |_, _| true,
    ..RuleKind::NONE
};

/// The members that a schema does not name have a reason of their own.
fn contradiction(stated: &Correspondence, versions: usize) -> Option<&'static str> {
    let is_rest = || stated.names.values().any(|name| name.value.ends_with('*'));
    (stated.names.len() == versions && !is_rest()).then_some(
        "all versions have the field. Fields that hold different values, such as seconds and minutes, take one rule each; a \
         field that has another name takes `move`",
    )
}

#[allow(clippy::unnecessary_wraps, reason = "the type of `RuleKind::unmatched`")]
fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<[RuleStep; 2]> {
    Some(match rule.value(FILL.name) {
        Some(fill) => filled(rule, (field, fill), structs, problems),
        None => keep(field),
    })
}

/// The step for a field that the target lacks, and the one for a field that the source lacks. A required `field` for which
/// no value is kept is reported.
pub(super) fn keep(field: &FieldRef) -> [RuleStep; 2] {
    let keep = KeepAside::Keep { optional: field.rust_type.is_option() };
    let restore = KeepAside::Restore { required: field.required };
    [RuleStep::keeps(Action::KeepAside(keep)), RuleStep::restores(Action::KeepAside(restore))]
}

/// The steps of [`keep`] for a field that has this value if none is kept: a required one, or its default.
fn filled(
    rule: &Rule<'_>,
    (field, fill): (&FieldRef, &toml::Value),
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> [RuleStep; 2] {
    let fill = serde_json::to_value(fill).unwrap_or_default();
    let fits =
        check_fillable(&fill, field).and_then(|()| check_value("fill", &fill, field, structs));
    if let Err(why) = fits {
        rule.report_misfit(why, problems);
    }
    let fill = fill.to_string();
    [
        RuleStep::keeps(Action::KeepAside(KeepAside::KeepUnless(fill.clone()))),
        RuleStep::restores(Action::KeepAside(KeepAside::RestoreOr(fill))),
    ]
}

/// Whether the rule gives a field a value where none is kept.
pub(in crate::conversion) fn has_fill(rule: &Rule<'_>) -> bool {
    rule.value(FILL.name).is_some()
}

/// Says why no value fills a field.
fn check_fillable(fill: &serde_json::Value, field: &FieldRef) -> Result<(), String> {
    let fill = fill.to_string();
    if field.required || field.default.as_ref().is_some_and(|default| *default == fill) {
        return Ok(());
    }
    Err(format!(
        "`fill` is only for required fields that have an empty value, and for the default of a field; {} can be absent or has none",
        code(&field.path)
    ))
}

pub(super) fn text(step: &KeepAside) -> (String, &'static str) {
    let (how, loss) = match step {
        KeepAside::Keep { optional: true } => {
            ("has no counterpart", "kept in the annotation, unless it is absent")
        }
        KeepAside::Keep { optional: false } => {
            ("has no counterpart", "kept in the annotation, unless it is empty")
        }
        KeepAside::Restore { required: true } => {
            ("the kept value, else empty, which is reported", "filled")
        }
        KeepAside::Restore { required: false } => ("the kept value, else empty", "filled"),
        KeepAside::KeepUnless(_) => (
            "has no counterpart",
            "kept in the annotation, unless the conversion back fills in the same value",
        ),
        KeepAside::RestoreOr(fill) => {
            return (format!("the kept value, else {}", code(fill)), "filled");
        }
    };
    (how.to_owned(), loss)
}
