//! Guesses of drafts: rules that a person may mean for fields that some versions lack, or whose words differ.
//!
//! A guess rests on names and types, never on descriptions. Where two fields are equally good, none is chosen.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;
use litemap::LiteMap;

use crate::conversion::{FieldRef, RuleKind, Structs, names, type_text};
use crate::gather::Gather;
use crate::plan::{Field, Plan, RustType, Struct, code};
use crate::rules::paths;
use crate::text::join;

/// The path of a field by version.
pub(super) type Names = LiteMap<String, String>;

/// Rules that a person may mean, and the fields that have another rule so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    /// The fields that the rules are about.
    pub(super) joins: Vec<Names>,
    /// The rules; none if several fields are equally good.
    pub(super) rules: Vec<Guessed>,
    /// The evidence, for people.
    pub(super) reason: String,
}

/// A guessed rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guessed {
    pub(super) step: &'static str,
    pub(super) names: Names,
    /// For `wrap`: the field of the object. For `keyed-list`: the field of an item that is the key.
    pub(super) field: Option<String>,
    /// For `words`: the words of each version.
    pub(super) words: BTreeMap<String, Vec<String>>,
}

/// A kind, for guesses about it.
pub(super) struct Guesser<'a> {
    structs: Structs<'a>,
    objects: LiteMap<String, &'a Struct>,
}

impl<'a> Guesser<'a> {
    pub(super) fn new(group: &str, kind: &str, plan: &'a Plan) -> Self {
        let structs = Structs::new(plan, &[]);
        let objects = structs.of_kind(group, kind);
        Self { structs, objects }
    }

    /// Guesses about fields that are kept aside so far, the best ones first.
    pub(super) fn about_kept(&self, kept: &[Names]) -> Vec<Guess> {
        let fields: Vec<Kept<'_>> = kept.iter().filter_map(|names| self.kept(names)).collect();
        let nested: Vec<Nested> =
            fields.iter().filter_map(|field| self.nest(field, &fields)).collect();
        let is_best = |one: &Nested| nested.iter().all(|other| !one.yields_to(other));
        let best: Vec<bool> = nested.iter().map(is_best).collect();
        let nested = nested.into_iter().zip(best).filter(|(_, is_best)| *is_best);
        nested.map(|(nested, _)| nested.guess).chain(self.pairs(&fields)).collect()
    }

    /// The types of a field as versions have it, for people.
    pub(super) fn types(&self, names: &Names) -> Vec<String> {
        let of = |(version, path): (&String, &String)| {
            let field = self.structs.at(self.objects.get(version)?, path)?;
            let needs = if field.required { ", required" } else { "" };
            Some(format!("{version} {path}: {}{needs}", type_text(&field.rust_type)))
        };
        names.iter().filter_map(of).collect()
    }

    fn kept<'n>(&self, names: &'n Names) -> Option<Kept<'n>> {
        let field =
            |(version, path): (&String, &String)| self.structs.at(self.objects.get(version)?, path);
        let fields: Option<Vec<FieldRef>> = names.iter().map(field).collect();
        let field = fields?.into_iter().next()?;
        Some(Kept { names, field })
    }
}

/// A field that is kept aside, as its lowest version has it.
struct Kept<'n> {
    names: &'n Names,
    field: FieldRef,
}

impl Kept<'_> {
    /// The path of the object around the field; `None` if it is not the same in all versions.
    fn parent(&self) -> Option<&str> {
        let mut parents = self.names.values().map(|path| paths::split_last(path).0);
        let first = parents.next()?;
        parents.all(|other| other == first).then_some(first)
    }

    fn name(&self) -> &str {
        self.names.values().next().map_or("", |path| paths::split_last(path).1)
    }
}

// Names that are alike.

/// How well two fields fit, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// Their names differ in nothing but case.
    SameName,
    /// Their names have the same words: `secretRef` and `secret`.
    SameWords,
    /// One name has the words of the other and more: `volume` and `volumeName`.
    MoreWords,
    /// They are in different objects, and the names of these and of the fields say the same: `keySize` and `privateKey.size`.
    ElsewhereSame,
    /// Nothing but their types.
    Type,
}

impl Likeness {
    const ALL: [Self; 5] =
        [Self::SameName, Self::SameWords, Self::MoreWords, Self::ElsewhereSame, Self::Type];

