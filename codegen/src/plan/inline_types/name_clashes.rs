//! Fields of a type, or words of a field, that would have the same name in Rust: the first to come keeps it.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_core::Release;

use crate::Place;
use crate::gather::Gather;
use crate::ident::numbered;

/// A field or a word, and the names that it could have.
pub(super) struct Wanted<'a> {
    /// Its name in JSON.
    pub(super) wire: String,
    /// The name if no other item wants it.
    pub(super) natural: String,
    /// The name that it had in an earlier generation, if that kept it.
    pub(super) stored: Option<String>,
    /// Its first release.
    pub(super) first: Option<Release>,
    pub(super) place: &'a Place,
}

impl Wanted<'_> {
    /// The name that it wants.
    pub(super) fn name(&self) -> &str {
        self.stored.as_ref().unwrap_or(&self.natural)
    }

    /// Returns `true` if another one may have had the name of this one in an earlier generation.
    fn may_be_later(&self, other: &Self) -> bool {
        let is_known = self.stored.as_ref() == Some(&self.natural);
        !is_known && self.first >= other.first
    }
}

/// Two items that want one name; the first one has it.
pub(super) struct Conflict<'a> {
    pub(super) first: &'a Wanted<'a>,
    pub(super) second: &'a Wanted<'a>,
    /// Whether an earlier generation, or its user, gave both of them the name. Otherwise it is not known which of them had it.
    pub(super) is_stored: bool,
}

/// The names that were chosen.
#[derive(Default)]
pub(super) struct Settled<'a> {
    /// The names, in the order of those that wanted one.
    pub(super) names: Vec<Option<String>>,
    /// The positions of the names that later generations must know.
    pub(super) kept: BTreeSet<usize>,
    pub(super) conflicts: Vec<Conflict<'a>>,
}

/// The name of the second of two that want one name.
#[derive(Clone, Copy)]
pub(super) enum Second {
    /// A number after it.
    Numbered,
    /// The case of its letters after it, if the two differ only in case.
    ByCase,
}

/// The name of a word that differs from another only in case; `None` for other words.
fn by_case(wanted: &Wanted<'_>, all: &[Wanted<'_>]) -> Option<String> {
    let lower = wanted.wire.to_lowercase();
    let is_other =
        |other: &Wanted<'_>| other.wire != wanted.wire && other.wire.to_lowercase() == lower;
    let has = |is: fn(char) -> bool| wanted.wire.chars().any(is);
    let case = match (has(char::is_lowercase), has(char::is_uppercase)) {
        _ if !all.iter().any(is_other) => return None,
        (true, false) => "Lowercase",
        (false, true) => "Uppercase",
        (true, true) => "MixedCase",
        (false, false) => return None,
    };
    Some(wanted.natural.clone() + case)
}

/// Chooses a name for each of `all`. If two want the same name, the one of the earlier release keeps it, and of one release the
/// first one. The names in `taken` are never chosen.
pub(super) fn settle<'a>(all: &'a [Wanted<'a>], taken: &[&str], second: Second) -> Settled<'a> {
    let order = all.iter().enumerate();
    let order = order.sorted_by_key(|(_, wanted)| (wanted.stored.is_none(), wanted.first));
    let mut used: BTreeMap<String, Option<(usize, &Wanted<'_>)>> =
        taken.iter().map(|name| ((*name).to_owned(), None)).gather();
    // The next number of each name, so that a name which thousands want is not counted from the beginning for each.
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut settled = Settled { names: vec![None; all.len()], ..Settled::default() };
    for (index, wanted) in order {
        let mut name = Some(wanted.name().to_owned());
        let is_stored = wanted.stored.is_some();
        let holder = used.get(wanted.name()).copied();
        if is_stored || holder.is_some() {
            settled.kept.insert(index);
        }
        if let Some(holder) = holder {
            if let Some((position, first)) = holder {
                settled.kept.insert(position);
                if is_stored || first.may_be_later(wanted) {
                    settled.conflicts.push(Conflict { first, second: wanted, is_stored });
                }
            }
            let is_free = |name: &str| !used.contains_key(name);
            name = match second {
                Second::Numbered => {
                    let base = wanted.natural.trim_end_matches('_');
                    Some(numbered(&format!("{base}_"), numbers.entry(base).or_insert(2), is_free))
                }
                Second::ByCase => by_case(wanted, all).filter(|name| is_free(name)),
            };
        }
        used.extend(name.clone().map(|name| (name, Some((index, wanted)))));
        if let Some(place) = settled.names.get_mut(index) {
            *place = name;
        }
    }
    settled
}
