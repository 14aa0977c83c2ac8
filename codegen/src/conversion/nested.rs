//! Sub-objects of one version whose fields are fields of the object around them in another: the rule `nest`.
//!
//! Several sub-objects can be one in the other: each takes the fields that it has itself, and those of the ones in it.

use serde_json::{Map, Value};

use super::actions::{AbsentToZero, Action, Filled, FilledBy, KeepAside, Words};
use super::field_ref::Paths;
use super::plan::{FieldRef, Mapping, Step};
use super::planner::{PairPlanner, struct_pair_of};
use super::rule::{Role, Rule};
use super::rule_step::RuleStep;
use super::steps::{absent_to_zero, keep_aside, nest, stated};
use super::structs::{Side, SideField, name_of};
use crate::plan::{Field, RustType, Struct};
use crate::problem::RuleFault;
use crate::rules::paths::without_items;

/// The field of a step on one side.
pub(super) type OnSide = fn(&Step) -> Option<&FieldRef>;

/// A sub-object of one side whose fields the other side has itself.
pub(super) struct Nested<'a, 'b> {
    rule: &'b Rule<'a>,
    pub(super) field: &'a Field,
    object: &'a Struct,
}

impl<'a, 'b> PairPlanner<'a, 'b> {
    /// Checks that no field of the source becomes a field of two sub-objects.
    pub(super) fn check_nested(
        &mut self,
        nested: &[Nested<'a, '_>],
        from: &Side<'a, '_>,
        to: &Side<'a, '_>,
    ) {
        for field in &from.parent.fields {
            let source = SideField { side: from, field };
            let entered = nested.iter().filter(|nested| self.enters(nested, source, to));
            let entered: Vec<&Nested<'a, '_>> = entered.collect();
            if let [first, second, ..] = entered.as_slice() {
                let objects = [first, second].map(|nested| to.field(nested.field).path.to_string());
                let path = from.field(field).path.to_string();
                let (from, to) = (self.from.to_owned(), self.to.to_owned());
                let fault = RuleFault::InTwoObjects { path, from, objects, to };
                second.rule.report_fault(fault, self.problems);
            }
        }
    }

    /// Returns `true` if a field of the source becomes a field of the sub-object, or of one in it.
    pub(super) fn enters(
        &self,
        nested: &Nested<'a, '_>,
        from: SideField<'a, '_>,
        to: &Side<'a, '_>,
    ) -> bool {
        let prefix = to.inside(nested.field);
        let inner = Side::new(nested.object, &prefix);
        let within = self.nested((from.side, self.from), (&inner, self.to));
        self.is_in(from, &inner) || within.iter().any(|nested| self.enters(nested, from, &inner))
    }

    /// Returns `true` if a field of the source becomes a field of this sub-object: one of the same name, or the one that a rule
    /// names.
    fn is_in(&self, from: SideField<'a, '_>, inner: &Side<'a, '_>) -> bool {
        if let Some(rule) = self.rules.find(self.from, &from.side.field(from.field)) {
            let name = rule.stated.names.get(self.to);
            return name
                .is_some_and(|name| inner.at(without_items(&name.value), self.structs).is_some());
        }
        let same = inner.at(&inner.path.child(&name_of(from.field)), self.structs);
        same.is_some_and(|(found, _)| self.rules.find(self.to, &found).is_none())
    }

    /// The sub-objects of `nested` whose fields `flat` has itself, by a rule.
    pub(super) fn nested(
        &self,
        (flat, flat_version): (&Side<'a, '_>, &str),
        (nested, version): (&Side<'a, '_>, &str),
    ) -> Vec<Nested<'a, 'b>> {
        let (rules, structs) = (self.rules, self.structs);
        let of_here = |rule: &'b Rule<'a>| {
            let found = rule.in_version(version)?;
            let (_, field) = nested.at(&found.path, self.structs)?;
            let RustType::Struct(path) = field.rust_type.present() else {
                return None;
            };
            Some(Nested { rule, field, object: structs.get(path)? })
        };
        rules.flat(flat_version, &flat.path).filter_map(of_here).collect()
    }

