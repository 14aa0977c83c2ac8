//! `move`: a field that has another name, or is in another part of the object.
//!
//! A field of another name is a step like one without a rule. `moves.rs` plans one in another part.

use crate::conversion::rule::{Role, RuleKind};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "move",
    meaning: "The field has another name, or is in another part of the object.",
    takes: "`move` takes fields of one type, all optional or all required (`absent-to-zero` takes an optional and a required one, \
            also with another name), with no list or map around one of them alone; an object around a field is in every \
            version, or has the rule `nest`",
    example: r#"rule = "move"
names = { v1beta1 = "spec.volume", v1 = "spec.volumeName" }
reason = "v1 calls it by its full name.""#,
    role: Role::Move,
    ..RuleKind::NONE
};

/// What the step about an object is whose fields move.
pub(super) fn text() -> (String, &'static str) {
    let how = "an object of the fields below; absent if it has none, unless it was there";
    (how.to_owned(), "an annotation distinguishes empty from absent")
}
