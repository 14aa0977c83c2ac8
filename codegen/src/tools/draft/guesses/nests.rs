//! A sub-object whose fields are beside it in other versions.

use std::collections::{BTreeMap, BTreeSet};

use super::guess::{Guess, Guessed, Names};
use super::kept::{Beside, Guesser, Kept};
use super::likeness::{MOST_ALIKE, says_the_same};
use super::name_words::{is_generic, what_is_done, words};
use super::relation::{Relation, are_texts, check_alike, in_units, items};
use crate::conversion::names;
use crate::gather::Gather;
use crate::plan::{Field, RustType, Struct, code};
use crate::rules::paths;
use crate::text::join;

/// A guess that the fields of an object were fields of the object around it.
pub(super) struct Nested {
    pub(super) guess: Guess,
    pub(super) around: String,
    /// The names of its fields that the object around it has in other versions.
    pub(super) taken: BTreeSet<String>,
    /// The number of fields that the guess is about.
    pub(super) moved: usize,
}

/// For each guess whether it is the best about all of its fields: no other object takes one of them as well, and has as much evidence. A
/// field cannot be in both.
pub(super) fn best_nested(nested: &[Nested]) -> Vec<bool> {
    let mut takers: BTreeMap<(&str, &str), Vec<(usize, usize)>> = BTreeMap::new();
    for (at, one) in nested.iter().enumerate() {
        for name in &one.taken {
            takers.entry((&one.around, name)).or_default().push((one.moved, at));
        }
    }
    // The two with most evidence decide whether another one has as much.
    for all in takers.values_mut() {
        all.sort_by(|one, other| other.cmp(one));
        all.truncate(2);
    }
    let is_best = |(at, one): (usize, &Nested)| {
        one.taken.iter().all(|name| {
            let others = takers.get(&(one.around.as_str(), name.as_str())).into_iter().flatten();
            others.clone().all(|(moved, other)| *other == at || *moved < one.moved)
        })
    };
    nested.iter().enumerate().map(is_best).collect()
}

impl<'a> Guesser<'a> {
    /// Guesses that the fields of an object were fields of the object around it: under their own names, at least one that says
    /// something, or with the name of the object before them, such as `namespaceQuota` for `namespaceOptions.quota`.
    pub(super) fn nest(
        &self,
        object: &Kept<'_, 'a>,
        beside: &Beside<'_, '_, 'a>,
    ) -> Option<Nested> {
        if self.objects.contains_key(object.name) {
            // An object with the name of a version has what the fields beside it mean in that version.
            return None;
        }
        let inside = self.structs.of_type(object.field.rust_type.present())?;
        let around = Some(object.around.as_str()).filter(|path| !path.is_empty())?;
        let moved = self.moved((object, inside), around, beside);
        // A text that becomes the only field of an object is not a sub-object here: the rule is `wrap`.
        let is_wrapped = |field: &Kept<'_, 'a>| {
            self.wrapped(&field.field.rust_type, &object.field.rust_type).is_some()
        };
        let says_something = |(field, own): &(&Kept<'_, 'a>, &Field)| {
            let is_name = own.wire == "name";
            if field.name == own.wire {
                !is_generic(field.name)
            } else {
                !is_name || inside.fields.len() > 2 && !is_wrapped(field)
            }
        };
        if moved.len() < 2 && !moved.iter().any(says_something) {
            return None;
        }
        let shown = join(moved.iter().map(|(field, _)| code(field.name)), ", ");
        let flat = parents(moved.first()?.0.names);
        let taken = self.names_in(&flat);
        let own = inside.fields.iter().map(|own| own.wire.clone());
        let (taken, count) = (own.filter(|own| taken.contains(own)).gather(), moved.len());
        let nest = object.names.clone().into_iter().chain(flat).gather();
        let nest = Guessed::new(names::NEST, nest);
        let renames = moved.iter().filter_map(|(field, own)| self.inner_rule(field, object, own));
        let rules = [nest].into_iter().chain(renames).collect();
        let others = moved.iter().map(|(field, _)| field.names.clone());
        let joins = [object.names.clone()].into_iter().chain(others).collect();
        let reason = format!("its fields {shown} are beside it in other versions");
        let guess = Guess { joins, apart: BTreeSet::new(), rules, reason };
        Some(Nested { guess, around: around.to_owned(), taken, moved: count })
    }

