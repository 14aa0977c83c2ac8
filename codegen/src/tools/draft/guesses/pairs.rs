//! Two fields that are one.

use std::collections::BTreeSet;

use super::guess::{Guess, Guessed, Names, SHOWN};
use super::kept::{Guesser, Kept};
use super::likeness::{Index, Likeness};
use super::name_words::is_generic;
use super::relation::{
    Relation, are_lists, are_structs, are_texts, check_alike, group_of_version, is_plain, items,
    named, of_numbers, same_checks,
};
use crate::conversion::{RuleKind, names};
use crate::gather::Gather;
use crate::plan::{Field, RustType, code};
use crate::text::{join, shorten};

impl<'a> Guesser<'a> {
    /// Guesses which of these fields are the same in other versions: the best likeness first. A pair is a guess
    /// only if no other pair is as good.
    pub(super) fn pairs(&self, fields: &[Kept<'_, 'a>]) -> Vec<Guess> {
        let (mut guesses, mut settled) = (Vec::new(), BTreeSet::new());
        for likeness in Likeness::ALL {
            let index = Index::new(fields, &settled);
            let best: Vec<Vec<usize>> = (0..fields.len())
                .map(|at| self.best(fields, at, (&index, likeness), &settled))
                .collect();
            for (at, field) in fields.iter().enumerate() {
                let others = best.get(at).map_or(&[][..], Vec::as_slice);
                match others {
                    [] => {}
                    [other] if best.get(*other).is_some_and(|back| *back == [at]) => {
                        settled.insert(at);
                        let other = fields.get(*other).filter(|_| *other > at);
                        guesses.extend(other.and_then(|other| self.joined(field, other, likeness)));
                    }
                    [_] => _ = settled.insert(at),
                    several => {
                        settled.insert(at);
                        let others = several.iter().filter_map(|several| fields.get(*several));
                        // What nothing but its type speaks for is not worth a look.
                        let is_shown = |other: &&Kept<'_, '_>| {
                            likeness != Likeness::Type || !field.bare.is_disjoint(&other.bare)
                        };
                        let others: Vec<_> = others.filter(is_shown).collect();
                        guesses.extend(match others.as_slice() {
                            [] => None,
                            [only] => Some(unlike(field, only)),
                            _ => Some(undecided(field, others.into_iter())),
                        });
                    }
                }
            }
        }
        guesses
    }

    pub(super) fn joined(
        &self,
        one: &Kept<'_, 'a>,
        other: &Kept<'_, 'a>,
        likeness: Likeness,
    ) -> Option<Guess> {
        let Relation { rule, keys, what, is_enough, of_items, .. } =
            self.relation(one, other, likeness)?;
        let is_unlike = likeness == Likeness::Type && !is_enough;
        let all = one.names.iter().chain(other.names);
        let names: Names = all.map(|(version, path)| (version.clone(), path.clone())).gather();
        let is_in_all = names.len() == self.objects.len();
        if is_unlike && !(is_in_all && rule == names::MOVE && could_be_one(one, other)) {
            let is_one_type = [names::MOVE, names::ABSENT_TO_ZERO].contains(&rule);
            return is_one_type.then(|| unlike(one, other));
        }
        // A version that has neither keeps it aside.
        let (rule, keys, of_items) = if is_in_all || takes_lacking(rule) {
            (rule, keys, of_items)
        } else {
            (names::KEEP_ASIDE, Vec::new(), false)
        };
        let joins = vec![one.names.clone(), other.names.clone()];
        let words = [one, other].map(|field| field.stated.property.words());
        if let [one, other] = &words
            && one != other
            && !one.is_empty()
            && !other.is_empty()
            && let Some(guess) = self.about_words(&names)
        {
            return Some(Guess { joins, ..guess });
        }
        Some(Guess {
            joins,
            apart: BTreeSet::new(),
            rules: vec![Guessed::with(rule, if of_items { items(names) } else { names }, keys)],
            reason: if is_unlike {
                format!(
                    "{what}, and no other field of their object can be it: their names do not say so"
                )
            } else {
                format!("{}{what}, and only one of them is in each version", likeness.evidence())
            },
        })
    }

