//! Optional values that are empty, which only some versions take: `leave-out-empty` of a kind.

use serde_json::Value;

use super::actions::{Action, LeaveOutEmpty, LeftOut};
use super::field_ref::Paths;
use super::plan::{FieldRef, ItemNames, Mapping, Step};
use super::planner::PairPlanner;
use super::rule::Role;
use super::rule_step::RuleStep;
use crate::plan::RustType;

impl PairPlanner<'_, '_> {
    /// Completes the step of a field without a rule, of which one version does not take an empty value.
    pub(super) fn leave_out_empty(&mut self, step: &mut Step) {
        let (Some(from), Some(to)) = (&step.from, &step.to) else {
            return;
        };
        let is_part = match &step.how {
            Mapping::Same => false,
            Mapping::Into(_) | Mapping::Part { rule: None, .. } => true,
            _ => return,
        };
        // Objects around moved fields are decided on when these have moved.
        if self.has_moved(self.from, &from.path) || self.has_moved(self.to, &to.path) {
            return;
        }
        let Some(LeftOut { places, limited, restores }) = self.left_out(from, to) else {
            return;
        };
        let action = Action::LeaveOutEmpty(LeaveOutEmpty { limited, restores, is_part });
        let by_rule = if restores { RuleStep::restores(action) } else { RuleStep::keeps(action) };
        step.places = places;
        step.how = match std::mem::take(&mut step.how) {
            Mapping::Into(pair) | Mapping::Part { pair, .. } => {
                Mapping::Part { pair, items: ItemNames::default(), rule: Some(by_rule) }
            }
            _ => Mapping::Rule(by_rule),
        };
    }

    /// The versions that take an empty value of this field, if the kind leaves it out where one of the two does not; else a warning.
    pub(super) fn left_out(&mut self, from: &FieldRef, to: &FieldRef) -> Option<LeftOut> {
        let restores = match (self.takes_empty(from), self.takes_empty(to)) {
            (Some(true), Some(false)) => false,
            (Some(false), Some(true)) => true,
            _ => return None,
        };
        let [places, limited] = [true, false].map(|takes| self.places_of_empty(from, takes));
        let is_known = [(self.from, from), (self.to, to)].iter().all(|(version, field)| {
            let mut all = places.iter().chain(&limited);
            all.any(|(of, path)| of == version && *path == field.path)
        });
        if is_known && !restores && !self.leaves_out_empty {
            self.missing.empty((self.from, self.to), from);
        }
        (is_known && self.leaves_out_empty).then_some(LeftOut { places, limited, restores })
    }

    /// Whether servers take an empty value of an optional field; `None` for a field that cannot be empty.
    fn takes_empty(&self, field: &FieldRef) -> Option<bool> {
        let RustType::Option(present) = &field.rust_type else {
            return None;
        };
        let least = match &**present {
            RustType::String => "minLength",
            RustType::List(_) => "minItems",
            RustType::Map(_) => "minProperties",
            RustType::Struct(path) => {
                let of = self.structs.get(path)?;
                let can_be_empty = of.fields.iter().all(|field| field.rust_type.is_option());
                can_be_empty.then_some("minProperties")?
            }
            _ => return None,
        };
        let facts = &self.structs.field(field)?.property.facts;
        Some(facts.get(least).and_then(Value::as_u64).is_none_or(|least| least == 0))
    }

    /// The versions that take an empty value of a field of the source, or those that do not, and its path in each.
    fn places_of_empty(&self, field: &FieldRef, takes: bool) -> Paths {
        let mut places = self.paths_of(field);
        places.retain(|(version, path)| {
            let object = self.versions.iter().find(|(name, _)| name == version);
            let spot = object.and_then(|(_, object)| self.structs.spot(object, path));
            let found = spot.map(|spot| spot.reference());
            found.is_some_and(|found| {
                let rule = self.rules.find(version, &found);
                rule.is_none_or(|rule| rule.kind.role == Role::Move)
                    && self.takes_empty(&found) == Some(takes)
            })
        });
        places
    }
}
