//! The plan of one directed pair of versions: a step for each field.

use std::collections::BTreeSet;

use super::actions::ObjectForm;
use super::field_ref::Paths;
use super::nested_around_moves::{decided_last, inside};
use super::plan::{FieldRef, ItemNames, KeptForm, Mapping, Step, StructPair};
use super::planner::{NamedField, PairPlanner, repeated_key, struct_pair_of};
use super::rule::{Between, Role, Rule, Unmatched};
use super::rule_step::Effect;
use super::steps::{absent_to_zero, pattern, varying, words};
use super::structs::{Side, SideField, innermost, name_of, required_since};
use crate::gather::Gather;
use crate::plan::{Field, ItemPath, Presence, RustType, Struct};
use crate::problem::RuleFault;
use crate::rules::paths::{FieldPath, without_items};

impl<'a, 'b> PairPlanner<'a, 'b> {
    /// Plans an object.
    pub(super) fn object(&mut self, from: &'a Struct, to: &'a Struct) -> StructPair {
        self.struct_pair(&Side::new(from, &[]), &Side::new(to, &[]))
    }

    fn struct_pair(&mut self, from: &Side<'a, '_>, to: &Side<'a, '_>) -> StructPair {
        let nested = self.nested((from, self.from), (to, self.to));
        let flattened = self.nested((to, self.to), (from, self.from));
        self.check_nested(&nested, from, to);
        let mut steps = Vec::new();
        self.sides.push((from.path.clone(), to.path.clone()));
        for field in &from.parent.fields {
            if let Some(nested) = flattened.iter().find(|nested| nested.field.wire == field.wire) {
                steps.push(self.flatten(nested, from, to));
            } else if !nested
                .iter()
                .any(|nested| self.enters(nested, SideField { side: from, field }, to))
            {
                steps.extend(self.step(from, field, to));
            }
        }
        for nested in &nested {
            steps.push(self.nest(nested, from, to));
        }
        self.without_step(to, &mut steps);
        let moves = self.moves(from, to, &steps);
        self.pass_in_objects_around(&moves, &mut steps);
        self.sides.pop();
        let objects_around_moves = self.objects_around(&moves, &steps, (from, to));
        let emptied_by_moves = Self::emptied(&moves, &steps, from);
        let moves = moves.into_iter().map(|step| inside(step, (from, to))).collect();
        let nested_around_moves = decided_last(&mut steps, &objects_around_moves, to);
        let is_object = to.parent.object.is_some();
        StructPair {
            is_object,
            patterns: self.patterns(from, to),
            moves,
            objects_around_moves,
            emptied_by_moves,
            nested_around_moves,
            ..struct_pair_of(from, to, steps)
        }
    }

    /// Plans the fields of the target that no step makes.
    pub(super) fn without_step(&mut self, to: &Side<'a, '_>, steps: &mut Vec<Step>) {
        let made = made_by(steps);
        for field in &to.parent.fields {
            let found = to.field(field);
            if !made.contains(&found.path) {
                steps.extend(self.without_source(found));
            }
        }
    }

