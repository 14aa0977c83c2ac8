//! The kinds of rules: one module each, with the name of the rule.
//!
//! A module has the [`RuleKind`] of its rule, says between which types it fits and which of the two forms holds more, and shows
//! its steps to people. The runtime has a module of the same name, which executes them.

pub(super) mod absent_to_zero;
pub(super) mod custom;
pub(super) mod embedded;
pub(super) mod first_of_list;
pub(super) mod in_metadata;
pub(super) mod keep_aside;
pub(super) mod keyed_list;
pub(super) mod r#move;
pub(super) mod named_values;
pub(super) mod narrow;
pub(super) mod nest;
mod notes;
pub(super) mod part_of_text;
pub(super) mod pattern;
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
    &in_metadata::RULE,
    &keyed_list::RULE,
    &named_values::RULE,
    &nest::RULE,
    &words::RULE,
    &text::RULE,
    &narrow::RULE,
    &units::RULE,
    &part_of_text::RULE,
    &pattern::RULE,
    &wrap::RULE,
    &schema::RULE,
    &embedded::RULE,
    &custom::RULE,
];

impl RuleKind {
    /// All kinds of rules.
    pub fn all() -> Kinds {
        ALL
    }

    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|kind| kind.name == name).copied()
    }
}

impl RuleStep {
    /// For people: the result for the field, and the values that are lost, kept or missing.
    pub(super) fn text(&self) -> (String, &'static str) {
        let (how, loss) = match &self.action {
            Action::AbsentToZero(step) => absent_to_zero::text(step),
            Action::Custom(step) => custom::text(step),
            Action::Embedded(step) => embedded::text(step),
            Action::FirstOfList(step) => first_of_list::text(step),
            Action::InMetadata(step) => in_metadata::text(step),
            Action::KeepAside(step) => keep_aside::text(step),
            Action::KeyedList(step) => keyed_list::text(step),
            Action::Move(_) => r#move::text(),
            Action::NamedValues(step) => named_values::text(step),
            Action::Narrow(step) => narrow::text(step),
            Action::Nest(step) => nest::text(step),
            Action::PartOfText(step) => part_of_text::text(step),
            Action::Pattern(_) => pattern::text(),
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
    pub(crate) const CUSTOM: &str = super::custom::RULE.name;
    pub(crate) const EMBEDDED: &str = super::embedded::RULE.name;
    pub(crate) const FIRST_OF_LIST: &str = super::first_of_list::RULE.name;
    pub(crate) const KEEP_ASIDE: &str = super::keep_aside::RULE.name;
    pub(crate) const KEYED_LIST: &str = super::keyed_list::RULE.name;
    pub(crate) const MOVE: &str = super::r#move::RULE.name;
    pub(crate) const NAMED_VALUES: &str = super::named_values::RULE.name;
    pub(crate) const NARROW: &str = super::narrow::RULE.name;
    pub(crate) const NEST: &str = super::nest::RULE.name;
    pub(crate) const PART_OF_TEXT: &str = super::part_of_text::RULE.name;
    pub(crate) const SCHEMA: &str = super::schema::RULE.name;
    pub(crate) const TEXT: &str = super::text::RULE.name;
    pub(crate) const UNITS: &str = super::units::RULE.name;
    pub(crate) const WORDS: &str = super::words::RULE.name;
    pub(crate) const WRAP: &str = super::wrap::RULE.name;
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::ALL;

    /// Whether a line has a text that does not continue another name.
    fn names(line: &str, text: &str) -> bool {
        line.match_indices(text).any(|(at, _)| {
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            !before.is_some_and(char::is_alphanumeric)
        })
    }

    /// The files below a folder that have one of these texts.
    fn files_with(folder: &Path, texts: &[String], found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                files_with(&path, texts, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                // A line that declares a module does not count as an edit.
                let mut lines = text.lines().filter(|line| !line.contains("mod "));
                if lines.any(|line| texts.iter().any(|text| names(line, text))) {
                    found.push(path.display().to_string());
                }
            }
        }
    }

    /// A rule about values is one file, and a line in each of three others; the runtime has one. CONTRIBUTING shows them.
    #[test]
    fn a_kind_of_rule_is_in_few_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let contributing = fs::read_to_string(root.join("../CONTRIBUTING.md")).unwrap();
        for name in
            ["units", "part-of-text", "named-values", "schema", "in-metadata", "embedded", "custom"]
        {
            assert!(ALL.iter().any(|kind| kind.name == name), "{name}");
            let module = name.replace('-', "_");
            let action = heck::ToUpperCamelCase::to_upper_camel_case(name);
            let texts = [
                format!("{module}::"),
                format!("Action::{action}("),
                format!("    {action}({action})"),
                format!("name: \"{name}\""),
            ];
            let mut found = Vec::new();
            for folder in ["src/conversion", "src/emit/conversions"] {
                files_with(&root.join(folder), &texts, &mut found);
            }
            assert!(found.len() <= 4, "{name}: {found:#?}");
            let runtime = root.join("../crates/k8s-versioned/src/conversion");
            let mut found = Vec::new();
            files_with(&runtime, &[format!("{module}::")], &mut found);
            assert!(found.is_empty(), "{name}: {found:#?}");
            assert!(runtime.join(format!("steps/{module}.rs")).exists(), "{name}");
        }
        for file in ["steps/units.rs", "steps/mod.rs", "rule_step.rs", "emit/conversions/calls.rs"]
        {
            assert!(contributing.contains(file), "CONTRIBUTING.md names {file}");
        }
    }
}
