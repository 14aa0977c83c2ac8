//! Where the rules of a kind are: a kind can have as many objects as rules, so that nothing looks at all rules for each object.

use std::collections::BTreeMap;

use super::rule::Rule;
use crate::rules::paths::FieldPath;

/// The positions of rules, by a version and a path.
type Positions<'a> = BTreeMap<&'a str, BTreeMap<FieldPath, Vec<usize>>>;

/// The positions of rules by the objects that they are about, in the order of the rules.
#[derive(Default)]
pub(super) struct RulePlaces<'a> {
    /// By the field that they name.
    of_field: Positions<'a>,
    /// By each object around the field.
    inside: Positions<'a>,
    /// Of `nest`: all, and by the struct that has the fields of the sub-object itself.
    nests: Vec<usize>,
    flat: Positions<'a>,
    /// Of `pattern`, by the object.
    of_members: Positions<'a>,
}

impl<'a> RulePlaces<'a> {
    pub(super) fn of(rules: &[Rule<'a>]) -> Self {
        let mut places = Self::default();
        for (at, rule) in rules.iter().enumerate() {
            for (version, field) in rule.fields() {
                add(&mut places.of_field, (version, field.path.clone()), at);
                let around = field.path.around().into_iter().chain([""]);
                for object in around.filter(|object| field.path.inside(object).is_some()) {
                    add(&mut places.inside, (version, FieldPath::of(object)), at);
                }
            }
            places.nests.extend((!rule.flat.is_empty()).then_some(at));
            for (version, path) in &rule.flat {
                add(&mut places.flat, (version, FieldPath::of(path)), at);
            }
            for (version, path) in &rule.objects {
                add(&mut places.of_members, (version, FieldPath::of(path)), at);
            }
        }
        places
    }

    /// The first rule that names this field.
    pub(super) fn of_field(&self, version: &str, path: &str) -> Option<usize> {
        at(&self.of_field, version, path).first().copied()
    }

    /// The rules of the fields inside an object.
    pub(super) fn inside(&self, version: &str, object: &str) -> &[usize] {
        at(&self.inside, version, object)
    }

    /// The rules `nest`.
    pub(super) fn nests(&self) -> &[usize] {
        &self.nests
    }

    /// The rules `nest` whose fields this struct has itself.
    pub(super) fn flat(&self, version: &str, path: &str) -> &[usize] {
        at(&self.flat, version, path)
    }

    /// The rules `pattern` about an object.
    pub(super) fn of_members(&self, version: &str, object: &str) -> &[usize] {
        at(&self.of_members, version, object)
    }
}

fn add<'a>(positions: &mut Positions<'a>, (version, path): (&'a str, FieldPath), at: usize) {
    positions.entry(version).or_default().entry(path).or_default().push(at);
}

fn at<'p>(positions: &'p Positions<'_>, version: &str, path: &str) -> &'p [usize] {
    positions.get(version).and_then(|of| of.get(path)).map_or(&[], Vec::as_slice)
}