    /// Plans a field of the source.
    pub(super) fn step(
        &mut self,
        from: &Side<'a, '_>,
        field: &'a Field,
        to: &Side<'a, '_>,
    ) -> Option<Step> {
        let (found, source) = (from.field(field), SideField { side: from, field });
        if self.rules.is_key((self.from, &found), self.to) {
            return Some(Step { from: Some(found), how: Mapping::Key, ..Step::default() });
        }
        if let Some(rule) = self.rules.repeats_key((self.from, &found), self.to) {
            return Some(repeated_key(rule, found, Effect::Keeps));
        }
        if let Some(rule) = self.rules.find(self.from, &found) {
            return self.step_by_rule(rule, source, to);
        }
        let counterpart = to.at(&to.path.child(&name_of(field)), self.structs);
        let counterpart =
            counterpart.filter(|(other, _)| self.rules.find(self.to, other).is_none());
        let counterpart = counterpart
            .filter(|(_, other)| !rest_differs(source, SideField { side: to, field: other }));
        let counterpart =
            counterpart.filter(|(other, _)| !self.rules.is_key((self.to, other), self.from));
        let Some((other, other_field)) = counterpart else {
            self.missing.unmatched(self.from, &found, (self.to, self.rules.find(self.to, &found)));
            return None;
        };
        let target = SideField { side: to, field: other_field };
        let mut how = self.plain(source, target);
        self.check_words((&found, field), other_field, &mut how);
        self.check_release(&other, source, target);
        if how.is_some() && required_since(source, target).is_some() {
            // An object that has the field is not refused.
            self.missing.unfilled(self.to, &other, self.from, None);
        }
        if how.is_none() {
            let fields = [(self.from, &found), (self.to, &other)];
            self.missing.differing(fields, self.structs, true);
            self.look_inside(source, target);
        }
        // A field without a conversion is a problem, and the plan is dropped. The step is made nevertheless, so that its fields are not
        // reported again as missing.
        let is_planned = how.is_some();
        let how = how.unwrap_or_default();
        let mut step = Step { from: Some(found), to: Some(other), how, ..Step::default() };
        if is_planned {
            self.leave_out_empty(&mut step);
        }
        Some(step)
    }

    /// Checks the step that a rule makes, and reports a rule that makes none.
    fn check_step(
        &mut self,
        rule: &Rule<'a>,
        (found, from): (&FieldRef, SideField<'a, '_>),
        (other, to): (&FieldRef, SideField<'a, '_>),
        how: &mut Option<Mapping>,
    ) {
        self.check_words((found, from.field), to.field, how);
        self.check_release(other, from, to);
        self.check_made_up(rule, (found, other), how);
        self.check_rest(other, how.as_ref());
        self.check_made_object(to, how.as_ref());
        self.check_required_since(rule, from, to);
        if how.is_none() {
            rule.report_types(self.problems);
            self.look_inside(from, to);
        }
    }

    fn step_by_rule(
        &mut self,
        rule: &'b Rule<'a>,
        from: SideField<'a, '_>,
        to: &Side<'a, '_>,
    ) -> Option<Step> {
        let found = from.side.field(from.field);
        if rule.kind.role == Role::Pattern {
            return self.by_pattern(rule, found, to);
        }
        let places = match rule.kind.role {
            Role::AsItIs => vec![(self.from.to_owned(), found.path.clone())],
            _ => rule.places(),
        };
        let name = Some(rule.kind.name);
        let Some(target) = rule.stated.names.get(self.to) else {
            return self.without_target(rule, found, places);
        };
        let Some((other, other_field)) = to.at(without_items(&target.value), self.structs) else {
            // The struct around both parts moves the field.
            let moves = self.check_move(rule, &found);
            let (from, how) = (Some(found), Mapping::Moved);
            return moves.then_some(Step { from, how, rule: name, places, ..Step::default() });
        };
        let target = SideField { side: to, field: other_field };
        if rest_differs(from, target) {
            rule.report_fault(RuleFault::OtherMembers, self.problems);
        }
        // Words differ where types do not. A function converts an object whole, so its fields need no rules.
        let changes = (rule.kind.changes)(rule, self.from, self.to);
        let plain = if changes { None } else { self.plain(from, target) };
        if plain.is_none() || found.path != other.path {
            rule.note_effect();
        }
        let is_kept_as_it_is = plain.is_some() || rule.kind.role == Role::AsItIs;
        let mut kept_form = if is_kept_as_it_is { None } else { self.kept_form(rule) };
        let fit =
            plain.or_else(|| self.fit(rule, (&found, from.side), &other, kept_form.is_some()));
        let mut how = fit.or_else(|| self.part_by_rule(rule, from, target, &mut kept_form));
        self.check_step(rule, (&found, from), (&other, target), &mut how);
        let (from, to) = (Some(found), Some(other));
        let how = how.unwrap_or_default();
        let mut step = Step { from, to, how, rule: name, places, kept_form, ..Step::default() };
        if rule.kind.role == Role::Move {
            self.leave_out_empty(&mut step);
        }
        Some(step)
    }

