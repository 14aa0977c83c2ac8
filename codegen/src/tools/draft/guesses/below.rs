//! A field that moved below several new objects, also where its old name has another meaning now.

use std::collections::BTreeSet;

use super::guess::{Guess, Guessed, Names, SHOWN};
use super::kept::{Beside, Guesser, Kept};
use super::likeness::can_move;
use super::relation::are_texts;
use crate::conversion::names;
use crate::gather::Gather;
use crate::plan::{Field, RustType, Struct, code};
use crate::rules::paths;
use crate::text::{join, shorten};

/// The most fields below an object that are compared with the fields beside it, and how deep they are.
pub(super) const MOST_BELOW: usize = 200;
pub(super) const DEEPEST: usize = 4;

impl Guesser<'_> {
    /// Guesses that fields beside an object of some versions are below it there: in an object inside of it, such as
    /// `status.deprecated.v1beta1`, or in an object with the name of a version.
    pub(super) fn below(
        &self,
        object: &Kept<'_, '_>,
        beside: &Beside<'_, '_, '_>,
    ) -> Option<Guess> {
        let around = Some(object.around.as_str()).filter(|path| !path.is_empty())?;
        let inside = self.structs.of_type(object.field.rust_type.present())?;
        let others = || self.objects.keys().filter(|version| !object.names.contains_key(*version));
        let is_version = self.objects.contains_key(object.name);
        let (_, first) = object.names.first()?;
        let mut guess = Guess {
            joins: vec![object.names.clone()],
            apart: BTreeSet::new(),
            rules: Vec::new(),
            reason: String::new(),
        };
        let mut shown = Vec::new();
        for (inner, field) in self.leaves(inside, first, MOST_BELOW) {
            let depth = paths::segments(&inner).len() - paths::segments(first).len();
            if depth < 2 && !is_version {
                continue;
            }
            let name = field.wire.as_str();
            let at = |versions: &mut dyn Iterator<Item = &String>, path: &str| -> Names {
                versions.map(|version| (version.clone(), path.to_owned())).gather()
            };
            let segment = paths::segment(name);
            let flat = paths::child(around, &segment);
            let kept = beside.by_name.get(&(around, segment.as_ref()));
            let kept = kept.into_iter().flatten().find(|kept| kept.names.keys().eq(others()));
            let has_meaning = || {
                let mut segments = paths::segments(&inner).into_iter();
                segments.any(|segment| {
                    self.objects.contains_key(segment) && !object.names.contains_key(segment)
                })
            };
            let fits = |other: &RustType| {
                let (one, other) = (field.rust_type.present(), other.present());
                one == other || are_texts(one, other) || self.in_common(one, other).is_some()
            };
            let flat_names = if let Some(kept) = kept.filter(|kept| fits(&kept.field.rust_type)) {
                guess.joins.push(kept.names.clone());
                kept.names.clone()
            } else if object.parent == Some(around)
                && has_meaning()
                && self.all_have(&flat, &fits)
                && self.fits_better(object, &field.rust_type, &flat)
            {
                guess.apart.insert(flat.clone());
                at(&mut others(), &flat)
            } else {
                continue;
            };
            shown.push(code(name));
            let nested = object.names.iter().map(|(version, path)| {
                let inside = paths::inside(&inner, first).unwrap_or_default();
                (version.clone(), paths::child(path, inside))
            });
            let names = flat_names.into_iter().chain(nested).gather();
            guess.rules.push(Guessed::new(names::MOVE, names));
        }
        shorten(&mut shown, SHOWN, |hidden| format!("{hidden} more fields"));
        guess.reason =
            format!("{} has {} of the versions without it", code(first), join(shown, ", "));
        (!guess.rules.is_empty()).then_some(guess)
    }

    /// Whether a field below an object has more in common with the field beside it in other versions than that field in the versions of
    /// the object has, which would be the same field in all versions. Without fields of their own, nothing tells.
    fn fits_better(&self, object: &Kept<'_, '_>, below: &RustType, flat: &str) -> bool {
        let beside = self.objects.iter().filter_map(|(version, root)| {
            Some((object.names.contains_key(version), self.structs.at(root, flat)?.rust_type))
        });
        let (own, others): (Vec<_>, Vec<_>) = beside.partition(|(is_own, _)| *is_own);
        let (Some((_, own)), Some((_, other))) = (own.first(), others.first()) else { return true };
        let common = |one: &RustType| Some(self.in_common(one, other)?.0);
        common(below) > common(own) || common(own).is_none()
    }

    /// Guesses that an object is outside of the object around it in other versions, in a place that has no fields in its own versions:
    /// `spec.status`, where `status` can hold anything.
    pub(super) fn outside(&self, object: &Kept<'_, '_>) -> Option<Guess> {
        let is_object = |of: &RustType| matches!(of.present(), RustType::Struct(_));
        let mut around = object.parent.filter(|_| is_object(&object.field.rust_type))?;
        while !around.is_empty() && can_move(around, paths::split_last(around).0) {
            around = paths::split_last(around).0;
            let flat = paths::child(around, &paths::segment(object.name));
            let is_own = |version: &String| object.names.contains_key(version);
            let fits = |(version, root): (&String, &&Struct)| {
                let found = self.structs.at(root, &flat).map(|field| field.rust_type);
                found.is_some_and(|found| {
                    let has_fields = self.structs.of_type(found.innermost()).is_some();
                    let is_it = || self.in_common(&object.field.rust_type, &found).is_some();
                    if is_own(version) { !has_fields } else { is_object(&found) && is_it() }
                })
            };
            if self.objects.iter().all(fits) {
                let others = self.objects.keys().filter(|version| !is_own(version));
                let others = others.map(|version| (version.clone(), flat.clone()));
                let names = object.names.clone().into_iter().chain(others).gather();
                return Some(Guess {
                    joins: vec![object.names.clone()],
                    rules: vec![Guessed::new(names::MOVE, names)],
                    reason: format!("{} has its fields in other versions", code(&flat)),
                    apart: BTreeSet::from([flat]),
                });
            }
        }
        None
    }

    /// The fields below an object with their paths, not in lists, and not more than `most`.
    pub(super) fn leaves<'s>(
        &'s self,
        of: &'s Struct,
        path: &str,
        most: usize,
    ) -> Vec<(String, &'s Field)> {
        let (mut found, mut left) = (Vec::new(), vec![(path.to_owned(), of, 1)]);
        while let Some((path, of, depth)) = left.pop() {
            for field in &of.fields {
                if found.len() >= most {
                    return found;
                }
                let inner = paths::child(&path, &paths::segment(&field.wire));
                if let Some(of) = self.structs.of_type(field.rust_type.present())
                    && depth < DEEPEST
                {
                    left.push((inner.clone(), of, depth + 1));
                }
                found.push((inner, field));
            }
        }
        found
    }

    /// Returns `true` if all versions have a field of such a type at a path.
    pub(super) fn all_have(&self, path: &str, fits: &dyn Fn(&RustType) -> bool) -> bool {
        let has = |object: &Struct| {
            self.structs.at(object, path).is_some_and(|field| fits(&field.rust_type))
        };
        let mut objects = self.objects.values();
        // In one of them at least it is the field that moved.
        objects.clone().any(|object| has(object))
            && objects.all(|object| self.structs.at(object, path).is_some())
    }
}

/// The guess that the objects around fields that moved below another object are sub-objects: `nest` takes all fields of one, and the new
/// objects around it. The rules of fields that have another meaning in their old place are removed.
pub(super) fn nested_below(moved: &Guess) -> Guess {
    let mut rules: Vec<Guessed> = Vec::new();
    for rule in &moved.rules {
        let parent = |path: &str| paths::split_last(path).0.to_owned();
        let names = rule.names.iter().map(|(version, path)| (version.clone(), parent(path)));
        let nest = Guessed::new(names::NEST, names.gather());
        if !rules.contains(&nest) {
            rules.push(nest);
        }
    }
    Guess { rules, ..moved.clone() }
}