    fn of(one: &Kept<'_>, other: &Kept<'_>) -> Option<Self> {
        let parents = (one.parent()?, other.parent()?);
        let is_same = one.name().eq_ignore_ascii_case(other.name());
        if parents.0 != parents.1 {
            let moves = one.name().eq_ignore_ascii_case(other.name()) && !is_generic(one.name())
                || says_the_same((parents.0, one.name()), (parents.1, other.name()));
            return (moves && can_move(parents.0, parents.1)).then_some(Self::ElsewhereSame);
        }
        let around = paths::split_last(parents.0).1;
        let (few, many) = (words(one.name(), around), words(other.name(), around));
        Some(match () {
            () if is_same => Self::SameName,
            () if few == many => Self::SameWords,
            () if few.is_subset(&many) || many.is_subset(&few) => Self::MoreWords,
            () => Self::Type,
        })
    }

    /// The evidence, for people.
    fn evidence(self) -> &'static str {
        match self {
            Self::SameName => "their names are equal, ",
            Self::SameWords | Self::MoreWords => "their names are alike, ",
            Self::ElsewhereSame => "their paths say the same, ",
            Self::Type => "",
        }
    }
}

/// The words of a name that say something beside the object `around`: `secretName` in `trigger` is about a secret.
fn words(name: &str, around: &str) -> BTreeSet<String> {
    let all = |name: &str| -> BTreeSet<String> {
        let name = name.to_snake_case();
        name.split('_').map(|word| word.trim_end_matches('s').to_owned()).gather()
    };
    let own = all(name);
    let around = all(around);
    let without = |unwanted: &dyn Fn(&String) -> bool, words: &BTreeSet<String>| {
        let rest: BTreeSet<String> = words.iter().filter(|it| !unwanted(it)).cloned().gather();
        if rest.is_empty() { words.clone() } else { rest }
    };
    let filler = ["name", "ref", "reference"];
    let own = without(&|word| filler.contains(&word.as_str()), &own);
    without(&|word| around.contains(word), &own)
}

/// Returns `true` for names that fields of different meaning have.
fn is_generic(name: &str) -> bool {
    const GENERIC: [&str; 10] = [
        "name",
        "namespace",
        "type",
        "kind",
        "enabled",
        "enable",
        "value",
        "labels",
        "annotations",
        "apiVersion",
    ];
    GENERIC.contains(&name)
}

/// Returns `true` if the path of one field says what the name of the other says, in an object that the name mentions:
/// `privateKey.size` and `keySize`, `ingressOptions.allowedClasses` and `ingressClasses`.
fn says_the_same(one: (&str, &str), other: (&str, &str)) -> bool {
    let longer = |(parent, name): (&str, &str), flat: &str| {
        let object = words(paths::split_last(parent).1, "");
        let (name, flat) = (words(name, ""), words(flat, ""));
        let mentions = |words: &BTreeSet<String>| words.iter().any(|word| flat.contains(word));
        let around: BTreeSet<String> = object.difference(&name).cloned().gather();
        let all: BTreeSet<String> = object.union(&name).cloned().gather();
        mentions(&name) && mentions(&around) && (name.is_subset(&flat) || flat.is_subset(&all))
    };
    longer(one, other.1) || longer(other, one.1)
}

/// Returns `true` if no list or map is around one of two objects alone.
fn can_move(one: &str, other: &str) -> bool {
    let lists = |path: &str| path.rsplit_once("[]").map(|(list, _)| list.to_owned());
    lists(one) == lists(other)
}

// Two fields that are one.

/// What joins two fields.
struct Relation {
    step: &'static str,
    field: Option<String>,
    what: &'static str,
    /// Whether the types alone are evidence.
    is_enough: bool,
}

