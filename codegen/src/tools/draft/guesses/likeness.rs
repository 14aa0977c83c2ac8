//! Names that are alike.

use std::collections::{BTreeMap, BTreeSet};

use super::kept::Kept;
use super::name_words::{is_generic, words};
use super::relation::{group_of_version, has_enum, have_same_enum, names_of_group};
use crate::gather::Gather;
use crate::rules::paths;

/// How well two fields fit, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Their names differ in nothing but case.
    SameName,
    /// Their names have the same words: `secretRef` and `secret`.
    SameWords,
    /// One name has the words of the other and more: `volume` and `volumeName`.
    MoreWords,
    /// They are in one object, and one name is the other with a slip of the pen, or begins with the other: `maxPrecentage` and
    /// `maxPercentage`, `time` and `timestamp`.
    Misspelt,
    /// They are in different objects, and the names of these and of the fields say the same: `keySize` and `privateKey.size`.
    ElsewhereSame,
    /// They are in different objects, and servers take the same words for them: `deletePolicy` and `deletion.order`.
    SameEnum,
    /// Nothing but their types and checks.
    Type,
}

impl Likeness {
    pub(super) const ALL: [Self; 7] = [
        Self::SameName,
        Self::SameWords,
        Self::MoreWords,
        Self::Misspelt,
        Self::ElsewhereSame,
        Self::SameEnum,
        Self::Type,
    ];

    pub(super) fn of(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> Option<Self> {
        let is_same = one.name.eq_ignore_ascii_case(other.name);
        if one.around != other.around {
            let moves = is_same && !is_generic(one.name)
                || says_the_same((&one.around, &one.bare), (&other.around, &other.bare));
            let likeness = match () {
                () if moves => Self::ElsewhereSame,
                () if have_same_enum(one.stated, other.stated) => Self::SameEnum,
                () => return None,
            };
            return can_move(&one.around, &other.around).then_some(likeness);
        }
        Some(match () {
            () if is_same => Self::SameName,
            () if group_of_version(one.named(), other.named()).is_some() => Self::SameWords,
            () if one.own == other.own => Self::SameWords,
            () if one.own.is_subset(&other.own) || other.own.is_subset(&one.own) => Self::MoreWords,
            () if are_nearly_one(one.name, other.name) => Self::Misspelt,
            // A field of a sub-object needs more than its type.
            () if depth(one) == depth(other) || around(one) == around(other) => Self::Type,
            () if have_a_word_in_common(one, other) => Self::Type,
            () => return None,
        })
    }

    /// The evidence, for people.
    pub(super) fn evidence(self) -> &'static str {
        match self {
            Self::SameName => "their names are equal, ",
            Self::SameWords | Self::MoreWords | Self::Misspelt => "their names are alike, ",
            Self::ElsewhereSame => "their paths say the same, ",
            Self::SameEnum => "servers take the same words for them, ",
            Self::Type => "",
        }
    }
}

fn depth(field: &Kept<'_, '_>) -> usize {
    field.names.values().next().map_or(0, |path| paths::segments(path).len())
}

/// The name of the object around a field, as its lowest version has it.
fn around<'n>(field: &Kept<'n, '_>) -> &'n str {
    field.names.values().next().map_or("", |path| paths::split_last(paths::split_last(path).0).1)
}

/// Returns `true` if a word of both names is what the fields are about: not how many of it.
fn have_a_word_in_common(one: &Kept<'_, '_>, other: &Kept<'_, '_>) -> bool {
    const COUNTS: [&str; 4] = ["max", "min", "count", "number"];
    let mut common = one.bare.intersection(&other.bare);
    ![one, other].iter().any(|field| is_generic(field.name))
        && common.any(|word| !COUNTS.contains(&word.as_str()))
}

/// The fewest letters of a name with a slip of the pen, and of one with which another name begins: shorter ones are alike by chance.
const SHORTEST_MISSPELT: usize = 10;
const SHORTEST_BEGINNING: usize = 4;

/// The most fields with one word, or in one object, that are compared with each other: of more, none would stand out.
pub(super) const MOST_ALIKE: usize = 40;

/// The fields that can be like each other, by what they have in common.
pub(super) struct Index<'f> {
    /// By their names, in small letters.
    names: BTreeMap<String, Vec<usize>>,
    /// By the words of their names.
    words: BTreeMap<&'f str, Vec<usize>>,
    /// By the words that servers take for them.
    enums: BTreeMap<Vec<&'f str>, Vec<usize>>,
    /// By the object around them.
    objects: BTreeMap<&'f str, Vec<usize>>,
    /// By the object around them, and their names or the words of these.
    beside: BTreeMap<(&'f str, String), Vec<usize>>,
}

