//! Names of structures: the shortest end of a path that is unique in the kind.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use heck::ToUpperCamelCase;
use litemap::LiteMap;

use super::structures::Structure;
use crate::gather::Gather;
use crate::ident;
use crate::ident::{is_name, snake_case};
use crate::model::Model;
use crate::plan::names::{self, LONGEST, file};
use crate::plan::placement::Placements;
use crate::plan::rust_items::{ItemPath, Package};
use crate::rules::Names;
use crate::rules::paths::segments;
use crate::spec::{GroupVersionKind, own_name, split_inline, version_of};

/// The most digits of the number of a name: a version has fewer objects.
const NUMBER: usize = 8;

/// The types and traits that generated code names without a path.
const RESERVED: &str = "\
    AsMut AsRef BTreeMap Box Bytes Clone Copy DateTime Debug Default Deserialize Drop DurationValue \
    Embedded Eq Err Extend Fn FnMut FnOnce From Hash IntOrString Into IntoIterator Iterator Json Kinds \
    None Ok Option Ord PartialEq PartialOrd Registry Result Self Send Serialize Sized Some String Sync \
    Vec";

/// The names in use, and facts about kinds.
pub(super) struct Namer {
    /// The modules with the names of the files of their types.
    pub(super) taken: BTreeSet<(String, String)>,
    /// The module of the types that only one kind has, by the schema of the kind.
    modules: LiteMap<String, String>,
    /// The next number of each name in a module. Thousands of objects can want one name: the count does not begin anew for each.
    numbers: BTreeMap<(String, String), usize>,
}

impl Namer {
    pub(super) fn new(model: &Model, placements: &Placements, stored: &Names) -> Self {
        let (taken, modules, numbers) = (BTreeSet::new(), LiteMap::new(), BTreeMap::new());
        let mut namer = Self { taken, modules, numbers };
        for (_, path) in placements.all_generated() {
            namer.take(&path.module, &path.name);
        }
        let objects = model.types.iter().rev().filter(|(_, ty)| ty.property("items").is_none());
        // If a kind has several schemas, the first one stays.
        let schemas: LiteMap<&GroupVersionKind, &String> = objects
            .flat_map(|(schema, ty)| ty.kinds.iter().map(move |kind| (kind, schema)))
            .gather();
        for resource in &model.resources {
            let schema = schemas.get(&resource.kind);
            let Some((schema, path)) =
                schema.and_then(|schema| Some((*schema, placements.generated(schema)?)))
            else {
                continue;
            };
            let files = stored.of_table(version_of(schema));
            let is_type = |module: &String| files.values().any(|name| snake_case(name) == *module);
            let mut module = snake_case(&resource.plural);
            if !is_name(&format!("{module}_types")) {
                "types".clone_into(&mut module);
            }
            // It becomes a name, since the longer one is.
            while !is_name(&module)
                || ident::is_file(&module)
                || is_type(&module)
                || !namer.taken.insert((path.module.clone(), module.clone()))
            {
                module.push_str("_types");
            }
            namer.modules.insert(schema.clone(), module);
        }
        namer
    }

    /// Chooses the names of the structures of a version that have none.
    pub(super) fn name(
        &mut self,
        module: &str,
        structures: &mut [Structure<'_>],
        stored: &BTreeMap<String, &str>,
    ) {
        for name in stored.values() {
            let path = path(module, name);
            self.take(&path.module, &path.name);
        }
        let paths = paths(structures);
        let ends = Ends::from_paths(&paths);
        let mut open: Vec<usize> = Vec::new();
        for (index, structure) in structures.iter_mut().enumerate() {
            if structure.name.is_empty() {
                match part_name(structure).filter(|name| self.is_free(module, name)) {
                    Some(name) => self.set(module, structure, name),
                    None => open.push(index),
                }
            }
        }
        // Structures that several kinds share cannot be in the module of one.
        let (shared, single): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|index| ends.kinds(*index) > 1);
        for index in shared {
            let mut names = ends.unique(index);
            let name = names.find(|name| self.is_free(module, name));
            self.settle(module, structures, index, name, &ends);
        }
        let first: LiteMap<usize, &str> =
            single.iter().filter_map(|index| Some((*index, ends.unique(*index).next()?))).gather();
        let mut claims: BTreeMap<String, usize> = BTreeMap::new();
        for name in first.values() {
            *claims.entry(snake_case(name)).or_default() += 1;
        }
        let alone = |name: &&&str| claims.get(&snake_case(name)) == Some(&1);
        for index in single {
            let name = first.get(&index).filter(alone).filter(|name| self.is_free(module, name));
            self.settle(module, structures, index, name.copied(), &ends);
        }
    }