impl Guesser<'_> {
    /// Guesses which of these fields are the same in other versions: the best likeness first. A pair is a guess
    /// only if no other pair is as good.
    fn pairs(&self, fields: &[Kept<'_>]) -> Vec<Guess> {
        let (mut guesses, mut settled) = (Vec::new(), BTreeSet::new());
        for likeness in Likeness::ALL {
            let best: Vec<Vec<usize>> = (0..fields.len())
                .map(|index| self.best(fields, index, likeness, &settled))
                .collect();
            for (index, field) in fields.iter().enumerate() {
                let others = best.get(index).map_or(&[][..], Vec::as_slice);
                match others {
                    [] => {}
                    [other] if best.get(*other).is_some_and(|back| *back == [index]) => {
                        settled.insert(index);
                        let other = fields.get(*other).filter(|_| *other > index);
                        guesses.extend(other.and_then(|other| self.joined(field, other, likeness)));
                    }
                    [_] => _ = settled.insert(index),
                    several => {
                        settled.insert(index);
                        let others = several.iter().filter_map(|it| fields.get(*it));
                        guesses.push(undecided(field, others));
                    }
                }
            }
        }
        guesses
    }

    fn joined(&self, one: &Kept<'_>, other: &Kept<'_>, likeness: Likeness) -> Option<Guess> {
        let Relation { step, field, what, .. } = self.relation(one, other)?;
        let all = one.names.iter().chain(other.names);
        let names: Names = all.map(|(version, path)| (version.clone(), path.clone())).gather();
        // A version that has neither keeps it aside.
        let step = if names.len() == self.objects.len() { step } else { names::KEEP_ASIDE };
        Some(Guess {
            joins: vec![one.names.clone(), other.names.clone()],
            rules: vec![Guessed { step, names, field, words: BTreeMap::new() }],
            reason: format!(
                "{}{what}, and only one of them is in each version",
                likeness.evidence()
            ),
        })
    }

    /// The fields that fit best to one, of those with this likeness.
    fn best(
        &self,
        fields: &[Kept<'_>],
        index: usize,
        likeness: Likeness,
        settled: &BTreeSet<usize>,
    ) -> Vec<usize> {
        let Some(field) = fields.get(index).filter(|_| !settled.contains(&index)) else {
            return Vec::new();
        };
        let fits = |other: &Kept<'_>| {
            let all = field.names.len() + other.names.len() == self.objects.len();
            let is_apart = !field.names.keys().any(|version| other.names.contains_key(version));
            let is_alike = is_apart && Likeness::of(field, other) == Some(likeness);
            let relation = is_alike.then(|| self.relation(field, other))??;
            let is_enough = relation.is_enough || likeness != Likeness::Type;
            let fits = is_enough && (all || relation.step == names::MOVE);
            // The order of the guide: the simplest rule first.
            let rank = RuleKind::all().iter().position(|kind| kind.name == relation.step);
            rank.filter(|_| fits)
        };
        let others = fields.iter().enumerate().filter(|(at, _)| !settled.contains(at));
        let fitting: Vec<_> = others.filter_map(|(at, other)| Some((fits(other)?, at))).collect();
        let best = fitting.iter().map(|(rank, _)| *rank).min();
        fitting.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, at)| at).collect()
    }

    /// What joins two fields by their types.
    fn relation(&self, one: &Kept<'_>, other: &Kept<'_>) -> Option<Relation> {
        let relation =
            |step, what, is_enough| Some(Relation { step, field: None, what, is_enough });
        let (a, b) = (&one.field.rust_type, &other.field.rust_type);
        let optional = a.is_option() == b.is_option();
        let same = if optional && one.field.required == other.field.required {
            names::MOVE
        } else {
            names::ABSENT_TO_ZERO
        };
        if are_texts(a.present(), b.present()) || is_plain(a) && a.present() == b.present() {
            return relation(same, named(a), true);
        }
        match (a.present(), b.present()) {
            (RustType::Struct(_), RustType::Struct(_)) | (RustType::List(_), RustType::List(_)) => {
                let is_whole = self.have_one_form(a.present(), b.present())?;
                relation(same, "they have fields in common", is_whole)
            }
            (RustType::List(list), RustType::Map(map))
            | (RustType::Map(map), RustType::List(list)) => {
                let key = Some(self.key(list, map)?);
                let what = "one is a map, and the other a list with a key";
                Some(Relation { step: names::KEYED_LIST, field: key, what, is_enough: false })
            }
            (RustType::List(item), held) | (held, RustType::List(item))
                if **item == *held || are_structs(item, held) =>
            {
                relation(names::FIRST_OF_LIST, "one is a list of what the other is", false)
            }
            (RustType::I32, RustType::I64) | (RustType::I64, RustType::I32) if optional => {
                relation(names::NARROW, "both are integers", false)
            }
            (RustType::String, RustType::I32 | RustType::I64)
            | (RustType::I32 | RustType::I64, RustType::String)
                if optional =>
            {
                relation(names::TEXT, "one is a number and the other a text", false)
            }
            (RustType::String, object) | (object, RustType::String) if optional => {
                let field = Some(self.only_text(object)?);
                let is_enough = self.structs.of_type(object)?.fields.len() == 1;
                let what = "one is a text and the other an object with one required text";
                Some(Relation { step: names::WRAP, field, what, is_enough })
            }
            _ => None,
        }
    }

    /// `Some` if two objects, or the items of two lists, have at least half of the fields of one of them in common; `true` if one has
    /// all fields of the other, and more than one.
    fn have_one_form(&self, one: &RustType, other: &RustType) -> Option<bool> {
        let names = |of: &RustType| -> Option<BTreeSet<&str>> {
            let fields = &self.structs.of_type(of.innermost())?.fields;
            Some(fields.iter().map(|field| field.wire.as_str()).gather())
        };
        let (one, other) = (names(one)?, names(other)?);
        let (common, fewest) = (one.intersection(&other).count(), one.len().min(other.len()));
        (common > 0 && common * 2 >= fewest).then_some(common == fewest && fewest > 1)
    }

    /// The field of the items of a list that is the key of a map: its merge key, or the only text that the values of the map lack.
    fn key(&self, list: &RustType, map: &RustType) -> Option<String> {
        let (item, value) = (self.structs.of_type(list)?, self.structs.of_type(map)?);
        let lacks = |name: &str| !value.fields.iter().any(|field| field.wire == name);
        let texts =
            item.fields.iter().filter(|field| *field.rust_type.present() == RustType::String);
        let mut keys = texts.map(|field| field.wire.as_str()).filter(|name| lacks(name));
        let key = keys.next()?.to_owned();
        keys.next().is_none().then_some(key)
    }

    /// The only required field of an object, or its only field, if that is a text.
    fn only_text(&self, object: &RustType) -> Option<String> {
        let fields = &self.structs.of_type(object)?.fields;
        let mut required: Vec<_> = fields.iter().filter(|it| !it.rust_type.is_option()).collect();
        if required.is_empty() && fields.len() == 1 {
            required = fields.iter().collect();
        }
        match required.as_slice() {
            [only] if *only.rust_type.present() == RustType::String => Some(only.wire.clone()),
            _ => None,
        }
    }
}

