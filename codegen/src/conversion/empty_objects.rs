//! Objects that can be absent in one version and are always there in another: what they are without values of their own.
//!
//! The steps of the fields say it: an absent object becomes what they make of one without values. An object that has only such values is
//! absent in turn.

use serde_json::{Map, Value};

use super::actions::{EmptyObject, ObjectForm};
use super::field_ref::Paths;
use super::nested::{OnSide, fills, json, known_as_made_up, made_up};
use super::plan::{FieldRef, ItemNames, Mapping, Step};
use super::planner::PairPlanner;
use super::rule::Role;
use super::rule_step::{Effect, RuleStep};
use super::structs::{Side, SideField, is_required};
use crate::plan::RustType;
use crate::rules::paths::{child, segment};

/// The values of an object, and the places of the notes about them.
#[derive(Default)]
struct Empty {
    values: Map<String, Value>,
    noted: Vec<Paths>,
}

impl Empty {
    fn add(&mut self, name: Option<&FieldRef>, inner: Self) {
        match name {
            Some(object) if !inner.values.is_empty() => {
                self.values.insert(object.name().into_owned(), inner.values.into());
            }
            Some(_) => {}
            None => self.values.extend(inner.values),
        }
        self.noted.extend(inner.noted);
    }
}

impl From<Empty> for EmptyObject {
    fn from(Empty { values, noted }: Empty) -> Self {
        Self { values: json(values), noted }
    }
}

