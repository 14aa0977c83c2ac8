//! `nest`: the fields of a sub-object in one version are fields of the object around it in another.

use crate::conversion::actions::{Action, Nest};
use crate::conversion::field_ref::Paths;
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Role, Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;

const PRESENT: RuleKey = RuleKey {
    name: "present",
    meaning: "`true` if the sub-object is written when it is empty",
    shape: Shape::Flag,
    required: false,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "nest",
    meaning: "The fields of a sub-object are fields of the object around it.",
    takes: "`nest` takes an object; for the versions that have its fields beside it, name the path of the object around it; new \
            objects between the two need no rule of their own",
    keys: &[PRESENT],
    example: r#"rule = "nest"
names = { v1beta1 = "spec", v1 = "spec.backup" }
present = true
reason = "v1beta1 has `schedule` and `retention` beside the other fields; v1 has them in `backup`.""#,
    role: Role::Nest,
    // A sub-object can be empty or absent; the fields around it cannot tell.
    is_complete: |_, (_, field): (&str, &FieldRef)| field.rust_type.is_option(),
    ..RuleKind::NONE
};

/// The step that makes a sub-object of fields; `None` if the sub-object is always there.
/// `fills` are the values that rules give its fields, and `required` the places of those that are made up or filled.
pub(in crate::conversion) fn nest(
    rule: &Rule<'_>,
    nested: &FieldRef,
    fills: Option<String>,
    required: Vec<Paths>,
) -> Option<RuleStep> {
    let step = Nest::Nest { present: rule.flag(PRESENT.name), fills, required };
    nested.rust_type.is_option().then(|| RuleStep::restores(Action::Nest(step)))
}

/// The step that makes fields of a sub-object; `None` if the sub-object is always there.
pub(in crate::conversion) fn flatten(
    rule: &Rule<'_>,
    nested: &FieldRef,
    fills: Option<String>,
    required: Vec<Paths>,
) -> Option<RuleStep> {
    let step = Nest::Flatten { present: rule.flag(PRESENT.name), fills, required };
    nested.rust_type.is_option().then(|| RuleStep::keeps(Action::Nest(step)))
}

pub(super) fn text(step: &Nest) -> (String, &'static str) {
    match step {
        Nest::Nest { present, .. } => {
            let empty = if *present { "empty" } else { "absent" };
            let how = format!(
                "an object of the fields below; {empty} if they are empty, unless it was kept otherwise"
            );
            (how, "lossless")
        }
        Nest::Flatten { present: true, .. } => {
            ("the fields below".to_owned(), "an absent object is kept in an annotation")
        }
        Nest::Flatten { present: false, .. } => {
            ("the fields below".to_owned(), "an empty object is kept in an annotation")
        }
    }
}
