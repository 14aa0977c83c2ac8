//! The rules about fields. Each must match a field and change something.

use std::collections::BTreeSet;

use super::Planner;
use super::object_role::rust_fields;
use super::placement::Placements;
use crate::model::Model;
use crate::problem::{NoEffect, RuleCause};
use crate::rules::Empty;
use crate::spec::{Property, ValueType};

impl Planner<'_> {
    /// Reports the rules that match nothing, that change nothing, and the second of two about the same field.
    pub(super) fn check_field_rules(&mut self) {
        let Self { model, rules, placements, problems, .. } = self;
        let words = rules.open_enums.own.iter().flat_map(|open_enum| &open_enum.fields);
        let words = words.map(|name| (&name.value, &name.place, None));
        let lists = rules.fields.own.iter();
        let lists = lists.map(|rule| (&rule.field.value, &rule.field.place, Some(rule.empty)));
        let mut seen = BTreeSet::new();
        for (name, place, empty) in words.chain(lists) {
            if !seen.insert((name, empty.is_some())) {
                problems.push(place, RuleCause::Twice(name.clone()));
                continue;
            }
            let Some(property) = find(model, placements, name) else {
                problems.push(place, RuleCause::MatchesNothing(name.clone()));
                continue;
            };
            let effect = match empty {
                None if holds_text(&property.value) => Ok(()),
                None => Err(NoEffect::NoText),
                Some(empty) => check_effect(property, empty),
            };
            if let Err(why) = effect {
                problems.push(place, RuleCause::WithoutEffect(name.clone(), why));
            }
        }
    }
}

/// The field of this full name, if it is one in Rust. Names of schemas and of fields can have dots.
fn find<'a>(model: &'a Model, placements: &Placements, name: &str) -> Option<&'a Property> {
    let in_schema = |(at, _)| {
        let (schema, field) = (name.get(..at)?, name.get(at + 1..)?);
        let of_type = model.types.get(schema).filter(|_| placements.generated(schema).is_some())?;
        let mut fields = rust_fields(model, of_type);
        fields.find(|(name, _)| *name == field).map(|(_, property)| property)
    };
    name.rmatch_indices('.').find_map(in_schema)
}

/// Returns `true` if a field can hold the words of an open enum.
fn holds_text(value: &ValueType) -> bool {
    match value {
        ValueType::String => true,
        ValueType::List(inner) | ValueType::Map(inner) => holds_text(inner),
        _ => false,
    }
}

/// Says why a rule about an empty value changes nothing.
fn check_effect(property: &Property, empty: Empty) -> Result<(), NoEffect> {
    let many = matches!(property.value, ValueType::List(_) | ValueType::Map(_));
    let text = matches!(property.value, ValueType::String);
    match (property.required(), empty) {
        (true, Empty::Kept) if !text => Err(NoEffect::Kept),
        (false, Empty::Omitted) if !property.zero_by_default() => Err(NoEffect::Omitted),
        (false, Empty::Kept) if !many && !property.zero_by_default() => {
            Err(NoEffect::Distinguished)
        }
        (true, Empty::Omitted) if text && property.default.is_none() => Err(NoEffect::OmittedText),
        (true, Empty::Null) if !many => Err(NoEffect::NoOption),
        _ => Ok(()),
    }
}
