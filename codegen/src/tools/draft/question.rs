//! Words that versions do not know.

use std::fmt::Write as _;

use toml::Value;

use super::guesses::{Names, ToState};
use super::written::field_rule;
use crate::conversion::names;

/// The key with the word that a version shows for those that it does not know.
pub(super) const FALLBACK: &str = "fallback";

/// The question which words of a field mean the same in versions that do not know the others. A rule would have to answer it.
#[derive(Clone, PartialEq)]
pub(super) struct Question {
    /// The path of the field in each version.
    pub(super) names: Names,
    /// The versions that do not know the words.
    pub(super) versions: Vec<String>,
    pub(super) why: String,
}

impl Question {
    /// The question, with the rule as a comment.
    pub(super) fn written(&self) -> String {
        let names = self.names.iter().map(|(version, path)| (version.as_str(), path.as_str()));
        let words = self.versions.iter().map(|version| (version.clone(), Value::from("…")));
        let keys = [(FALLBACK, Value::Table(words.collect()))];
        let rule = field_rule(names::WORDS, names, &keys, "…");
        let to_state = ToState { key: FALLBACK, why: self.why.clone() };
        let mut text = format!("# {to_state}\n");
        for line in rule.lines() {
            let _ = writeln!(text, "# {line}");
        }
        text
    }
}
