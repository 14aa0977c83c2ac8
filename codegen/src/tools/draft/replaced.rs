//! Rules that guesses replace.

use std::collections::{BTreeSet, HashMap};

use super::guesses::{Guess, Names};
use super::rule::Rule;
use crate::conversion::{is_in, names};
use crate::rules::paths;

/// The rules of a draft, found by the fields that they name: each of thousands of guesses is about a few of thousands of rules.
pub(super) struct Replaced {
    /// `None` for a rule that a guess replaced.
    rules: Vec<Option<Rule>>,
    by_names: HashMap<Names, Vec<usize>>,
}

impl Replaced {
    pub(super) fn new(rules: &[Rule]) -> Self {
        let mut replaced = Self { rules: Vec::new(), by_names: HashMap::new() };
        for rule in rules {
            replaced.add(rule.clone());
        }
        replaced
    }

    /// All rules. Rules that guesses added come last.
    pub(super) fn into_rules(self) -> Vec<Rule> {
        self.rules.into_iter().flatten().collect()
    }

    /// Replaces the rules about the fields of a guess, if they are still kept aside.
    pub(super) fn replace(&mut self, guess: &Guess) {
        let is_kept = |rule: &Rule| rule.kind == names::KEEP_ASIDE;
        let joined = guess.joins.iter().flat_map(|names| self.named(names));
        let mut gone: BTreeSet<usize> =
            joined.filter(|(_, rule)| is_kept(rule)).map(|(at, _)| at).collect();
        if gone.len() < guess.joins.len() {
            return;
        }
        let words = guess.rules.iter().filter(|guessed| guessed.kind == names::WORDS);
        gone.extend(words.flat_map(|guessed| self.named(&guessed.names)).map(|(at, _)| at));
        gone.extend(self.inside(&guess.apart));
        for at in gone {
            if let Some(rule) = self.rules.get_mut(at) {
                *rule = None;
            }
        }
        for guessed in &guess.rules {
            self.add(Rule::guessed(guessed, &guess.reason));
        }
    }

    fn add(&mut self, rule: Rule) {
        self.by_names.entry(rule.names.clone()).or_default().push(self.rules.len());
        self.rules.push(Some(rule));
    }

    /// The rules that name exactly these fields.
    fn named(&self, names: &Names) -> impl Iterator<Item = (usize, &Rule)> {
        let places = self.by_names.get(names).into_iter().flatten();
        places.filter_map(move |at| Some((*at, self.rules.get(*at)?.as_ref()?)))
    }

    /// The rules about these fields, and about those inside of them.
    fn inside(&self, around: &BTreeSet<String>) -> Vec<usize> {
        if around.is_empty() {
            return Vec::new();
        }
        let is_inside =
            |path: &str| around.iter().any(|around| path == around || is_in(path, around));
        let rules = self.rules.iter().enumerate();
        let inside = rules.filter(|(_, rule)| {
            let mut of_rule = rule.iter().flat_map(|rule| rule.names.values());
            of_rule.any(|path| is_inside(paths::without_items(path)))
        });
        inside.map(|(at, _)| at).collect()
    }
}