    /// The step of a field that the target lacks by a rule.
    fn without_target(
        &mut self,
        rule: &'b Rule<'a>,
        found: FieldRef,
        places: Paths,
    ) -> Option<Step> {
        let steps = |unmatched: Unmatched| unmatched(rule, &found, self.structs, self.problems);
        let Some([keep, _]) = rule.kind.unmatched.and_then(steps) else {
            rule.report_lacking(self.problems);
            return None;
        };
        rule.note_effect();
        let kept_form = self.kept_form(rule);
        let (from, how, rule) = (Some(found), Mapping::Rule(keep), Some(rule.kind.name));
        Some(Step { from, how, rule, places, kept_form, ..Step::default() })
    }

    /// The step of a field of the source that patterns are about.
    fn by_pattern(
        &mut self,
        rule: &'b Rule<'a>,
        found: FieldRef,
        to: &Side<'a, '_>,
    ) -> Option<Step> {
        let object = rule.objects.get(self.to)?;
        if to.path != **object {
            let (path, object) = (found.path.to_string(), (*object).to_owned());
            let (from, to) = (self.from.to_owned(), self.to.to_owned());
            let fault = RuleFault::InOtherObject { path, from, object, to };
            rule.report_fault(fault, self.problems);
        }
        let (from, rule) = (Some(found), Some(rule.kind.name));
        Some(Step { from, how: Mapping::ByPattern, rule, ..Step::default() })
    }

    /// The steps of the patterns about two objects.
    fn patterns(&mut self, from: &Side<'a, '_>, to: &Side<'a, '_>) -> Vec<Step> {
        let (versions, rules) = ((self.from, self.to), self.rules);
        let is_about = |rule: &&Rule<'_>| rule.objects.get(versions.1) == Some(&to.path.as_str());
        let mut steps = Vec::new();
        for rule in rules.of_members(versions.0, &from.path).filter(is_about) {
            let of = (&from.parent.path, &to.parent.path);
            if let Some(step) = pattern::step(rule, versions, of, self.structs, self.problems) {
                rule.note_effect();
                self.check_passed_on(&step, from, to);
                let (how, places) = (Mapping::Rule(step), pattern::kept(rule, self.from));
                let rule = Some(rule.kind.name);
                steps.push(Step { how, rule, places, ..Step::default() });
            }
        }
        steps
    }

    /// The step of a rule between two fields, or between their items. With `has_kept_form` the form of one of them is
    /// converted from or into the form that is kept.
    pub(super) fn fit(
        &mut self,
        rule: &'b Rule<'a>,
        (found, from): (&FieldRef, &Side<'a, '_>),
        other: &FieldRef,
        has_kept_form: bool,
    ) -> Option<Mapping> {
        let items = (rule.is_of_items(self.from), rule.is_of_items(self.to));
        let mapping = if items.0 { Mapping::Items } else { Mapping::Rule };
        let (one, two) = match items {
            (true, true) if are_alike(found, other) => (found.item()?, other.item()?),
            (false, false) => (found.clone(), other.clone()),
            _ => return None,
        };
        let kept = |version: &str| {
            let places = rule.places();
            let form = has_kept_form && places.iter().any(|(other, _)| other == version);
            self.form(rule, &places.first().filter(|_| form)?.0)
        };
        let field = |form: &NamedField<'a, '_>| {
            let field = form.spot.reference();
            if items.0 { field.item() } else { Some(field) }
        };
        let (source, target) = (kept(self.from), kept(self.to));
        let one = source.as_ref().and_then(field).unwrap_or(one);
        let two = target.as_ref().and_then(field).unwrap_or(two);
        let versions = (
            source.as_ref().map_or(self.from, |form| form.version),
            target.as_ref().map_or(self.to, |form| form.version),
        );
        let side = source.as_ref().map(|form| form.spot.side());
        let from = (&one, versions.0, side.as_ref().unwrap_or(from));
        let between = Between { rule, structs: self.structs, from, to: (&two, versions.1) };
        Some(mapping(varying::step(&between, self.problems)?))
    }