    /// Gives a structure this name, or one in the module of its first kind.
    fn settle(
        &mut self,
        module: &str,
        structures: &mut [Structure<'_>],
        index: usize,
        name: Option<&str>,
        ends: &Ends<'_>,
    ) {
        let Some(structure) = structures.get_mut(index) else {
            return;
        };
        if let Some(name) = name {
            return self.set(module, structure, name.to_owned());
        }
        let kind = structure.members.first().and_then(|structure| split_inline(structure.key));
        let kind = kind.map_or("", |(kind, _)| kind);
        let inner = self.modules.get(kind).cloned().unwrap_or_else(|| "types".to_owned());
        let full = format!("{module}::{inner}");
        let mut names = ends.unique(index).chain(ends.all(index));
        let name = match names.find(|name| self.is_free(&full, name)) {
            Some(name) => name.to_owned(),
            None => self.numbered(&full, &ends.all(index)),
        };
        self.set(module, structure, format!("{inner}::{name}"));
    }

    /// The first of these names to which a number can be added, with the next number.
    fn numbered(&mut self, module: &str, names: &[&str]) -> String {
        let most = LONGEST - NUMBER;
        let mut short = names.iter().map(|name| shortened(name, most));
        let has_room = |name: &&str| is_name(name) && name.len() <= most;
        let first = short.find(has_room).unwrap_or("Part");
        let key = (module.to_owned(), first.to_owned());
        let mut next = self.numbers.get(&key).copied().unwrap_or(2);
        let name = ident::numbered(first, &mut next, |name| self.is_free(module, name));
        self.numbers.insert(key, next);
        name
    }

    fn set(&mut self, module: &str, structure: &mut Structure<'_>, name: String) {
        let path = path(module, &name);
        self.take(&path.module, &path.name);
        structure.name = name;
    }

    fn take(&mut self, module: &str, name: &str) {
        self.taken.insert(file(module, name));
    }

    fn is_free(&self, module: &str, name: &str) -> bool {
        name.len() <= LONGEST
            && is_name(name)
            && !RESERVED.split(' ').any(|word| word == name)
            && !self.taken.contains(&file(module, name))
    }
}

/// The name of the spec or the status of a kind.
fn part_name(structure: &Structure<'_>) -> Option<String> {
    let (kind, path) = split_inline(structure.members.first()?.key)?;
    let part = match path {
        "spec" => "Spec",
        "status" => "Status",
        _ => return None,
    };
    Some(names::kind_name(own_name(kind)) + part)
}

/// The names that the ends of the paths of structures give.
struct Ends<'a> {
    /// The names of each structure by the number of parts, the shortest first, each with the number of its paths.
    names: Vec<Vec<LiteMap<&'a str, usize>>>,
    /// The structure that a name could mean in each kind; `None` if it could mean several.
    meant: Vec<HashMap<&'a str, Option<usize>>>,
    /// The kinds of each structure.
    kinds: Vec<BTreeSet<usize>>,
}

impl<'a> Ends<'a> {
    fn from_paths(paths: &'a [Vec<Path>]) -> Self {
        let mut ends = Self { names: Vec::new(), meant: Vec::new(), kinds: Vec::new() };
        for (index, paths) in paths.iter().enumerate() {
            let mut names: Vec<LiteMap<&str, usize>> = Vec::new();
            for path in paths {
                if ends.meant.len() <= path.kind {
                    ends.meant.resize_with(path.kind + 1, HashMap::new);
                }
                for (length, name) in path.ends().enumerate() {
                    if names.len() <= length {
                        names.push(LiteMap::new());
                    }
                    if let Some(names) = names.get_mut(length) {
                        *names.entry(name).or_default() += 1;
                    }
                    if let Some(meant) = ends.meant.get_mut(path.kind) {
                        let meant = meant.entry(name).or_insert(Some(index));
                        *meant = meant.filter(|meant| *meant == index);
                    }
                }
            }
            ends.names.push(names);
            ends.kinds.push(paths.iter().map(|path| path.kind).gather());
        }
        ends
    }

    /// The number of kinds that have a structure.
    fn kinds(&self, index: usize) -> usize {
        self.kinds.get(index).map_or(0, BTreeSet::len)
    }

    /// All names of a structure: the names with the fewest parts first, and among them the most frequent.
    fn all(&self, index: usize) -> Vec<&'a str> {
        let mut all = Vec::new();
        for names in self.names.get(index).into_iter().flatten() {
            let names = names.iter().sorted_by_key(|(_, paths)| Reverse(**paths));
            all.extend(names.into_iter().map(|(name, _)| *name));
        }
        all
    }

    /// The names that mean no other structure of the same kinds.
    fn unique(&self, index: usize) -> impl Iterator<Item = &'a str> {
        self.all(index).into_iter().filter(move |name| {
            let mut kinds = self.kinds.get(index).into_iter().flatten();
            kinds.all(|kind| {
                let meant = self.meant.get(*kind).and_then(|meant| meant.get(name));
                meant.is_none_or(Option::is_some)
            })
        })
    }
}

