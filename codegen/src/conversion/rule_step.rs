//! A step of a conversion that a rule states.

use serde_json::Value;

use super::actions::{
    AbsentToZero, Action, Filled, FirstOfList, KeepAside, KeyedList, MovedObject, Narrow, Nest,
    NoItem, ObjectField, ObjectForm, Optional, OptionalObject, Substitute, Text, Varying, Words,
    Wrap,
};
use super::field_ref::{FieldRef, Paths};
use super::pattern_form::Pattern;
use crate::plan::RustType;

/// A step that a rule states.
#[derive(Clone, Debug)]
pub(crate) struct RuleStep {
    /// What it does with the value.
    pub(crate) action: Action,
    /// What it does with the annotation.
    pub(crate) effect: Effect,
    /// Whether it is for the value in an `Option`, and not for the `Option`.
    pub(crate) in_option: bool,
    /// The words of the source that the target may not know.
    pub(crate) words: TargetWords,
    /// Where the source, or the target, requires a value that is optional in other versions of its form: the step is between optional
    /// values.
    pub(crate) optional: [Option<Optional>; 2],
    /// Where the other version lacks the field: the conversion between the version's form and the one that is kept, if these differ.
    pub(crate) aside_form: Option<Box<AsideForm>>,
}

/// The form of a field in which it is kept where a version lacks it, and the form of a version with the field.
#[derive(Clone, Debug)]
pub(crate) struct AsideForm {
    /// The step between the two forms.
    pub(crate) step: RuleStep,
    /// The type of the form that is kept, with texts for words.
    pub(crate) rust_type: RustType,
    /// The value of the version where none is kept.
    pub(crate) fill: Option<Value>,
}

/// Whether the target knows the words that a step passes on.
#[derive(Clone, Debug, Default)]
pub(crate) enum TargetWords {
    /// It knows all of them, or the values are not words.
    #[default]
    Known,
    /// The source does not state its words, so the target may not know one.
    Unstated,
    /// It does not know these, under their names there.
    Unknown(Vec<String>),
}

/// What a step does with the annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It can keep a value.
    Keeps,
    /// It can restore a kept value.
    Restores,
    /// It can report a value, and keeps none.
    Reports,
    /// Nothing: it loses nothing.
    Nothing,
}

impl RuleStep {
    /// Returns `true` if it can restore a kept value.
    pub(super) fn can_restore(&self) -> bool {
        let from_fallback =
            |step: &Words| matches!(step, Words::FallBack { from, .. } if !from.is_empty());
        self.effect == Effect::Restores
            || self.aside_form.is_some()
            || matches!(&self.action, Action::Words(step) if from_fallback(step))
    }

    /// A step that can keep a value.
    pub(super) fn keeps(action: Action) -> Self {
        Self::new(action, Effect::Keeps)
    }

    /// A step that can restore a kept value, and loses nothing.
    pub(super) fn restores(action: Action) -> Self {
        Self::new(action, Effect::Restores)
    }

    pub(super) fn new(action: Action, effect: Effect) -> Self {
        let (words, optional) = (TargetWords::default(), [None, None]);
        Self { action, effect, in_option: false, words, optional, aside_form: None }
    }

    /// The step for the value in an `Option`.
    pub(super) fn inside(self, in_option: bool) -> Self {
        Self { in_option, ..self }
    }

    /// The step around the values of a source or a target that requires what other versions of its form do not.
    pub(super) fn between(self, optional: [Option<Optional>; 2]) -> Self {
        let [_, filled] = &optional;
        // It keeps that a value was absent.
        let effect = if filled.is_some() { Effect::Keeps } else { self.effect };
        Self { effect, optional, ..self }
    }

    /// The places of the notes that a value of the source or of the target was absent, in lists of one form each.
    pub(super) fn optional_places(&self) -> Vec<Paths> {
        let own = match &self.action {
            Action::Varying(Varying::Fill(own) | Varying::Restore(own)) => Some(own),
            _ => None,
        };
        let form = self.aside_form.iter().flat_map(|form| form.step.optional_places());
        let own = self.optional.iter().flatten().chain(own).flat_map(Optional::lists);
        own.chain(form).collect()
    }

