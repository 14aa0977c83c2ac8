//! The fields that are kept aside so far, which guesses are about.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use litemap::LiteMap;

use super::guess::Names;
use super::name_words::words;
use super::relation::Side;
use crate::conversion::{FieldRef, Structs, type_text};
use crate::gather::Gather;
use crate::plan::{Field, Struct};
use crate::rules::paths;

/// A kind, for guesses about it.
pub(in crate::tools::draft) struct Guesser<'a> {
    pub(super) group: String,
    pub(super) structs: &'a Structs<'a>,
    pub(super) objects: LiteMap<String, &'a Struct>,
    /// How often two fields were compared.
    pub(super) compared: Cell<usize>,
}

impl<'a> Guesser<'a> {
    pub(in crate::tools::draft) fn new(group: &str, kind: &str, structs: &'a Structs<'a>) -> Self {
        let objects = structs.of_kind(group, kind);
        Self { group: group.to_owned(), structs, objects, compared: Cell::new(0) }
    }

    /// How often two fields were compared.
    pub(in crate::tools::draft) fn compared(&self) -> usize {
        self.compared.get()
    }

    /// The types of a field as versions have it, for people.
    pub(in crate::tools::draft) fn types(&self, names: &Names) -> Vec<String> {
        let of = |(version, path): (&String, &String)| {
            let field = self.structs.at(self.objects.get(version)?, path)?;
            let needs = if field.required { ", required" } else { "" };
            Some(format!("{version} {path}: {}{needs}", type_text(&field.rust_type)))
        };
        names.iter().filter_map(of).collect()
    }

    /// The paths of fields by the rules that have these paths.
    pub(in crate::tools::draft) fn paths<'g>(&'g self, rules: &'g [Names]) -> PathsByRules<'g, 'a> {
        PathsByRules { guesser: self, renamed: Renamed::new(rules) }
    }

    pub(super) fn kept<'n>(&self, names: &'n Names, renamed: &Renamed<'_>) -> Option<Kept<'n, 'a>> {
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

/// The paths of fields in each version, by the rules about the objects around them.
pub(in crate::tools::draft) struct PathsByRules<'g, 'a> {
    guesser: &'g Guesser<'a>,
    renamed: Renamed<'g>,
}

impl PathsByRules<'_, '_> {
    /// The path in each version: the same in all, if no rule says another.
    pub(in crate::tools::draft) fn of(&self, field: &str) -> Names {
        let Guesser { structs, objects, .. } = self.guesser;
        let has = |version: &str, path: &str| {
            objects.get(version).is_some_and(|root| structs.at(root, path).is_some())
        };
        let by_rules = objects.keys().filter(|version| has(version, field)).find_map(|of| {
            let path = |version: &String| {
                if version == of {
                    field.to_owned()
                } else {
                    self.renamed.path_in(version, of, field)
                }
            };
            let names: Names =
                objects.keys().map(|version| (version.clone(), path(version))).gather();
            names.iter().all(|(version, path)| has(version, path)).then_some(names)
        });
        let same = || objects.keys().map(|version| (version.clone(), field.to_owned()));
        by_rules.unwrap_or_else(|| same().gather())
    }
}

/// A field that is kept aside, as its lowest version has it.
pub(super) struct Kept<'n, 'a> {
    pub(super) names: &'n Names,
    pub(super) field: FieldRef,
    pub(super) stated: &'a Field,
    /// The path of the object around the field; `None` if it is not the same in all versions.
    pub(super) parent: Option<&'n str>,
    /// The path of the object around it, the same in all versions (`Renamed`).
    pub(super) around: String,
    pub(super) name: &'n str,
    /// The words of its name that are not in the name of the object around it.
    pub(super) own: BTreeSet<String>,
    /// The words of its name.
    pub(super) bare: BTreeSet<String>,
}

impl<'n> Kept<'n, '_> {
    /// Its name, and its paths by version.
    pub(super) fn named(&self) -> (&'n str, &'n Names) {
        (self.name, self.names)
    }

    /// The field as its versions have it.
    pub(super) fn side(&self) -> Side<'_> {
        (self.name, &self.field.rust_type, self.names)
    }
}

