//! Items into maps, sets and sorted lists.

/// Collects items in order with little code. A sort of the standard library is about 1,700 lines of LLVM, and a bulk insertion into a
/// map 300, for each closure: where they were, a quarter of the code of this package was.
pub(crate) trait Gather: Iterator + Sized {
    /// As `collect`, but inserts one item after the other: `collect` into a `BTreeMap` or `BTreeSet` sorts the items first.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
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
