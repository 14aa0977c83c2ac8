//! The plan of the conversions: for each directed pair of versions of a kind, a step for each field.
//!
//! **Invariant.** Every field of the source and of the target has a step in the plan, or there is a problem:
//! no field is dropped or left empty without a rule.

mod accessors;
mod gaps;
mod items;
mod kind;
mod page;
mod pair;
mod plan;
mod rules;
mod steps;
mod structs;

use structs::Structs;

use crate::Problems;
use crate::plan::Plan;
use crate::rules::Rules;

pub use page::{ABOUT, page, table};
pub use plan::{
    Accessor, FieldRef, How, ItemNames, KindConversion, KindVersion, Pair, Policy, Step,
    StructPair, Via,
};
pub use steps::{Applied, Argument, Call, Effect};

/// Plans the conversions of all kinds that have rules.
///
/// # Errors
/// Every field that no rule accounts for, and every rule that does not fit.
pub fn plan(plan: &Plan, rules: &Rules) -> Result<Vec<KindConversion>, Problems> {
    let mut problems = Problems::new();
    let structs = Structs::new(plan);
    let mut kinds: Vec<KindConversion> = Vec::new();
    for (index, rule) in rules.conversions.iter().enumerate() {
        let mut earlier = rules.conversions.iter().take(index);
        if earlier.any(|other| other.kind.value == rule.kind.value) {
            rule.kind.stands_twice(&mut problems);
        } else {
            let group = rule.group.as_ref().map_or(rules.group.group(), |group| &group.value);
            kinds.extend(kind::plan(group, rule, &structs, &mut problems));
        }
    }
    problems.or(kinds)
}
