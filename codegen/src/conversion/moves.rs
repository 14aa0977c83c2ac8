//! Fields that move into another part of the object.
//!
//! The innermost struct around both places takes a field out of the source and puts it into the target: an assignment in the
//! generated code. An optional object around it is made if it is absent, and the runtime decides whether it is there when its
//! fields have moved out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::actions::{Action, Filled, MovedObject};
use super::field_ref::Paths;
use super::nested_around_moves::below;
use super::plan::{FieldRef, Mapping, Step};
use super::planner::PairPlanner;
use super::rule::{Role, Rule, RuleKey};
use super::rule_step::RuleStep;
use super::structs::{Side, SideField, required_fields};
use crate::gather::Gather;
use crate::plan::Struct;
use crate::problem::RuleFault;
use crate::rules::paths::{self, FieldPath, is_in_items};

/// The field of a step on one side.
type OnSide = fn(&Step) -> Option<&FieldRef>;

impl<'a, 'b> PairPlanner<'a, 'b> {
    /// The fields that move between parts of this struct: it is the innermost one around both places.
    pub(super) fn moves(
        &mut self,
        from: &Side<'a, '_>,
        to: &Side<'a, '_>,
        steps: &[Step],
    ) -> Vec<Step> {
        let rules = self.rules;
        let converted = Converted::of(steps);
        let mut moves = Vec::new();
        for rule in rules.inside(self.from, &from.path).filter(|rule| rule.kind.moves) {
            let fields = rule.in_version(self.from).zip(rule.in_version(self.to));
            let Some((source, target)) = fields.filter(|(source, target)| {
                is_apart(source, from) && is_apart(target, to) && !converted.has(source, target)
            }) else {
                continue;
            };
            if let Some(how) = self.moved(rule) {
                self.check_entered(rule, (source, target), (&how, &converted));
                self.check_filled(rule, &[below(source, from), below(target, to)], &how);
                let (from, to) = (Some(source.clone()), Some(target.clone()));
                let places = if let Mapping::Rule(_) = how { rule.places() } else { Paths::new() };
                let rule = Some(rule.kind.name);
                moves.push(Step { from, to, how, rule, places, ..Step::default() });
            }
        }
        // A field moves out of its object before the object moves.
        moves.sort_by_key(|step| Reverse(step.from.as_ref().map(|from| from.idents.len())));
        moves
    }

