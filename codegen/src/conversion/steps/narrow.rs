//! `narrow`: a number of 64 bits in one version, of 32 bits in another.

use super::aside;
use super::notes::MADE_UP;
use super::text::{check_fallback, substitute_in};
use crate::Problems;
use crate::conversion::actions::{Action, Narrow, Substitute};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, RuleKey, RuleKind};
use crate::conversion::rule_step::RuleStep;
use crate::plan::{RustType, code};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "narrow",
    meaning: "A number of 64 bits becomes one of 32 bits; one that does not fit is kept aside.",
    takes: "`narrow` takes numbers of 64 and of 32 bits; all are optional or all are required; `fallback` has the number of each \
            version in which one may not fit a required field; `fill` is the number of a required field for a version that lacks it",
    keys: &[RuleKey::FALLBACK, RuleKey::FILL],
    example: r#"rule = "narrow"
names = { v1beta1 = "spec.size", v1 = "spec.size" }
fallback = { v1beta1 = 1 }
fill = 1
reason = "64 bits in v1.""#,
    remedy: "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"narrow\"` that names the field in all versions; \
             `[]` follows the name of a list, for its items",
    of_items: true,
    converts,
    check: aside::check_stated,
    step,
    unmatched: Some(|rule, field, structs, problems| {
        aside::unmatched(rule, field, structs, problems, |_, kept| Some(kept.clone()))
    }),
    is_complete: |rule, (_, field): (&str, &FieldRef)| is_wide(&field.rust_type, &rule.types()),
    moves: true,
    ..RuleKind::NONE
};

fn converts(types: &[&RustType]) -> bool {
    let is_option = |found: &&RustType| found.is_option();
    types.iter().all(|found| matches!(found.present(), RustType::I32 | RustType::I64))
        && types.iter().any(|form| is_wide(form, types))
        && (types.iter().all(is_option) || !types.iter().any(is_option))
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let (from, to, is_optional) = between.inside()?;
    check_fallback(between, is_wide, problems);
    let substitute = |version| substitute_in(between.rule, version, is_optional);
    match (from, to) {
        (RustType::I64, RustType::I32) => {
            Some(RuleStep::keeps(Action::Narrow(Narrow::Narrow(substitute(between.to.1)))))
        }
        (RustType::I32, RustType::I64) => {
            Some(RuleStep::restores(Action::Narrow(Narrow::Widen(substitute(between.from.1)))))
        }
        _ => None,
    }
}

fn is_wide(form: &RustType, others: &[&RustType]) -> bool {
    *form.present() == RustType::I64 && others.iter().any(|other| *other.present() == RustType::I32)
}

pub(super) fn text(step: &Narrow) -> (String, &'static str) {
    let shown = |substitute: &Substitute| match substitute {
        Substitute::Fallback(fallback) => code(fallback),
        Substitute::Absent => "absent".to_owned(),
        Substitute::Zero { .. } => "zero".to_owned(),
    };
    match step {
        Narrow::Narrow(substitute) => {
            let reported = matches!(substitute, Substitute::Zero { report: Some(_) });
            let reported = if reported { MADE_UP } else { "" };
            (
                format!("the same, {} if it does not fit{reported}", shown(substitute)),
                "a number that does not fit is kept in an annotation",
            )
        }
        Narrow::Widen(substitute) => {
            (format!("the kept number if this is {}, else the same", shown(substitute)), "lossless")
        }
    }
}
