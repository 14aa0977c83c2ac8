//! Values by their keys, so that a value is found among many without comparing it with each.

use std::borrow::Cow;
use std::collections::HashMap;

/// What equal scalar values have in common: numbers of all types by their value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key<'a> {
    Bool(bool),
    Integer(i128),
    Double(u64),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    Duration(i64),
}

/// Values by their keys. Values without keys are compared one by one.
#[derive(Debug, Default)]
pub(crate) struct Index<'v> {
    keys: HashMap<Key<'v>, Vec<usize>>,
    others: Vec<usize>,
}

/// From 2^53 on, a double and the integers beside it can be equal and have different keys.
const EXACT: i128 = 1 << 53;

impl<'v> Index<'v> {
    /// Adds a value with this key.
    pub(crate) fn add(&mut self, key: Option<Key<'v>>, position: usize) {
        match key {
            Some(Key::Integer(value)) if value.abs() >= EXACT => self.others.push(position),
            Some(key) => self.keys.entry(key).or_default().push(position),
            None => self.others.push(position),
        }
    }

    /// The positions of the values that can be equal to one with this key, first those with the same. A value without a key, or a
    /// large number, may be equal to any.
    pub(crate) fn candidates(&self, key: Option<Key<'v>>) -> impl Iterator<Item = usize> + '_ {
        let own = key.and_then(|key| self.keys.get(&key));
        own.into_iter().flatten().copied().chain(self.others.iter().copied())
    }
}