    /// Reports an object that moves as a whole, where an object around it takes another field there: one of the two would be lost.
    fn check_entered(
        &mut self,
        rule: &Rule<'a>,
        (source, target): (&FieldRef, &FieldRef),
        (how, converted): (&Mapping, &Converted<'_>),
    ) {
        if !matches!(how, Mapping::Part { .. } | Mapping::Into(_)) {
            return;
        }
        let entering = self.rules.inside(self.to, &target.path);
        let moved = entering.filter(|other| other.kind.moves);
        let mut fields = moved.filter_map(|other| {
            let (from, to) = (other.in_version(self.from)?, other.in_version(self.to)?);
            let enters = from.path.inside(&source.path).is_none();
            (enters && converted.has(from, to)).then_some(&to.path)
        });
        if let Some(field) = fields.next() {
            let (field, object) = (field.to_string(), target.path.to_string());
            rule.report_fault(RuleFault::ReplacedWhole { field, object }, self.problems);
        }
    }

    /// Reports a rule that states the value of a field which moves, where one of the objects around it can be absent: with nothing but this
    /// value the object would count as absent.
    fn check_filled(&mut self, rule: &Rule<'a>, fields: &[FieldRef; 2], how: &Mapping) {
        let is_in_optional = |field: &FieldRef| {
            field.options.split_last().is_some_and(|(_, around)| around.contains(&true))
        };
        if let Mapping::Rule(step) = how
            && step.stated_in_source().or(step.stated_in_target()).is_some()
            && fields.iter().any(is_in_optional)
        {
            rule.report_fault(RuleFault::FillOfMoved, self.problems);
        }
    }

    /// The conversion of a field that moves. Reports types that do not fit.
    fn moved(&mut self, rule: &'b Rule<'a>) -> Option<Mapping> {
        let (from, to) = (self.form(rule, self.from)?, self.form(rule, self.to)?);
        let (source, target) = (from.spot.side(), to.spot.side());
        let from = SideField { side: &source, field: from.spot.field };
        let to = SideField { side: &target, field: to.spot.field };
        let (found, other) = (source.field(from.field), target.field(to.field));
        let changes = (rule.kind.changes)(rule, self.from, self.to);
        let plain = if changes { None } else { self.plain(from, to) };
        let mut how = plain.or_else(|| self.fit(rule, (&found, &source), &other, false));
        self.check_words((&found, from.field), to.field, &mut how);
        self.check_made_up(rule, (&found, &other), &mut how);
        if how.is_none() {
            rule.report_types(self.problems);
        }
        how
    }

    /// The objects around moved fields that can be absent in both versions, inner ones first.
    pub(super) fn objects_around(
        &mut self,
        moves: &[Step],
        steps: &[Step],
        (from, to): (&Side<'a, '_>, &Side<'a, '_>),
    ) -> Vec<Step> {
        let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
        for step in moves {
            let rule = step.from.as_ref().and_then(|from| self.rules.find(self.from, from));
            let may_be_empty = rule.is_some_and(|rule| rule.value(RuleKey::FILL.name).is_some());
            let sides: [(Option<&FieldRef>, OnSide); 2] = [
                (step.from.as_ref(), |step| step.from.as_ref()),
                (step.to.as_ref(), |step| step.to.as_ref()),
            ];
            for (field, side) in sides {
                let around =
                    field.map(|field| around((steps, moves), field, side)).unwrap_or_default();
                self.check_around(step, &around);
                let is_new = |(_, to, _): &Object<'_>| seen.insert(to.path.clone());
                let new = around.optional.into_iter().filter(is_new);
                all.extend(new.map(|object| (object, may_be_empty)));
            }
        }
        let innermost_first =
            all.into_iter().sorted_by_key(|((_, to, _), _)| Reverse(to.idents.len()));
        let steps = innermost_first.into_iter().map(|((source, target, inside), may_be_empty)| {
            let around = (below(source, from), below(target, to));
            let filled = (self.filled_in_source(inside), self.filled(inside));
            self.settle((source, target), around, moves, may_be_empty, filled)
        });
        steps.collect()
    }

    /// [`pass_required`](Self::pass_required) in the objects around moved fields that can be absent in both versions.
    pub(super) fn pass_in_objects_around(&self, moves: &[Step], steps: &mut [Step]) {
        let sides: [OnSide; 2] = [|step| step.from.as_ref(), |step| step.to.as_ref()];
        let mut objects = BTreeSet::new();
        for (field, side) in moves.iter().flat_map(|step| sides.map(|side| (side(step), side))) {
            let around = field.map(|field| around((&*steps, moves), field, side));
            let optional = around.into_iter().flat_map(|around| around.optional);
            objects.extend(optional.map(|(_, to, _)| to.path.clone()));
        }
        if !objects.is_empty() {
            self.pass_inside(&objects, steps);
        }
    }

    /// [`pass_required`](Self::pass_required) in these objects of the target.
    fn pass_inside(&self, objects: &BTreeSet<FieldPath>, steps: &mut [Step]) {
        for step in steps {
            match (&mut step.how, &step.to) {
                (Mapping::Part { pair, .. }, Some(to)) => {
                    if objects.contains(&to.path) && to.rust_type.is_option() {
                        self.pass_required(&mut pair.steps);
                    }
                    self.pass_inside(objects, &mut pair.steps);
                }
                (Mapping::Nest(_, pair) | Mapping::Flatten(_, pair), _) => {
                    self.pass_inside(objects, &mut pair.steps);
                }
                _ => {}
            }
        }
    }

    /// The sub-objects of `nest` in the source out of which fields move, inner ones first.
    pub(super) fn emptied(moves: &[Step], steps: &[Step], from: &Side<'a, '_>) -> Vec<Step> {
        let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
        for field in moves.iter().filter_map(|step| step.from.as_ref()) {
            for step in around((steps, moves), field, |step| step.from.as_ref()).flattened {
                let nested = step.from.as_ref().filter(|nested| seen.insert(nested.path.clone()));
                all.extend(nested.map(|nested| (below(nested, from), step.places.clone())));
            }
        }
        let innermost_first = all.into_iter().sorted_by_key(|(from, _)| Reverse(from.idents.len()));
        let step = |(from, places)| Step { from: Some(from), places, ..Step::default() };
        innermost_first.into_iter().map(step).collect()
    }

    /// Reports an object that a field cannot enter or leave by an assignment.
    fn check_around(&mut self, moved: &Step, around: &Around<'_>) {
        let rule = moved.from.as_ref().and_then(|from| self.rules.find(self.from, from));
        if let Some((rule, object)) = rule.zip(around.other) {
            let object = object.path.to_string();
            let fault = if around.other_is_nested {
                RuleFault::AroundMovedPresent { object }
            } else {
                RuleFault::AroundMoved { object }
            };
            rule.report_fault(fault, self.problems);
        }
    }

    /// The step that decides whether an object is there.
    fn settle(
        &mut self,
        (source, target): (&FieldRef, &FieldRef),
        (from, to): (FieldRef, FieldRef),
        moves: &[Step],
        may_be_empty: bool,
        filled: (Option<Filled>, Option<Filled>),
    ) -> Step {
        let mut paths = self.paths_of(&from);
        let around = paths.clone();
        let elsewhere =
            paths.iter().flat_map(|(version, path)| self.moved_inside(version, path)).collect();
        // A version without a moved field inside can tell.
        if paths.iter().any(|(version, path)| !self.has_moved(version, path)) {
            paths.retain(|(version, path)| !self.has_moved(version, path));
        }
        let leaving = crossing(moves, source, |step| step.from.as_ref());
        let entering = crossing(moves, target, |step| step.to.as_ref());
        let mut required_in_source = self.required_besides(&leaving, &from);
        let mut required = self.required_besides(&entering, &to);
        // Whether these have a value of their own, notes say.
        for (names, filled) in [(&mut required_in_source, &filled.0), (&mut required, &filled.1)] {
            let filled = filled.as_ref();
            names.retain(|name| filled.is_none_or(|filled| !filled.has(name)));
        }
        let left_out = self.left_out(&from, &to);
        let object = MovedObject {
            around,
            moved: elsewhere,
            noted: (
                noted(&leaving, Step::notes_of_source),
                noted(&entering, Step::notes_of_target),
            ),
            required_in_source,
            required,
            may_be_empty,
            filled,
            left_out,
        };
        let how = Mapping::Rule(RuleStep::keeps(Action::Move(object)));
        let (from, to) = (Some(from), Some(to));
        Step { from, to, how, places: paths, ..Step::default() }
    }

    /// The required fields of an object that do not move. The steps of the moved fields tell whether these have a value.
    fn required_besides(&self, moved: &[(&Step, String)], object: &FieldRef) -> Vec<String> {
        let of = self.structs.of_type(object.rust_type.present());
        let mut required = of.map(required_fields).unwrap_or_default();
        required.retain(|name| !moved.iter().any(|(_, moved)| moved == name));
        required
    }

    /// The path of an object of the source in each version, lowest first.
    pub(super) fn paths_of(&self, object: &FieldRef) -> Paths {
        if let Some(rule) = self.rules.find(self.from, object) {
            return rule.paths();
        }
        let path = |(version, of): &(String, &'a Struct)| {
            let path = self.path_in(version, (self.from, &object.path));
            self.structs.spot(of, &path).map(|_| (version.clone(), path))
        };
        self.versions.iter().filter_map(path).collect()
    }

    /// Returns `true` if a version has a field in this object that another version has elsewhere.
    pub(super) fn has_moved(&self, version: &str, object: &str) -> bool {
        !self.moved_inside(version, object).is_empty()
    }

    /// The fields in this object that another version has elsewhere: the version, and the path of each.
    fn moved_inside(&self, version: &str, object: &str) -> Paths {
        let inside = self.rules.inside(version, object).filter(|rule| rule.kind.moves);
        let mut objects = BTreeMap::new();
        let moved = inside.filter(|rule| {
            rule.fields().any(|(other, field)| {
                let in_other = || self.path_in(other, (version, object));
                field.path.inside(objects.entry(other).or_insert_with(in_other)).is_none()
            })
        });
        let fields = moved.filter_map(|rule| rule.in_version(version));
        fields.map(|field| (version.to_owned(), field.path.clone())).collect()
    }

    /// The path in a version of an object of another version: a rule names it or an object around it, or it is in a sub-object of `nest` in
    /// one of them.
    fn path_in(&self, version: &str, (of, object): (&str, &str)) -> FieldPath {
        let rule = self.rules.at(of, object);
        if let Some(field) = rule.and_then(|rule| rule.in_version(version)) {
            return field.path.clone();
        }
        self.rules
            .nests()
            .find_map(|rule| self.path_by_nest(rule, version, (of, object)))
            .or_else(|| self.path_by_rename(version, (of, object)))
            .unwrap_or_else(|| FieldPath::of(object))
    }

    /// The path in a version of an object that the other version has in the sub-object of a rule `nest`, or the other way round.
    fn path_by_nest(
        &self,
        rule: &Rule<'_>,
        version: &str,
        (of, object): (&str, &str),
    ) -> Option<FieldPath> {
        if let (Some(nested), Some(flat)) = (rule.in_version(of), rule.flat.get(version)) {
            let inside = paths::inside(object, &nested.path)?;
            return Some(FieldPath::of(flat).child(inside));
        }
        let (flat, nested) = (rule.flat.get(of)?, rule.in_version(version)?);
        let path = nested.path.child(paths::inside(object, flat)?);
        let (_, root) = self.versions.iter().find(|(name, _)| name == version)?;
        self.structs.spot(root, &path).map(|_| path)
    }

    /// The path in a version of an object in one that a rule renames: the innermost of these.
    fn path_by_rename(&self, version: &str, (of, object): (&str, &str)) -> Option<FieldPath> {
        let mut around = paths::split_last(object).0;
        while !around.is_empty() {
            let plain = paths::without_items(around);
            let rule = self.rules.at(of, plain);
            let rule = rule.filter(|rule| matches!(rule.kind.role, Role::Move | Role::Filled));
            if let Some(renamed) = rule.and_then(|rule| rule.in_version(version)) {
                let rest = object.strip_prefix(plain)?;
                return Some(FieldPath::of(&format!("{}{rest}", renamed.path)));
            }
            around = paths::split_last(around).0;
        }
        None
    }

    /// Checks that a field can move into another part.
    pub(super) fn check_move(&mut self, rule: &Rule<'a>, from: &FieldRef) -> bool {
        let Some(to) = rule.in_version(self.to) else {
            return false;
        };
        if self.can_move(rule, from, to) {
            if let Some(object) = self.kept_around(from, to) {
                let object = object.to_owned();
                rule.report_fault(RuleFault::KeptWhole { object }, self.problems);
            }
            rule.note_effect();
            return true;
        }
        // The pair of the other direction has the same reason.
        let paths =
            [(&from.path).min(&to.path), (&from.path).max(&to.path)].map(ToString::to_string);
        let fault = if rule.kind.moves {
            RuleFault::InItemsOfOne(paths)
        } else {
            RuleFault::InDifferentParts(paths)
        };
        rule.report_fault(fault, self.problems);
        false
    }

    /// An object around one of these fields that the other version does not have, because a rule keeps it aside.
    fn kept_around(&self, from: &FieldRef, to: &FieldRef) -> Option<&str> {
        let keeps = |rule: &&Rule<'a>| rule.kind.role == Role::KeepAside;
        let sides = [(self.from, from, self.to), (self.to, to, self.from)];
        sides.into_iter().find_map(|(version, field, other)| {
            let around = field.path.around().into_iter();
            let mut around = around.filter(|object| field.path.inside(object).is_some());
            around.find_map(|object| {
                let rule = self.rules.at(version, object).filter(keeps)?;
                let is_alone = rule.in_version(other).is_none();
                is_alone.then_some(rule.in_version(version)?.path.as_str())
            })
        })
    }
}

/// The fields of one side that move out of an object or into it: the step, and the path in the object.
fn crossing<'s>(moves: &'s [Step], object: &FieldRef, side: OnSide) -> Vec<(&'s Step, String)> {
    let inside = |step| {
        let field: &FieldRef = side(step)?;
        Some((step, field.path.inside(object.path.as_str())?.to_owned()))
    };
    moves.iter().filter_map(inside).collect()
}

