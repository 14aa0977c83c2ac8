//! The rules and questions of a draft so far.

use std::cell::Cell;
use std::collections::HashMap;

use litemap::LiteMap;

use super::guesses::{Names, PathsByRules};
use super::question::Question;
use super::rule::Rule;
use crate::conversion::{Structs, Unconverted};
use crate::plan::Struct;
use crate::rules::paths;

/// The first rule about each path.
pub(super) type Positions = HashMap<String, usize>;

#[derive(Clone)]
pub(super) struct Draft<'k> {
    pub(super) kind: &'k Unconverted,
    pub(super) structs: &'k Structs<'k>,
    /// The object of each version.
    pub(super) objects: LiteMap<String, &'k Struct>,
    /// The work of all drafts so far.
    pub(super) work: &'k Cell<usize>,
    /// The group, in a package of several.
    pub(super) group: Option<&'k str>,
    pub(super) annotation: bool,
    pub(super) rules: Vec<Rule>,
    pub(super) questions: Vec<Question>,
}

impl<'k> Draft<'k> {
    /// A draft without rules. `group` is the group of the kind, in a package of several.
    pub(super) fn new(
        kind: &'k Unconverted,
        group: Option<&'k str>,
        structs: &'k Structs<'k>,
        work: &'k Cell<usize>,
    ) -> Self {
        let (rules, questions) = (Vec::new(), Vec::new());
        let objects = structs.of_kind(&kind.group, &kind.kind);
        Self { kind, structs, objects, work, group, annotation: false, rules, questions }
    }
}

impl Draft<'_> {
    /// The path of a field in each version that has it: as a rule of several versions has it, or as the rules about the objects around it
    /// say.
    pub(super) fn names_of(
        &self,
        field: &str,
        positions: &Positions,
        paths: &PathsByRules<'_, '_>,
    ) -> Names {
        let stated = positions.get(field).and_then(|index| self.rules.get(*index));
        match stated.filter(|rule| rule.names.len() > 1) {
            Some(rule) => rule.names.clone(),
            None => paths.of(field),
        }
    }

    /// The paths that the rules have.
    pub(super) fn names(&self) -> Vec<Names> {
        self.rules.iter().map(|rule| rule.names.clone()).collect()
    }

    /// [`position`](Self::position) of each path, while the rules stay where they are.
    pub(super) fn positions(&self) -> Positions {
        let mut positions = Positions::new();
        for (index, rule) in self.rules.iter().enumerate() {
            for path in rule.names.values() {
                positions.entry(paths::without_items(path).to_owned()).or_insert(index);
            }
        }
        positions
    }

    /// The first rule about a field of this path.
    pub(super) fn position(&self, field: &str) -> Option<usize> {
        // Nearly all paths differ at the beginning, so the end is rarely compared.
        let is_it = |path: &String| path.starts_with(field) && paths::without_items(path) == field;
        self.rules.iter().position(|rule| rule.names.values().any(is_it))
    }
}