/// The fields that rules rename, by version and path.
pub(super) struct Renamed<'n>(BTreeMap<(&'n str, &'n str), &'n Names>);

/// The most renamed objects around each other that are followed.
const MOST_RENAMED: usize = 8;

impl<'n> Renamed<'n> {
    pub(in crate::tools::draft) fn new(renamed: &'n [Names]) -> Self {
        let mut all = BTreeMap::new();
        for names in renamed {
            let plain = |path: &'n String| paths::without_items(path);
            let is_renamed = || names.values().any(|path| Some(path) != names.values().next());
            if is_renamed() {
                all.extend(names.iter().map(|(version, path)| ((&**version, plain(path)), names)));
            }
        }
        Self(all)
    }

    /// The path with the shortest paths of the renamed objects on it: of an object whose fields are beside it in other versions, the
    /// path of the object around it.
    pub(super) fn canonical<'p>(&self, version: &str, path: &'p str) -> Cow<'p, str> {
        let mut found = (version, Cow::Borrowed(path));
        for _ in 0..MOST_RENAMED {
            let depth = |(_, path): &(&String, &String)| paths::segments(path).len();
            let shorter = self.rename(found.0, &found.1, |names, path| {
                let shortest = names.iter().min_by_key(depth)?;
                (paths::without_items(shortest.1) != path).then_some(shortest)
            });
            let Some((version, path)) = shorter else { break };
            found = (version, Cow::Owned(path));
        }
        found.1
    }

    /// The path in another version, by the innermost renamed object on it.
    pub(super) fn path_in(&self, other: &str, version: &str, path: &str) -> String {
        let renamed = self
            .rename(version, path, |names, _| names.iter().find(|(version, _)| *version == other));
        renamed.map_or_else(|| path.to_owned(), |(_, path)| path)
    }

    /// The path with another name of the innermost renamed object on it, and the version that has that.
    fn rename(
        &self,
        version: &str,
        path: &str,
        other: impl Fn(&'n Names, &str) -> Option<(&'n String, &'n String)>,
    ) -> Option<(&'n str, String)> {
        if self.0.is_empty() {
            return None;
        }
        let mut ends: Vec<usize> = Vec::new();
        let mut end = 0;
        for segment in paths::segments(path) {
            let dot = path.get(end..).is_some_and(|rest| rest.starts_with('.'));
            end += usize::from(dot) + segment.len();
            ends.push(end);
        }
        ends.into_iter().rev().find_map(|end| {
            let (start, rest) = path.split_at_checked(end)?;
            let plain = paths::without_items(start);
            let names = *self.0.get(&(version, plain))?;
            let (of, renamed) = other(names, plain)?;
            let own = names.iter().find(|(version_of, _)| *version_of == version)?.1;
            Some((of.as_str(), with_items(start, own, renamed)? + rest))
        })
    }
}

/// The other path of a renamed object, which has the path `own`, with as many `[]` more as `path` has: an object in items can be
/// outside of these items in another version. `None` if `path` is that of the list around the items.
fn with_items(path: &str, own: &str, renamed: &str) -> Option<String> {
    match path.strip_prefix(own) {
        Some(more) => Some(format!("{renamed}{more}")),
        None => renamed.strip_suffix(own.strip_prefix(path)?).map(str::to_owned),
    }
}

/// The fields that are kept aside, by the object around them, whose path is the same in all versions, and by their names.
pub(super) struct Beside<'f, 'n, 'a> {
    pub(super) by_name: BTreeMap<(&'f str, &'f str), Vec<&'f Kept<'n, 'a>>>,
    pub(super) by_parent: BTreeMap<&'f str, Vec<&'f Kept<'n, 'a>>>,
}

impl<'f, 'n, 'a> Beside<'f, 'n, 'a> {
    pub(in crate::tools::draft) fn new(fields: &'f [Kept<'n, 'a>]) -> Self {
        let (mut by_name, mut by_parent) = (BTreeMap::new(), BTreeMap::new());
        for field in fields {
            let around = field.around.as_str();
            by_name.entry((around, field.name)).or_insert_with(Vec::new).push(field);
            by_parent.entry(around).or_insert_with(Vec::new).push(field);
        }
        Self { by_name, by_parent }
    }
}
