//! Guesses of drafts: rules that a person may mean for fields that some versions lack, or whose words differ.
//!
//! A guess rests on names, types and checks, never on descriptions. Where two fields are equally good, none is chosen. Fields are only
//! compared with those that an index of their names finds, so the work grows with the number of fields.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;
use litemap::LiteMap;
use toml::Value;

use crate::conversion::{FieldRef, RuleKind, Structs, names, type_text};
use crate::gather::Gather;
use crate::plan::{Field, RustType, Struct, code};
use crate::rules::paths;
use crate::text::{join, shorten};

/// The path of a field by version.
pub(super) type Names = LiteMap<String, String>;

/// Rules that a person may mean, and the fields that have another rule so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guess {
    /// The fields that the rules are about, which are kept aside so far.
    pub(super) joins: Vec<Names>,
    /// The fields that have one name in all versions and another meaning in each: whatever rules they have make room.
    pub(super) apart: Names,
    /// The rules; none if several fields are equally good.
    pub(super) rules: Vec<Guessed>,
    /// The evidence, for people.
    pub(super) reason: String,
}

/// A guessed rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guessed {
    pub(super) step: &'static str,
    pub(super) names: Names,
    /// The keys of this rule alone, such as `field` of `wrap`.
    pub(super) keys: Vec<(&'static str, Value)>,
}

impl Guessed {
    fn new(step: &'static str, names: Names) -> Self {
        Self { step, names, keys: Vec::new() }
    }
}

/// A table with a value for each version.
fn by_version<'v, V: Into<Value>>(values: impl IntoIterator<Item = (&'v String, V)>) -> Value {
    let values = values.into_iter().map(|(version, value)| (version.clone(), value.into()));
    Value::Table(values.collect())
}

/// A kind, for guesses about it.
pub(super) struct Guesser<'a> {
    structs: &'a Structs<'a>,
    objects: LiteMap<String, &'a Struct>,
    /// How often two fields were compared.
    compared: Cell<usize>,
}

impl<'a> Guesser<'a> {
    pub(super) fn new(group: &str, kind: &str, structs: &'a Structs<'a>) -> Self {
        Self { structs, objects: structs.of_kind(group, kind), compared: Cell::new(0) }
    }

    /// How often two fields were compared.
    pub(super) fn compared(&self) -> usize {
        self.compared.get()
    }

    /// Guesses about fields that are kept aside so far, the best ones first. `renamed` are the fields that other rules are about.
    pub(super) fn about_kept(&self, kept: &[Names], renamed: &[Names]) -> Vec<Guess> {
        let renamed = Renamed::new(renamed);
        let fields = kept.iter().filter_map(|names| self.kept(names, &renamed));
        let fields: Vec<Kept<'_, 'a>> = fields.collect();
        let beside = Beside::new(&fields);
        let nested: Vec<Nested> =
            fields.iter().filter_map(|field| self.nest(field, &beside)).collect();
        let best = best_nested(&nested);
        let nested = nested.into_iter().zip(best).filter(|(_, is_best)| *is_best);
        let nested: Vec<Guess> = nested.map(|(nested, _)| nested.guess).collect();
        let below = fields.iter().filter_map(|field| Some((field, self.below(field, &beside)?)));
        let below: Vec<Guess> = below
            .flat_map(|(field, guess)| [nested_below(field, &guess), Some(guess)])
            .flatten()
            .collect();
        nested.into_iter().chain(below).chain(self.pairs(&fields)).collect()
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

    fn kept<'n>(&self, names: &'n Names, renamed: &Renamed) -> Option<Kept<'n, 'a>> {
        let mut fields =
            names.iter().map(|(version, path)| self.structs.at(self.objects.get(version)?, path));
        let field = fields.next()??;
        fields.all(|other| other.is_some()).then_some(())?;
        let stated = self.structs.field(&field)?;
        let (_, path) = names.first()?;
        let (parent, name) = paths::split_last(path);
        let mut parents = names
            .iter()
            .map(|(version, path)| renamed.canonical(version, paths::split_last(path).0));
        let around = parents.next()?.into_owned();
        let around = parents.all(|other| other == around).then_some(around)?;
        let is_one = names.values().all(|path| paths::split_last(path).0 == parent);
        let own = words(name, paths::split_last(&around).1);
        let bare = words(name, "");
        let parent = is_one.then_some(parent);
        Some(Kept { names, field, stated, parent, around, name, own, bare })
    }
}