    /// The fields that fit best to one, of those with this likeness.
    pub(super) fn best(
        &self,
        fields: &[Kept<'_, 'a>],
        at: usize,
        (index, likeness): (&Index<'_>, Likeness),
        settled: &BTreeSet<usize>,
    ) -> Vec<usize> {
        let Some(field) = fields.get(at).filter(|_| !settled.contains(&at)) else {
            return Vec::new();
        };
        let fits = |other: &Kept<'_, 'a>| {
            self.compared.set(self.compared.get() + 1);
            let all = field.names.len() + other.names.len() == self.objects.len();
            let is_apart = !field.names.keys().any(|version| other.names.contains_key(version));
            let is_alike = is_apart && Likeness::of(field, other) == Some(likeness);
            let relation = is_alike.then(|| self.relation(field, other, likeness))??;
            // Texts of unlike names are shown to people, and not guessed.
            let of = &field.field.rust_type;
            let is_shown = relation.is_enough || is_plain(of) || of.present().is_text();
            let can_lack = || relation.rule == names::MOVE || takes_lacking(relation.rule);
            let fits = (is_shown || likeness != Likeness::Type) && (all || can_lack());
            let words = match likeness {
                Likeness::MoreWords => field.bare.intersection(&other.bare).count(),
                _ => 0,
            };
            // The names with most words in common first, then in the order of the guide: the simplest rule first; of several, the
            // objects with most in common.
            let rank = RuleKind::all().iter().position(|kind| kind.name == relation.rule);
            let unlike = likeness == Likeness::Type && !relation.is_enough;
            let rest = |count: usize| usize::MAX - count;
            Some((unlike, rest(words), rank?, rest(relation.common))).filter(|_| fits)
        };
        let others = index.like(field, likeness).into_iter();
        let others = others.filter_map(|at| Some((at, fields.get(at)?)));
        let fitting: Vec<_> = others.filter_map(|(at, other)| Some((fits(other)?, at))).collect();
        let best = fitting.iter().map(|(rank, _)| *rank).min();
        fitting.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, at)| at).collect()
    }

    /// What joins two fields by their types.
    pub(super) fn relation(
        &self,
        one: &Kept<'_, 'a>,
        other: &Kept<'_, 'a>,
        likeness: Likeness,
    ) -> Option<Relation> {
        let (a, b) = (&one.field.rust_type, &other.field.rust_type);
        let optional = a.is_option() == b.is_option();
        let same = if optional && one.field.required == other.field.required {
            names::MOVE
        } else {
            names::ABSENT_TO_ZERO
        };
        if let Some(part) = group_of_version(one.named(), other.named()) {
            return Some(part);
        }
        if are_texts(a.present(), b.present()) || is_plain(a) && a.present() == b.present() {
            let is_enough = check_alike(one.stated, other.stated);
            return Some(Relation { is_enough, ..Relation::of(same, named(a)) });
        }
        if let Some(wrapped) = self.wrapped(a, b) {
            return Some(wrapped);
        }
        match (a.present(), b.present()) {
            (one, other) if are_structs(one, other) || are_lists(one, other) => {
                let (common, is_enough) = self.alike(one, other, likeness)?;
                let what = "they have fields in common";
                Some(Relation { is_enough, common, ..Relation::of(same, what) })
            }
            (RustType::List(list), RustType::Map(map))
            | (RustType::Map(map), RustType::List(list)) => {
                self.keyed_list(list, map).or_else(|| self.named_values(list, map))
            }
            (RustType::List(item), held) | (held, RustType::List(item))
                if **item == *held || are_structs(item, held) =>
            {
                Some(Relation::of(names::FIRST_OF_LIST, "one is a list of what the other is"))
            }
            _ => of_numbers(one.side(), other.side()),
        }
    }

    /// How many fields two objects, or the items of two lists, have in common, and whether that is enough. Without a hint in the names,
    /// an object is not taken for a part of another object, unless that has all of its fields.
    fn alike(&self, one: &RustType, other: &RustType, likeness: Likeness) -> Option<(usize, bool)> {
        if likeness != Likeness::Type {
            return self.common(one, other);
        }
        let all_below = || self.in_common_below(one, other).filter(|(_, all)| *all);
        self.in_common(one, other).or_else(all_below)
    }

    /// A value, and an object that has it as its only required field or its only one: a text, a list of plain values, or each item of a
    /// list.
    pub(super) fn wrapped(&self, one: &RustType, other: &RustType) -> Option<Relation> {
        let of_items =
            matches!((one.present(), other.present()), (RustType::List(_), RustType::List(_)));
        let optional = one.is_option() == other.is_option();
        let (one, other) = match (one.present(), other.present()) {
            (RustType::List(one), RustType::List(other)) => (&**one, &**other),
            both => both,
        };
        let (value, object) = match (self.structs.of_type(one.present()), other.present()) {
            (Some(_), value) => (value, one.present()),
            (None, object) => (one.present(), object),
        };
        let field = self.only_field(object).filter(|field| field.rust_type.present() == value)?;
        let what = match value {
            RustType::String => "one is a text and the other an object with one required text",
            RustType::List(_) if is_plain(value) => "one is a list and the other an object with it",
            _ => return None,
        };
        let keys = vec![("field", field.wire.as_str().into())];
        let is_enough = self.structs.of_type(object)?.fields.len() == 1;
        let wrapped = Relation { rule: names::WRAP, keys, what, is_enough, of_items, common: 0 };
        Some(wrapped).filter(|_| optional)
    }

    /// A map of objects, and a list of such objects with a key.
    fn keyed_list(&self, list: &RustType, map: &RustType) -> Option<Relation> {
        let keys = vec![("field", self.key(list, map)?.into())];
        let what = "one is a map, and the other a list with a key";
        Some(Relation { rule: names::KEYED_LIST, keys, what, ..Relation::default() })
    }

    /// A map of values, and a list of objects with a name and a value.
    pub(super) fn named_values(&self, item: &RustType, value: &RustType) -> Option<Relation> {
        let fields = &self.structs.of_type(item)?.fields;
        let has = |name: &str| fields.iter().any(|field| field.wire == name);
        let is_pair = has("name") && has("value") && fields.len() == 2;
        let rule = (is_pair && is_plain(value)).then_some(names::NAMED_VALUES)?;
        let keys = vec![("field", "name".into())];
        let what = "one is a map, and the other a list of names and values";
        Some(Relation { rule, keys, what, ..Relation::default() })
    }

    /// The field of the items of a list that is the key of a map: its merge key, or the only text that the values of the map lack.
    pub(super) fn key(&self, list: &RustType, map: &RustType) -> Option<String> {
        let (item, value) = (self.structs.of_type(list)?, self.structs.of_type(map)?);
        let lacks = |name: &str| !value.fields.iter().any(|field| field.wire == name);
        let texts =
            item.fields.iter().filter(|field| *field.rust_type.present() == RustType::String);
        let mut keys = texts.map(|field| field.wire.as_str()).filter(|name| lacks(name));
        let key = keys.next()?.to_owned();
        keys.next().is_none().then_some(key)
    }

    /// The only required field of an object, or its only field.
    pub(super) fn only_field(&self, object: &RustType) -> Option<&'a Field> {
        let fields = &self.structs.of_type(object)?.fields;
        let mut required: Vec<_> =
            fields.iter().filter(|field| !field.rust_type.is_option()).collect();
        if required.is_empty() && fields.len() == 1 {
            required = fields.iter().collect();
        }
        match required.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// Returns `true` if versions can lack the field of a rule of this kind.
