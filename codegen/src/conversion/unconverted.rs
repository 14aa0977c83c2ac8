//! The kinds with several versions that no rule names.

use k8s_versioned_core::Version;
use litemap::LiteMap;

use super::{Structs, group_of};
use crate::gather::Gather;
use crate::plan::{ObjectRole, Plan};
use crate::rules::Rules;

/// A kind without conversions: its group, its name, and its versions, lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unconverted {
    /// The API group.
    pub(crate) group: String,
    /// The name of the kind.
    pub(crate) kind: String,
    /// The versions, lowest first.
    pub(crate) versions: Vec<String>,
}

/// The kinds whose objects servers store in several versions, and that `conversions.toml` does not name.
pub(crate) fn unconverted(plan: &Plan, rules: &Rules) -> Vec<Unconverted> {
    let mut kinds: LiteMap<(&String, &String), Vec<String>> = LiteMap::new();
    for object in plan.structs().filter_map(|planned| planned.object.as_ref()) {
        if matches!(object.role, ObjectRole::Resource { list: Some(_), .. }) {
            let of = &object.gvk;
            kinds.entry((&of.group, &of.kind)).or_default().push(of.version.clone());
        }
    }
    let structs = Structs::new(plan);
    let has_rules = |group: &str, kind: &str| {
        let mut stated = rules.conversions.iter();
        stated.any(|rule| rule.kind.value == kind && group_of(rule, rules, &structs) == group)
    };
    kinds.retain(|(group, kind), versions| versions.len() > 1 && !has_rules(group, kind));
    let kinds = kinds.into_iter().map(|((group, kind), versions)| {
        let versions =
            versions.into_iter().sorted_by_key(|version| version.parse::<Version>().ok());
        Unconverted { group: group.clone(), kind: kind.clone(), versions }
    });
    kinds.collect()
}
