//! The plan of one directed pair of versions: a step for each field.

use super::gaps::Gaps;
use super::plan::{FieldRef, How, Step, StructPair};
use super::rules::{FieldRules, Rule};
use super::side::{Side, innermost};
use super::structs::{Structs, shown};
use crate::Problems;
use crate::plan::{Field, ItemPath, RustType, Struct};
use crate::rules::FieldRuleName;
use crate::text::join;

/// Plans one directed pair of versions.
pub(super) struct PairPlanner<'a, 'b> {
    pub(super) structs: &'b Structs<'a>,
    pub(super) rules: &'b FieldRules<'a>,
    pub(super) gaps: &'b mut Gaps,
    pub(super) problems: &'b mut Problems,
    pub(super) from: &'b str,
    pub(super) to: &'b str,
    /// The pairs of types around the current one: a type can contain itself.
    pub(super) around: Vec<(ItemPath, ItemPath)>,
}

impl<'a> PairPlanner<'a, '_> {
    /// Plans an object.
    pub(super) fn object(&mut self, from: &'a Struct, to: &'a Struct) -> StructPair {
        self.struct_pair(&Side::new(from, &[]), &Side::new(to, &[]))
    }

    fn struct_pair(&mut self, from: &Side<'a, '_>, to: &Side<'a, '_>) -> StructPair {
        let mut steps = Vec::new();
        for field in &from.of.fields {
            steps.extend(self.step(from, field, to));
        }
        for field in &to.of.fields {
            let found = to.field(field);
            if !steps.iter().any(|step| step.to.as_ref() == Some(&found)) {
                steps.extend(self.without_source(found, to));
            }
        }
        StructPair {
            from: from.of.path.clone(),
            to: to.of.path.clone(),
            is_object: to.of.object.is_some(),
            steps,
        }
    }

    /// Plans a field of the source.
    fn step(&mut self, from: &Side<'a, '_>, field: &'a Field, to: &Side<'a, '_>) -> Option<Step> {
        let found = from.field(field);
        if let Some(rule) = self.rules.find(self.from, &found.path) {
            return self.step_by_rule(rule, (from, field), to);
        }
        let path = to.prefix.iter().map(|field| field.wire.as_str());
        let counterpart = to.at(&join(path.chain([field.wire.as_str()]), "."));
        let counterpart =
            counterpart.filter(|(other, _)| self.rules.find(self.to, &other.path).is_none());
        let Some((other, other_field)) = counterpart else {
            self.gaps.alone(self.from, &found, self.to, from.in_reach());
            return None;
        };
        let how = self.plain((from, field), (to, other_field));
        if how.is_none() {
            let in_reach = from.in_reach() && to.in_reach();
            self.gaps.differing(self.from, &found, in_reach);
            self.gaps.differing(self.to, &other, in_reach);
        }
        Some(Step {
            from: Some(found),
            to: Some(other),
            // Without one there is a problem, and the plan is dropped: the step keeps the fields from a second report.
            how: how.unwrap_or(How::Move),
            places: Vec::new(),
        })
    }

    fn step_by_rule(
        &mut self,
        rule: &Rule<'a>,
        (from, field): (&Side<'a, '_>, &'a Field),
        to: &Side<'a, '_>,
    ) -> Option<Step> {
        let (found, places) = (from.field(field), rule.places());
        let Some(name) = rule.stated.names.get(self.to) else {
            if rule.stated.rule.value == FieldRuleName::KeepAside {
                rule.has_effect();
                return Some(Step { from: Some(found), to: None, how: How::KeepAside, places });
            }
            rule.does_not_fit(format!("it names no field of {}", self.to), self.problems);
            return None;
        };
        let Some((other, other_field)) = to.at(&name.value) else {
            let why = format!(
                "`{}` and `{}` are in different parts of the object",
                found.path, name.value
            );
            rule.does_not_fit(why, self.problems);
            return None;
        };
        let plain = self.plain((from, field), (to, other_field));
        if plain.is_none() || field.wire != other_field.wire {
            rule.has_effect();
        }
        let how = plain.or_else(|| self.by_type(rule, from, (&found, &other)));
        let how = how.unwrap_or(How::Move);
        Some(Step { from: Some(found), to: Some(other), how, places })
    }

    /// Finds the conversion by a rule between two types.
    fn by_type(
        &mut self,
        rule: &Rule<'a>,
        side: &Side<'a, '_>,
        (from, to): (&FieldRef, &FieldRef),
    ) -> Option<How> {
        match (rule.stated.rule.value, &from.rust_type, &to.rust_type) {
            (FieldRuleName::FirstOfList, RustType::List(item), other) if **item == *other => {
                Some(How::FirstOfList)
            }
            (FieldRuleName::FirstOfList, other, RustType::List(item)) if **item == *other => {
                Some(How::ListOfFirst)
            }
            (FieldRuleName::AbsentToZero, RustType::Option(inner), other) if **inner == *other => {
                let other = self.fill_from(rule, side, other);
                Some(How::AbsentToZero { policy: rule.policy.clone(), other })
            }
            (FieldRuleName::AbsentToZero, other, RustType::Option(inner)) if **inner == *other => {
                Some(How::ZeroToAbsent)
            }
            (_, from_type, to_type) => {
                let why = format!(
                    "`{}` of {} is `{}`, and `{}` of {} is `{}`",
                    from.path,
                    self.from,
                    shown(from_type),
                    to.path,
                    self.to,
                    shown(to_type)
                );
                rule.does_not_fit(why, self.problems);
                None
            }
        }
    }

    /// The field whose value a policy can use. It is in the same struct as the field to fill.
    fn fill_from(
        &mut self,
        rule: &Rule<'a>,
        side: &Side<'a, '_>,
        value: &RustType,
    ) -> Option<FieldRef> {
        let name = rule.stated.fill_from.as_ref()?;
        let other = side.at(&name.value).map(|(other, _)| other);
        let fits = |other: &FieldRef| other.rust_type.present() == value;
        if !other.as_ref().is_some_and(fits) {
            let why = format!(
                "{} has no `{}` of the type `{}` next to the field to fill",
                self.from,
                name.value,
                shown(value)
            );
            rule.does_not_fit(why, self.problems);
        }
        other
    }

    /// Finds the conversion of a field without a rule; `None` if the types do not fit.
    fn plain(
        &mut self,
        (from, field): (&Side<'a, '_>, &'a Field),
        (to, other): (&Side<'a, '_>, &'a Field),
    ) -> Option<How> {
        let (source, target) = (&field.rust_type, &other.rust_type);
        if source == target {
            return Some(How::Move);
        }
        let always_there = matches!(source, RustType::Struct(_));
        let (source, target) = innermost(source, target)?;
        let pair = (source.clone(), target.clone());
        let (source, target) = (self.structs.get(source)?, self.structs.get(target)?);
        if self.around.contains(&pair) {
            // Counts as equal here; `report_recursion` checks it when the pair is planned.
            let (from, to) = pair;
            return Some(How::Recursive { from, to });
        }
        self.around.push(pair);
        let (inside, others) = (from.inside(field), to.inside(other));
        let part = self.struct_pair(&Side::new(source, &inside), &Side::new(target, &others));
        self.around.pop();
        if part.is_equal_shape() {
            return Some(How::Into(part));
        }
        self.report_recursion(&part);
        always_there.then_some(How::Part(part))
    }

    /// Reports a struct with rules that holds values of its own type: a rule names one place of an object.
    fn report_recursion(&mut self, part: &StructPair) {
        let inner = part.inner().into_iter().map(|(_, part)| part);
        let pairs = std::iter::once(part).chain(inner);
        for step in pairs.flat_map(|pair| &pair.steps) {
            if let How::Recursive { from, to } = &step.how
                && (from, to) == (&part.from, &part.to)
            {
                for (version, field) in [(self.from, &step.from), (self.to, &step.to)] {
                    if let Some(field) = field {
                        self.gaps.differing(version, field, false);
                    }
                }
            }
        }
    }

    /// Plans a field of the target that has no source.
    fn without_source(&mut self, found: FieldRef, side: &Side<'a, '_>) -> Option<Step> {
        let Some(rule) = self.rules.find(self.to, &found.path) else {
            self.gaps.alone(self.to, &found, self.from, side.in_reach());
            return None;
        };
        let stated = rule.stated;
        if stated.names.contains_key(self.from) || stated.rule.value != FieldRuleName::KeepAside {
            // The pair in the other direction reports what is wrong with the rule.
            return None;
        }
        rule.has_effect();
        Some(Step { from: None, to: Some(found), how: How::TakeBack, places: rule.places() })
    }
}
