//! The kinds of rules: one module each, with the name of the rule.
//!
//! A module has the [`RuleKind`] of its rule, says between which types it fits and which of the two forms holds more, and shows
//! its steps to people. The runtime has a module of the same name, which executes them.

pub(super) mod absent_to_zero;
pub(super) mod custom;
pub(super) mod first_of_list;
pub(super) mod keep_aside;
pub(super) mod keyed_list;
pub(super) mod r#move;
pub(super) mod named_values;
pub(super) mod narrow;
pub(super) mod nest;
mod notes;
pub(super) mod part_of_text;
pub(super) mod schema;
pub(super) mod stated;
pub(super) mod text;
pub(super) mod units;
pub(super) mod words;
pub(super) mod wrap;

use super::rule::RuleKind;
use super::rule_step::{Action, RuleStep};
use super::rules::Kinds;

/// All kinds of rules, in the order of the guide.
pub(super) const ALL: Kinds = &[
    &r#move::RULE,
    &first_of_list::RULE,
    &absent_to_zero::RULE,
    &keep_aside::RULE,
    &keyed_list::RULE,
    &named_values::RULE,
    &nest::RULE,
    &words::RULE,
    &text::RULE,
    &narrow::RULE,
    &units::RULE,
    &part_of_text::RULE,
    &wrap::RULE,
    &schema::RULE,
    &custom::RULE,
];

impl RuleKind {
    /// All kinds of rules.
    pub fn all() -> Kinds {
        ALL
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|kind| kind.name == name).copied()
    }
}

impl RuleStep {
    /// For people: the result for the field, and the values that are lost, kept or missing.
    pub(super) fn text(&self) -> (String, &'static str) {
        let (how, loss) = match &self.action {
            Action::AbsentToZero(step) => absent_to_zero::text(step),
            Action::Custom(step) => custom::text(step),
            Action::FirstOfList(step) => first_of_list::text(step),
            Action::KeepAside(step) => keep_aside::text(step),
            Action::KeyedList(step) => keyed_list::text(step),
            Action::Move(_) => r#move::text(),
            Action::NamedValues(step) => named_values::text(step),
            Action::Narrow(step) => narrow::text(step),
            Action::Nest(step) => nest::text(step),
            Action::PartOfText(step) => part_of_text::text(step),
            Action::Schema(step) => schema::text(step),
            Action::Text(step) => text::text(step),
            Action::Units(step) => units::text(step),
            Action::Words(step) => words::text(step),
            Action::Wrap(step) => wrap::text(step),
        };
        words::with_unknown(self, how, loss)
    }
}

/// The names of the rules that drafts write of their own accord.
pub(crate) mod names {
    pub(crate) const ABSENT_TO_ZERO: &str = super::absent_to_zero::RULE.name;
    pub(crate) const FIRST_OF_LIST: &str = super::first_of_list::RULE.name;
    pub(crate) const KEEP_ASIDE: &str = super::keep_aside::RULE.name;
    pub(crate) const KEYED_LIST: &str = super::keyed_list::RULE.name;
    pub(crate) const MOVE: &str = super::r#move::RULE.name;
    pub(crate) const NARROW: &str = super::narrow::RULE.name;
    pub(crate) const NEST: &str = super::nest::RULE.name;
    pub(crate) const SCHEMA: &str = super::schema::RULE.name;
    pub(crate) const TEXT: &str = super::text::RULE.name;
    pub(crate) const WORDS: &str = super::words::RULE.name;
    pub(crate) const WRAP: &str = super::wrap::RULE.name;
}
