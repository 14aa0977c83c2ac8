//! What is inside the values that patterns pass on: no rule names it, so its required fields can lack values.

use std::collections::BTreeSet;

use super::pattern_form::Form;
use super::planner::PairPlanner;
use super::rule_step::RuleStep;
use super::steps::stated::{made_up, refused};
use super::structs::{Side, field_ref, is_required, name_of};
use crate::plan::{Field, ItemPath};
use crate::problem::StatedBy;
use crate::rules::paths::segment;

impl<'a> PairPlanner<'a, '_> {
    /// Notes the fields that the target requires inside the values of variables, and that values of the source can lack.
    pub(super) fn check_passed_on(
        &mut self,
        step: &RuleStep,
        from: &Side<'a, '_>,
        to: &Side<'a, '_>,
    ) {
        let Some(pattern) = step.pattern() else {
            return;
        };
        let mut seen = BTreeSet::new();
        for same in &pattern.same {
            let members = |version: &str| {
                let of_version = same.iter().find(|(of, _)| of == version);
                of_version.map(|(_, members)| members.as_slice()).unwrap_or_default()
            };
            for (own, name) in passed_on(members(self.from), members(self.to)) {
                let own = self.structs.named(from.parent, &segment(own));
                let other = self.structs.named(to.parent, &segment(name));
                if let (Some(own), Some(other)) = (own, other)
                    && seen.insert((&own.wire, &other.wire))
                {
                    let mut prefix = to.prefix.to_vec();
                    self.check_inside((own, other), &mut prefix, &mut BTreeSet::new());
                }
            }
        }
    }

    /// Notes such fields inside two fields. A pair of types counts once: a type can contain itself.
    fn check_inside(
        &mut self,
        (own, other): (&'a Field, &'a Field),
        prefix: &mut Vec<&'a Field>,
        seen: &mut BTreeSet<(&'a ItemPath, &'a ItemPath)>,
    ) {
        let (Some(from), Some(to)) = (own.rust_type.held(), other.rust_type.held()) else {
            return;
        };
        let (Some(source), Some(target)) = (self.structs.get(from), self.structs.get(to)) else {
            return;
        };
        if !seen.insert((from, to)) {
            return;
        }
        prefix.push(other);
        for field in &target.fields {
            let own = self.structs.named(source, &name_of(field));
            let has_value = own.is_some_and(|own| is_required(source, own));
            if is_required(target, field) && !has_value {
                let found = field_ref(target, prefix, field);
                let empty = made_up(&found.rust_type);
                let broken = empty.and_then(|value| {
                    Some([value.to_string(), refused(&value, &found, self.structs)?])
                });
                match broken {
                    Some(broken) => {
                        self.missing.made_up(self.to, &found, broken, (StatedBy::Nothing, true));
                    }
                    None if own.is_none() => {
                        self.missing.unfilled(self.to, &found, self.from, None);
                    }
                    None => {}
                }
            }
            if let Some(own) = own {
                self.check_inside((own, field), prefix, seen);
            }
        }
        prefix.pop();
    }
}

/// The members of the source and of the target that are one variable.
fn passed_on<'m>(
    from: &'m [(String, Form)],
    to: &'m [(String, Form)],
) -> impl Iterator<Item = (&'m str, &'m str)> {
    to.iter().filter_map(move |(name, form)| {
        let Form::Variable(variable) = form else {
            return None;
        };
        let is_same =
            |(_, form): &&(String, Form)| matches!(form, Form::Variable(other) if other == variable);
        from.iter().find(is_same).map(|(own, _)| (own.as_str(), name.as_str()))
    })
}
