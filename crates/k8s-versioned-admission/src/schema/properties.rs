//! The properties of a schema, found by name.

use crate::work;

/// Schemas by their names.
///
/// Most of the time of an answer was once spent on comparing names. So a lookup compares the first eight bytes of names as numbers, which
/// lie next to each other in memory, and mostly one whole name. Hot path, row `answer` of the benches.
#[derive(Debug, Default)]
pub(crate) struct Properties<S> {
    /// The start of each name.
    starts: Vec<u64>,
    /// The properties in the order of their names.
    list: Vec<(String, S)>,
    /// The positions of the properties that have a default.
    with_default: Vec<usize>,
    /// The positions of the others that contain defaults.
    around_defaults: Vec<usize>,
}

/// What a property has to do with defaults.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defaults {
    /// Neither it nor what is inside it has one.
    None,
    /// It has one.
    Own,
    /// What is inside it has some.
    Inside,
}

impl<S> Properties<S> {
    /// Properties, with a function that tells what one has to do with defaults.
    pub(crate) fn new(
        properties: impl IntoIterator<Item = (String, S)>,
        defaults: impl Fn(&S) -> Defaults,
    ) -> Self {
        let mut list: Vec<_> = properties.into_iter().collect();
        list.sort_by(|(a, _), (b, _)| a.cmp(b));
        let starts = list.iter().map(|(name, _)| start(name)).collect();
        let of = |wanted: Defaults| {
            let found =
                list.iter().enumerate().filter(|(_, (_, schema))| defaults(schema) == wanted);
            found.map(|(at, _)| at).collect()
        };
        let (with_default, around_defaults) = (of(Defaults::Own), of(Defaults::Inside));
        Self { starts, list, with_default, around_defaults }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&S> {
        let start = start(name);
        let first = self.starts.partition_point(|other| *other < start);
        self.get_from(first, start, name)
    }

    /// Looks up the members of one object, one after the other.
    pub(crate) const fn lookup(&self) -> Lookup<'_, S> {
        Lookup { properties: self, last: 0, first: 0 }
    }

    /// The property with a name, if the first one with the start of the name has this position.
    fn get_from(&self, first: usize, start: u64, name: &str) -> Option<&S> {
        if self.starts.get(first) != Some(&start) {
            return None;
        }
        work::step();
        let (first_name, schema) = self.list.get(first)?;
        if first_name.len() == name.len() && (first_name.len() <= START || first_name == name) {
            return Some(schema);
        }
        // Names of one prefix can be thousands.
        let starts = self.starts.get(first..)?;
        let with_start =
            self.list.get(first..first + starts.partition_point(|other| *other == start))?;
        let found = with_start.binary_search_by(|(other, _)| {
            work::step();
            other.as_str().cmp(name)
        });
        with_start.get(found.ok()?).map(|(_, schema)| schema)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) const fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The properties that have a default. Most have none. Hot path, row `answer` of the benches.
    pub(crate) fn with_default(&self) -> impl Iterator<Item = (&String, &S)> {
        self.at(&self.with_default)
    }

    /// The other properties that contain defaults.
    pub(crate) fn around_defaults(&self) -> impl Iterator<Item = (&String, &S)> {
        self.at(&self.around_defaults)
    }

    /// The number of [`around_defaults`](Self::around_defaults).
    pub(crate) const fn count_around_defaults(&self) -> usize {
        self.around_defaults.len()
    }

    fn at<'s>(&'s self, positions: &'s [usize]) -> impl Iterator<Item = (&'s String, &'s S)> {
        let all = positions.iter().filter_map(|at| self.list.get(*at));
        all.map(|(name, schema)| (name, schema))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &S)> {
        self.list.iter().map(|(name, schema)| (name, schema))
    }
}

impl<S> Properties<S> {
    /// The schemas. Changes must not add defaults to a property without any, nor remove all of another.
    pub(super) fn schemas_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.list.iter_mut().map(|(_, schema)| schema)
    }
}

/// Finds the properties of members in the order of their names, which `serde_json` keeps: a search begins where the one before
/// ended. Hot path, row `answer` of the benches.
pub(crate) struct Lookup<'a, S> {
    properties: &'a Properties<S>,
    /// The start of the last name.
    last: u64,
    /// The position of the first property that does not start less.
    first: usize,
}

impl<'a, S> Lookup<'a, S> {
    pub(crate) fn get(&mut self, name: &str) -> Option<&'a S> {
        let start = start(name);
        if start < self.last {
            // Where another crate switches its feature `preserve_order` on, members have any order.
            self.first = 0;
        }
        self.last = start;
        while self.properties.starts.get(self.first).is_some_and(|other| *other < start) {
            self.first += 1;
        }
        self.properties.get_from(self.first, start, name)
    }
}

/// The bytes of a name that are compared first.
const START: usize = size_of::<u64>();

/// The first eight bytes of a name, in whose order the names are.
fn start(name: &str) -> u64 {
    let name = name.as_bytes();
    if let Some(bytes) = name.first_chunk() {
        return u64::from_be_bytes(*bytes);
    }
    let mut bytes = [0; START];
    if let Some(place) = bytes.get_mut(..name.len()) {
        place.copy_from_slice(name);
    }
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Defaults, Properties};

    #[test]
    fn names_with_one_start_are_different() {
        let names = ["", "a", "a\0", "ab", "template", "templateA", "templateB", "\u{e9}"];
        let property = |name: &str| (name.to_owned(), ());
        let properties =
            Properties::new(names.into_iter().rev().map(property), |()| Defaults::None);
        assert!(properties.iter().map(|(name, ())| name).is_sorted());
        assert!(names.into_iter().all(|name| properties.contains(name)));
        // Names in order, in reverse order, and twice.
        let mut lookup = properties.lookup();
        let known = |name| lookup.get(name).is_some();
        assert!(names.into_iter().chain(names.into_iter().rev()).all(known));
        assert!(
            ["b", "A", "templateC", "a\0\0"].into_iter().all(|name| !properties.contains(name))
        );
    }
}