/// The places of the notes about fields that move.
fn noted(moved: &[(&Step, String)], places: fn(&Step) -> Option<&Paths>) -> Vec<Paths> {
    moved.iter().filter_map(|(step, _)| places(step)).cloned().collect()
}

/// Returns `true` if a field is in the struct, and no list or map of it is around the field.
fn is_apart(field: &FieldRef, side: &Side<'_, '_>) -> bool {
    field.path.inside(&side.path).is_some_and(|inner| !is_in_items(inner))
}

/// The targets of steps by the path of their source: a struct has many fields, and each may have a rule.
#[derive(Default)]
struct Converted<'s>(BTreeMap<&'s str, Vec<&'s FieldRef>>);

impl<'s> Converted<'s> {
    fn of(steps: &'s [Step]) -> Self {
        let mut converted = Self::default();
        converted.add(steps);
        converted
    }

    fn add(&mut self, steps: &'s [Step]) {
        for step in steps {
            if let Mapping::Nest(_, inner) | Mapping::Flatten(_, inner) = &step.how {
                self.add(&inner.steps);
            } else if let (Some(from), Some(to)) = (&step.from, &step.to) {
                self.0.entry(from.path.as_str()).or_default().push(to);
            }
        }
    }

    /// Returns `true` if a step makes the target of the source, or converts a struct around both.
    fn has(&self, source: &FieldRef, target: &FieldRef) -> bool {
        let holds = |found: &str, field: &FieldRef| {
            *field.path == *found || field.path.inside(found).is_some()
        };
        let path = source.path.as_str();
        let around = [path, ""].into_iter().chain(source.path.around());
        around.filter(|around| holds(around, source)).any(|around| {
            let targets = self.0.get(around).into_iter().flatten();
            targets.into_iter().any(|found| holds(&found.path, target))
        })
    }
}

