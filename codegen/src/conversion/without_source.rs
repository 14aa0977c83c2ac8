//! The values of fields of the target that the source does not give: fields without a source, and values that a step makes up.

use serde_json::Value;

use super::plan::{FieldRef, Mapping, Step};
use super::planner::{PairPlanner, repeated_key};
use super::rule::{Role, Rule, RuleKey};
use super::rule_step::{Effect, RuleStep};
use super::steps::stated::{check_value, made_up, refused};
use super::steps::{keep_aside, words};
use super::structs::{SideField, field_ref, is_required_later, required_since};
use crate::plan::{Field, RustType};
use crate::problem::{RuleFault, StatedBy};
use crate::rules::paths::is_in_items;

impl<'a> PairPlanner<'a, '_> {
    /// Plans a field of the target that has no source.
    pub(super) fn without_source(&mut self, found: FieldRef) -> Option<Step> {
        if self.rules.is_key((self.to, &found), self.from) {
            return Some(Step { to: Some(found), how: Mapping::Key, ..Step::default() });
        }
        if let Some(rule) = self.rules.repeats_key((self.to, &found), self.from) {
            return Some(repeated_key(rule, found, Effect::Restores));
        }
        let Some(rule) = self.rules.find(self.to, &found) else {
            self.missing.unmatched(
                self.to,
                &found,
                (self.from, self.rules.find(self.from, &found)),
            );
            return None;
        };
        let (stated, places) = (rule.stated, rule.places());
        let name = Some(rule.kind.name);
        if rule.kind.role == Role::Pattern {
            let (to, how) = (Some(found), Mapping::ByPattern);
            return Some(Step { to, how, rule: name, ..Step::default() });
        }
        if stated.names.contains_key(self.from) {
            // What is wrong with the rule is reported where the source is planned.
            let moved = self.is_moved(rule, &found);
            let (to, how) = (Some(found), Mapping::Moved);
            return moved.then_some(Step { to, how, rule: name, places, ..Step::default() });
        }
        let [_, restore] = (rule.kind.unmatched?)(rule, &found, self.structs, self.problems)?;
        let later = || Some((self.structs.field(&found)?, self.structs.get(&found.parent)?));
        let has_value = |rule: &Rule<'_>, found: &FieldRef| match &restore.aside_form {
            Some(form) => form.fill.is_some(),
            None => keep_aside::has_value(rule, found, self.structs),
        };
        let is_required_later = || later().is_some_and(|(field, of)| is_required_later(field, of));
        if (found.required || is_required_later()) && !has_value(rule, &found) {
            let acceptable = self.acceptable(rule, &found);
            self.missing.unfilled(self.to, &found, self.from, acceptable);
        }
        rule.note_effect();
        let kept_form = self.kept_form(rule);
        let how = Mapping::Rule(restore);
        let to = Some(found);
        Some(Step { to, how, rule: name, places, kept_form, ..Step::default() })
    }

    /// A value of a required field that servers of each version with the field accept, if every object has the field: without a
    /// value for it, servers reject each object of the other version. Objects have a `spec`, even if the schema does not require it.
    fn acceptable(&self, rule: &Rule<'a>, field: &FieldRef) -> Option<Value> {
        let in_spec = usize::from(field.idents.first().is_some_and(|first| first == "spec"));
        let is_in_all =
            !is_in_items(&field.path) && !field.options.iter().skip(in_spec).any(|option| *option);
        let of = &self.structs.field(field)?.property;
        let words = of.words_now().into_iter().map(Value::from);
        let mut values = made_up(&field.rust_type).into_iter().chain(words);
        let is_accepted = |value: &Value, field| {
            check_value(RuleKey::FILL.name, value, field, self.structs).is_ok()
        };
        let value =
            values.find(|value| rule.found.iter().all(|(_, field)| is_accepted(value, field)));
        value.filter(|_| is_in_all)
    }

    /// Notes the words of the source that servers of the target reject.
    pub(super) fn check_words(
        &mut self,
        (found, field): (&FieldRef, &Field),
        other: &Field,
        how: &mut Option<Mapping>,
    ) {
        let words = match how {
            Some(Mapping::Rule(step) | Mapping::Items(step)) => {
                let [known, theirs] = [field, other].map(|field| self.words(field, step));
                words::refused(step, &known, &theirs)
            }
            Some(Mapping::Same) => {
                let [known, theirs] = [field, other].map(|field| field.property.words_now());
                words::refused_as_they_are(&known, &theirs)
            }
            _ => return,
        };
        self.missing.refused(self.from, found, (self.to, words));
    }

    /// The words of a field, or of the field of its object that a step wraps or takes out.
    fn words(&self, field: &'a Field, step: &RuleStep) -> Vec<&'a str> {
        let wrapped = step.wrapped().and_then(|wrapped| {
            let object = self.structs.of_type(field.rust_type.innermost())?;
            object.fields.iter().find(|field| field.ident == wrapped.ident)
        });
        wrapped.unwrap_or(field).property.words_now()
    }

    /// Notes a field of the target of which servers reject the value that the step makes up. The step then reports it, if it can.
    pub(super) fn check_made_up(
        &mut self,
        rule: &Rule<'a>,
        (source, found): (&FieldRef, &FieldRef),
        how: &mut Option<Mapping>,
    ) {
        let (step, field) = match how {
            Some(Mapping::Rule(step) | Mapping::Part { rule: Some(step), .. }) => {
                (step, found.clone())
            }
            Some(Mapping::Items(step)) => (step, found.item().unwrap_or_else(|| found.clone())),
            _ => return,
        };
        if step.made_up_report().is_none() && !step.action.makes_up_silently() {
            return;
        }
        let structs = self.structs;
        let broken_by_empty = |field: &FieldRef| {
            let value = made_up(&field.rust_type)?;
            Some([value.to_string(), refused(&value, field, structs)?])
        };
        if step.action.passes_empty_on() && broken_by_empty(source).is_some() {
            return;
        }
        if let Some(broken) = broken_by_empty(&field) {
            let is_reported = !step.action.makes_up_silently();
            if let Some(report) = step.made_up_report() {
                *report = Some(rule.paths());
            }
            self.missing.made_up(self.to, &field, broken, (stated_by(rule, &field), is_reported));
        }
    }

    /// Notes a text of the target that ends with a separator, because the rule does not say what follows.
    pub(super) fn check_rest(&mut self, found: &FieldRef, how: Option<&Mapping>) {
        if let Some(Mapping::Rule(step) | Mapping::Items(step)) = how
            && step.action.lacks_rest()
        {
            self.missing.without_rest(self.to, found);
        }
    }

    /// Notes an object of the target that the step of `nest` writes also when it is empty, and that servers reject then.
    pub(super) fn check_empty_object(
        &mut self,
        step: Option<&RuleStep>,
        found: &FieldRef,
        steps: &[Step],
    ) {
        let is_present = step.is_some_and(RuleStep::makes_empty_object);
        let mut fields = steps.iter().filter_map(|step| step.to.as_ref());
        if (is_present || !found.rust_type.is_option())
            && fields.all(|field| field.rust_type.is_option())
            && let empty = serde_json::json!({})
            && let Some(check) = refused(&empty, found, self.structs)
        {
            let broken = [empty.to_string(), check];
            self.missing.made_up(self.to, found, broken, (StatedBy::NotPresent, false));
        }
    }

    /// Notes the required fields of an object of the target that the step makes, for which there are no values.
    pub(super) fn check_made_object(&mut self, to: SideField<'a, '_>, how: Option<&Mapping>) {
        let (Mapping::Rule(step) | Mapping::Items(step) | Mapping::Part { rule: Some(step), .. }) =
            (match how {
                Some(how) => how,
                None => return,
            })
        else {
            return;
        };
        let held = to.field.rust_type.held().and_then(|path| self.structs.get(path));
        let prefix = to.side.inside(to.field);
        for lacking in step.lacks() {
            let found = held.and_then(|of| {
                let spot = self.structs.spot(of, lacking)?;
                let prefix: Vec<&Field> = prefix.iter().copied().chain(spot.prefix).collect();
                Some(field_ref(spot.parent, &prefix, spot.field))
            });
            if let Some(found) = found {
                self.missing.unfilled(self.to, &found, self.from, None);
            }
        }
    }

    /// Reports a rule into a field that a later release requires, where the source can lack the value: the field is an `Option`
    /// because of the releases before, so the types fit, and servers reject what the conversion leaves out.
    pub(super) fn check_required_since(
        &mut self,
        rule: &Rule<'a>,
        from: SideField<'a, '_>,
        to: SideField<'a, '_>,
    ) {
        if let Some(release) = required_since(from, to).filter(|_| rule.kind.role != Role::AsItIs) {
            let path = to.side.field(to.field).path.to_string();
            let (to, release, from) =
                (self.to.to_owned(), release.to_string(), self.from.to_owned());
            let fault = RuleFault::RequiredSince { path, to, release, from };
            rule.report_fault(fault, self.problems);
        }
    }

    /// Notes a field of the target that the newest release of its type does not have. If the same release removed the field of
    /// the source, no server has a value of it any more.
    pub(super) fn check_release(
        &mut self,
        found: &FieldRef,
        from: SideField<'a, '_>,
        to: SideField<'a, '_>,
    ) {
        let last = |at: SideField<'a, '_>| {
            let last = at.field.property.releases.last();
            last.filter(|last| Some(*last) < at.side.parent.schema_type.releases.last())
        };
        if let Some(last) = last(to).filter(|name| last(from) != Some(*name)) {
            self.missing.removed(self.to, found, last);
        }
    }
}

/// The key of a rule that states what a field is where no value fits.
fn stated_by(rule: &Rule<'_>, field: &FieldRef) -> StatedBy {
    let has = |name: &str| rule.kind.keys.iter().any(|key| key.name == name);
    match field.rust_type.innermost() {
        RustType::Struct(_) if has(RuleKey::FILL.name) => StatedBy::EmptyFill,
        _ if has(RuleKey::FALLBACK.name) => StatedBy::Fallback,
        // Absent values have it; this one is of a value.
        _ if rule.value(RuleKey::FILL.name).is_some() => StatedBy::NoKey,
        _ if has(RuleKey::FILL.name) => StatedBy::Fill,
        _ => StatedBy::NoKey,
    }
}
