//! Values that some versions of one form require, and others do not: not a rule, but a part of several.
//!
//! In the form, an absent value is the same as none: a version that requires the value has `fill` for it, or an empty one, and the
//! annotation notes that it is absent. The `fill` of some kinds does so between all forms.

use crate::Problems;
use crate::conversion::actions::{Action, Optional, Varying};
use crate::conversion::field_ref::Paths;
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Mixed, Rule, RuleKey};
use crate::conversion::rule_step::RuleStep;
use crate::conversion::steps::stated::made_up;
use crate::plan::{RustType, code};

/// The step between two versions of one form, of which one requires the value.
pub(in crate::conversion) fn same(
    rule: &Rule<'_>,
    (from, to): (&str, &str),
    (one, other): (&FieldRef, &FieldRef),
) -> Option<RuleStep> {
    if !is_of_form(rule, (from, one), (to, other)) {
        return None;
    }
    if let Some((_, optional)) = optional(rule, (to, other)) {
        return Some(RuleStep::keeps(Action::Varying(Varying::Fill(optional))));
    }
    let (_, optional) = optional(rule, (from, one))?;
    Some(RuleStep::restores(Action::Varying(Varying::Restore(optional))))
}

/// The optional form of a field that its version requires, and that other versions of the form do not, or others of any form if the rule
/// states what an absent value is.
pub(in crate::conversion) fn optional(
    rule: &Rule<'_>,
    (version, field): (&str, &FieldRef),
) -> Option<(FieldRef, Optional)> {
    if rule.kind.mixed != Mixed::Always || field.rust_type.is_option() {
        return None;
    }
    let own = (rule.kind.fill_in)(rule, version);
    let is_stated = own.is_some() && own != made_up(&field.rust_type);
    let is_optional = |other: &str, found: &FieldRef| {
        let is_alike = is_stated || is_of_form(rule, (version, field), (other, found));
        found.rust_type.is_option() && is_alike
    };
    let places: Paths = rule.paths_in(&is_optional);
    let fill = || rule.value(RuleKey::FILL.name).filter(|_| !field.rust_type.is_list());
    let fill = own.or_else(|| serde_json::to_value(fill()?).ok());
    let fill = fill.or_else(|| made_up(&field.rust_type))?.to_string();
    let rust_type = RustType::Option(Box::new(field.rust_type.clone()));
    let field = FieldRef { rust_type, required: false, ..field.clone() };
    let optional = Optional { places, around: rule.paths(), fill, is_stated };
    (!optional.places.is_empty()).then_some((field, optional))
}

/// The step of a rule between two fields, around a value that the source or the target requires, and that can be absent in other versions.
pub(in crate::conversion) fn step(
    between: &Between<'_, '_>,
    problems: &mut Problems,
) -> Option<RuleStep> {
    let Between { rule, structs, from: (from, version, side), to } = *between;
    if let Some(same) = same(rule, (version, to.1), (from, to.0)) {
        return Some(same);
    }
    let (source, target) = (optional(rule, (version, from)), optional(rule, (to.1, to.0)));
    let form =
        |side: &'_ Option<(FieldRef, Optional)>| side.as_ref().map(|(field, _)| field.clone());
    let forms = (form(&source), form(&target));
    let from = (forms.0.as_ref().unwrap_or(from), version, side);
    let to = (forms.1.as_ref().unwrap_or(to.0), to.1);
    let step = (rule.kind.step)(&Between { rule, structs, from, to }, problems)?;
    Some(step.between([source, target].map(|side| Some(side?.1))))
}

fn is_of_form(
    rule: &Rule<'_>,
    (from, one): (&str, &FieldRef),
    (to, other): (&str, &FieldRef),
) -> bool {
    one.rust_type.present() == other.rust_type.present() && !(rule.kind.changes)(rule, from, to)
}

pub(super) fn text(step: &Varying) -> (String, &'static str) {
    match step {
        Varying::Fill(Optional { fill, .. }) => (
            format!("the same; {} if absent", code(fill)),
            "filled; an annotation records an absent value",
        ),
        Varying::Restore(_) => {
            ("the same; absent again if an absent one was filled".to_owned(), "lossless")
        }
    }
}

/// The step, as text for people, where the target requires the value.
pub(super) fn with_fill(how: &str, Optional { fill, .. }: &Optional) -> String {
    format!("{how}; {} in place of an absent one", code(fill))
}
