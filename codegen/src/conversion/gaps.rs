//! Fields that no rule accounts for, gathered over all pairs so that each is reported once.

use std::collections::{BTreeMap, BTreeSet};

use super::items::FieldRef;
use super::structs::shown;
use crate::Problems;
use crate::plan::Field;
use crate::problem::{Cause, Place};

/// A field of a version.
type Of = (String, String);

#[derive(Debug, Default)]
pub(super) struct Gaps {
    places: BTreeMap<Of, Place>,
    alone: BTreeMap<Of, BTreeSet<String>>,
    differing: BTreeMap<String, BTreeMap<String, String>>,
}

impl Gaps {
    /// A field has no counterpart in another version: nothing becomes of it there, or nothing fills it on the
    /// way back.
    pub(super) fn alone(&mut self, version: &str, field: (&FieldRef, &Field), other: &str) {
        let of = self.seen(version, field);
        self.alone.entry(of).or_default().insert(other.to_owned());
    }

    /// Fields with the same name have different types.
    pub(super) fn differing(&mut self, version: &str, field: (&FieldRef, &Field)) {
        self.seen(version, field);
        let (found, _) = field;
        let versions = self.differing.entry(found.path.clone()).or_default();
        versions.insert(version.to_owned(), shown(&found.rust_type));
    }

    fn seen(&mut self, version: &str, (found, field): (&FieldRef, &Field)) -> Of {
        let of = (found.path.clone(), version.to_owned());
        self.places.insert(of.clone(), field.place.clone());
        of
    }

    pub(super) fn report(self, kind: &str, problems: &mut Problems) {
        let place = |of: &Of| {
            let place = self.places.get(of).cloned();
            place.unwrap_or_else(|| Place::file(crate::rules::CONVERSIONS))
        };
        for (of, missing) in &self.alone {
            let cause = Cause::NoCounterpart {
                field: of.0.clone(),
                of: format!("{} {kind}", of.1),
                missing: missing.iter().cloned().collect(),
            };
            problems.push(place(of), cause);
        }
        for (path, types) in &self.differing {
            let last = types.keys().next_back().cloned().unwrap_or_default();
            let field = path.clone();
            let found = types.clone().into_iter().collect();
            let kind = kind.to_owned();
            let cause = Cause::FieldTypesDiffer { kind, field, found };
            problems.push(place(&(path.clone(), last)), cause);
        }
    }
}