/// The path of an object in words.
struct Path {
    /// The number of the kind.
    kind: usize,
    words: String,
    /// Where each word begins, the last one first.
    starts: Vec<usize>,
}

impl Path {
    fn new<'a>(kind: usize, name: &str, path: &'a str, known: &mut Words<'a>) -> Self {
        let (mut words, mut starts) = (String::with_capacity(2 * path.len()), vec![0]);
        words.push_str(name);
        for step in segments(path) {
            let word = known.entry(step).or_insert_with(|| word(step));
            if !word.is_empty() {
                starts.push(words.len());
                words.push_str(word);
            }
        }
        starts.reverse();
        Self { kind, words, starts }
    }

    /// The ends that are not too long for a name, the shortest first.
    fn ends(&self) -> impl Iterator<Item = &str> {
        let ends = self.starts.iter().filter_map(|start| self.words.get(*start..));
        ends.take_while(|end| end.len() <= LONGEST)
    }
}

/// The words of fields. Many paths have the same ones.
type Words<'a> = HashMap<&'a str, String>;

/// The paths of the objects of each structure.
fn paths(structures: &[Structure<'_>]) -> Vec<Vec<Path>> {
    let (mut words, mut kinds) = (Words::new(), HashMap::new());
    let mut paths = Vec::with_capacity(structures.len());
    for structure in structures {
        let objects = structure.members.iter().filter_map(|structure| split_inline(structure.key));
        let path = |(kind, path)| {
            let next = kinds.len();
            let (number, name) =
                kinds.entry(kind).or_insert_with(|| (next, names::kind_name(own_name(kind))));
            Path::new(*number, name, path, &mut words)
        };
        paths.push(objects.map(path).collect());
    }
    paths
}

/// The word of a field. A list has the name of one item.
fn word(step: &str) -> String {
    let name = step.trim_end_matches(['[', ']', '{', '}']);
    let word = names::ascii(name).to_upper_camel_case();
    let word = if name.len() < step.len() { singular(&word) } else { word };
    shortened(&word, LONGEST).to_owned()
}

/// The last words of a name, with at most this many letters: all of a short name, and of a name whose last word is long.
fn shortened(name: &str, most: usize) -> &str {
    let words = name.char_indices().filter(|(_, letter)| letter.is_ascii_uppercase());
    let mut ends = words.filter_map(|(at, _)| name.get(at..));
    if name.len() <= most { name } else { ends.find(|end| end.len() <= most).unwrap_or(name) }
}

/// The word for one of several.
fn singular(word: &str) -> String {
    const KEPT: [&str; 9] = ["ss", "us", "is", "ies", "s3", "Dns", "Nfs", "Tls", "Aws"];
    let ends = |ends: &[&str]| ends.iter().any(|end| word.ends_with(end));
    let cut = |letters: usize, with: &str| {
        format!("{}{with}", word.get(..word.len().saturating_sub(letters)).unwrap_or(word))
    };
    if word.len() > 4 && ends(&["ies"]) && !ends(&["Series", "series"]) {
        cut(3, "y")
    } else if ends(&["sses", "shes", "ches", "xes", "liases"]) {
        cut(2, "")
    } else if word.len() > 3 && ends(&["s"]) && !ends(&KEPT) {
        cut(1, "")
    } else {
        word.to_owned()
    }
}

/// The path of a name, which can have a module of its kind before it.
pub(super) fn path(module: &str, name: &str) -> ItemPath {
    match name.rsplit_once("::") {
        Some((inner, name)) => {
            ItemPath::new(Package::Generated, format!("{module}::{inner}"), name)
        }
        None => ItemPath::new(Package::Generated, module, name),
    }
}

#[cfg(test)]
mod tests {
    use super::{Path, Words};

    #[test]
    fn words_of_paths() {
        let table = [
            ("spec.rules[].filters[]", "Widget Spec Rule Filter"),
            ("spec.policies[].addresses[].classes{}", "Widget Spec Policy Address Class"),
            ("spec.status[].series[].tls", "Widget Spec Status Series Tls"),
            ("\"a.b\".c-d.\"x\\\"y\"[].\"\u{e9}\"", "Widget AB CD XY U00e9"),
            ("\"*\".x", "Widget X"),
            ("hostAliases[].extraTls[]", "Widget HostAlias ExtraTls"),
            (
                "spec.persistentVolumeClaimRetentionPolicyGates.x",
                "Widget Spec VolumeClaimRetentionPolicyGates X",
            ),
        ];
        for (path, expected) in table {
            let Path { mut words, starts, .. } = Path::new(0, "Widget", path, &mut Words::new());
            starts.iter().filter(|start| **start > 0).for_each(|start| words.insert(*start, ' '));
            assert_eq!(words, expected);
        }
    }
}
