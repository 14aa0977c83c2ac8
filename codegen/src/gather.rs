//! Items into maps, sets and sorted lists.
//!
//! Generic code is compiled for each type and closure, so the choice of it is a choice of how long this package compiles. A sort of
//! the standard library is about 1,700 lines of LLVM, a `BTreeMap` 4,000, a [`LiteMap`] 1,200. So a map is a `LiteMap`, a sorted list,
//! unless it has thousands of entries in no order.

use std::collections::{BTreeMap, BTreeSet};

use litemap::LiteMap;
use serde_json::Map;

/// Collects items in order.
pub(crate) trait Gather: Iterator + Sized {
    /// As `collect`, but inserts one item after the other: `collect` into an ordered map or set sorts the items first, with a sort
    /// for each place that calls it.
    fn gather<C: Insert<Self::Item>>(self) -> C {
        let mut all = C::default();
        for item in self {
            all.insert_item(item);
        }
        all
    }

    /// The items by a key, and those with equal keys in their order. For short lists: it moves the items after the place of
    /// each one.
    fn sorted_by_key<K: Ord>(self, key: impl Fn(&Self::Item) -> K) -> Vec<Self::Item> {
        let mut sorted = Vec::new();
        for item in self {
            let own = key(&item);
            let place = sorted.partition_point(|other| key(other) <= own);
            sorted.insert(place, item);
        }
        sorted
    }
}

impl<I: Iterator> Gather for I {}

/// An ordered map or set. Of two entries with the same key, the later one stays.
pub(crate) trait Insert<T>: Default {
    fn insert_item(&mut self, item: T);
}

impl<K: Ord, V> Insert<(K, V)> for LiteMap<K, V> {
    fn insert_item(&mut self, (key, value): (K, V)) {
        self.insert(key, value);
    }
}

impl<K: Ord, V> Insert<(K, V)> for BTreeMap<K, V> {
    fn insert_item(&mut self, (key, value): (K, V)) {
        self.insert(key, value);
    }
}

impl Insert<(String, serde_json::Value)> for Map<String, serde_json::Value> {
    fn insert_item(&mut self, (key, value): (String, serde_json::Value)) {
        self.insert(key, value);
    }
}

impl<T: Ord> Insert<T> for BTreeSet<T> {
    fn insert_item(&mut self, item: T) {
        self.insert(item);
    }
}