/// The guess that says why nothing is guessed about a field.
fn undecided<'k>(field: &Kept<'_>, others: impl Iterator<Item = &'k Kept<'k>>) -> Guess {
    let paths = join(others.filter_map(|it| Some(code(it.names.values().next()?))), " and ");
    let reason = format!("{paths} are equally like it, so a person has to say which it is, if any");
    Guess { joins: vec![field.names.clone()], rules: Vec::new(), reason }
}

fn are_structs(one: &RustType, other: &RustType) -> bool {
    matches!((one, other), (RustType::Struct(_), RustType::Struct(_)))
}

fn are_texts(one: &RustType, other: &RustType) -> bool {
    one.is_text() && other.is_text()
}

/// Returns `true` if all values of the type are plain: no versions of a struct or of words that could differ.
fn is_plain(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::Option(inner) | RustType::List(inner) | RustType::Map(inner) => is_plain(inner),
        RustType::Struct(_) | RustType::Wrapped(..) | RustType::Vocabulary(_) => false,
        _ => true,
    }
}

fn named(rust_type: &RustType) -> &'static str {
    match rust_type.present() {
        RustType::String | RustType::Vocabulary(_) => "both are texts",
        RustType::Bool => "both are booleans",
        RustType::I32 | RustType::I64 | RustType::F64 => "both are numbers",
        RustType::List(_) => "both are lists of one type",
        RustType::Map(_) => "both are maps of one type",
        _ => "both have one type",
    }
}

// A sub-object whose fields are beside it in other versions.

/// A guess that the fields of an object were fields of the object around it.
struct Nested {
    guess: Guess,
    around: String,
    /// The names of its fields that the object around it has in other versions.
    taken: BTreeSet<String>,
    /// The number of fields that the guess is about.
    moved: usize,
}