    /// The fields at `around` that are fields of an object there in its versions, each with that field.
    fn moved<'k, 'n>(
        &self,
        (object, inside): (&Kept<'_, 'a>, &'a Struct),
        around: &str,
        beside: &Beside<'k, 'n, 'a>,
    ) -> Vec<(&'k Kept<'n, 'a>, &'a Field)> {
        let Some((_, path)) = object.names.first() else { return Vec::new() };
        let is_flat = |version: &&String| !object.names.contains_key(*version);
        let flat: Vec<&String> = self.objects.keys().filter(is_flat).collect();
        let is_beside = |name: &str| beside.by_name.contains_key(&(around, name));
        let inner = Inner::new(inside, path, is_beside);
        let moved = |field: &'k Kept<'n, 'a>| {
            self.compared.set(self.compared.get() + 1);
            if !field.names.keys().eq(flat.iter().copied()) {
                return None;
            }
            let own = inner.counterpart((around, field.name, &field.bare));
            let own = own.or_else(|| inner.checked_as(field.stated))?;
            let (whole, other) = (&object.field.rust_type, &field.field.rust_type);
            // It may be the object itself, under another name.
            let is_object = inner.object.is_subset(&field.bare)
                && self.common(whole.present(), other.present()).is_some();
            (!is_object && self.is_one(field, object, own)).then_some((field, own))
        };
        let all: Vec<_> = beside.like(around, &inner).into_iter().filter_map(moved).collect();
        only_best(all)
    }

    /// Whether a field can be the field `own` of an object, by their types.
    fn is_one(&self, field: &Kept<'_, 'a>, object: &Kept<'_, 'a>, own: &Field) -> bool {
        let (one, other) = (own.rust_type.present(), field.field.rust_type.present());
        one == other
            || are_texts(one, other)
            || self.common(one, other).is_some()
            || self.wrapped(&own.rust_type, &field.field.rust_type).is_some()
            || in_units(field.side(), (&own.wire, &own.rust_type, object.names)).is_some()
    }

    /// The rule for a field of an object that was beside it, if it has another name or another form.
    pub(super) fn inner_rule(
        &self,
        field: &Kept<'_, 'a>,
        object: &Kept<'_, 'a>,
        own: &Field,
    ) -> Option<Guessed> {
        let (flat, inner) = (&field.field.rust_type, &own.rust_type);
        let segment = paths::segment(&own.wire);
        let inside = object.names.iter();
        let inside = inside.map(|(version, path)| (version.clone(), paths::child(path, &segment)));
        let names: Names = field.names.clone().into_iter().chain(inside).gather();
        let units = in_units(field.side(), (&own.wire, inner, object.names));
        if let Some(Relation { rule, keys, .. }) = units {
            return Some(Guessed::with(rule, names, keys));
        }
        if let Some(Relation { rule, keys, of_items, .. }) = self.wrapped(flat, inner) {
            return Some(Guessed::with(rule, if of_items { items(names) } else { names }, keys));
        }
        let is_one = flat.is_option() == inner.is_option();
        let rule = if is_one { names::MOVE } else { names::ABSENT_TO_ZERO };
        (field.name != own.wire).then(|| Guessed::new(rule, names))
    }

    /// The names of the fields that an object has in one of its versions.
    pub(super) fn names_in(&self, names: &Names) -> BTreeSet<String> {
        let object = |(version, path): (&String, &String)| {
            let field = self.structs.at(self.objects.get(version)?, path)?;
            self.structs.of_type(field.rust_type.present())
        };
        let fields = names.iter().filter_map(object).flat_map(|object| &object.fields);
        fields.map(|field| field.wire.clone()).gather()
    }
}