    /// Plans a sub-object of the target, made of fields of the source.
    pub(super) fn nest(
        &mut self,
        nested: &Nested<'a, '_>,
        from: &Side<'a, '_>,
        to: &Side<'a, '_>,
    ) -> Step {
        let (found, prefix) = (to.field(nested.field), to.inside(nested.field));
        let inner = Side::new(nested.object, &prefix);
        let mut steps = Vec::new();
        for field in &from.parent.fields {
            if self.is_in(SideField { side: from, field }, &inner) {
                steps.extend(self.step(from, field, &inner));
            }
        }
        for within in self.nested((from, self.from), (&inner, self.to)) {
            steps.push(self.nest(&within, from, &inner));
        }
        self.without_step(&inner, &mut steps);
        nested.rule.note_effect();
        if found.rust_type.is_option() {
            self.pass_required(&mut steps);
        }
        let constants = self.constants(&steps, self.to, |step| step.to.as_ref());
        let fills = json(fills(&steps).into_iter().chain(constants).collect());
        let step = nest::nest(nested.rule, &found, fills, made_up(&steps));
        self.check_empty_object(step.as_ref(), &found, &steps);
        let how = Mapping::Nest(step, struct_pair_of(from, &inner, steps));
        let rule = Some(nested.rule.kind.name);
        Step { to: Some(found), how, rule, places: nested.rule.places(), ..Step::default() }
    }

    /// Plans fields of the target, made of a sub-object of the source.
    pub(super) fn flatten(
        &mut self,
        nested: &Nested<'a, '_>,
        from: &Side<'a, '_>,
        to: &Side<'a, '_>,
    ) -> Step {
        let (found, prefix) = (from.field(nested.field), from.inside(nested.field));
        let inner = Side::new(nested.object, &prefix);
        let mut steps = Vec::new();
        let within = self.nested((to, self.to), (&inner, self.from));
        for field in &nested.object.fields {
            match within.iter().find(|within| within.field.wire == field.wire) {
                Some(within) => steps.push(self.flatten(within, &inner, to)),
                None => steps.extend(self.step(&inner, field, to)),
            }
        }
        nested.rule.note_effect();
        if found.rust_type.is_option() {
            self.pass_required(&mut steps);
        }
        let constants = self.constants(&steps, self.from, |step| step.from.as_ref());
        let fills = json(self.fills_of_source(&steps).into_iter().chain(constants).collect());
        let step = nest::flatten(nested.rule, &found, fills, known_as_made_up(&steps));
        let how = Mapping::Flatten(step, struct_pair_of(&inner, to, steps));
        let rule = Some(nested.rule.kind.name);
        Step { from: Some(found), how, rule, places: nested.rule.places(), ..Step::default() }
    }

    /// Gives the fields of an object that both versions require the value of their rule where the object is absent in one of them.
    pub(super) fn pass_required(&self, steps: &mut [Step]) {
        for step in steps {
            let (Some(from), Some(to)) = (&step.from, &step.to) else {
                continue;
            };
            let rule = self.rules.find(self.from, from).filter(|_| is_same(step));
            let pass = |rule| absent_to_zero::pass(rule, (from, (to, self.to)), self.structs);
            if let Some((pass, places)) = rule.and_then(pass) {
                (step.how, step.places) = (Mapping::Rule(pass), places);
            }
        }
    }

    /// The values of fields that both versions have, and that other versions lack: with only these a sub-object counts as empty.
    fn constants(&self, steps: &[Step], version: &str, side: OnSide) -> Map<String, Value> {
        let constant = |step: &Step| {
            let field = side(step).filter(|_| is_same(step))?;
            let rule = self.rules.find(version, field)?;
            let fill = keep_aside::fill(rule, field, self.structs);
            let fill = fill.filter(|_| rule.kind.role == Role::KeepAside)?;
            Some((field.name().into_owned(), serde_json::from_str(&fill).ok()?))
        };
        steps.iter().filter_map(constant).collect()
    }