impl Nested {
    /// Returns `true` if another object takes a field, too, and its guess is as good: a field cannot be in both.
    fn yields_to(&self, other: &Self) -> bool {
        let is_other = !std::ptr::eq(self, other) && self.around == other.around;
        is_other && other.moved >= self.moved && !self.taken.is_disjoint(&other.taken)
    }
}

impl Guesser<'_> {
    /// Guesses that the fields of an object were fields of the object around it: under their own names, at least one that says
    /// something, or with the name of the object before them, such as `namespaceQuota` for `namespaceOptions.quota`.
    fn nest(&self, object: &Kept<'_>, fields: &[Kept<'_>]) -> Option<Nested> {
        let inside = self.structs.of_type(object.field.rust_type.present())?;
        let around = object.parent().filter(|path| !path.is_empty())?;
        let (_, path) = object.names.first()?;
        let flat: Vec<&String> =
            self.objects.keys().filter(|version| !object.names.contains_key(*version)).collect();
        let own = |field: &Kept<'_>| {
            let own = counterpart(inside, path, (around, field.name()))?;
            let (one, other) = (own.rust_type.present(), field.field.rust_type.present());
            let is_one =
                one == other || are_texts(one, other) || self.have_one_form(one, other).is_some();
            let is_beside =
                field.parent() == Some(around) && field.names.keys().eq(flat.iter().copied());
            (is_one && is_beside).then_some(own.wire.as_str())
        };
        let all: Vec<(&Kept<'_>, &str)> =
            fields.iter().filter_map(|field| Some((field, own(field)?))).collect();
        let is_only = |name: &str| all.iter().filter(|(_, other)| *other == name).count() == 1;
        let moved: Vec<_> = all
            .iter()
            .filter(|(field, name)| field.name() == *name || is_only(name))
            .copied()
            .collect();
        let says_something = moved.len() > 1
            || moved.iter().any(|(field, name)| field.name() != *name || !is_generic(name));
        if moved.is_empty() || !says_something {
            return None;
        }
        let shown = join(moved.iter().map(|(field, _)| code(field.name())), ", ");
        let taken = self.names_in(&flat, around);
        let taken =
            inside.fields.iter().map(|own| own.wire.clone()).filter(|own| taken.contains(own));
        let (taken, count) = (taken.gather(), moved.len());
        let flat = flat.into_iter().map(|version| (version.clone(), around.to_owned()));
        let rule = |step, names| Guessed { step, names, field: None, words: BTreeMap::new() };
        let nest = rule(names::NEST, object.names.clone().into_iter().chain(flat).gather());
        let other_names = moved.iter().filter(|(field, name)| field.name() != *name);
        let renames = other_names.map(|(field, name)| {
            let inner = object.names.iter();
            let inner = inner.map(|(version, path)| (version.clone(), paths::child(path, name)));
            rule(names::MOVE, field.names.clone().into_iter().chain(inner).gather())
        });
        let rules = [nest].into_iter().chain(renames).collect();
        let others = moved.iter().map(|(field, _)| field.names.clone());
        let joins = [object.names.clone()].into_iter().chain(others).collect();
        let reason = format!("its fields {shown} are beside it in other versions");
        let guess = Guess { joins, rules, reason };
        Some(Nested { guess, around: around.to_owned(), taken, moved: count })
    }

    /// The names of the fields that an object has in one of these versions.
    fn names_in(&self, versions: &[&String], path: &str) -> BTreeSet<String> {
        let object = |version: &&String| {
            let field = self.structs.at(self.objects.get(*version)?, path)?;
            self.structs.of_type(field.rust_type.present())
        };
        let fields = versions.iter().filter_map(object).flat_map(|object| &object.fields);
        fields.map(|field| field.wire.clone()).gather()
    }
}

/// The field of an object that was beside it: of the same name, of the name without the words of the object, or the only one that
/// says the same.
fn counterpart<'s>(inside: &'s Struct, path: &str, flat: (&str, &str)) -> Option<&'s Field> {
    let (object, name) = (words(paths::split_last(path).1, ""), words(flat.1, ""));
    let rest: BTreeSet<String> = name.difference(&object).cloned().gather();
    let is_same = |own: &Field| own.wire == flat.1;
    let is_rest = |own: &Field| rest.len() < name.len() && words(&own.wire, "") == rest;
    let is_alike = |own: &Field| {
        let has_more = name.len() > 1 && name.is_subset(&words(&own.wire, ""));
        has_more || says_the_same((path, &own.wire), flat)
    };
    let only = |fits: &dyn Fn(&Field) -> bool| {
        let mut fitting = inside.fields.iter().filter(|own| fits(own));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    only(&is_same).or_else(|| only(&is_rest)).or_else(|| only(&is_alike))
}

