//! Objects that can be absent, into which fields move, or out of which they move.
//!
//! A field moves by assignment. The object around it is made if it is absent, and absent again when all of its fields have moved
//! out. So an empty object that was there is kept aside. An object with required fields is there, even if they are all empty, unless it
//! is made up.

use serde_json::{Map, Value, json};

use super::keep_aside::{put_namespace, read_object};
use super::{Context, FieldLocations, FieldValue};
use crate::conversion::ConversionFinding;
use crate::wire::is_zero;

/// An object of the source before its fields move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It is absent.
    Absent,
    /// It is there, without a value of a field.
    Empty,
    /// It has values.
    Filled,
    /// It is absent, and empty in the target, as it was before servers rejected that.
    Restored,
}

/// The paths of fields that are elsewhere in another version, and those of the required ones whose steps note the values that they make up.
type Moved<'p> = (FieldLocations, &'p [FieldLocations]);

/// The places of an object, its path in every version and the moved fields; and its required fields in the source and in the target.
type Paths<'p> = ((FieldLocations, FieldLocations, Moved<'p>), (&'p [&'p str], &'p [&'p str]));

/// The required fields of an object of the target, some of which rules fill.
#[derive(Clone, Copy, Debug)]
pub struct Required {
    /// Those of the object in the source that no rule fills.
    pub in_source: &'static [&'static str],
    /// Those of the object in the target that no rule fills.
    pub in_target: &'static [&'static str],
    /// Those of the object in the target that have no value where it is made.
    pub lacking: &'static [&'static str],
    /// Whether the rule says that they may be empty: then they are not reported.
    pub may_be_empty: bool,
    /// The names of those that rules fill, and where the notes of these are.
    pub filled: &'static [(&'static str, FieldLocations)],
    /// The values that fill them, as JSON.
    pub values: &'static str,
    /// All values of an object that is made, as JSON: also those that both schemas state.
    pub made: &'static str,
}

impl Required {
    /// Fills an object that is made, and notes the values as made up. Reports the required fields that no rule fills.
    fn fill<T: FieldValue, P>(
        &self,
        made: &mut T,
        around: FieldLocations,
        context: &mut Context<'_, P>,
    ) {
        let mut values: Map<String, Value> = serde_json::from_str(self.made).unwrap_or_default();
        if let Some(namespace) = context.namespace() {
            values.values_mut().for_each(|value| put_namespace(&namespace, value));
        }
        let mut object = json!(made);
        if let Some(members) = object.as_object_mut() {
            members.extend(values.clone());
        }
        if let Ok(filled) = T::deserialize(object) {
            *made = filled;
        }
        for (name, places) in self.filled {
            context.make_up(places, &values.get(*name));
        }
        if !self.may_be_empty {
            context.report_lacking(around, self.lacking);
        }
    }
}

impl Before {
    /// The state of an object.
    pub fn of<T: FieldValue>(object: Option<&T>) -> Self {
        match object {
            None => Self::Absent,
            Some(object) if is_zero(object) => Self::Empty,
            Some(_) => Self::Filled,
        }
    }

    /// The state of an object with these required fields, which move and whose made-up values are noted: a zero without a note is a value.
    pub fn of_noted<T: FieldValue, P>(
        object: Option<&T>,
        noted: &[FieldLocations],
        context: &Context<'_, P>,
    ) -> Self {
        match Self::of(object) {
            Self::Empty if !context.has_made_up_all(noted) => Self::Filled,
            state => state,
        }
    }

    /// The state of an object in which rules fill fields: it is empty if it has only these `values`, which are JSON, and all of the `noted`
    /// fields were absent.
    pub fn of_filled<T: FieldValue, P>(
        object: Option<&T>,
        values: &str,
        noted: &[FieldLocations],
        context: &Context<'_, P>,
    ) -> Self {
        match object {
            None => Self::Absent,
            Some(object)
                if *object == read_object(values, context) && context.has_made_up_all(noted) =>
            {
                Self::Empty
            }
            Some(_) => Self::Filled,
        }
    }