    /// The value that the rule states for an absent one, where the source requires it and other versions do not.
    pub(super) fn stated_in_source(&self) -> Option<&Optional> {
        let own = match &self.action {
            Action::Varying(Varying::Restore(own)) => Some(own),
            _ => None,
        };
        let [source, _] = &self.optional;
        self.stated(source.as_ref().or(own), Self::stated_in_source)
    }

    /// The same, where the target requires it.
    pub(super) fn stated_in_target(&self) -> Option<&Optional> {
        let own = match &self.action {
            Action::Varying(Varying::Fill(own)) => Some(own),
            _ => None,
        };
        let [_, target] = &self.optional;
        self.stated(target.as_ref().or(own), Self::stated_in_target)
    }

    /// A value that the rule states: for the field itself, or for the form in which it is kept.
    fn stated<'s>(
        &'s self,
        own: Option<&'s Optional>,
        of_form: fn(&'s Self) -> Option<&'s Optional>,
    ) -> Option<&'s Optional> {
        let stated = own.filter(|optional| optional.is_stated);
        stated.or_else(|| of_form(&self.aside_form.as_ref()?.step))
    }

    /// The paths of the step, other than the places of the value.
    pub(super) fn paths_mut(&mut self) -> Vec<&mut Paths> {
        let optional = self.optional.iter_mut().flatten().flat_map(Optional::paths_mut);
        let form = self.aside_form.iter_mut().flat_map(|form| form.step.paths_mut());
        self.action.paths_mut().into_iter().chain(optional).chain(form).collect()
    }

    /// The name of the policy that it asks.
    pub(crate) fn policy(&self) -> Option<&str> {
        match &self.action {
            Action::AbsentToZero(
                AbsentToZero::Fill { policy, .. } | AbsentToZero::Make { policy, .. },
            ) => Some(&policy.policy),
            _ => None,
        }
    }

    /// The field of the object that has the value which the other version has.
    pub(crate) fn wrapped(&self) -> Option<&ObjectField> {
        match &self.action {
            Action::Wrap(Wrap::Wrap { field, .. } | Wrap::Unwrap { field, .. }) => Some(field),
            _ => None,
        }
    }

    /// Another field of the source that it borrows.
    pub(crate) fn other(&self) -> Option<&FieldRef> {
        match &self.action {
            Action::AbsentToZero(AbsentToZero::Fill { other, .. }) => other.as_deref(),
            _ => None,
        }
    }

    /// The members that it makes of each other.
    pub(crate) fn pattern(&self) -> Option<&Pattern> {
        match &self.action {
            Action::Pattern(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// The object around moved fields for which it decides whether it is there.
    pub(crate) fn moved_object(&self) -> Option<&MovedObject> {
        match &self.action {
            Action::Move(object) => Some(object),
            _ => None,
        }
    }

    /// The object that is optional in one version and always there in the other.
    pub(super) fn optional_object(&self) -> Option<&OptionalObject> {
        match &self.action {
            Action::AbsentToZero(
                AbsentToZero::FillObject { object, .. } | AbsentToZero::RestoreObject(object),
            ) => Some(object),
            _ => None,
        }
    }

    /// Whether it is for each object in a list or map.
    pub(crate) fn is_of_items(&self) -> bool {
        self.optional_object().is_some_and(|object| object.of == ObjectForm::Item)
    }

    /// The object that one version can lack, to complete it.
    pub(super) fn optional_object_mut(&mut self) -> Option<&mut OptionalObject> {
        match &mut self.action {
            Action::AbsentToZero(
                AbsentToZero::FillObject { object, .. } | AbsentToZero::RestoreObject(object),
            )
            | Action::FirstOfList(
                FirstOfList::FirstObject(object) | FirstOfList::ListOfObject(object),
            ) => Some(object),
            _ => None,
        }
    }

    /// Whether it makes a value of a field that is absent or empty in the source, or reports the field itself.
    pub(super) fn makes_value(&self) -> bool {
        let has_value = matches!(
            &self.action,
            Action::AbsentToZero(_)
                | Action::KeepAside(_)
                | Action::FirstOfList(
                    FirstOfList::First(NoItem::Filled(..) | NoItem::Reported(_))
                        | FirstOfList::FirstObject(_)
                )
        );
        has_value
            || self.action.metadata_key().is_some()
            || self.action.is_filled()
            || self.stated_in_source().or(self.stated_in_target()).is_some()
    }

    /// Whether it makes a sub-object also where that is empty.
    pub(super) fn makes_empty_object(&self) -> bool {
        matches!(self.action, Action::Nest(Nest::Nest { present: true, .. }))
    }

    /// Whether it is about a sub-object that is there also when it is empty.
    pub(super) fn has_empty_object(&self) -> bool {
        self.makes_empty_object()
            || matches!(self.action, Action::Nest(Nest::Flatten { present: true, .. }))
    }

    /// The field of the items of a list that has the key of a map.
    pub(super) fn key(&self) -> Option<&ObjectField> {
        match &self.action {
            Action::KeyedList(KeyedList::List { key } | KeyedList::Map { key }) => Some(key),
            _ => None,
        }
    }

    /// The required fields of an object that it makes without values for them.
    pub(super) fn lacks(&self) -> &[String] {
        match &self.action {
            Action::AbsentToZero(AbsentToZero::FillObject {
                object: OptionalObject { required, .. },
                may_be_empty: false,
            })
            | Action::FirstOfList(FirstOfList::FirstObject(OptionalObject { required, .. }))
            | Action::Move(MovedObject { required, may_be_empty: false, .. })
            | Action::Wrap(Wrap::Wrap { required, .. }) => required,
            _ => &[],
        }
    }

    /// The places of the note, read by the step, that the value of a field of the source was made up or filled.
    pub(super) fn notes_of_source<'s>(
        &'s self,
        places: &'s Paths,
        from: &FieldRef,
    ) -> Option<&'s Paths> {
        if let Some(stated) = self.stated_in_source() {
            return Some(&stated.places);
        }
        match &self.action {
            Action::KeepAside(KeepAside::Keep { required: true, .. })
            | Action::AbsentToZero(
                AbsentToZero::Restore { filled: true, .. }
                | AbsentToZero::Keep { filled: true, .. }
                | AbsentToZero::Pass { .. },
            ) => Some(places),
            action if from.required => action.noted_places(),
            _ => None,
        }
    }

    /// The places of the note, written by the step, that it made up or filled the value of a field of the target.
    pub(super) fn notes_of_target<'s>(
        &'s self,
        places: &'s Paths,
        to: &FieldRef,
    ) -> Option<&'s Paths> {
        if let Some(stated) = self.stated_in_target() {
            return Some(&stated.places);
        }
        match &self.action {
            Action::KeepAside(KeepAside::Restore { required: true })
            | Action::AbsentToZero(AbsentToZero::Pass { .. }) => Some(places),
            Action::AbsentToZero(
                AbsentToZero::Fill { policy, .. } | AbsentToZero::Make { policy, .. },
            ) => policy.stated().map(|_| places),
            action if to.required => action.noted_places(),
            _ => None,
        }
    }

    /// The values with which rules fill required fields of an object of the target around moved fields.
    pub(crate) fn filled(&self) -> Option<&Filled> {
        self.moved_object()?.filled.1.as_ref()
    }

    /// Whether it asks for the namespace of the object.
    pub(crate) fn asks_for_namespace(&self) -> bool {
        matches!(
            self.action,
            Action::KeepAside(KeepAside::KeepUnlessNamespace | KeepAside::RestoreNamespace)
        )
    }

    /// Whether it keeps whole objects: the items of a list that it does not convert.
    pub(super) fn keeps_objects(&self) -> bool {
        matches!(self.action, Action::FirstOfList(_) | Action::KeyedList(_))
    }

    /// The place for the paths with which it reports a made-up zero; `None` if it makes up none.
    pub(super) fn made_up_report(&mut self) -> Option<&mut Option<Paths>> {
        match &mut self.action {
            Action::AbsentToZero(AbsentToZero::Fill { policy, .. }) if policy.fill.is_some() => {
                None
            }
            Action::AbsentToZero(AbsentToZero::Fill { report, .. })
            | Action::Text(
                Text::Parse(Substitute::Zero { report })
                | Text::ParseQuantity(Substitute::Zero { report }),
            )
            | Action::Narrow(Narrow::Narrow(Substitute::Zero { report })) => Some(report),
            _ => None,
        }
    }
}
