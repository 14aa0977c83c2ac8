//! The properties of a schema, found by name.

use super::Schema;

/// Schemas by their names.
///
/// Most of the time of an answer was once spent on comparing names. So a lookup compares the first eight bytes of names as
/// numbers, which are beside each other, and mostly one name. Row: answer.
#[derive(Debug, Default)]
pub(crate) struct Properties {
    /// The start of each name.
    starts: Vec<u64>,
    /// In the order of the names.
    list: Vec<(String, Schema)>,
    /// The positions of those with defaults in them.
    with_defaults: Vec<usize>,
}

impl Properties {
    pub(crate) fn get(&self, name: &str) -> Option<&Schema> {
        let start = start(name);
        let first = self.starts.partition_point(|other| *other < start);
        let from_first = self.starts.iter().zip(&self.list).skip(first);
        let mut same_start = from_first.take_while(|(other, _)| **other == start);
        same_start.find(|(_, (own, _))| own == name).map(|(_, (_, schema))| schema)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The properties with defaults in them. Most have none. Row: answer.
    pub(crate) fn with_defaults(&self) -> impl Iterator<Item = (&String, &Schema)> {
        let all = self.with_defaults.iter().filter_map(|at| self.list.get(*at));
        all.map(|(name, schema)| (name, schema))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Schema)> {
        self.list.iter().map(|(name, schema)| (name, schema))
    }
}

impl FromIterator<(String, Schema)> for Properties {
    fn from_iter<I: IntoIterator<Item = (String, Schema)>>(properties: I) -> Self {
        let mut list: Vec<_> = properties.into_iter().collect();
        list.sort_by(|(a, _), (b, _)| a.cmp(b));
        let starts = list.iter().map(|(name, _)| start(name)).collect();
        let with_defaults = list.iter().enumerate().filter(|(_, (_, it))| it.below.defaults);
        let with_defaults = with_defaults.map(|(at, _)| at).collect();
        Self { starts, list, with_defaults }
    }
}

/// The first eight bytes of a name, in whose order the names are.
fn start(name: &str) -> u64 {
    if let Some(bytes) = name.as_bytes().first_chunk() {
        return u64::from_be_bytes(*bytes);
    }
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(name.bytes()).for_each(|(to, byte)| *to = byte);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Properties, Schema};

    #[test]
    fn names_with_one_start_are_different() {
        let names = ["", "a", "a\0", "ab", "template", "templateA", "templateB", "\u{e9}"];
        let schema = |name: &str| (name.to_owned(), Schema::default());
        let properties: Properties = names.into_iter().rev().map(schema).collect();
        assert!(properties.iter().map(|(name, _)| name).is_sorted());
        assert!(names.into_iter().all(|name| properties.contains(name)));
        assert!(
            ["b", "A", "templateC", "a\0\0"].into_iter().all(|name| !properties.contains(name))
        );
    }
}
