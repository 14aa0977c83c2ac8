//! `custom`: functions of the program convert a value.

use crate::Problems;
use crate::conversion::actions::{Action, Custom, ThirdVersion};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::RuleStep;
use crate::ident::{is_module, of_version};
use crate::plan::code;
use crate::problem::RuleFault;

const WITH: RuleKey = RuleKey {
    name: "with",
    meaning: "the path of a Rust module with a function for each direction, such as `v1beta1_to_v1`, from `&A` to `B`: the types of \
              the field in the two versions",
    shape: Shape::Text,
    required: true,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "custom",
    meaning: "Functions of the program convert the value; what they lose is kept aside.",
    takes: "`custom` takes fields of any types that all versions have; the generated code calls the functions of `with`",
    keys: &[WITH],
    example: r#"rule = "custom"
names = { v1beta1 = "status.slices", v1 = "status.slices" }
with = "crate::custom::slices"
reason = "v1 has another encoding.""#,
    step,
    ..RuleKind::AS_IT_IS
};

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let rule = between.rule;
    let with = rule.text(WITH.name)?;
    if !is_module(with) {
        rule.report_fault(RuleFault::NotAModule(with.to_owned()), problems);
        return None;
    }
    let function =
        |from: &str, to: &str| format!("{with}::{}_to_{}", of_version(from), of_version(to));
    let ((from_field, from, _), (to_field, to)) = (between.from, between.to);
    let keep = vec![(from.to_owned(), from_field.path.clone())];
    let restore = vec![(to.to_owned(), to_field.path.clone())];
    let functions = (function(from, to), function(to, from));
    let beside = |third: (&str, &FieldRef), other: (&str, &FieldRef)| {
        [third, other].map(|(version, field)| (version.to_owned(), field.path.clone())).into()
    };
    let thirds = rule.found.iter().filter(|(version, _)| ![from, to].contains(version));
    let thirds = thirds.map(|(version, field)| ThirdVersion {
        beside_source: beside((version, field), (from, from_field)),
        beside_target: beside((version, field), (to, to_field)),
        functions: [function(version, from), function(version, to), function(to, version)],
        rust_type: field.rust_type.clone(),
    });
    let thirds = thirds.collect();
    Some(RuleStep::keeps(Action::Custom(Custom { keep, restore, functions, thirds })))
}

pub(super) fn text(step: &Custom) -> (String, &'static str) {
    let how = format!("the kept value if it has this result, else by {}", code(&step.functions.0));
    (how, "kept in an annotation, unless the function of the other direction restores it")
}