impl<'a> PairPlanner<'a, '_> {
    /// Completes the step of an object that can be absent in one of the versions, by the steps of its fields.
    pub(super) fn complete_object(
        &mut self,
        (from, to): (SideField<'a, '_>, SideField<'a, '_>),
        step: &mut RuleStep,
        steps: &mut [Step],
    ) {
        let (fills, object) = (step.effect == Effect::Keeps, step.optional_object_mut());
        let Some(object) = object.filter(|object| object.of != ObjectForm::Items) else {
            return;
        };
        self.plan_equal_objects((from, to), steps);
        self.pass_in_object(steps);
        let (version, side): (_, OnSide) = if fills {
            (self.to, |step| step.to.as_ref())
        } else {
            (self.from, |step| step.from.as_ref())
        };
        object.required = self.without_value(steps, (version, side));
        object.empty = [self.empty_source(steps, fills).into(), self.empty_target(steps).into()];
    }

    /// Plans the objects in an object that are of one type in both versions, if rules state values of fields inside.
    fn plan_equal_objects(
        &mut self,
        (from, to): (SideField<'a, '_>, SideField<'a, '_>),
        steps: &mut [Step],
    ) {
        let structs = self.structs;
        let of = |side: SideField<'a, '_>| structs.of_type(side.field.rust_type.innermost());
        let Some((source, target)) = of(from).zip(of(to)) else {
            return;
        };
        let (own, others) = (from.side.inside(from.field), to.side.inside(to.field));
        let (source, target) = (Side::new(source, &own), Side::new(target, &others));
        for step in steps {
            let (Some(found), Some(other)) = (&step.from, &step.to) else {
                continue;
            };
            let fields = source.at(&found.path, structs).zip(target.at(&other.path, structs));
            let Some(((_, field), (_, other_field))) = fields.filter(|_| is_object(other)) else {
                continue;
            };
            let (from, to) = (
                SideField { side: &source, field },
                SideField { side: &target, field: other_field },
            );
            if let (Mapping::Same, RustType::Struct(of)) = (&step.how, &other.rust_type)
                && self.states_values_in(other)
                && let Some(how) = self.structs_of(from, to, (of, of))
            {
                step.how = how;
            }
            if let Mapping::Into(pair) | Mapping::Part { pair, rule: None, .. } = &mut step.how {
                self.plan_equal_objects((from, to), &mut pair.steps);
            }
        }
    }

    /// Whether a rule states values of a required field inside an object of the target.
    fn states_values_in(&self, object: &FieldRef) -> bool {
        self.rules.inside(self.to, &object.path).any(|rule| {
            rule.kind.role == Role::Filled || (rule.kind.fill_in)(rule, self.to).is_some()
        })
    }

    /// [`pass_required`](Self::pass_required) in an object, and in those inside that are absent with it.
    fn pass_in_object(&self, steps: &mut [Step]) {
        self.pass_required(steps);
        for step in steps {
            let is_object = step.to.as_ref().is_some_and(is_object);
            match &mut step.how {
                Mapping::Into(pair) if is_object => {
                    self.pass_in_object(&mut pair.steps);
                    if pair.has_effect() {
                        let (pair, items) = (pair.clone(), ItemNames::default());
                        step.how = Mapping::Part { pair, items, rule: None };
                    } else if pair.from == pair.to {
                        step.how = Mapping::Same;
                    }
                }
                Mapping::Part { pair, rule: None, .. } if is_object => {
                    self.pass_in_object(&mut pair.steps);
                }
                Mapping::Nest(_, pair) | Mapping::Flatten(_, pair) => {
                    self.pass_in_object(&mut pair.steps);
                }
                _ => {}
            }
        }
    }

    /// The required fields of an object of one side for which no step makes a value, as paths in the object.
    fn without_value(&self, steps: &[Step], of: (&str, OnSide)) -> Vec<String> {
        let (version, side) = of;
        let mut all = Vec::new();
        for step in steps {
            let inside = |object: &FieldRef, names: Vec<String>| {
                let object = segment(&object.name()).into_owned();
                names.into_iter().map(move |name| child(&object, &name))
            };
            match (&step.how, side(step)) {
                (
                    Mapping::Part { pair, rule: None, .. }
                    | Mapping::Into(pair)
                    | Mapping::Nest(None, pair)
                    | Mapping::Flatten(None, pair),
                    Some(object),
                ) if is_object(object) => {
                    all.extend(inside(object, self.without_value(&pair.steps, of)));
                }
                (Mapping::Same, Some(object)) if is_object(object) => {
                    all.extend(inside(object, self.required_in(&object.rust_type)));
                }
                (Mapping::Nest(_, pair) | Mapping::Flatten(_, pair), None) => {
                    all.extend(self.without_value(&pair.steps, of));
                }
                (_, Some(field)) if field.required => {
                    let has_value = step.by_rule().is_some_and(RuleStep::makes_value)
                        || self.has_value_as_it_is(step, (version, field));
                    all.extend((!has_value).then(|| segment(&field.name()).into_owned()));
                }
                _ => {}
            }
        }
        all
    }

    /// The required fields of the objects of a type, as paths in the object.
    fn required_in(&self, rust_type: &RustType) -> Vec<String> {
        let of = self.structs.of_type(rust_type);
        let required =
            of.into_iter().flat_map(|of| of.fields.iter().filter(|field| is_required(of, field)));
        let names = required.flat_map(|field| {
            let name = segment(&field.wire).into_owned();
            match &field.rust_type {
                RustType::Struct(_) => {
                    let inner = self.required_in(&field.rust_type).into_iter();
                    inner.map(|inner| child(&name, &inner)).collect()
                }
                _ => vec![name],
            }
        });
        names.collect()
    }

    /// An object of the target without values of its own.
    fn empty_target(&self, steps: &[Step]) -> Empty {
        let mut values = fills(steps.iter().filter(|step| step.to.is_some()));
        values.extend(self.stated_as_they_are(steps, self.to, |step| step.to.as_ref()));
        let mut empty = Empty { values, noted: made_up(steps) };
        for step in steps {
            match (&step.how, &step.to) {
                (Mapping::Part { pair, rule, .. }, Some(to)) if is_object(to) => {
                    empty.noted.extend(noted(rule.as_ref()));
                    empty.add(Some(to), self.empty_target(&pair.steps));
                }
                (Mapping::Nest(None, pair), Some(to)) => {
                    empty.add(Some(to), self.empty_target(&pair.steps));
                }
                (Mapping::Flatten(_, pair), _) => empty.add(None, self.empty_target(&pair.steps)),
                _ => {}
            }
        }
        empty
    }

    /// An object of the source without values of its own. If it stands for an absent object, its required fields are empty: their steps
    /// look for notes.
    fn empty_source(&self, steps: &[Step], is_absent: bool) -> Empty {
        let mut values = if is_absent {
            fills(steps.iter().filter(|step| step.to.is_none()))
        } else {
            self.fills_of_source(steps)
        };
        values.extend(self.stated_as_they_are(steps, self.from, |step| step.from.as_ref()));
        let mut empty = Empty { values, noted: known_as_made_up(steps) };
        for step in steps {
            match (&step.how, &step.from) {
                (Mapping::Part { pair, rule, .. }, Some(from)) if is_object(from) => {
                    empty.noted.extend(noted(rule.as_ref()));
                    empty.add(Some(from), self.empty_source(&pair.steps, is_absent));
                }
                (Mapping::Flatten(None, pair), Some(from)) => {
                    empty.add(Some(from), self.empty_source(&pair.steps, is_absent));
                }
                (Mapping::Nest(_, pair), _) => {
                    empty.add(None, self.empty_source(&pair.steps, is_absent));
                }
                _ => {}
            }
        }
        empty
    }
}

/// The places of the note that an object is made up, if it has required fields without values.
fn noted(rule: Option<&RuleStep>) -> Option<Paths> {
    let object = rule?.optional_object()?;
    (!object.required.is_empty()).then(|| object.around.clone())
}

/// Whether a field is an object that is always there.
fn is_object(field: &FieldRef) -> bool {
    matches!(field.rust_type, RustType::Struct(_))
}
