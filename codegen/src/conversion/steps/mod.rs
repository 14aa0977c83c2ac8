//! The kinds of rules: one module each, with the name of the rule.
//!
//! A module has the [`RuleKind`] of its rule, says between which types it fits and which of the two forms holds more, and shows
//! its steps to people. The runtime has a module of the same name, which executes them.

pub(super) mod absent_to_zero;
mod aside;
pub(super) mod custom;
pub(super) mod embedded;
pub(super) mod first_of_list;
pub(super) mod in_metadata;
pub(super) mod keep_aside;
pub(super) mod keyed_list;
mod leave_out_empty;
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
pub(super) mod varying;
pub(super) mod words;
pub(super) mod wrap;

use super::actions::Action;
use super::rule::RuleKind;
use super::rule_step::RuleStep;
use super::rules::RuleKinds;

/// All kinds of rules, in the order of the guide.
pub(super) const ALL: RuleKinds = &[
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
    pub fn all() -> RuleKinds {
        ALL
    }

    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|kind| kind.name == name).copied()
    }
}

impl RuleStep {
    /// The step, as text for people: the result for the field, and the values that are lost, kept or missing.
    pub(super) fn text(&self) -> (String, &'static str) {
        let (how, loss) = match &self.action {
            Action::AbsentToZero(step) => absent_to_zero::text(step),
            Action::Custom(step) => custom::text(step),
            Action::Embedded(step) => embedded::text(step),
            Action::FirstOfList(step) => first_of_list::text(step),
            Action::InMetadata(step) => in_metadata::text(step),
            Action::KeepAside(step) => keep_aside::text(step),
            Action::KeyedList(step) => keyed_list::text(step),
            Action::LeaveOutEmpty(step) => leave_out_empty::text(step),
            Action::Move(_) => r#move::text(),
            Action::NamedValues(step) => named_values::text(step),
            Action::Narrow(step) => narrow::text(step),
            Action::Nest(step) => nest::text(step),
            Action::PartOfText(step) => part_of_text::text(step),
            Action::Pattern(_) => pattern::text(),
            Action::Schema(step) => schema::text(step),
            Action::Text(step) => text::text(step),
            Action::Units(step) => units::text(step),
            Action::Varying(step) => varying::text(step),
            Action::Words(step) => words::text(step),
            Action::Wrap(step) => wrap::text(step),
        };
        let how = match (&self.optional, &self.aside_form) {
            ([_, Some(target)], _) => varying::with_fill(&how, target),
            (_, Some(form)) => aside::with_form(how, form),
            _ => how,
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

    /// The kinds about several fields, about the objects around fields, about other kinds and annotations, or with values that a step
    /// makes up, and in how many files of the stages each is. These numbers may only fall; the other kinds are in at most four.
    const STRUCTURAL: [(&str, usize); 14] = [
        ("move", 10),
        ("first-of-list", 7),
        ("absent-to-zero", 10),
        ("keep-aside", 13),
        ("in-metadata", 9),
        ("keyed-list", 10),
        ("nest", 9),
        ("words", 10),
        ("text", 5),
        ("narrow", 5),
        ("part-of-text", 5),
        ("pattern", 14),
        ("wrap", 12),
        ("embedded", 5),
    ];

    /// The questions that other files ask of the steps of a kind.
    const QUESTIONS: [(&str, &[&str]); 7] = [
        ("in-metadata", &["metadata_key()", "moves_to_metadata()"]),
        ("keyed-list", &["is_key(", "repeats_key("]),
        ("move", &["moved_object()"]),
        ("nest", &["makes_empty_object()", "has_empty_object()"]),
        ("part-of-text", &["lacks_rest()"]),
        ("wrap", &["wrapped()"]),
        ("embedded", &["action.embedded()"]),
    ];

    /// The files below a folder, without tools, that name a kind of rule: its module, its data or its descriptor.
    fn files_with(folder: &Path, kind: &str, found: &mut Vec<String>) {
        let module = kind.replace('-', "_");
        let action = heck::ToUpperCamelCase::to_upper_camel_case(kind);
        let anywhere = [
            format!("Action::{action}("),
            format!("    {action}({action})"),
            format!("name: \"{kind}\""),
            format!("Role::{action}"),
            format!("names::{}", module.to_uppercase()),
        ];
        let questions = QUESTIONS.iter().filter(|(of, _)| *of == kind);
        let questions: Vec<&str> = questions.flat_map(|(_, all)| all.iter().copied()).collect();
        // Elsewhere, other modules have names such as `schema` too. Everywhere, `text` is the name of another module.
        let own = [format!("{action}::"), format!("{module}::")];
        let own = if kind == "text" { &own[..1] } else { &own[..] };
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let text = path.display().to_string();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "tools") {
                files_with(&path, kind, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let own = if text.contains("/conversion") { own } else { &[] };
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
                // A line that declares a module does not count as an edit.
                let mut lines = code.lines().filter(|line| !line.contains("mod "));
                let texts =
                    || anywhere.iter().chain(own).map(String::as_str).chain(questions.clone());
                if lines.any(|line| texts().any(|text| names(line, text))) {
                    found.push(path.display().to_string());
                }
            }
        }
    }

    /// A rule about one value is one file, and a line in each of three others; the runtime has one. CONTRIBUTING shows them for the newest
    /// of these kinds.
    #[test]
    fn a_kind_of_rule_is_in_few_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let runtime = root.join("../crates/k8s-versioned/src/conversion");
        let (mut counts, mut expected) = (Vec::new(), Vec::new());
        for name in ALL.iter().map(|kind| kind.name) {
            let mut found = Vec::new();
            files_with(&root.join("src"), name, &mut found);
            match STRUCTURAL.iter().find(|(kind, _)| *kind == name) {
                Some(known) => {
                    expected.push(*known);
                    counts.push((name, found.len()));
                }
                None => assert!(found.len() <= 4, "{name}: {found:#?}"),
            }
            let module = match name {
                "move" => "moved".to_owned(),
                "narrow" => "text".to_owned(),
                name => name.replace('-', "_"),
            };
            assert!(runtime.join(format!("steps/{module}.rs")).exists(), "{name}");
        }
        assert_eq!(counts, expected, "a lower number is one to write down");
    }

    #[test]
    fn contributing_shows_the_files_of_a_kind() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let contributing = fs::read_to_string(root.join("../CONTRIBUTING.md")).unwrap();
        let mut found = Vec::new();
        files_with(&root.join("src"), "units", &mut found);
        assert_eq!(found.len(), 4, "{found:#?}");
        for file in found {
            let file = file.split_once("/src/").unwrap().1;
            assert!(contributing.contains(file), "CONTRIBUTING.md names {file}");
        }
        for (name, _) in STRUCTURAL {
            assert!(contributing.contains(&format!("`{name}`")), "CONTRIBUTING.md names {name}");
        }
    }
}