    /// The conversion between the form of the source or the target and the form in which the rule keeps the field, which is
    /// the lowest version's. `None` if the forms are equal.
    pub(super) fn kept_form(&mut self, rule: &'b Rule<'a>) -> Option<Box<KeptForm>> {
        let places = rule.places();
        let (lowest, _) = places.first()?;
        let is_form = |version: &&str| places.iter().any(|(other, _)| other == version);
        let (from, to) = match [self.from, self.to].map(|version| Some(version).filter(is_form)) {
            [Some(version), None] => (version, lowest.as_str()),
            [None, Some(version)] => (lowest.as_str(), version),
            _ => return None,
        };
        let (source, target) = (self.form(rule, from)?, self.form(rule, to)?);
        if source.version == target.version {
            return None;
        }
        let mut planner = PairPlanner {
            structs: self.structs,
            versions: self.versions,
            rules: self.rules,
            missing: &mut *self.missing,
            problems: &mut *self.problems,
            from: source.version,
            to: target.version,
            leaves_out_empty: self.leaves_out_empty,
            around: self.around.clone(),
            sides: Vec::new(),
        };
        let (source, target) = (source.spot, target.spot);
        let how = planner.plain(
            SideField { side: &source.side(), field: source.field },
            SideField { side: &target.side(), field: target.field },
        )?;
        let Mapping::Part { pair, items, .. } = how else {
            return None;
        };
        let field = source.reference();
        Some(Box::new(KeptForm { from: from.to_owned(), to: to.to_owned(), field, pair, items }))
    }

    /// Finds the conversion of a field without a rule; `None` if the types do not fit.
    pub(super) fn plain(
        &mut self,
        from: SideField<'a, '_>,
        to: SideField<'a, '_>,
    ) -> Option<Mapping> {
        let (source, target) = (&from.field.rust_type, &to.field.rust_type);
        if source == target {
            let (found, other) = (from.side.field(from.field), to.side.field(to.field));
            let is_there = |field| self.structs.is_always_there(field);
            return Some(if is_there(&other) && !is_there(&found) {
                Mapping::Rule(absent_to_zero::require_time((&found, self.from), (&other, self.to)))
            } else {
                Mapping::Same
            });
        }
        if let Some(same) = words::same(source, target) {
            return Some(Mapping::Rule(same));
        }
        self.structs_of(from, to, innermost(source, target)?)
    }

    /// The step for a struct that can be absent in only one of the two versions, or that is the first item of a list.
    fn part_by_rule(
        &mut self,
        rule: &Rule<'a>,
        from: SideField<'a, '_>,
        to: SideField<'a, '_>,
        kept_form: &mut Option<Box<KeptForm>>,
    ) -> Option<Mapping> {
        let fields = (from.side.field(from.field), to.side.field(to.field));
        let of_items = [self.from, self.to].map(|version| rule.is_of_items(version));
        let (one, other) = match of_items {
            [true, true] if are_alike(&fields.0, &fields.1) => {
                (fields.0.item()?.rust_type, fields.1.item()?.rust_type)
            }
            [false, false] => (fields.0.rust_type, fields.1.rust_type),
            _ => return None,
        };
        let forms = (&one, &other);
        let (types, mut step) = (rule.kind.objects)(rule, forms, self.structs, self.problems)?;
        if let Some(object) = step.optional_object_mut().filter(|_| of_items == [true; 2]) {
            object.of = ObjectForm::Item;
        }
        if !step.keeps_objects() {
            *kept_form = None;
        }
        match self.structs_of(from, to, types)? {
            Mapping::Into(mut pair) | Mapping::Part { mut pair, .. } => {
                self.complete_object((from, to), &mut step, &mut pair.steps);
                Some(Mapping::Part { pair, items: ItemNames::default(), rule: Some(step) })
            }
            _ => None,
        }
    }

