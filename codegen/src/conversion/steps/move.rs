//! `move`: a field that has another name, or is in another part of the object.
//!
//! A field of another name is a step like one without a rule. `moves.rs` plans one in another part.

use crate::conversion::rule::{Role, RuleKey, RuleKind};
use crate::problem::RuleFault;
use crate::rules::Correspondence;

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "move",
    meaning: "The field has another name, or is in another part of the object.",
    takes: "`move` takes fields of one type, all optional or all required (`absent-to-zero` takes an optional and a required one, \
            also with another name), with no list or map around one of them alone; an object around a field is in every \
            version, or has the rule `nest`",
    example: r#"rule = "move"
names = { v1beta1 = "spec.status", v1 = "status" }
fill = {}
reason = "v1 has the status beside the spec. An object of v1 without a spec becomes one with empty fields.""#,
    keys: &[RuleKey {
        meaning: "`{}`: the required fields of an object around the field that is made for it may be empty",
        ..RuleKey::FILL
    }],
    role: Role::Move,
    check: check_stated,
    moves: true,
    ..RuleKind::NONE
};

fn check_stated(stated: &Correspondence, _: usize) -> Result<(), RuleFault> {
    let is_empty = |fill: &toml::Value| fill.as_table().is_some_and(toml::Table::is_empty);
    match stated.keys.get(RuleKey::FILL.name) {
        Some(fill) if !is_empty(&fill.value) => Err(RuleFault::FillAround),
        _ => Ok(()),
    }
}

/// What the step about an object is whose fields move.
pub(super) fn text() -> (String, &'static str) {
    let how = "an object of the fields below; absent if it has none, unless it was there";
    (how.to_owned(), "an annotation distinguishes empty from absent")
}
