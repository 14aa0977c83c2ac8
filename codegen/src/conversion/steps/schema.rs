//! `schema`: a value that has a schema in some versions, and in others is any JSON.

use crate::Problems;
use crate::conversion::actions::{Action, Schema};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Role, RuleKind};
use crate::conversion::rule_step::RuleStep;

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "schema",
    meaning: "A value without a schema has one in other versions.",
    takes: "`schema` takes a value of any JSON and a value with a schema, which is the same in all versions that have it; all are \
            optional or all are required",
    example: r#"rule = "schema"
names = { v1beta1 = "spec.settings", v1 = "spec.settings" }
reason = "v1beta1 takes any JSON.""#,
    remedy: "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"schema\"` that names the field in all versions; \
             `[]` follows the name of a list, for its items",
    of_items: true,
    mixed: Mixed::Never,
    role: Role::AnyJson,
    converts: |types| types.iter().any(|found| found.present().is_json()),
    step,
    is_complete: |_, (_, field): (&str, &FieldRef)| field.rust_type.present().is_json(),
    ..RuleKind::NONE
};

fn step(between: &Between<'_, '_>, _: &mut Problems) -> Option<RuleStep> {
    let (from, to, in_option) = between.inside()?;
    let step = match (from.is_json(), to.is_json()) {
        (true, false) => {
            RuleStep::keeps(Action::Schema(Schema::Read { around: between.rule.paths() }))
        }
        (false, true) => RuleStep::restores(Action::Schema(Schema::Write)),
        _ => return None,
    };
    Some(step.inside(in_option))
}

pub(super) fn text(step: &Schema) -> (String, &'static str) {
    let (how, loss) = match step {
        Schema::Read { .. } => (
            "by its schema; a value that lacks required fields is reported",
            "kept in an annotation, unless the value alone restores it",
        ),
        Schema::Write => ("the kept JSON if it has this value, else the value as JSON", "lossless"),
    };
    (how.to_owned(), loss)
}
