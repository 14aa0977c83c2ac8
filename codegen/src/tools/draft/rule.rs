//! A rule of a draft.

use std::cmp::Ordering;

use toml::Value;

use super::guesses::{Guessed, Guesser, Names, ToState};
use crate::conversion::{is_in, names};
use crate::gather::Gather;
use crate::rules::paths;

/// A rule, and the path of its field in each version.
#[derive(Clone, PartialEq)]
pub(super) struct Rule {
    /// The name of its kind.
    pub(super) kind: &'static str,
    pub(super) names: Names,
    /// The keys of this kind of rule, with their values.
    pub(super) keys: Vec<(&'static str, Value)>,
    /// The evidence, for a guess.
    pub(super) guess: Option<String>,
    /// Why nothing is guessed, although fields are like it.
    pub(super) undecided: Option<String>,
    pub(super) to_state: Vec<ToState>,
}

impl Rule {
    pub(super) fn kept(version: &str, path: &str) -> Self {
        let path = paths::without_items(path).to_owned();
        let names = [(version.to_owned(), path)].into_iter().gather();
        Self::new(names::KEEP_ASIDE, names)
    }

    pub(super) fn new(kind: &'static str, names: Names) -> Self {
        Self { kind, names, keys: Vec::new(), guess: None, undecided: None, to_state: Vec::new() }
    }

    pub(super) fn guessed(guessed: &Guessed, reason: &str) -> Self {
        Self {
            keys: guessed.keys.clone(),
            to_state: guessed.to_state.clone(),
            guess: Some(reason.to_owned()),
            ..Self::new(guessed.kind, guessed.names.clone())
        }
    }

    /// Returns `true` for a field without a counterpart whose value is guessed.
    pub(super) fn is_guess_of_value(&self) -> bool {
        self.kind == names::KEEP_ASIDE && self.guess.is_some() && !self.keys.is_empty()
    }

    /// The evidence, for a rule that a person could want otherwise.
    pub(super) fn evidence(&self) -> Option<&str> {
        let by_type = match self.kind {
            names::FIRST_OF_LIST => "it has one name, and is a list of what it is elsewhere",
            names::NARROW => "it has one name, and is an integer in all versions",
            names::TEXT => "it has one name, and is a text of what it is elsewhere",
            _ => return self.guess.as_deref(),
        };
        self.guess.as_deref().or(Some(by_type))
    }

    /// The comments for people.
    pub(super) fn comments(&self, explains: Option<&Guesser<'_>>) -> Vec<String> {
        let types = explains.map(|guesser| guesser.types(&self.names)).unwrap_or_default();
        let guess = self.evidence().map(|reason| format!("a guess: {reason}"));
        let undecided = self.undecided.iter().map(|reason| format!("undecided: {reason}"));
        let to_state = self.to_state.iter().map(ToState::to_string);
        types.into_iter().chain(guess).chain(undecided).chain(to_state).collect()
    }

    /// The order of rules in a file.
    pub(super) fn by_path(one: &Self, other: &Self) -> Ordering {
        one.names.values().cmp(other.names.values())
    }

    pub(super) fn is_inside(&self, other: &Self) -> bool {
        let around = |path: &String| other.names.values().any(|around| is_in(path, around));
        self.names.values().any(around)
    }
}