/// The fields that are the only best ones for a field of the object: by their name, or else all of its words.
fn only_best<'k, 'n, 'a>(
    mut all: Vec<(&'k Kept<'n, 'a>, &'a Field)>,
) -> Vec<(&'k Kept<'n, 'a>, &'a Field)> {
    let rank = |(field, own): &(&Kept<'_, '_>, &Field)| {
        let has_words = || field.bare.is_subset(&words(&own.wire, ""));
        if field.name == own.wire { 0 } else { 2 - usize::from(has_words()) }
    };
    let mut ranks: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for one in &all {
        ranks.entry(&one.1.wire).or_default().push(rank(one));
    }
    all.retain(|one| {
        let ranks = ranks.get(&*one.1.wire).into_iter().flatten();
        ranks.filter(|other| **other <= rank(one)).count() == 1
    });
    all
}

/// The paths of the objects around a field.
fn parents(names: &Names) -> Names {
    let parent = |(version, path): (&String, &String)| {
        (version.clone(), paths::split_last(path).0.to_owned())
    };
    names.iter().map(parent).gather()
}

/// The fields of an object, by the words of their names.
pub(super) struct Inner<'s, 'p> {
    pub(super) of: &'s Struct,
    pub(super) path: &'p str,
    /// The words of the object's own name.
    pub(super) object: BTreeSet<String>,
    /// Its fields that have another name beside the object, if they are there.
    pub(super) fields: Vec<(&'s Field, BTreeSet<String>)>,
}

impl<'s, 'p> Inner<'s, 'p> {
    /// `is_beside` returns `true` if a field of this name is beside the object.
    pub(super) fn new(of: &'s Struct, path: &'p str, is_beside: impl Fn(&str) -> bool) -> Self {
        let object = words(paths::split_last(path).1, "");
        let others = of.fields.iter().filter(|field| !is_beside(&field.wire));
        let fields = others.map(|field| (field, words(&field.wire, ""))).collect();
        Self { of, path, object, fields }
    }

    /// The field that was beside the object: of the same name, of the name without the words of the object, or the only one that
    /// says the same. `flat` has the path of the object around it, its name, and the words of that.
    pub(super) fn counterpart(
        &self,
        (around, flat, name): (&str, &str, &BTreeSet<String>),
    ) -> Option<&'s Field> {
        let rest: BTreeSet<String> = name.difference(&self.object).cloned().gather();
        let only = |fits: &dyn Fn(&Field, &BTreeSet<String>) -> bool| {
            let mut fitting = self.fields.iter().filter(|(own, words)| fits(own, words));
            fitting.next().filter(|_| fitting.next().is_none()).map(|(own, _)| *own)
        };
        let same = self.of.fields.iter().find(|own| own.wire == flat);
        let done = what_is_done(name);
        let of_flag = |own: &Field, words: &BTreeSet<String>| {
            what_is_done(words).filter(|_| *own.rust_type.present() == RustType::Bool)
        };
        same.or_else(|| only(&|_, own| rest.len() < name.len() && *own == rest))
            .or_else(|| only(&|own, _| rest.is_empty() && own.wire == "name"))
            .or_else(|| only(&|_, own| name.len() > 1 && name.is_subset(own)))
            .or_else(|| only(&|_, own| says_the_same((self.path, own), (around, name))))
            .or_else(|| only(&|own, words| done.is_some() && done == of_flag(own, words)))
            .or_else(|| {
                let done = done.as_ref()?;
                only(&|own, words| of_flag(own, words).is_some_and(|own| done.is_subset(&own)))
            })
    }
}

impl<'s> Inner<'s, '_> {
    /// The only field that servers check by the words or the pattern of another field.
    fn checked_as(&self, flat: &Field) -> Option<&'s Field> {
        let mut fitting = self.fields.iter().filter(|(own, _)| check_alike(own, flat));
        fitting.next().filter(|_| fitting.next().is_none()).map(|(own, _)| *own)
    }
}

impl<'f, 'n, 'a> Beside<'f, 'n, 'a> {
    /// The fields of the object at `around` that can be one of the fields of an object in it: by their names, or by a word.
    pub(super) fn like(&self, around: &str, inner: &Inner<'_, '_>) -> Vec<&'f Kept<'n, 'a>> {
        let Some(all) = self.by_parent.get(around) else { return Vec::new() };
        if all.len() <= MOST_ALIKE {
            return all.clone();
        }
        let names = inner.of.fields.iter().map(|field| field.wire.as_str());
        let alike = names.filter_map(|name| self.by_name.get(&(around, name))).flatten();
        alike.copied().collect()
    }
}
