//! A field that moved into a new object, out of another one: `limits.timeout` and `timeouts.limitSeconds`.

use std::collections::{BTreeMap, BTreeSet};

use super::guess::{Guess, Guessed, Names, SHOWN};
use super::kept::{Guesser, Kept, Renamed};
use super::likeness::{MOST_ALIKE, can_move};
use super::name_words::words;
use super::pairs::equally_like;
use super::relation::{Relation, are_texts, has_enum, have_same_enum, in_units, is_plain, unit_of};
use crate::conversion::names;
use crate::gather::Gather;
use crate::plan::{Field, code};
use crate::rules::paths;
use crate::text::join;

/// A field of a new object, for a field that is elsewhere in the versions without the object.
struct Found<'f, 'n, 'a> {
    object: &'f Kept<'n, 'a>,
    own: &'a Field,
    field: &'f Kept<'n, 'a>,
    /// How many objects are around both, and how many words they have in common.
    rank: (usize, usize),
}

/// The fields that are kept aside, by what they can have in common with fields of a new object.
struct Index<'f, 'n, 'a> {
    by_word: BTreeMap<&'f str, Vec<&'f Kept<'n, 'a>>>,
    by_enum: BTreeMap<Vec<&'a str>, Vec<&'f Kept<'n, 'a>>>,
}

impl<'f, 'n, 'a> Index<'f, 'n, 'a> {
    fn new(fields: &'f [Kept<'n, 'a>]) -> Self {
        let mut index = Self { by_word: BTreeMap::new(), by_enum: BTreeMap::new() };
        for field in fields {
            for word in &field.bare {
                index.by_word.entry(word).or_default().push(field);
            }
            if has_enum(field.stated) {
                index.by_enum.entry(field.stated.property.words()).or_default().push(field);
            }
        }
        index.by_word.retain(|_, fields| fields.len() <= MOST_ALIKE);
        index.by_enum.retain(|_, fields| fields.len() <= MOST_ALIKE);
        index
    }
}

impl<'a> Guesser<'a> {
    /// Guesses that fields are in a new object, if their names and those of the objects around them say the same. A field for which several
    /// are equally good is left open.
    pub(super) fn elsewhere(&self, fields: &[Kept<'_, 'a>], renamed: &Renamed<'_>) -> Vec<Guess> {
        let index = Index::new(fields);
        let found = fields.iter().flat_map(|object| self.in_object(object, &index));
        let mut all: BTreeMap<&Names, Vec<Found<'_, '_, 'a>>> = BTreeMap::new();
        for found in found {
            all.entry(found.field.names).or_default().push(found);
        }
        let mut guesses = Vec::new();
        let mut of_objects: BTreeMap<&Names, Vec<Found<'_, '_, 'a>>> = BTreeMap::new();
        for found in all.into_values() {
            let best = found.iter().map(|found| found.rank).max();
            let mut best: Vec<_> =
                found.into_iter().filter(|found| Some(found.rank) == best).collect();
            match best.as_slice() {
                [_] => {
                    for only in best.drain(..) {
                        of_objects.entry(only.object.names).or_default().push(only);
                    }
                }
                [first, ..] => {
                    let paths = best.iter().map(|found| inner(found.object, found.own));
                    guesses.push(equally_like(first.field, &paths.collect::<Vec<_>>()));
                }
                [] => {}
            }
        }
        let decided = of_objects.into_values().filter_map(|found| self.moved_into(&found, renamed));
        decided.chain(guesses).collect()
    }