    /// The values of required fields of an object that both versions have as they are, if a rule or both schemas state them.
    pub(super) fn stated_as_they_are(
        &self,
        steps: &[Step],
        version: &str,
        side: OnSide,
    ) -> Map<String, Value> {
        let default = |step: &Step| {
            let field = side(step).filter(|field| field.required && is_same(step))?;
            let default = self.common_default(step).filter(|default| !default.is_null())?;
            Some((field.name().into_owned(), default.clone()))
        };
        let defaults = steps.iter().filter_map(default);
        defaults.chain(self.constants(steps, version, side)).collect()
    }

    /// Whether a required field that is as it is in both versions has a value where the object around it is absent: by a rule, or the
    /// default of both versions.
    pub(super) fn has_value_as_it_is(
        &self,
        step: &Step,
        (version, field): (&str, &FieldRef),
    ) -> bool {
        let rule = self.rules.find(version, field).filter(|_| is_same(step));
        match rule.map(|rule| (rule, rule.kind.role)) {
            Some((rule, Role::Filled)) => {
                let empty = stated::made_up(&field.rust_type);
                let is_accepted = |value| stated::refused(&value, field, self.structs).is_none();
                absent_to_zero::stated(rule, field, self.structs).is_some()
                    || empty.is_some_and(is_accepted)
            }
            Some((rule, Role::KeepAside)) => keep_aside::fill(rule, field, self.structs).is_some(),
            _ => is_same(step) && self.common_default(step).is_some(),
        }
    }

    /// The default of a field in both versions, if it is the same.
    fn common_default(&self, step: &Step) -> Option<&'a Value> {
        let default = |field: &FieldRef| self.structs.field(field)?.property.default.as_ref();
        let (from, to) = (default(step.from.as_ref()?)?, default(step.to.as_ref()?)?);
        (from == to).then_some(to)
    }

    /// [`fills`] of a sub-object of the source.
    pub(super) fn fills_of_source(&self, steps: &[Step]) -> Map<String, Value> {
        let filled = |step: &Step| match (&step.by_rule()?.action, &step.from) {
            (_, Some(field)) if let Some(stated) = step.by_rule()?.stated_in_source() => {
                Some((field.name().into_owned(), serde_json::from_str(&stated.fill).ok()?))
            }
            (Action::AbsentToZero(AbsentToZero::Pass { fill, .. }), Some(field)) => {
                Some((field.name().into_owned(), serde_json::from_str(fill).ok()?))
            }
            (
                Action::AbsentToZero(
                    AbsentToZero::Restore { filled: true, .. }
                    | AbsentToZero::Keep { filled: true, .. },
                ),
                Some(field),
            ) => {
                let rule = self.rules.find(self.from, field)?;
                let fill = absent_to_zero::value_of_absent(rule, field, self.structs)?;
                Some((field.name().into_owned(), fill))
            }
            _ => None,
        };
        let own: Map<String, Value> = steps.iter().filter_map(filled).collect();
        let is_fill = |step: &RuleStep| {
            matches!(step.action, Action::AbsentToZero(_)) || step.stated_in_target().is_some()
        };
        let others = steps.iter().filter(|step| !step.by_rule().is_some_and(is_fill));
        fills(others).into_iter().chain(own).collect()
    }

    /// The required fields of an object of the target for which rules or schemas state values, if there are some.
    pub(super) fn filled(&self, steps: &[Step]) -> Option<Filled> {
        let place = |step: &Step| {
            let (by_rule, to) = (step.by_rule()?, step.to.as_ref()?);
            let places = match (&by_rule.action, by_rule.stated_in_target()) {
                (_, Some(stated)) => &stated.places,
                (
                    Action::AbsentToZero(
                        AbsentToZero::Fill {
                            policy: FilledBy { fill: Some(_), is_empty: false, .. },
                            ..
                        }
                        | AbsentToZero::Pass { .. },
                    ),
                    None,
                ) => &step.places,
                _ => return None,
            };
            Some((to.name().into_owned(), places.clone()))
        };
        let fields = steps.iter().filter_map(place).collect();
        let side: OnSide = |step| step.to.as_ref();
        let stated = self.stated_as_they_are(steps, self.to, side);
        filled_of(fields, [fills(steps), stated], (steps, side))
    }

    /// [`filled`](Self::filled) of an object of the source.
    pub(super) fn filled_in_source(&self, steps: &[Step]) -> Option<Filled> {
        let place = |step: &Step| {
            let by_rule = step.by_rule()?;
            let is_filled = matches!(by_rule.action, Action::AbsentToZero(_))
                || by_rule.stated_in_source().is_some();
            let from = step.from.as_ref().filter(|_| is_filled)?;
            Some((from.name().into_owned(), step.notes_of_source()?.clone()))
        };
        let fields = steps.iter().filter_map(place).collect();
        let side: OnSide = |step| step.from.as_ref();
        let stated = self.stated_as_they_are(steps, self.from, side);
        filled_of(fields, [self.fills_of_source(steps), stated], (steps, side))
    }
}

