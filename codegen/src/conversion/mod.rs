//! The plan of the conversions: for each directed pair of versions of a kind, a step for each field.
//!
//! **Invariant.** Every field of the source and of the target has a step in the plan, or there is a problem:
//! no field is dropped or left empty without a rule.

mod accessors;
mod actions;
mod adopt;
mod cel_rules;
mod embedded_parts;
mod empty_objects;
mod empty_values;
mod field_ref;
mod item_names;
mod kept_without_limit;
mod kind;
mod losses;
mod lossless;
mod matrix;
mod members;
mod merged_lists;
mod metadata_keys;
mod missing_rules;
mod moves;
mod nested;
mod nested_around_moves;
mod page;
mod pair;
mod pattern_form;
mod pattern_values;
mod plan;
mod planner;
mod rule;
mod rule_places;
mod rule_step;
mod rules;
mod schema_of_rules;
mod shared;
mod steps;
mod structs;
mod unconverted;
mod version_names;
mod without_source;

use std::collections::BTreeSet;

use crate::Problems;
use crate::ident::{numbered, snake_case};
use crate::model::Model;
use crate::plan::{Plan, kind_name};
use crate::rules::{KindRule, Rules};
use heck::ToUpperCamelCase;

pub(crate) use actions::*;
pub(crate) use adopt::Adoption;
pub(crate) use embedded_parts::{embedded_parts, unused_embedded};
pub(crate) use field_ref::Paths;
pub use losses::Unseen;
pub(crate) use losses::unseen;
pub(crate) use page::{ABOUT, anchor, page, table};
pub(crate) use pattern_form::*;
pub(crate) use plan::{
    Accessor, FieldRef, ItemNames, KeptForm, KindConversion, KindVersion, Mapping, MergedList,
    Naming, Pair, Policy, Step, StructPair,
};
pub use rule::RuleKind;
pub(crate) use rule_step::*;
pub(crate) use rules::is_in;
pub use schema_of_rules::rules_schema;
pub(crate) use steps::names;
pub(crate) use structs::{Structs, type_text};
pub(crate) use unconverted::{Unconverted, unconverted};

/// Plans the conversions of all kinds that have rules.
///
/// # Errors
/// Every field that no rule accounts for, and every rule that does not fit.
pub(crate) fn plan(
    plan: &Plan,
    model: &Model,
    rules: &Rules,
) -> Result<Vec<KindConversion>, Problems> {
    let mut problems = Problems::new();
    let structs = Structs::new(plan).placed_in(&model.types);
    let mut kinds: Vec<KindConversion> = Vec::new();
    let mut names = BTreeSet::new();
    let group = |rule: &KindRule| group_of(rule, rules, &structs);
    shared::check(
        rules.conversions.iter().map(|rule| (group(rule), rule)),
        &structs,
        &mut problems,
    );
    for (index, rule) in rules.conversions.iter().enumerate() {
        let mut earlier = rules.conversions.iter().take(index);
        let is_same =
            |other: &KindRule| (&other.kind.value, group(other)) == (&rule.kind.value, group(rule));
        if earlier.any(is_same) {
            rule.kind.report_twice(&mut problems);
        } else if let Some(mut kind) = kind::plan(&group(rule), rule, &structs, &mut problems) {
            kind.name = name(&kind, &mut names);
            kinds.push(kind);
        }
    }
    embedded_parts::check(&kinds, &mut problems);
    problems.or(kinds)
}

/// Plans the conversions of one kind, without those of other kinds.
///
/// # Errors
/// Every field that no rule accounts for, and every rule that does not fit.
pub(crate) fn plan_kind(
    rule: &KindRule,
    group: &str,
    structs: &Structs<'_>,
) -> Result<KindConversion, Problems> {
    let mut problems = Problems::new();
    let planned = kind::plan(group, rule, structs, &mut problems);
    problems.or(())?;
    planned.ok_or_else(Problems::new)
}

/// The group of the kind of a rule: the group that the rule states, or the only group with such a kind, or the group of the package.
pub(crate) fn group_of(rule: &KindRule, rules: &Rules, structs: &Structs<'_>) -> String {
    if let Some(group) = &rule.group {
        return group.value.clone();
    }
    let own = rules.group.group();
    let mut groups = structs.groups_of(&rule.kind.value).into_iter();
    match (groups.next(), groups.next()) {
        (Some(only), None) => only,
        _ => own.to_owned(),
    }
}

/// The name of a kind within the names of its types. If several kinds have one name, the later ones have the module of their group before
/// it. `taken` are the names of the types and modules of earlier kinds.
fn name(kind: &KindConversion, taken: &mut BTreeSet<String>) -> String {
    let module = kind.versions.first().map_or("", |version| version.object.module.as_str());
    let group = module.split_once("::").map_or("", |(group, _)| group).to_upper_camel_case();
    let own = kind_name(&kind.kind);
    let with_group = format!("{group}{own}");
    let used = |name: &str| KindConversion::types(name).into_iter().chain([snake_case(name)]);
    let is_free = |name: &str| !used(name).any(|name| taken.contains(&name));
    let plain = [own, with_group.clone()].into_iter().find(|name| is_free(name));
    let name = plain.unwrap_or_else(|| numbered(&with_group, &mut 2, is_free));
    taken.extend(used(&name));
    name
}