/// A field that is kept aside, as its lowest version has it.
struct Kept<'n, 'a> {
    names: &'n Names,
    field: FieldRef,
    stated: &'a Field,
    /// The path of the object around the field; `None` if it is not the same in all versions.
    parent: Option<&'n str>,
    /// The path of the object around it, with the names that the lowest version has for it.
    around: String,
    name: &'n str,
    /// The words of its name that say something beside the object around it.
    own: BTreeSet<String>,
    /// The words of its name.
    bare: BTreeSet<String>,
}

impl<'n> Kept<'n, '_> {
    fn versions(&self) -> impl Iterator<Item = &'n String> {
        self.names.keys()
    }
}

/// The fields that rules rename, by version and path, each with its path in the lowest version.
struct Renamed(BTreeMap<(String, String), String>);

impl Renamed {
    fn new(renamed: &[Names]) -> Self {
        let plain = |path: &str| path.trim_end_matches("[]").to_owned();
        let mut all = BTreeMap::new();
        for names in renamed {
            let Some(first) = names.values().next().map(|path| plain(path)) else { continue };
            for (version, path) in names {
                let path = plain(path);
                if path != first {
                    all.insert((version.clone(), path), first.clone());
                }
            }
        }
        Self(all)
    }

    /// The path with the name that the lowest version has for the innermost renamed object on it.
    fn canonical<'p>(&self, version: &str, path: &'p str) -> Cow<'p, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(path);
        }
        let segments = paths::segments(path);
        let mut ends: Vec<usize> = Vec::new();
        let mut end = 0;
        for segment in &segments {
            let dot = path.get(end..).is_some_and(|rest| rest.starts_with('.'));
            end += usize::from(dot) + segment.len();
            ends.push(end);
        }
        for end in ends.into_iter().rev() {
            let Some((start, rest)) = path.split_at_checked(end) else { continue };
            let plain = start.trim_end_matches("[]");
            if let Some(lowest) = self.0.get(&(version.to_owned(), plain.to_owned())) {
                let items = start.strip_prefix(plain).unwrap_or_default();
                return Cow::Owned(format!("{lowest}{items}{rest}"));
            }
        }
        Cow::Borrowed(path)
    }
}

/// The fields that are kept aside, by the object around them and by their names.
struct Beside<'f, 'n, 'a> {
    by_name: BTreeMap<(&'f str, &'f str), Vec<&'f Kept<'n, 'a>>>,
    by_parent: BTreeMap<&'f str, Vec<&'f Kept<'n, 'a>>>,
}

impl<'f, 'n, 'a> Beside<'f, 'n, 'a> {
    fn new(fields: &'f [Kept<'n, 'a>]) -> Self {
        let (mut by_name, mut by_parent) = (BTreeMap::new(), BTreeMap::new());
        for field in fields {
            if let Some(parent) = field.parent {
                by_name.entry((parent, field.name)).or_insert_with(Vec::new).push(field);
                by_parent.entry(parent).or_insert_with(Vec::new).push(field);
            }
        }
        Self { by_name, by_parent }
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
    /// Nothing but their types and checks.
    Type,
}

impl Likeness {
    const ALL: [Self; 5] =
        [Self::SameName, Self::SameWords, Self::MoreWords, Self::ElsewhereSame, Self::Type];