// Words that differ in case or in a prefix.

impl Guesser<'_> {
    /// Guesses which words of a field, of which some versions refuse some, are the same in all versions.
    pub(super) fn about_words(&self, path: &str) -> Option<Guess> {
        let mut lists: LiteMap<String, Vec<String>> = LiteMap::new();
        for (version, object) in &self.objects {
            let field = self.structs.at(object, path)?;
            let words = self.structs.field(&field)?.of.words();
            lists.insert(version.clone(), words.into_iter().map(str::to_owned).collect());
        }
        let (lowest, first) = lists.first()?;
        let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for word in first {
            let others = lists.iter().map(|(version, words)| {
                let name = if version == lowest { word } else { same_word(word, words)? };
                Some((version.clone(), name.clone()))
            });
            let Some(row) = others.collect::<Option<Vec<_>>>() else { continue };
            if row.iter().any(|(_, name)| name != word) {
                for (version, name) in row {
                    words.entry(version).or_default().push(name);
                }
            }
        }
        let shown = join(words.get(lowest)?.iter().map(|word| code(word)), ", ");
        let names = lists.keys().map(|version| (version.clone(), path.to_owned())).gather();
        let rules = vec![Guessed { step: names::WORDS, names, field: None, words }];
        let reason = format!(
            "the words {shown} differ from words of other versions only in case, signs or a prefix"
        );
        Some(Guess { joins: Vec::new(), rules, reason })
    }
}

/// The only word of a list that is the same but for case, signs or a prefix.
fn same_word<'w>(word: &str, words: &'w [String]) -> Option<&'w String> {
    let plain = |word: &str| -> String {
        word.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let own = plain(word);
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = words.iter().filter(|other| fits(&plain(other)));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    if let Some(equal) = words.iter().find(|other| *other == word) {
        return Some(equal);
    }
    only(&|other| other == own).or_else(|| {
        let is_long = |text: &str| text.len() > 2;
        only(&|other| {
            is_long(other) && is_long(&own) && (own.ends_with(other) || other.ends_with(&own))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{can_move, same_word, says_the_same, words};

    #[test]
    fn names_that_say_the_same() {
        for (one, other, same) in [
            (("spec", "keySize"), ("spec.privateKey", "size"), true),
            (("spec", "namespaceQuota"), ("spec.namespaceOptions", "quota"), true),
            (("spec", "size"), ("spec.privateKey", "size"), false),
            (("spec", "keySize"), ("spec.door", "size"), false),
            (("spec", "ingressClasses"), ("spec.ingressOptions", "allowedClasses"), true),
            (("spec", "deletionPropagationPolicy"), ("spec.deletion", "propagation"), true),
        ] {
            assert_eq!(says_the_same(one, other), same, "{one:?} {other:?}");
            assert_eq!(says_the_same(other, one), same, "{other:?} {one:?}");
        }
        assert_eq!(words("secretRef", "trigger"), words("triggerSecret", "trigger"));
        assert_ne!(words("name", "user"), words("id", "user"));
        assert!(can_move("spec.a[].b", "spec.a[]") && !can_move("spec.a[]", "spec.b[]"));
    }

    #[test]
    fn words_that_are_one() {
        for (word, words, expected) in [
            ("readOnly", vec!["ReadOnly", "ReadWrite"], Some("ReadOnly")),
            ("read-only", vec!["ReadOnly", "ReadWrite"], Some("ReadOnly")),
            ("RO", vec!["ReadOnly"], None),
            ("Always", vec!["PolicyAlways", "PolicyNever"], Some("PolicyAlways")),
            ("PolicyNever", vec!["Always", "Never"], Some("Never")),
            // Two are equally good.
            ("Always", vec!["PullAlways", "PushAlways"], None),
            ("always", vec!["Always", "ALWAYS"], None),
        ] {
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            assert_eq!(
                same_word(word, &words).map(String::as_str),
                expected,
                "{word} in {words:?}"
            );
        }
    }
}