    /// An empty object counts as filled if its conversion restores a value in it: it is there without the moved fields.
    #[must_use]
    pub fn or_restored<T: FieldValue>(self, object: Option<&T>) -> Self {
        match object {
            Some(object) if self == Self::Empty && !is_zero(object) => Self::Filled,
            _ => self,
        }
    }

    /// [`or_restored`](Self::or_restored) of an object in which rules fill fields: it has restored none if it has only these `values`, which
    /// are JSON.
    #[must_use]
    pub fn or_restored_beside<T: FieldValue, P>(
        self,
        values: &str,
        object: Option<&T>,
        context: &Context<'_, P>,
    ) -> Self {
        match object {
            Some(object) if self == Self::Empty && *object != read_object(values, context) => {
                Self::Filled
            }
            _ => self,
        }
    }

    /// Empties a sub-object of the source that has nothing but fields that have moved out of it: it is absent where it is not needed.
    /// `object` is `None` where the source lacks the object around it.
    pub fn empty<T: FieldValue, P>(
        self,
        places: FieldLocations,
        object: Option<&mut Option<T>>,
        context: &Context<'_, P>,
    ) {
        if let Some(object) = object
            && self == Self::Filled
            && object.as_ref().is_some_and(is_zero)
            && !context.keeps_inside(places)
        {
            *object = None;
        }
    }

    /// Leaves out an empty object that servers of the target reject. The annotation keeps that it was there. A version of `limited` can have
    /// an empty object all the same, which is kept there.
    #[must_use]
    pub fn leave_out<T: FieldValue, P>(
        self,
        places: FieldLocations,
        limited: FieldLocations,
        object: Option<&mut Option<T>>,
        context: &mut Context<'_, P>,
    ) -> Self {
        let Some(object) = object.filter(|object| object.as_ref().is_some_and(is_zero)) else {
            return self;
        };
        if self != Self::Empty {
            return self;
        }
        let empty = json!({});
        if let Some(value) = context.take_empty(limited, &empty) {
            context.report_target(limited, ConversionFinding::Restored { value });
            return self;
        }
        context.keep(places, &empty, None);
        *object = None;
        Self::Absent
    }

    /// The conversion back of [`leave_out`](Self::leave_out).
    #[must_use]
    pub fn restore_left_out<T: FieldValue, P>(
        self,
        places: FieldLocations,
        limited: FieldLocations,
        object: Option<&mut Option<T>>,
        context: &mut Context<'_, P>,
    ) -> Self {
        let empty = json!({});
        let Some(object) = object.filter(|object| object.as_ref().is_none_or(is_zero)) else {
            return self;
        };
        match self {
            Self::Absent => match context.take_empty(places, &empty) {
                Some(value) => {
                    *object = Some(T::zero_value());
                    context.report_target(places, ConversionFinding::Restored { value });
                    Self::Restored
                }
                None => self,
            },
            Self::Empty => {
                context.keep(limited, &empty, None);
                self
            }
            Self::Filled | Self::Restored => self,
        }
    }

    /// The state of an object around one with this state: an empty object is not empty where the other is restored in it.
    #[must_use]
    pub fn around(self, inner: Self) -> Self {
        if self == Self::Empty && inner == Self::Restored { Self::Filled } else { self }
    }

    /// Decides whether the object is there in the target, after its fields have moved. `object` is `None` where the target lacks
    /// the object around it. `around` has its path in every version. `moved` has the paths of the fields that are elsewhere in another
    /// version, and those of the required fields of the target whose steps note the values that they make up: a zero without a note is a
    /// value. `required` has the fields of the source and of the target that do not move: those of the target are reported if it is made.
    pub fn settle<T: FieldValue, P>(
        self,
        places: FieldLocations,
        around: FieldLocations,
        moved: Moved<'_>,
        required: (&[&str], &[&str]),
        object: Option<&mut Option<T>>,
        context: &mut Context<'_, P>,
    ) {
        let paths = ((places, around, moved), required);
        let was_made = was_made(around, required.0, context);
        let has_value = has_value(object.as_deref());
        self.decide(paths, object, (was_made, has_value), context, Context::make_up_object);
    }