    fn of(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> Option<Self> {
        let is_same = one.name.eq_ignore_ascii_case(other.name);
        if one.around != other.around {
            let moves = is_same && !is_generic(one.name)
                || says_the_same((&one.around, &one.bare), (&other.around, &other.bare));
            return (moves && can_move(&one.around, &other.around)).then_some(Self::ElsewhereSame);
        }
        Some(match () {
            () if is_same => Self::SameName,
            () if group_of_version(one, other).is_some() => Self::SameWords,
            () if one.own == other.own => Self::SameWords,
            () if one.own.is_subset(&other.own) || other.own.is_subset(&one.own) => Self::MoreWords,
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

/// The most fields with one word, or in one object, that are compared with each other: of more, none would stand out.
const MOST_ALIKE: usize = 40;

/// The fields that can be like each other, by what they have in common.
struct Index<'f> {
    names: BTreeMap<String, Vec<usize>>,
    words: BTreeMap<&'f str, Vec<usize>>,
    objects: BTreeMap<&'f str, Vec<usize>>,
}

impl<'f> Index<'f> {
    /// The index of the fields that are not settled.
    fn new(fields: &'f [Kept<'_, '_>], settled: &BTreeSet<usize>) -> Self {
        let mut index =
            Self { names: BTreeMap::new(), words: BTreeMap::new(), objects: BTreeMap::new() };
        for (at, field) in fields.iter().enumerate().filter(|(at, _)| !settled.contains(at)) {
            index.names.entry(field.name.to_ascii_lowercase()).or_default().push(at);
            for word in field.own.union(&field.bare) {
                index.words.entry(word).or_default().push(at);
            }
            index.objects.entry(&field.around).or_default().push(at);
        }
        index
    }

    /// The fields that can have this likeness to a field.
    fn like(&self, field: &Kept<'_, '_>, likeness: Likeness) -> BTreeSet<usize> {
        let open = |all: Option<&Vec<usize>>| -> Vec<usize> {
            all.filter(|all| all.len() <= MOST_ALIKE).cloned().unwrap_or_default()
        };
        let of_name = || open(self.names.get(&field.name.to_ascii_lowercase()));
        let of_words = || {
            let own = field.own.union(&field.bare);
            own.flat_map(|word| open(self.words.get(word.as_str()))).collect::<Vec<_>>()
        };
        let all = match likeness {
            Likeness::SameName => of_name(),
            Likeness::SameWords | Likeness::MoreWords => of_words(),
            Likeness::ElsewhereSame => of_name().into_iter().chain(of_words()).collect(),
            Likeness::Type => open(self.objects.get(field.around.as_str())),
        };
        all.into_iter().gather()
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
/// `privateKey.size` and `keySize`, `ingressOptions.allowedClasses` and `ingressClasses`. Each is the path of the object, and the words of
/// the name.
fn says_the_same(one: (&str, &BTreeSet<String>), other: (&str, &BTreeSet<String>)) -> bool {
    let longer = |(parent, name): (&str, &BTreeSet<String>), flat: &BTreeSet<String>| {
        // `route` and `routes.default`.
        if name.iter().all(|word| word == "default" || word == "value") {
            return words(paths::split_last(parent).1, "") == *flat;
        }
        let mentions = |words: &BTreeSet<String>| words.iter().any(|word| flat.contains(word));
        if !mentions(name) {
            return false;
        }
        let object = words(paths::split_last(parent).1, "");
        let around: BTreeSet<String> = object.difference(name).cloned().gather();
        let all: BTreeSet<String> = object.union(name).cloned().gather();
        mentions(&around) && (name.is_subset(flat) || flat.is_subset(&all))
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
#[derive(Default)]
struct Relation {
    step: &'static str,
    keys: Vec<(&'static str, Value)>,
    what: &'static str,
    /// Whether the types and checks alone are evidence.
    is_enough: bool,
    /// Whether the rule is about the items of the lists.
    of_items: bool,
    /// How much the objects have in common: the number of fields of both of one name and one type.
    common: usize,
}

impl<'a> Guesser<'a> {
    /// Guesses which of these fields are the same in other versions: the best likeness first. A pair is a guess
    /// only if no other pair is as good.
    fn pairs(&self, fields: &[Kept<'_, 'a>]) -> Vec<Guess> {
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
                        let others = several.iter().filter_map(|it| fields.get(*it));
                        guesses.push(undecided(field, others));
                    }
                }
            }
        }
        guesses
    }

    fn joined(
        &self,
        one: &Kept<'_, 'a>,
        other: &Kept<'_, 'a>,
        likeness: Likeness,
    ) -> Option<Guess> {
        let Relation { step, keys, what, is_enough, of_items, .. } = self.relation(one, other)?;
        if likeness == Likeness::Type && !is_enough {
            return Some(unlike(one, other));
        }
        let all = one.names.iter().chain(other.names);
        let names: Names = all.map(|(version, path)| (version.clone(), path.clone())).gather();
        // A version that has neither keeps it aside.
        let (step, keys, of_items) = if names.len() == self.objects.len() {
            (step, keys, of_items)
        } else {
            (names::KEEP_ASIDE, Vec::new(), false)
        };
        let joins = vec![one.names.clone(), other.names.clone()];
        let words = [one, other].map(|field| field.stated.of.words());
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
            apart: Names::new(),
            rules: vec![Guessed { step, names: if of_items { items(names) } else { names }, keys }],
            reason: format!(
                "{}{what}, and only one of them is in each version",
                likeness.evidence()
            ),
        })
    }

    /// The fields that fit best to one, of those with this likeness.
    fn best(
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
            let relation = is_alike.then(|| self.relation(field, other))??;
            // Texts of unlike names are shown to people, and not guessed.
            let of = &field.field.rust_type;
            let is_shown = relation.is_enough || is_plain(of) || of.present().is_text();
            let fits =
                (is_shown || likeness != Likeness::Type) && (all || relation.step == names::MOVE);
            // The order of the guide: the simplest rule first; of several, the objects with most in common.
            let rank = RuleKind::all().iter().position(|kind| kind.name == relation.step);
            let unlike = likeness == Likeness::Type && !relation.is_enough;
            Some((unlike, rank?, usize::MAX - relation.common)).filter(|_| fits)
        };
        let others = index.like(field, likeness).into_iter();
        let others = others.filter_map(|at| Some((at, fields.get(at)?)));
        let fitting: Vec<_> = others.filter_map(|(at, other)| Some((fits(other)?, at))).collect();
        let best = fitting.iter().map(|(rank, _)| *rank).min();
        fitting.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, at)| at).collect()
    }