    /// The fields elsewhere that can be one of the fields of a new object.
    fn in_object<'f, 'n>(
        &self,
        object: &'f Kept<'n, 'a>,
        index: &Index<'f, 'n, 'a>,
    ) -> Vec<Found<'f, 'n, 'a>> {
        let is_meant = self.objects.contains_key(object.name);
        let inside = self.structs.of_type(object.field.rust_type.present());
        let Some(inside) = inside.filter(|of| !is_meant && of.fields.len() <= MOST_ALIKE) else {
            return Vec::new();
        };
        let of_object = words(object.name, "");
        let mut found = Vec::new();
        for own in &inside.fields {
            let of_field = without_fillers(words(&own.wire, ""));
            let words = of_field.iter().chain(&of_object);
            let candidates = words.filter_map(|word| index.by_word.get(word.as_str()));
            let of_enum = index.by_enum.get(&own.property.words());
            let mut seen = BTreeSet::new();
            for field in candidates.chain(of_enum).flatten() {
                self.compared.set(self.compared.get() + 1);
                if seen.insert(field.names)
                    && let Some(rank) = self.rank(object, (own, &of_field, &of_object), field)
                {
                    found.push(Found { object, own, field, rank });
                }
            }
        }
        found
    }

    /// How well a field of a new object fits to a field elsewhere.
    fn rank(
        &self,
        object: &Kept<'_, 'a>,
        (own, of_field, of_object): (&Field, &BTreeSet<String>, &BTreeSet<String>),
        field: &Kept<'_, 'a>,
    ) -> Option<(usize, usize)> {
        let others = self.objects.keys().filter(|version| !object.names.contains_key(*version));
        let (_, path) = object.names.first()?;
        let is_elsewhere = field.around != object.around
            && field.names.keys().eq(others)
            && can_move(&field.around, path);
        relation_inside(object, own, field).filter(|_| is_elsewhere)?;
        let name = without_fillers(field.bare.clone());
        let around = words(paths::split_last(&field.around).1, "");
        let all: BTreeSet<&String> = of_field.union(of_object).collect();
        let has_name = name.len() > 1 && name.iter().all(|word| all.contains(word));
        let says_all = name.union(&around).collect::<BTreeSet<_>>() == all && all.len() > 1;
        let mentions = |words: &BTreeSet<String>| {
            words.iter().any(|word| name.contains(word) || says_all && around.contains(word))
        };
        let fits = (has_name || says_all) && mentions(of_field) && mentions(of_object)
            || have_same_enum(own, field.stated);
        let segments = |path: &str| -> Vec<String> {
            paths::segments(path).into_iter().map(str::to_owned).collect()
        };
        let (one, other) = (segments(&field.around), segments(path));
        let shared = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        fits.then_some((shared, name.intersection(&all.into_iter().cloned().gather()).count()))
    }

    /// The guess that fields moved into an object, which other versions lack.
    fn moved_into(&self, found: &[Found<'_, '_, 'a>], renamed: &Renamed<'_>) -> Option<Guess> {
        let object = found.first()?.object;
        let (of, path) = object.names.first()?;
        let around = paths::split_last(path).0;
        let others = self.objects.keys().filter(|version| !object.names.contains_key(*version));
        let flat = others.map(|version| (version.clone(), renamed.path_in(version, of, around)));
        let nest = object.names.clone().into_iter().chain(flat).gather();
        let mut rules = vec![Guessed::new(names::NEST, nest)];
        let mut joins = vec![object.names.clone()];
        let mut seen = BTreeSet::new();
        for Found { own, field, .. } in found {
            // Two fields cannot be one.
            if !seen.insert(&own.wire) {
                return None;
            }
            let Relation { rule, keys, .. } = relation_inside(object, own, field)?;
            let segment = paths::segment(&own.wire);
            let inside = object.names.iter();
            let inside =
                inside.map(|(version, path)| (version.clone(), paths::child(path, &segment)));
            let names = field.names.clone().into_iter().chain(inside).gather();
            rules.push(Guessed::with(rule, names, keys));
            joins.push(field.names.clone());
        }
        let shown = join(found.iter().take(SHOWN).map(|found| code(first_path(found.field))), ", ");
        let reason = format!("the names of its fields and of {shown} say the same");
        Some(Guess { joins, apart: BTreeSet::new(), rules, reason })
    }
}

/// The rule for a field that moved into an object.
fn relation_inside(object: &Kept<'_, '_>, own: &Field, field: &Kept<'_, '_>) -> Option<Relation> {
    let inside = (own.wire.as_str(), &own.rust_type, object.names);
    if let Some(units) = in_units(field.side(), inside) {
        return Some(units);
    }
    let (one, other) = (&field.field.rust_type, &own.rust_type);
    let is_one = one.is_option() == other.is_option()
        && (is_plain(one) && one == other || are_texts(one.present(), other.present()));
    is_one.then(|| Relation { rule: names::MOVE, ..Relation::default() })
}

/// The path of a field of an object, in the lowest of its versions.
fn inner(object: &Kept<'_, '_>, own: &Field) -> String {
    paths::child(first_path(object), &paths::segment(&own.wire))
}

fn first_path<'n>(field: &Kept<'n, '_>) -> &'n str {
    field.names.values().next().map_or("", String::as_str)
}

/// The words of a name without those that say nothing: units and prepositions.
fn without_fillers(words: BTreeSet<String>) -> BTreeSet<String> {
    const FILLERS: [&str; 6] = ["for", "of", "per", "in", "to", "and"];
    let says_something =
        |word: &String| !FILLERS.contains(&word.as_str()) && unit_of(&format!("{word}s")).is_none();
    words.into_iter().filter(says_something).gather()
}
