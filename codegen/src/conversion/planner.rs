//! The input of the plan of a pair of versions, and what each part of the plan asks.

use super::missing_rules::MissingRules;
use super::plan::{FieldRef, Mapping, Step, StructPair};
use super::rule::Rule;
use super::rule_step::Effect;
use super::rules::FieldRules;
use super::steps::keyed_list;
use super::structs::{Side, Spot, Structs, Versions};
use crate::Problems;
use crate::plan::ItemPath;
use crate::rules::paths::{FieldPath, is_in_items, segment, without_items};

/// Plans one directed pair of versions.
pub(super) struct PairPlanner<'a, 'b> {
    pub(super) structs: &'b Structs<'a>,
    pub(super) versions: &'b Versions<'a>,
    pub(super) rules: &'b FieldRules<'a>,
    pub(super) missing: &'b mut MissingRules,
    pub(super) problems: &'b mut Problems,
    pub(super) from: &'b str,
    pub(super) to: &'b str,
    /// Whether fields are absent where servers reject an empty value.
    pub(super) leaves_out_empty: bool,
    /// The pairs of types around the current one: a type can contain itself.
    pub(super) around: Vec<(ItemPath, ItemPath)>,
    /// The paths of the structs that are planned, outermost first.
    pub(super) sides: Vec<(FieldPath, FieldPath)>,
}

/// A field of a version that a rule names.
pub(super) struct NamedField<'a, 'b> {
    pub(super) version: &'b str,
    pub(super) spot: Spot<'a>,
}

impl<'a, 'b> PairPlanner<'a, 'b> {
    /// The field that a rule names in a version.
    pub(super) fn form(&self, rule: &Rule<'a>, version: &str) -> Option<NamedField<'a, 'b>> {
        let (version, object) = self.versions.iter().find(|(name, _)| name == version)?;
        let path = without_items(&rule.stated.names.get(version)?.value);
        Some(NamedField { version, spot: self.structs.spot(object, path)? })
    }

    /// Returns `true` if a field of the source moves to this field of the target.
    pub(super) fn is_moved(&self, rule: &Rule<'a>, to: &FieldRef) -> bool {
        rule.in_version(self.from).is_some_and(|from| self.can_move(rule, from, to))
    }

    /// Returns `true` if a field can move into another part: no list or map is between it and a struct around both places.
    pub(super) fn can_move(&self, rule: &Rule<'_>, from: &FieldRef, to: &FieldRef) -> bool {
        let is_inside = |(source, target): &(FieldPath, FieldPath)| {
            let inner = from.path.inside(source).zip(to.path.inside(target));
            inner.is_some_and(|(inner, other)| !is_in_items(inner) && !is_in_items(other))
        };
        rule.kind.moves && self.sides.iter().any(is_inside)
    }
}

/// The step for a field of the objects of a map that repeats the key: it keeps or restores it.
pub(super) fn repeated_key(rule: &Rule<'_>, field: FieldRef, effect: Effect) -> Step {
    let key = field.name();
    let maps = rule.paths_in(&|_, map| map.rust_type.is_map()).into_iter();
    let places = maps.map(|(version, map)| (version, map.items().child(&segment(&key))));
    let places = places.collect();
    let [keep, restore] = keyed_list::repeated();
    let step = if effect == Effect::Keeps { keep } else { restore };
    let (how, name) = (Mapping::Rule(step), Some(rule.kind.name));
    let step = Step { how, rule: name, places, ..Step::default() };
    match effect {
        Effect::Keeps => Step { from: Some(field), ..step },
        _ => Step { to: Some(field), ..step },
    }
}

/// The plan of a struct with only these steps.
pub(super) fn struct_pair_of(
    from: &Side<'_, '_>,
    to: &Side<'_, '_>,
    steps: Vec<Step>,
) -> StructPair {
    StructPair {
        from: from.parent.path.clone(),
        to: to.parent.path.clone(),
        function: "convert".to_owned(),
        is_object: false,
        steps,
        patterns: Vec::new(),
        moves: Vec::new(),
        objects_around_moves: Vec::new(),
        emptied_by_moves: Vec::new(),
        nested_around_moves: Vec::new(),
    }
}