    /// What joins two fields by their types.
    fn relation(&self, one: &Kept<'_, 'a>, other: &Kept<'_, 'a>) -> Option<Relation> {
        let relation =
            |step, what, is_enough| Some(Relation { step, what, is_enough, ..Relation::default() });
        let (a, b) = (&one.field.rust_type, &other.field.rust_type);
        let optional = a.is_option() == b.is_option();
        let same = if optional && one.field.required == other.field.required {
            names::MOVE
        } else {
            names::ABSENT_TO_ZERO
        };
        if let Some(part) = group_of_version(one, other) {
            return Some(part);
        }
        if are_texts(a.present(), b.present()) || is_plain(a) && a.present() == b.present() {
            return relation(same, named(a), check_alike(one.stated, other.stated));
        }
        if let Some(wrapped) = self.wrapped(a, b) {
            return Some(wrapped);
        }
        match (a.present(), b.present()) {
            (RustType::Struct(_), RustType::Struct(_)) | (RustType::List(_), RustType::List(_)) => {
                let (common, is_whole) = self.in_common(a.present(), b.present())?;
                let what = "they have fields in common";
                Some(Relation {
                    step: same,
                    what,
                    is_enough: is_whole,
                    common,
                    ..Relation::default()
                })
            }
            (RustType::List(list), RustType::Map(map))
            | (RustType::Map(map), RustType::List(list)) => match self.key(list, map) {
                Some(key) => {
                    let what = "one is a map, and the other a list with a key";
                    let (step, keys) = (names::KEYED_LIST, vec![("field", key.into())]);
                    Some(Relation { step, keys, what, ..Relation::default() })
                }
                None => self.named_values(list, map),
            },
            (RustType::List(item), held) | (held, RustType::List(item))
                if **item == *held || are_structs(item, held) =>
            {
                relation(names::FIRST_OF_LIST, "one is a list of what the other is", false)
            }
            (RustType::I32, RustType::I64) | (RustType::I64, RustType::I32) if optional => {
                relation(names::NARROW, "both are integers", false)
            }
            (RustType::String, RustType::I32 | RustType::I64)
            | (RustType::I32 | RustType::I64, RustType::String) => {
                match [one, other].map(|field| unit_of(field.name)) {
                    [None, None] if optional => {
                        relation(names::TEXT, "one is a number and the other a text", false)
                    }
                    [None, None] => None,
                    _ => in_units(one, other),
                }
            }
            _ => None,
        }
    }

    /// A value, and an object that has it as its only required field or its only one: a text, a list of plain values, or each item of a
    /// list.
    fn wrapped(&self, one: &RustType, other: &RustType) -> Option<Relation> {
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
        let wrapped = Relation { step: names::WRAP, keys, what, is_enough, of_items, common: 0 };
        Some(wrapped).filter(|_| optional)
    }

    /// A map of values, and a list of objects with a name and a value.
    fn named_values(&self, item: &RustType, value: &RustType) -> Option<Relation> {
        let fields = &self.structs.of_type(item)?.fields;
        let has = |name: &str| fields.iter().any(|field| field.wire == name);
        let is_pair = has("name") && has("value") && fields.len() == 2;
        let step = (is_pair && is_plain(value)).then_some(names::NAMED_VALUES)?;
        let keys = vec![("field", "name".into())];
        let what = "one is a map, and the other a list of names and values";
        Some(Relation { step, keys, what, ..Relation::default() })
    }

