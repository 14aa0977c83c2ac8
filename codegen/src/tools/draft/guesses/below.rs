//! A field that moved below several new objects, also where its old name has another meaning now.

use std::collections::BTreeSet;

use k8s_versioned_core::Version;

use super::guess::{Guess, Guessed, Names, SHOWN};
use super::kept::{Beside, Guesser, Kept};
use super::likeness::can_move;
use super::relation::are_texts;
use crate::conversion::names;
use crate::gather::Gather;
use crate::plan::{Field, RustType, Struct, code};
use crate::rules::paths::{self, FieldPath};
use crate::text::{join, shorten};

/// The most fields below an object that are compared with the fields beside it.
pub(super) const MOST_BELOW: usize = 200;

/// A field beside an object, by version.
enum Flat {
    /// It is kept aside so far.
    Kept(Names),
    /// At this path, which means another field in the versions of the object.
    Apart(String, Names),
}

impl Guesser<'_> {
    /// Guesses that fields beside an object of some versions are below it there: in an object inside of it, such as
    /// `status.deprecated.v1beta1`, or in an object with the name of a version.
    pub(super) fn below(
        &self,
        object: &Kept<'_, '_>,
        beside: &Beside<'_, '_, '_>,
    ) -> Option<Guess> {
        let inside = self.structs.of_type(object.field.rust_type.present())?;
        let is_version = self.objects.contains_key(object.name);
        let (_, first) = object.names.first()?;
        let mut guess = Guess { joins: vec![object.names.clone()], ..Guess::default() };
        let mut shown = Vec::new();
        for (inner, field) in self.leaves(inside, first, MOST_BELOW) {
            let depth = inner.segments().len() - paths::segments(first).len();
            if depth < 2 && !is_version {
                continue;
            }
            let flat = match self.flat(object, (&inner, field), beside) {
                None => continue,
                Some(Flat::Kept(names)) => {
                    guess.joins.push(names.clone());
                    names
                }
                Some(Flat::Apart(path, names)) => {
                    guess.apart.insert(path);
                    names
                }
            };
            shown.push(code(&field.wire));
            let nested = object.names.iter().map(|(version, path)| {
                let inside = inner.inside(first).unwrap_or_default();
                (version.clone(), paths::child(path, inside))
            });
            let names: Names = flat.into_iter().chain(nested).gather();
            // A version that has neither keeps it aside.
            let is_in_all = names.len() == self.objects.len();
            let rule = if is_in_all { names::MOVE } else { names::KEEP_ASIDE };
            guess.rules.push(Guessed::new(rule, names));
        }
        shorten(&mut shown, SHOWN, |hidden| format!("{hidden} more fields"));
        guess.reason =
            format!("{} has {} of the versions without it", code(first), join(shown, ", "));
        (!guess.rules.is_empty()).then_some(guess)
    }

    /// The field beside an object, in versions without it, that is the one at the path `inner` below it.
    fn flat(
        &self,
        object: &Kept<'_, '_>,
        (inner, field): (&FieldPath, &Field),
        beside: &Beside<'_, '_, '_>,
    ) -> Option<Flat> {
        let around = Some(object.around.as_str()).filter(|path| !path.is_empty())?;
        let segment = paths::segment(&field.wire);
        let flat = paths::child(around, &segment);
        let others = self.beside(object, inner);
        let have = |version: &&String| {
            let root = self.objects.get(*version);
            root.is_some_and(|root| self.structs.at(root, &flat).is_some())
        };
        let having: Vec<&String> = others.iter().copied().filter(have).collect();
        let fits = |other: &RustType| {
            let (one, other) = (field.rust_type.present(), other.present());
            one == other || are_texts(one, other) || self.in_common(one, other).is_some()
        };
        let kept = beside.by_name.get(&(around, segment.as_ref()));
        let kept = kept.into_iter().flatten().find(|kept| {
            kept.names.keys().all(|version| others.contains(&version))
                && having.iter().all(|version| kept.names.contains_key(*version))
        });
        if let Some(kept) = kept.filter(|kept| fits(&kept.field.rust_type)) {
            return Some(Flat::Kept(kept.names.clone()));
        }
        let is_apart = object.parent == Some(around)
            && self.meant(object, inner).is_some()
            && self.have((object, &having), &flat, &fits)
            && self.fits_better((object, &having), &field.rust_type, &flat);
        let names = having.into_iter().map(|version| (version.clone(), flat.clone()));
        is_apart.then(|| Flat::Apart(flat.clone(), names.gather()))
    }

    /// The version that the path of a field names, if the object around the field is in other versions.
    fn meant(&self, object: &Kept<'_, '_>, inner: &str) -> Option<&String> {
        let is_meant = |segment: &&str| !object.names.contains_key(*segment);
        let mut segments = paths::segments(inner).into_iter().filter(is_meant);
        segments.find_map(|segment| self.objects.keys().find(|version| *version == segment))
    }

    /// The versions that can have a field beside an object instead of the one below it: those without the object, and, if it has the
    /// name of a later version, none before that.
    fn beside(&self, object: &Kept<'_, '_>, inner: &str) -> Vec<&String> {
        let order = |version: &String| version.parse::<Version>().ok();
        let newest = object.names.keys().filter_map(order).max();
        let since = self.meant(object, inner).and_then(order);
        let since = since.filter(|meant| Some(meant) > newest.as_ref());
        let others = self.objects.keys().filter(|version| !object.names.contains_key(*version));
        others.filter(|version| since.is_none() || order(version) >= since).collect()
    }

    /// Whether a field below an object has more in common with the field beside it in other versions than that field in the versions of
    /// the object has, which would be the same field in all versions. Without fields of their own, nothing tells.
    fn fits_better(
        &self,
        (object, others): (&Kept<'_, '_>, &[&String]),
        below: &RustType,
        flat: &str,
    ) -> bool {
        let of = |version: Option<&String>| {
            Some(self.structs.at(self.objects.get(version?)?, flat)?.rust_type)
        };
        let own = of(object.names.keys().next());
        let (Some(own), Some(other)) = (own, of(others.first().copied())) else { return true };
        let common = |one: &RustType| Some(self.in_common(one, &other)?.0);
        common(below) > common(&own) || common(&own).is_none()
    }

    /// Returns `true` if the versions with an object, and others, have a field of such a type at a path.
    fn have(
        &self,
        (object, others): (&Kept<'_, '_>, &[&String]),
        path: &str,
        fits: &dyn Fn(&RustType) -> bool,
    ) -> bool {
        let all = || object.names.keys().chain(others.iter().copied());
        let found =
            || all().filter_map(|version| self.structs.at(self.objects.get(version)?, path));
        // In one of them at least it is the field that moved.
        !others.is_empty()
            && found().count() == all().count()
            && found().any(|field| fits(&field.rust_type))
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
}

/// The guess that the objects around fields that moved below another object are sub-objects: `nest` takes all fields of one, and the new
/// objects around it. A version that has neither takes the path of the object `around` them. The rules of fields that have another
/// meaning in their old place are removed.
pub(super) fn nested_below(moved: &Guess, around: &str, versions: &[&String]) -> Guess {
    let mut rules: Vec<Guessed> = Vec::new();
    for rule in &moved.rules {
        let parent = |path: &String| paths::split_last(path).0.to_owned();
        let names = versions.iter().map(|version| {
            let path = rule.names.get(*version).map_or_else(|| around.to_owned(), parent);
            ((*version).clone(), path)
        });
        let nest = Guessed::new(names::NEST, names.gather());
        if !rules.contains(&nest) {
            rules.push(nest);
        }
    }
    rules.extend(moved.rules.iter().filter(|rule| rule.kind == names::KEEP_ASIDE).cloned());
    Guess { rules, ..moved.clone() }
}