    /// Finds what needs a rule inside two objects that have no step yet, because only one of them can be absent: all rules that a
    /// kind needs are known at once.
    fn look_inside(&mut self, from: SideField<'a, '_>, to: SideField<'a, '_>) {
        let (source, target) = (from.field.rust_type.present(), to.field.rust_type.present());
        if let (RustType::Struct(source), RustType::Struct(target)) = (source, target) {
            self.structs_of(from, to, (source, target));
        }
    }

    /// Plans the structs of these types, which two fields hold.
    pub(super) fn structs_of(
        &mut self,
        from: SideField<'a, '_>,
        to: SideField<'a, '_>,
        (source, target): (&ItemPath, &ItemPath),
    ) -> Option<Mapping> {
        let types = (source.clone(), target.clone());
        let (source, target) = (self.structs.get(source)?, self.structs.get(target)?);
        // A type of another crate can only be built from its `Default`.
        if [source, target].iter().any(|of| of.path.is_shared() && !of.traits.default) {
            return None;
        }
        if self.around.contains(&types) {
            // Counts as equal here; `report_recursion` checks it when the pair is planned.
            let (from, to) = types;
            return Some(Mapping::Recursive { from, to });
        }
        self.around.push(types);
        let (own, others) = (from.side.inside(from.field), to.side.inside(to.field));
        let part = self.struct_pair(&Side::new(source, &own), &Side::new(target, &others));
        self.around.pop();
        if part.is_equal_shape() {
            return Some(Mapping::Into(part));
        }
        self.report_recursion(&part);
        Some(Mapping::Part { pair: part, items: ItemNames::default(), rule: None })
    }

    /// Reports a struct with rules that holds values of its own type: a rule names one place of an object.
    fn report_recursion(&mut self, part: &StructPair) {
        let inner = part.inner().into_iter().map(|(_, part)| part);
        let pairs = std::iter::once(part).chain(inner);
        for step in pairs.flat_map(|pair| &pair.steps) {
            if let Mapping::Recursive { from, to } = &step.how
                && (from, to) == (&part.from, &part.to)
                && let (Some(one), Some(other)) = (&step.from, &step.to)
            {
                let fields = [(self.from, one), (self.to, other)];
                self.missing.differing(fields, self.structs, false);
            }
        }
    }
}

/// Returns `true` if both fields are lists, or none is, and both are optional, or none is.
fn are_alike(one: &FieldRef, other: &FieldRef) -> bool {
    one.rust_type.is_list() == other.rust_type.is_list()
        && one.rust_type.is_option() == other.rust_type.is_option()
}

/// Returns `true` if both fields have the members that their schemas do not name, and these name different ones. A member can
/// have a name in one version and be among the others in the other version, so it would be there twice.
fn rest_differs(from: SideField<'_, '_>, to: SideField<'_, '_>) -> bool {
    let names = |side: &Side<'_, '_>| -> BTreeSet<String> {
        side.parent.fields.iter().map(|field| field.wire.clone()).gather()
    };
    let are_rest = [from, to].iter().all(|at| at.field.presence == Presence::Rest);
    are_rest && names(from.side) != names(to.side)
}

/// The paths of the fields of the target that steps make.
fn made_by(steps: &[Step]) -> BTreeSet<FieldPath> {
    let mut made = BTreeSet::new();
    for step in steps {
        made.extend(step.to.as_ref().map(|field| field.path.clone()));
        if let Mapping::Flatten(_, inner) = &step.how {
            made.extend(made_by(&inner.steps));
        }
    }
    made
}