    /// How many fields two objects, or the items of two lists, have in common, if it is at least half of the fields of one of them;
    /// `true` if one has all fields of the other, and more than one.
    fn in_common(&self, one: &RustType, other: &RustType) -> Option<(usize, bool)> {
        let names = |of: &RustType| -> Option<BTreeSet<&str>> {
            let fields = &self.structs.of_type(of.innermost())?.fields;
            Some(fields.iter().map(|field| field.wire.as_str()).gather())
        };
        let (one, other) = (names(one)?, names(other)?);
        let (common, fewest) = (one.intersection(&other).count(), one.len().min(other.len()));
        (common > 0 && common * 2 >= fewest).then_some((common, common == fewest && fewest > 1))
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

    /// The only required field of an object, or its only field.
    fn only_field(&self, object: &RustType) -> Option<&'a Field> {
        let fields = &self.structs.of_type(object)?.fields;
        let mut required: Vec<_> = fields.iter().filter(|it| !it.rust_type.is_option()).collect();
        if required.is_empty() && fields.len() == 1 {
            required = fields.iter().collect();
        }
        match required.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// The most candidates that a comment names.
const SHOWN: usize = 3;

/// The guess that says why nothing is guessed about a field.
fn undecided<'k, 'n: 'k, 'a: 'k>(
    field: &Kept<'_, '_>,
    others: impl Iterator<Item = &'k Kept<'n, 'a>>,
) -> Guess {
    let mut shown: Vec<String> =
        others.filter_map(|it| Some(code(it.names.values().next()?))).collect();
    shorten(&mut shown, SHOWN, |hidden| format!("{hidden} more"));
    let shown = join(shown, " and ");
    let reason = format!("{shown} are equally like it, so a person has to say which it is, if any");
    let apart = Names::new();
    Guess { joins: vec![field.names.clone()], apart, rules: Vec::new(), reason }
}

/// The guess that two fields of one type may be one, although nothing else says so.
fn unlike(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> Guess {
    let [a, b] = [one, other].map(|field| field.names.values().next().map_or("", String::as_str));
    let (a, b) = (code(a), code(b));
    let reason = format!(
        "{a} and {b} could be one field, but their names do not say so: a person has to say whether they are"
    );
    let joins = vec![one.names.clone(), other.names.clone()];
    Guess { joins, apart: Names::new(), rules: Vec::new(), reason }
}

/// Returns `true` if servers check two fields by the same pattern or the same words.
fn check_alike(one: &Field, other: &Field) -> bool {
    let stated = |field: &Field, keyword: &str| field.of.facts.get(keyword).cloned();
    let mut checks = ["pattern", "enum"].into_iter().map(|it| (stated(one, it), stated(other, it)));
    checks.clone().all(|(one, other)| one == other) && checks.any(|(one, _)| one.is_some())
}

/// The unit at the end of a name.
fn unit_of(name: &str) -> Option<&'static str> {
    const UNITS: [&str; 5] = ["milliseconds", "seconds", "minutes", "hours", "days"];
    let name = name.to_ascii_lowercase();
    UNITS.into_iter().find(|unit| name.ends_with(unit))
}

/// A duration as text and as a number of the unit that its name says.
fn in_units(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> Option<Relation> {
    let step = names::UNITS;
    let is_text = |field: &Kept<'_, '_>| *field.field.rust_type.present() == RustType::String;
    let unit = |field: &Kept<'_, '_>| match (is_text(field), unit_of(field.name)) {
        (true, None) => Some("duration"),
        (false, unit) => unit,
        (true, Some(_)) => None,
    };
    let of = |field, unit: &'static str| Kept::versions(field).map(move |version| (version, unit));
    let units = by_version(of(one, unit(one)?).chain(of(other, unit(other)?)));
    let what = "one is a text and the other a number of a unit";
    Some(Relation { step, keys: vec![("units", units)], what, ..Relation::default() })
}

/// The version of a group, and the group alone.
fn group_of_version(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> Option<Relation> {
    let group = match (one.name, other.name) {
        ("apiVersion", "apiGroup") => other,
        ("apiGroup", "apiVersion") => one,
        _ => return None,
    };
    let step = names::PART_OF_TEXT;
    let part = by_version(group.versions().map(|version| (version, "before")));
    let keys = vec![("separator", "/".into()), ("part", part)];
    let what = "one is a group with its version";
    Some(Relation { step, keys, what, is_enough: true, ..Relation::default() })
}

/// The paths of the items of lists.
fn items(names: Names) -> Names {
    names.into_iter().map(|(version, path)| (version, path + "[]")).gather()
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

/// For each guess whether it is the best about all of its fields: no other object takes one of them as well, and has as much evidence. A
/// field cannot be in both.
fn best_nested(nested: &[Nested]) -> Vec<bool> {
    let mut takers: BTreeMap<(&str, &str), Vec<(usize, usize)>> = BTreeMap::new();
    for (at, one) in nested.iter().enumerate() {
        for name in &one.taken {
            takers.entry((&one.around, name)).or_default().push((one.moved, at));
        }
    }
    // The two with most evidence are enough to know whether another one has as much.
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
    fn nest(&self, object: &Kept<'_, 'a>, beside: &Beside<'_, '_, 'a>) -> Option<Nested> {
        if self.objects.contains_key(object.name) {
            // An object with the name of a version has what the fields beside it mean in that version.
            return None;
        }
        let inside = self.structs.of_type(object.field.rust_type.present())?;
        let around = object.parent.filter(|path| !path.is_empty())?;
        let (_, path) = object.names.first()?;
        let flat: Vec<&String> =
            self.objects.keys().filter(|version| !object.names.contains_key(*version)).collect();
        let inner = Inner::new(inside, path);
        let own = |field: &Kept<'_, 'a>| {
            self.compared.set(self.compared.get() + 1);
            if !field.names.keys().eq(flat.iter().copied()) {
                return None;
            }
            let own = inner.counterpart((around, field.name, &field.bare))?;
            let (one, other) = (own.rust_type.present(), field.field.rust_type.present());
            let is_one = one == other
                || are_texts(one, other)
                || self.in_common(one, other).is_some()
                || self.wrapped(&own.rust_type, &field.field.rust_type).is_some();
            is_one.then_some(own.wire.as_str())
        };
        let candidates = beside.like(around, &inner).into_iter();
        let all: Vec<(&Kept<'_, 'a>, &str)> =
            candidates.filter_map(|field| Some((field, own(field)?))).collect();
        let is_only = |name: &str| all.iter().filter(|(_, other)| *other == name).count() == 1;
        let moved: Vec<_> = all
            .iter()
            .filter(|(field, name)| field.name == *name || is_only(name))
            .copied()
            .collect();
        let says_something = moved.len() > 1
            || moved.iter().any(|(field, name)| field.name != *name || !is_generic(name));
        if moved.is_empty() || !says_something {
            return None;
        }
        let shown = join(moved.iter().map(|(field, _)| code(field.name)), ", ");
        let taken = self.names_in(&flat, around);
        let taken =
            inside.fields.iter().map(|own| own.wire.clone()).filter(|own| taken.contains(own));
        let (taken, count) = (taken.gather(), moved.len());
        let flat = flat.into_iter().map(|version| (version.clone(), around.to_owned()));
        let rule = Guessed::new;
        let nest = rule(names::NEST, object.names.clone().into_iter().chain(flat).gather());
        let renames = moved.iter().filter_map(|(field, name)| {
            let own = inside.fields.iter().find(|own| own.wire == *name)?;
            let inner = object.names.iter();
            let inner = inner.map(|(version, path)| (version.clone(), paths::child(path, name)));
            let names = field.names.clone().into_iter().chain(inner).gather();
            self.inner_rule(field, own, names)
        });
        let rules = [nest].into_iter().chain(renames).collect();
        let others = moved.iter().map(|(field, _)| field.names.clone());
        let joins = [object.names.clone()].into_iter().chain(others).collect();
        let reason = format!("its fields {shown} are beside it in other versions");
        let guess = Guess { joins, apart: Names::new(), rules, reason };
        Some(Nested { guess, around: around.to_owned(), taken, moved: count })
    }

    /// The rule for a field of an object that was beside it, if it has another name or another form.
    fn inner_rule(&self, field: &Kept<'_, 'a>, own: &Field, names: Names) -> Option<Guessed> {
        let (flat, inner) = (&field.field.rust_type, &own.rust_type);
        if let Some(Relation { step, keys, of_items, .. }) = self.wrapped(flat, inner) {
            return Some(Guessed {
                step,
                names: if of_items { items(names) } else { names },
                keys,
            });
        }
        let is_one = flat.is_option() == inner.is_option();
        let step = if is_one { names::MOVE } else { names::ABSENT_TO_ZERO };
        (field.name != own.wire).then(|| Guessed::new(step, names))
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

/// The fields of an object, by what their names say.
struct Inner<'s, 'p> {
    of: &'s Struct,
    path: &'p str,
    /// The words of the object's own name.
    object: BTreeSet<String>,
    fields: Vec<(&'s Field, BTreeSet<String>)>,
}

impl<'s, 'p> Inner<'s, 'p> {
    fn new(of: &'s Struct, path: &'p str) -> Self {
        let object = words(paths::split_last(path).1, "");
        let fields = of.fields.iter().map(|field| (field, words(&field.wire, ""))).collect();
        Self { of, path, object, fields }
    }

    /// The field that was beside the object: of the same name, of the name without the words of the object, or the only one that
    /// says the same. `flat` has the path of the object around it, its name, and the words of that.
    fn counterpart(
        &self,
        (around, flat, name): (&str, &str, &BTreeSet<String>),
    ) -> Option<&'s Field> {
        let rest: BTreeSet<String> = name.difference(&self.object).cloned().gather();
        let only = |fits: &dyn Fn(&Field, &BTreeSet<String>) -> bool| {
            let mut fitting = self.fields.iter().filter(|(own, words)| fits(own, words));
            fitting.next().filter(|_| fitting.next().is_none()).map(|(own, _)| *own)
        };
        only(&|own, _| own.wire == flat)
            .or_else(|| only(&|_, own| rest.len() < name.len() && *own == rest))
            .or_else(|| {
                only(&|_, own| {
                    let has_more = name.len() > 1 && name.is_subset(own);
                    has_more || says_the_same((self.path, own), (around, name))
                })
            })
    }
}

// A field that moved below several new objects, also where its old name has another meaning now.

/// The most fields below an object that are compared with the fields beside it, and how deep they are.
const MOST_BELOW: usize = 200;
const DEEPEST: usize = 4;

impl Guesser<'_> {
    /// Guesses that fields beside an object of some versions are below it there: in an object inside of it, such as
    /// `status.deprecated.v1beta1`, or in an object with the name of a version.
    fn below(&self, object: &Kept<'_, '_>, beside: &Beside<'_, '_, '_>) -> Option<Guess> {
        let around = object.parent.filter(|path| !path.is_empty())?;
        let inside = self.structs.of_type(object.field.rust_type.present())?;
        let others = || self.objects.keys().filter(|version| !object.names.contains_key(*version));
        let is_version = self.objects.contains_key(object.name);
        let (_, path) = object.names.first()?;
        let mut guess = Guess {
            joins: vec![object.names.clone()],
            apart: Names::new(),
            rules: Vec::new(),
            reason: format!("{} has them in other versions", code(path)),
        };
        let mut shown = Vec::new();
        for (inner, field) in self.leaves(inside, path) {
            let depth = paths::segments(&inner).len() - paths::segments(path).len();
            if depth < 2 && !is_version {
                continue;
            }
            let name = field.wire.as_str();
            let at = |versions: &mut dyn Iterator<Item = &String>, path: &str| -> Names {
                versions.map(|version| (version.clone(), path.to_owned())).gather()
            };
            let nested = at(&mut object.names.keys(), &inner);
            let segment = paths::segment(name);
            let flat = paths::child(around, &segment);
            let kept = beside.by_name.get(&(around, segment.as_ref()));
            let kept = kept.into_iter().flatten().find(|it| it.names.keys().eq(others()));
            let has_meaning = || {
                let mut segments = paths::segments(&inner).into_iter();
                segments.any(|it| self.objects.contains_key(it) && !object.names.contains_key(it))
            };
            let fits = |other: &RustType| {
                let (one, other) = (field.rust_type.present(), other.present());
                one == other || are_texts(one, other) || self.in_common(one, other).is_some()
            };
            if let Some(kept) = kept.filter(|kept| fits(&kept.field.rust_type)) {
                guess.joins.push(kept.names.clone());
            } else if has_meaning() && self.all_have(&flat, &fits) {
                guess.apart.extend(at(&mut self.objects.keys(), &flat));
            } else {
                continue;
            }
            shown.push(code(name));
            let names = at(&mut others(), &flat).into_iter().chain(nested).gather();
            guess.rules.push(Guessed::new(names::MOVE, names));
        }
        shorten(&mut shown, SHOWN, |hidden| format!("{hidden} more fields"));
        guess.reason =
            format!("{} has {} of the versions without it", code(path), join(shown, ", "));
        (!guess.rules.is_empty()).then_some(guess)
    }

    /// The fields below an object with their paths, not in lists.
    fn leaves<'s>(&'s self, of: &'s Struct, path: &str) -> Vec<(String, &'s Field)> {
        let (mut found, mut left) = (Vec::new(), vec![(path.to_owned(), of, 1)]);
        while let Some((path, of, depth)) = left.pop() {
            for field in &of.fields {
                if found.len() >= MOST_BELOW {
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
    fn all_have(&self, path: &str, fits: &dyn Fn(&RustType) -> bool) -> bool {
        let has = |object: &Struct| {
            self.structs.at(object, path).is_some_and(|field| fits(&field.rust_type))
        };
        let mut objects = self.objects.values();
        // In one of them at least it is the field that moved.
        objects.clone().any(|object| has(object))
            && objects.all(|it| self.structs.at(it, path).is_some())
    }
}

/// The guess that the objects around fields that moved below another object are sub-objects: `nest` takes all fields of one, and the new
/// objects around it. Where a field has another meaning in its old place, it moves alone.
fn nested_below(object: &Kept<'_, '_>, moved: &Guess) -> Option<Guess> {
    let around = object.parent.filter(|_| moved.apart.is_empty())?;
    let mut rules: Vec<Guessed> = Vec::new();
    for rule in &moved.rules {
        let names = rule.names.iter().map(|(version, path)| {
            let is_below = object.names.contains_key(version);
            let parent = if is_below { paths::split_last(path).0 } else { around };
            (version.clone(), parent.to_owned())
        });
        let nest = Guessed::new(names::NEST, names.gather());
        if !rules.contains(&nest) {
            rules.push(nest);
        }
    }
    Some(Guess { rules, ..moved.clone() })
}

impl<'f, 'n, 'a> Beside<'f, 'n, 'a> {
    /// The fields of the object at `around` that can be one of the fields of an object in it: by their names, or by a word.
    fn like(&self, around: &str, inner: &Inner<'_, '_>) -> Vec<&'f Kept<'n, 'a>> {
        let Some(all) = self.by_parent.get(around) else { return Vec::new() };
        if all.len() <= MOST_ALIKE {
            return all.clone();
        }
        let names = inner.of.fields.iter().map(|field| field.wire.as_str());
        let alike = names.filter_map(|name| self.by_name.get(&(around, name))).flatten();
        alike.copied().collect()
    }
}

// Words that differ in case or in a prefix.

impl Guesser<'_> {
    /// Guesses which words of a field, of which some versions refuse some, are the same in all versions, and which word a version shows
    /// for those that it does not know. `names` has the path of the field in each version.
    pub(super) fn about_words(&self, names: &Names) -> Option<Guess> {
        let mut lists: LiteMap<String, (Vec<String>, Option<String>)> = LiteMap::new();
        for (version, object) in &self.objects {
            let field = self.structs.at(object, names.get(version)?)?;
            let stated = &self.structs.field(&field)?.of;
            let words = stated.words().into_iter().map(str::to_owned).collect();
            let default = stated.default.as_ref().and_then(|it| it.as_str()).map(str::to_owned);
            lists.insert(version.clone(), (words, default));
        }
        let (lowest, (first, _)) = lists.first()?;
        let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut unknown: BTreeSet<&String> = BTreeSet::new();
        let mut shown = Vec::new();
        for word in first {
            let others = lists.iter().map(|(version, (words, _))| {
                let name = if version == lowest { Some(word) } else { same_word(word, words) };
                (version, name)
            });
            let row: Vec<(&String, Option<&String>)> = others.collect();
            unknown
                .extend(row.iter().filter(|(_, name)| name.is_none()).map(|(version, _)| *version));
            let known: Option<Vec<_>> =
                row.into_iter().map(|(of, name)| Some((of, name?))).collect();
            let Some(known) = known else { continue };
            if known.iter().any(|(_, name)| *name != word) {
                shown.push(code(word));
                for (version, name) in known {
                    words.entry(version.clone()).or_default().push(name.clone());
                }
            }
        }
        for (_, (theirs, _)) in lists.iter().filter(|(version, _)| *version != lowest) {
            let is_new =
                |word: &&String| !first.iter().any(|own| same_word(own, theirs) == Some(word));
            unknown.extend(theirs.iter().find(is_new).map(|_| lowest));
        }
        let fallback: BTreeMap<String, String> = unknown
            .into_iter()
            .filter_map(|version| {
                let (words, default) = lists.get(version)?;
                let known =
                    default.iter().find(|it| words.contains(it)).or_else(|| words.first())?;
                Some((version.clone(), known.clone()))
            })
            .collect();
        // One version has to hold all words.
        let fallback = if fallback.len() < lists.len() { fallback } else { BTreeMap::new() };
        if words.is_empty() && fallback.is_empty() {
            return None;
        }
        let mut reasons = Vec::new();
        if !shown.is_empty() {
            reasons.push(format!(
                "the words {} differ from words of other versions only in case, signs or a prefix",
                join(shown, ", ")
            ));
        }
        for (version, word) in &fallback {
            reasons.push(format!("{version} lacks words, and shows {} for them", code(word)));
        }
        let mut rule = Guessed::new(names::WORDS, names.clone());
        if !words.is_empty() {
            rule.keys.push((
                "words",
                by_version(words.iter().map(|(version, words)| (version, words.clone()))),
            ));
        }
        if !fallback.is_empty() {
            rule.keys.push((
                "fallback",
                by_version(fallback.iter().map(|(version, word)| (version, word.clone()))),
            ));
        }
        let rules = vec![rule];
        Some(Guess { joins: Vec::new(), apart: Names::new(), rules, reason: reasons.join("; ") })
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
            let (a, b) = (words(one.1, ""), words(other.1, ""));
            assert_eq!(says_the_same((one.0, &a), (other.0, &b)), same, "{one:?} {other:?}");
            assert_eq!(says_the_same((other.0, &b), (one.0, &a)), same, "{other:?} {one:?}");
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