/// Returns `true` if both versions have the value of a step as it is.
fn is_same(step: &Step) -> bool {
    match &step.how {
        Mapping::Same => true,
        Mapping::Rule(by_rule) => matches!(&by_rule.action, Action::Words(Words::Rename { .. })),
        _ => false,
    }
}

/// The values with which rules fill an object, of which these fields have notes, and those that are the same in both versions; `None` if
/// they fill no required field.
fn filled_of(
    fields: Vec<(String, Paths)>,
    [values, stated]: [Map<String, Value>; 2],
    (steps, side): (&[Step], OnSide),
) -> Option<Filled> {
    let made: Map<String, Value> = stated.into_iter().chain(values.clone()).collect();
    let mut own = steps.iter().filter_map(side);
    let is_filled = |field: &FieldRef| field.required && made.contains_key(&*field.name());
    if fields.is_empty() && !own.any(is_filled) {
        return None;
    }
    let [values, made] = [values, made].map(Value::Object);
    Some(Filled { fields, values, made })
}

/// An object as JSON; `None` if it is empty.
pub(super) fn json(members: Map<String, Value>) -> Option<String> {
    (!members.is_empty()).then(|| Value::Object(members).to_string())
}

/// The places of the fields of a sub-object of the target that steps make up or fill.
pub(super) fn made_up(steps: &[Step]) -> Vec<Paths> {
    steps.iter().filter_map(Step::notes_of_target).cloned().collect()
}

/// The places of the fields of a sub-object of the source whose steps look whether a conversion has made them up or filled them.
pub(super) fn known_as_made_up(steps: &[Step]) -> Vec<Paths> {
    steps.iter().filter_map(Step::notes_of_source).cloned().collect()
}

/// The values that rules give fields of a sub-object, as members of the sub-object: with only these it counts as empty. `null` is the
/// namespace of the object.
pub(super) fn fills<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Map<String, Value> {
    let fill = |step: &Step| {
        let (action, from, to) = (&step.by_rule()?.action, &step.from, &step.to);
        if let Some((stated, field)) = step.by_rule()?.stated_in_target().zip(to.as_ref()) {
            return Some((field.name().into_owned(), serde_json::from_str(&stated.fill).ok()?));
        }
        if let (Action::KeepAside(KeepAside::KeepUnlessNamespace), Some(field), _)
        | (Action::KeepAside(KeepAside::RestoreNamespace), _, Some(field)) = (action, from, to)
        {
            return Some((field.name().into_owned(), Value::Null));
        }
        let ((Action::KeepAside(KeepAside::KeepUnless(fill)), Some(field), _)
        | (
            Action::KeepAside(KeepAside::RestoreOr(fill))
            | Action::AbsentToZero(
                AbsentToZero::Fill {
                    policy: FilledBy { fill: Some(fill), is_empty: false, .. },
                    ..
                }
                | AbsentToZero::Make {
                    policy: FilledBy { fill: Some(fill), is_empty: false, .. },
                    ..
                }
                | AbsentToZero::Pass { fill, .. },
            ),
            _,
            Some(field),
        )) = (action, from, to)
        else {
            return None;
        };
        let own = step.by_rule()?.aside_form.as_ref().map(|form| form.fill.clone());
        let fill = own.unwrap_or_else(|| serde_json::from_str(fill).ok())?;
        Some((field.name().into_owned(), fill))
    };
    steps.into_iter().filter_map(fill).collect()
}