impl<'f> Index<'f> {
    /// The index of the fields that are not settled.
    pub(super) fn new(fields: &'f [Kept<'_, '_>], settled: &BTreeSet<usize>) -> Self {
        let mut index = Self {
            names: BTreeMap::new(),
            words: BTreeMap::new(),
            enums: BTreeMap::new(),
            objects: BTreeMap::new(),
            beside: BTreeMap::new(),
        };
        for (at, field) in fields.iter().enumerate().filter(|(at, _)| !settled.contains(at)) {
            let name = field.name.to_ascii_lowercase();
            let around = field.around.as_str();
            for word in field.own.union(&field.bare) {
                index.words.entry(word).or_default().push(at);
                index.beside.entry((around, word.clone())).or_default().push(at);
            }
            index.beside.entry((around, name.clone())).or_default().push(at);
            index.names.entry(name).or_default().push(at);
            index.objects.entry(around).or_default().push(at);
            if has_enum(field.stated) {
                index.enums.entry(field.stated.property.words()).or_default().push(at);
            }
        }
        index
    }

    /// The fields that can have this likeness to a field.
    pub(super) fn like(&self, field: &Kept<'_, '_>, likeness: Likeness) -> BTreeSet<usize> {
        let open = |all: Option<&Vec<usize>>| -> Vec<usize> {
            all.filter(|all| all.len() <= MOST_ALIKE).cloned().unwrap_or_default()
        };
        let name = field.name.to_ascii_lowercase();
        let own = || field.own.union(&field.bare);
        let beside = |word: &str| open(self.beside.get(&(&field.around, word.to_owned())));
        let all: Vec<usize> = match likeness {
            Likeness::SameName => beside(&name),
            Likeness::SameWords => {
                let others = names_of_group(field.name).iter().copied();
                own().map(String::as_str).chain(others).flat_map(beside).collect()
            }
            Likeness::MoreWords => own().flat_map(|word| beside(word)).collect(),
            Likeness::ElsewhereSame => {
                let of_words = own().flat_map(|word| open(self.words.get(word.as_str())));
                open(self.names.get(&name)).into_iter().chain(of_words).collect()
            }
            Likeness::SameEnum => open(self.enums.get(&field.stated.property.words())),
            Likeness::Misspelt | Likeness::Type => open(self.objects.get(field.around.as_str())),
        };
        all.into_iter().gather()
    }
}

/// Returns `true` if one of two long names has a letter more, or two letters in the other order, or if one begins with the other and goes
/// on with a small letter. A digit makes another name.
fn are_nearly_one(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_letter = |letter: char| letter.is_ascii_alphabetic();
    if let Some(rest) = long.strip_prefix(short) {
        return short.len() >= SHORTEST_BEGINNING && rest.starts_with(char::is_lowercase);
    }
    let same = |(one, other): &(char, char)| one == other;
    let start = short.chars().zip(long.chars()).take_while(same).count();
    let end = short.chars().rev().zip(long.chars().rev()).take_while(same).count();
    let end = end.min(short.chars().count().saturating_sub(start));
    let rest = |name: &str| -> Vec<char> {
        let letters: Vec<char> = name.chars().skip(start).collect();
        let count = letters.len().saturating_sub(end);
        letters.into_iter().take(count).collect()
    };
    let is_slip = match (rest(short).as_slice(), rest(long).as_slice()) {
        ([], [more]) => is_letter(*more),
        ([a, b], [c, d]) => (a, b) == (d, c) && is_letter(*a) && is_letter(*b),
        _ => false,
    };
    short.len() >= SHORTEST_MISSPELT && is_slip
}

/// Returns `true` if the path of one field says what the name of the other says, in an object that the name mentions:
/// `privateKey.size` and `keySize`, `ingressOptions.allowedClasses` and `ingressClasses`. Each is the path of the object, and the words of
/// the name.
pub(super) fn says_the_same(
    one: (&str, &BTreeSet<String>),
    other: (&str, &BTreeSet<String>),
) -> bool {
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

/// Returns `true` if the same lists and maps are around both objects.
pub(super) fn can_move(one: &str, other: &str) -> bool {
    let lists = |path: &str| path.rsplit_once("[]").map(|(list, _)| list.to_owned());
    lists(one) == lists(other)
}

#[cfg(test)]
mod tests {
    use super::{are_nearly_one, can_move, says_the_same, words};

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
        for (one, other, nearly) in [
            ("maxUnavailablePrecentage", "maxUnavailablePercentage", true),
            ("pastExexcutionTime", "pastExecutionTime", true),
            ("timestamp", "time", true),
            ("timeOut", "time", false),
            ("subnetIPv4Range", "subnetIPv6Range", false),
            ("minReplicas", "maxReplicas", false),
            ("image", "imago", false),
        ] {
            assert_eq!(are_nearly_one(one, other), nearly, "{one} {other}");
            assert_eq!(are_nearly_one(other, one), nearly, "{other} {one}");
        }
        assert_eq!(words("secretRef", "trigger"), words("triggerSecret", "trigger"));
        assert_ne!(words("name", "user"), words("id", "user"));
        assert!(can_move("spec.a[].b", "spec.a[]") && !can_move("spec.a[]", "spec.b[]"));
    }
}