    /// [`settle`](Self::settle) of an object in which rules fill required fields: it is empty if it has no other values than these, and
    /// they were absent. One that is made has these values.
    pub fn settle_filled<T: FieldValue, P>(
        self,
        places: FieldLocations,
        around: FieldLocations,
        moved: Moved<'_>,
        required: &Required,
        object: Option<&mut Option<T>>,
        context: &mut Context<'_, P>,
    ) {
        let paths = ((places, around, moved), (required.in_source, required.in_target));
        let was_made = was_made(around, required.in_source, context);
        let Some(object) = object else {
            let known = (was_made, false);
            return self.decide::<T, P>(paths, None, known, context, Context::note_made_up);
        };
        let filled: Vec<FieldLocations> =
            required.filled.iter().map(|(_, places)| *places).collect();
        let has_only =
            |values| object.as_ref().is_some_and(|object| *object == read_object(values, context));
        let has_no_others = has_only(required.values) || was_made && has_only(required.made);
        let is_filled = has_no_others && context.makes_up_all(&filled);
        let known = (was_made, object.is_some() && !is_filled);
        self.decide(paths, Some(&mut *object), known, context, Context::note_made_up);
        match object {
            None if is_filled => context.forget_filled(&filled),
            Some(made) if self == Self::Absent => required.fill(made, around, context),
            _ => {}
        }
    }

    /// [`settle`](Self::settle) where the required fields may be empty by the rule: they are not reported.
    pub fn settle_with_empty<T: FieldValue, P>(
        self,
        places: FieldLocations,
        around: FieldLocations,
        moved: Moved<'_>,
        required: (&[&str], &[&str]),
        object: Option<&mut Option<T>>,
        context: &mut Context<'_, P>,
    ) {
        let paths = ((places, around, moved), required);
        let was_made = was_made(around, required.0, context);
        let has_value = has_value(object.as_deref());
        self.decide(paths, object, (was_made, has_value), context, Context::note_made_up);
    }

    /// Decides whether the object is there: whether a conversion has made that of the source, and whether it has others than made-up values.
    /// `make_up` notes an object that is made.
    fn decide<'c, T: FieldValue, P>(
        self,
        ((places, around, (moved, noted)), (in_source, required)): Paths<'_>,
        object: Option<&mut Option<T>>,
        (was_made, has_value): (bool, bool),
        context: &mut Context<'c, P>,
        make_up: fn(&mut Context<'c, P>, FieldLocations, &[&str]),
    ) {
        let value = json!({});
        let was_empty = context.take_empty(places, &value).is_some();
        let Some(object) = object else {
            return;
        };
        let has_value = has_value || object.is_some() && !context.makes_up_all(noted);
        let is_empty = !has_value && !context.keeps_inside_but(around, moved);
        match (self, is_empty) {
            (Self::Absent, _) => {
                if is_empty {
                    // It was made for an object that is gone.
                    *object = None;
                }
                if object.is_some() {
                    make_up(context, around, required);
                } else {
                    context.take_back_inside(around);
                }
                if was_empty {
                    let live = json!(object);
                    context.report_target(around, ConversionFinding::Stale { kept: value, live });
                }
            }
            // An object with required fields exists anyway, so nothing is kept.
            (Self::Empty, false) if !required.is_empty() => {}
            (Self::Empty, false) => context.keep(places, &value, None),
            (Self::Filled, true) if was_empty => {
                object.get_or_insert_with(T::zero_value);
                context.report_target(around, ConversionFinding::Restored { value });
            }
            (_, true) if was_made || self == Self::Filled && in_source.is_empty() => {
                *object = None;
                context.take_back_inside(around);
                context.drop_made_up_inside(around);
            }
            (Self::Filled, false) if was_empty && !context.is_target(places) => {
                context.keep(places, &value, None);
            }
            (Self::Empty | Self::Filled | Self::Restored, _) => {}
        }
    }
}

/// Returns `true` if a conversion has made the object of the source, with these required fields.
fn was_made<P>(around: FieldLocations, required: &[&str], context: &mut Context<'_, P>) -> bool {
    context.is_made_up(around, &json!({}), false) && !required.is_empty()
}

/// Returns `true` if an object that can be absent has a value of a field.
fn has_value<T: FieldValue>(object: Option<&Option<T>>) -> bool {
    object.and_then(Option::as_ref).is_some_and(|object| !is_zero(object))
}