/// An object of the source, its counterpart, and the steps of its fields.
type Object<'s> = (&'s FieldRef, &'s FieldRef, &'s [Step]);

/// The objects around a field of one side, outer ones first.
#[derive(Default)]
struct Around<'s> {
    /// Those that can be absent in both versions.
    optional: Vec<Object<'s>>,
    /// The sub-objects of `nest` that this side has and the other one lacks.
    flattened: Vec<&'s Step>,
    /// A struct that needs more than a conversion field by field.
    other: Option<&'s FieldRef>,
    /// Whether that object has a rule `nest` with `present`.
    other_is_nested: bool,
}

fn around<'s>(
    (steps, moves): (&'s [Step], &'s [Step]),
    field: &FieldRef,
    side: OnSide,
) -> Around<'s> {
    let (mut found, mut steps, mut moves) = (Around::default(), steps, moves);
    loop {
        let is_around =
            |step: &&Step| !matches!(step.how, Mapping::Moved) && holds(step, field, side);
        let in_moved = || {
            // An object around the field can also move.
            let others = std::mem::take(&mut moves).iter();
            others
                .filter(is_around)
                .find(|step| side(step).is_some_and(|side| side.path != field.path))
        };
        let Some(step) = steps.iter().find(is_around).or_else(in_moved) else {
            return found;
        };
        steps = match (&step.how, &step.from, &step.to) {
            (Mapping::Part { pair, rule: None, .. }, Some(from), Some(to)) => {
                let is_optional = from.rust_type.is_option() && to.rust_type.is_option();
                found.optional.extend(is_optional.then_some((from, to, &*pair.steps)));
                &pair.steps
            }
            // On this side the object is always there.
            (Mapping::Part { pair, rule: Some(rule), .. }, Some(_), Some(_))
                if rule.optional_object().is_some()
                    && side(step).is_some_and(|object| !object.rust_type.is_option()) =>
            {
                &pair.steps
            }
            (Mapping::Nest(rule, inner) | Mapping::Flatten(rule, inner), ..)
                if side(step).is_none()
                    || !rule.as_ref().is_some_and(RuleStep::has_empty_object) =>
            {
                let is_own = rule.is_some() && step.from.is_some() && side(step).is_some();
                found.flattened.extend(is_own.then_some(step));
                &inner.steps
            }
            // A rule that keeps an object aside is reported where the field is planned.
            (_, Some(_), Some(_)) | (Mapping::Nest(..) | Mapping::Flatten(..), ..) => {
                found.other = side(step);
                found.other_is_nested =
                    matches!(step.how, Mapping::Nest(..) | Mapping::Flatten(..));
                return found;
            }
            _ => return found,
        };
    }
}

/// Returns `true` if the field of a step is around a field, or one of the fields that `nest` takes from the struct or puts into it.
fn holds(step: &Step, field: &FieldRef, side: OnSide) -> bool {
    match (side(step), &step.how) {
        (Some(object), _) => field.path.inside(&object.path).is_some(),
        (None, Mapping::Nest(_, inner) | Mapping::Flatten(_, inner)) => {
            inner.steps.iter().any(|step| holds(step, field, side))
        }
        _ => false,
    }
}