fn takes_lacking(kind: &str) -> bool {
    RuleKind::named(kind).is_some_and(RuleKind::takes_lacking)
}

/// Returns `true` if nothing but their names tells two fields apart, and these say something. Flags are of one type by chance.
fn could_be_one(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> bool {
    let says_something = |field: &Kept<'_, '_>| {
        !is_generic(field.name) && *field.field.rust_type.present() != RustType::Bool
    };
    same_checks(one.stated, other.stated) && says_something(one) && says_something(other)
}

/// A guess without rules: the reason why nothing is guessed about a field.
pub(super) fn undecided<'k, 'n: 'k, 'a: 'k>(
    field: &Kept<'_, '_>,
    others: impl Iterator<Item = &'k Kept<'n, 'a>>,
) -> Guess {
    let paths = others.filter_map(|other| other.names.values().next().cloned());
    equally_like(field, &paths.collect::<Vec<_>>())
}

/// The same, with the paths of the other fields.
pub(super) fn equally_like(field: &Kept<'_, '_>, others: &[String]) -> Guess {
    let mut shown: Vec<String> = others.iter().map(|path| code(path)).collect();
    shorten(&mut shown, SHOWN, |hidden| format!("{hidden} more"));
    let shown = join(shown, " and ");
    let reason = format!("{shown} are equally like it, so a person has to say which it is, if any");
    let apart = BTreeSet::new();
    Guess { joins: vec![field.names.clone()], apart, rules: Vec::new(), reason }
}

/// The guess that two fields of one type may be one, without other evidence.
pub(super) fn unlike(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> Guess {
    let [a, b] = [one, other].map(|field| field.names.values().next().map_or("", String::as_str));
    let (a, b) = (code(a), code(b));
    let reason = format!(
        "{a} and {b} could be one field, but their names do not say so: a person has to say whether they are"
    );
    let joins = vec![one.names.clone(), other.names.clone()];
    Guess { joins, apart: BTreeSet::new(), rules: Vec::new(), reason }
}
