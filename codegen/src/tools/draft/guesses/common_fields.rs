//! The fields that two objects have in common.

use std::collections::BTreeSet;

use super::kept::Guesser;
use super::likeness::MOST_ALIKE;
use super::name_words::{is_generic, words};
use crate::gather::Gather;
use crate::plan::{Field, RustType, Struct};
use crate::rules::paths::{self, FieldPath};

/// How deep the fields below an object are at most.
const DEEPEST: usize = 4;

impl Guesser<'_> {
    /// How many fields two objects, or the items of two lists, have in common, if it is at least half of the fields of one of them;
    /// `true` if one has all fields of the other, and more than one.
    pub(super) fn in_common(&self, one: &RustType, other: &RustType) -> Option<(usize, bool)> {
        let names = |of: &RustType| -> Option<BTreeSet<&str>> {
            let fields = &self.structs.of_type(of.innermost())?.fields;
            Some(fields.iter().map(|field| field.wire.as_str()).gather())
        };
        let (one, other) = (names(one)?, names(other)?);
        let (common, fewest) = (one.intersection(&other).count(), one.len().min(other.len()));
        (common > 0 && common * 2 >= fewest).then_some((common, common == fewest && fewest > 1))
    }

    /// How many fields two objects have in common (`in_common`), also where one has them further down.
    pub(super) fn common(&self, one: &RustType, other: &RustType) -> Option<(usize, bool)> {
        let below = || Some((self.in_common_below(one, other)?.0, false));
        self.in_common(one, other).or_else(below).or_else(|| self.in_only_objects(one, other))
    }

    /// How many fields the only objects in two objects have in common: `ref` in one and `templateRef` in the other.
    fn in_only_objects(&self, one: &RustType, other: &RustType) -> Option<(usize, bool)> {
        let only = |of: &RustType| match &self.structs.of_type(of)?.fields[..] {
            [field] => self.structs.of_type(field.rust_type.present()).map(|_| &field.rust_type),
            _ => None,
        };
        let (common, is_enough) = self.in_common(only(one)?.present(), only(other)?.present())?;
        is_enough.then_some((common, false))
    }

    /// How many fields of one object the other has further down, if these are at least half of them and more than one: the object has
    /// sub-objects now. `true` if the other has all of them, and these are more than two.
    pub(super) fn in_common_below(
        &self,
        one: &RustType,
        other: &RustType,
    ) -> Option<(usize, bool)> {
        let below = |object: &RustType, other: &RustType| {
            let fields = &self.structs.of_type(object)?.fields;
            let leaves = self.leaves(self.structs.of_type(other)?, "", MOST_ALIKE + 1);
            // Of more, some would be alike by chance.
            (fields.len().max(leaves.len()) <= MOST_ALIKE).then_some(())?;
            self.compared.set(self.compared.get() + fields.len() + leaves.len());
            let names: BTreeSet<&str> = leaves.iter().map(|(_, leaf)| &*leaf.wire).gather();
            let leaves: Vec<_> = leaves.iter().map(|(_, field)| words(&field.wire, "")).collect();
            let is_below = |field: &&Field| {
                let own = words(&field.wire, "");
                names.contains(&*field.wire) && !is_generic(&field.wire)
                    || own.len() > 1 && leaves.iter().any(|leaf| own.is_subset(leaf))
            };
            let common = fields.iter().filter(is_below).count();
            let is_in_part = common > 1 && common * 2 >= fields.len();
            let says_something = |field: &&Field| !is_generic(&field.wire);
            let all = fields.iter().filter(says_something).count();
            is_in_part.then_some((common, common >= all && common > 2))
        };
        below(one, other).or_else(|| below(other, one))
    }

    /// The fields below an object with their paths, not in lists, and not more than `most`.
    pub(super) fn leaves<'s>(
        &'s self,
        of: &'s Struct,
        path: &str,
        most: usize,
    ) -> Vec<(FieldPath, &'s Field)> {
        let (mut found, mut left) = (Vec::new(), vec![(FieldPath::of(path), of, 1)]);
        while let Some((path, of, depth)) = left.pop() {
            for field in &of.fields {
                if found.len() >= most {
                    return found;
                }
                let inner = path.child(&paths::segment(&field.wire));
                if let Some(of) = self.structs.of_type(field.rust_type.present())
                    && depth < DEEPEST
                {
                    left.push((inner.clone(), of, depth + 1));
                }
                found.push((inner, field));
            }
        }
        found
    }
}
