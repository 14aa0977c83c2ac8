//! Fields of a type, or words of a field, that would have the same name in Rust: the first to come keeps it.

use std::collections::BTreeMap;

use k8s_versioned_names::Release;

/// A field or a word, and the names that it could have.
pub(super) struct Wanted {
    /// Its name in JSON.
    pub(super) of: String,
    /// The name that it has alone.
    pub(super) natural: String,
    /// The name that it had in an earlier generation, if that kept it.
    pub(super) stored: Option<String>,
    /// Its first release.
    pub(super) first: Option<Release>,
}

impl Wanted {
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

/// Two that want one name, by their positions: the one that has it comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// An earlier generation, or its user, gave both of them the name.
    Both(usize, usize),
    /// Nobody knows which of them had the name in an earlier generation.
    Unknown(usize, usize),
}

/// The names that were chosen.
#[derive(Default)]
pub(super) struct Settled {
    /// The names, in the order of those that wanted one.
    pub(super) names: Vec<Option<String>>,
    /// The positions of the names that later generations must know.
    pub(super) kept: Vec<usize>,
    pub(super) conflicts: Vec<Conflict>,
}

/// Chooses a name for each of `all`. If two want the same name, the one of the earlier release keeps it, and of one release the
/// first one. The other one gets a number if `number` is `true`, else no name. The names in `taken` are never chosen.
pub(super) fn settle(all: &[Wanted], taken: &[&str], number: bool) -> Settled {
    let mut order: Vec<(usize, &Wanted)> = all.iter().enumerate().collect();
    order.sort_by_key(|(_, wanted)| (wanted.stored.is_none(), wanted.first));
    let mut used: BTreeMap<String, Option<usize>> =
        taken.iter().map(|name| ((*name).to_owned(), None)).collect();
    let mut settled = Settled { names: vec![None; all.len()], ..Settled::default() };
    for (index, wanted) in order {
        let mut name = Some(wanted.name().to_owned());
        let holder = used.get(wanted.name()).copied();
        if let Some(holder) = holder {
            let known = holder.and_then(|holder| Some((holder, all.get(holder)?)));
            settled.kept.extend(known.map(|(holder, _)| holder).into_iter().chain([index]));
            settled.conflicts.extend(match known {
                Some((holder, _)) if wanted.stored.is_some() => Some(Conflict::Both(holder, index)),
                Some((holder, has)) if has.may_be_later(wanted) => {
                    Some(Conflict::Unknown(holder, index))
                }
                _ => None,
            });
            let mut numbered = (2_usize..)
                .map(|count| format!("{}_{count}", wanted.natural.trim_end_matches('_')));
            name = number.then(|| numbered.find(|name| !used.contains_key(name))).flatten();
        }
        settled.kept.extend(wanted.stored.as_ref().map(|_| index));
        if let Some(name) = &name {
            used.insert(name.clone(), Some(index));
        }
        if let Some(place) = settled.names.get_mut(index) {
            *place = name;
        }
    }
    settled
}
