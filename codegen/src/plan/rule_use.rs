//! Rules about fields, and whether they were used: a rule that matches nothing is out of date.

use std::collections::BTreeSet;

use crate::Problems;
use crate::problem::{Cause, Place};
use crate::rules::{Empty, FieldRule, Rules, Vocabulary};

/// The rules about fields, and the places of those that were used.
pub(super) struct RuleUse<'a> {
    rules: &'a Rules,
    used: BTreeSet<(&'static str, String)>,
}

impl<'a> RuleUse<'a> {
    /// All rules, none of them used; reports those that say something of the same field.
    pub(super) fn new(rules: &'a Rules, problems: &mut Problems) -> Self {
        let rule_use = Self { rules, used: BTreeSet::new() };
        let mut seen = BTreeSet::new();
        for (kind, field, place) in rule_use.all() {
            if !seen.insert((kind, field)) {
                problems.push(place, Cause::RuleTwice(field.to_owned()));
            }
        }
        rule_use
    }

    /// The kind, the field and the place of each rule.
    fn all(&self) -> impl Iterator<Item = (&'static str, &'a str, &'a Place)> {
        let vocabularies = self.rules.vocabularies.iter().flat_map(|it| &it.fields);
        let vocabularies = vocabularies.map(|it| (VOCABULARY, it.value.as_str(), &it.place));
        let fields = self.rules.fields.iter().map(|rule| &rule.field);
        vocabularies.chain(fields.map(|it| (EMPTY, it.value.as_str(), &it.place)))
    }

    /// The vocabulary of the field `name`.
    pub(super) fn vocabulary(&mut self, name: &str) -> Option<&'a Vocabulary> {
        self.used.insert((VOCABULARY, name.to_owned()));
        let names = |it: &&Vocabulary| it.fields.iter().any(|field| field.value == name);
        self.rules.vocabularies.iter().find(names)
    }

    /// Reports a vocabulary of the field `name`, which holds no text.
    pub(super) fn vocabulary_in_vain(&mut self, name: &str, problems: &mut Problems) {
        self.used.insert((VOCABULARY, name.to_owned()));
        self.without_effect(VOCABULARY, name, "it holds no text", problems);
    }

    /// The rule about the field `name` when it is empty.
    pub(super) fn empty(&mut self, name: &str) -> Option<Empty> {
        self.used.insert((EMPTY, name.to_owned()));
        let of_field = |rule: &&FieldRule| rule.field.value == name;
        self.rules.fields.iter().find(of_field).map(|rule| rule.empty)
    }

    /// Reports that the rule about the field `name` when it is empty changes nothing.
    pub(super) fn empty_in_vain(&self, name: &str, why: &'static str, problems: &mut Problems) {
        self.without_effect(EMPTY, name, why, problems);
    }

    fn without_effect(
        &self,
        kind: &'static str,
        name: &str,
        why: &'static str,
        problems: &mut Problems,
    ) {
        if let Some((.., place)) = self.all().find(|(its, field, _)| (*its, *field) == (kind, name))
        {
            problems.push(place, Cause::RuleWithoutEffect { field: name.to_owned(), why });
        }
    }

    /// Reports the rules that were not used.
    pub(super) fn report_unused(&self, problems: &mut Problems) {
        for (kind, field, place) in self.all() {
            if !self.used.contains(&(kind, field.to_owned())) {
                problems.push(place, Cause::RuleMatchesNothing(field.to_owned()));
            }
        }
    }
}

const VOCABULARY: &str = "vocabulary";
const EMPTY: &str = "empty";
