//! Fields that no rule accounts for, gathered over all pairs so that each is reported once.

use std::collections::{BTreeMap, BTreeSet};

use super::items::FieldRef;
use super::structs::shown;
use crate::Problems;
use crate::plan::RustType;
use crate::problem::{ConversionCause, Place, Remedy};
use crate::rules::{KindRule, RuleFile};

/// A field of a version: its path, and the version.
type Of = (String, String);

#[derive(Debug, Default)]
pub(super) struct Gaps {
    places: BTreeMap<Of, Place>,
    /// Fields that rules cannot name.
    out_of_reach: BTreeSet<Of>,
    alone: BTreeMap<Of, BTreeSet<String>>,
    differing: BTreeMap<String, BTreeMap<String, RustType>>,
}

impl Gaps {
    /// A field has no counterpart in another version: nothing becomes of it there, or nothing fills it on the
    /// way back. `in_reach` says whether a rule could name it.
    pub(super) fn alone(&mut self, version: &str, field: &FieldRef, other: &str, in_reach: bool) {
        let of = self.seen(version, field, in_reach);
        self.alone.entry(of).or_default().insert(other.to_owned());
    }

    /// Fields with the same name have different types. `in_reach` says whether a rule could be about them.
    pub(super) fn differing(&mut self, version: &str, field: &FieldRef, in_reach: bool) {
        self.seen(version, field, in_reach);
        let versions = self.differing.entry(field.path.clone()).or_default();
        versions.insert(version.to_owned(), field.rust_type.clone());
    }

    fn seen(&mut self, version: &str, field: &FieldRef, in_reach: bool) -> Of {
        let of = (field.path.clone(), version.to_owned());
        self.places.insert(of.clone(), field.place.clone());
        if !in_reach {
            self.out_of_reach.insert(of.clone());
        }
        of
    }

    pub(super) fn report(&self, kind: &str, problems: &mut Problems) {
        for (of, missing) in &self.alone {
            let (field, version) = of;
            let cause = ConversionCause::NoCounterpart {
                field: field.clone(),
                of: format!("{version} {kind}"),
                missing: missing.iter().cloned().collect(),
                remedy: self.remedy(of, || Remedy::AnyRule),
            };
            problems.push(&self.place(of), cause);
        }
        for (path, types) in &self.differing {
            let last = types.keys().next_back().cloned().unwrap_or_default();
            let of = (path.clone(), last);
            let cause = ConversionCause::FieldTypesDiffer {
                kind: kind.to_owned(),
                field: path.clone(),
                found: types
                    .iter()
                    .map(|(version, found)| (version.clone(), shown(found)))
                    .collect(),
                remedy: self.remedy(&of, || rule_between(types)),
            };
            problems.push(&self.place(&of), cause);
        }
    }

    fn remedy(&self, of: &Of, in_reach: impl Fn() -> Remedy) -> Remedy {
        if self.out_of_reach.contains(of) { Remedy::OutOfReach } else { in_reach() }
    }

    fn place(&self, of: &Of) -> Place {
        let place = self.places.get(of).cloned();
        place.unwrap_or_else(|| Place::file(KindRule::PATH))
    }
}

/// The rule that can turn each of these types into each other.
fn rule_between(types: &BTreeMap<String, RustType>) -> Remedy {
    let all_equal = |inside: fn(&RustType) -> &RustType| {
        let mut types = types.values().map(inside);
        let first = types.next();
        types.all(|other| Some(other) == first)
    };
    if all_equal(RustType::present) {
        Remedy::AbsentToZero
    } else if all_equal(item) {
        Remedy::FirstOfList
    } else {
        Remedy::NoRule
    }
}

fn item(found: &RustType) -> &RustType {
    match found {
        RustType::List(item) => item,
        plain => plain,
    }
}
