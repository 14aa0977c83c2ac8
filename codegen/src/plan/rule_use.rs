//! Rules about fields, and whether they were used: a rule that matches nothing is out of date.

use std::collections::BTreeSet;

use crate::Problems;
use crate::problem::{Cause, Place};
use crate::rules::{Empty, Rules, Vocabulary};

/// The rules about fields, and which were used.
pub(super) struct RuleUse<'a> {
    rules: &'a Rules,
    vocabularies: BTreeSet<String>,
    fields: BTreeSet<String>,
}

impl<'a> RuleUse<'a> {
    /// All rules, none of them used; reports those that say something of the same field.
    pub(super) fn new(rules: &'a Rules, problems: &mut Problems) -> Self {
        let vocabulary_fields = rules.vocabularies.iter().flat_map(|vocabulary| &vocabulary.fields);
        report_doubles(vocabulary_fields.map(|(place, field)| (place, field.as_str())), problems);
        report_doubles(
            rules.fields.iter().map(|rule| (&rule.place, rule.field.as_str())),
            problems,
        );
        Self { rules, vocabularies: BTreeSet::new(), fields: BTreeSet::new() }
    }

    /// The vocabulary of the field `name`.
    pub(super) fn vocabulary(&mut self, name: &str) -> Option<&'a Vocabulary> {
        let names =
            |vocabulary: &&Vocabulary| vocabulary.fields.iter().any(|(_, field)| field == name);
        let found = self.rules.vocabularies.iter().find(names)?;
        self.vocabularies.insert(name.to_owned());
        Some(found)
    }

    /// Reports a vocabulary of the field `name`, which holds no text.
    pub(super) fn vocabulary_in_vain(&mut self, name: &str, problems: &mut Problems) {
        let fields = self.rules.vocabularies.iter().flat_map(|it| &it.fields);
        for (place, field) in fields.filter(|(_, field)| field == name) {
            let cause = Cause::RuleWithoutEffect { field: field.clone(), why: "it holds no text" };
            problems.push(place.clone(), cause);
            self.vocabularies.insert(field.clone());
        }
    }

    /// What the rules say of the field `name` when it is empty.
    pub(super) fn empty(&mut self, name: &str) -> Option<Empty> {
        let found = self.rules.fields.iter().find(|rule| rule.field == name)?;
        self.fields.insert(name.to_owned());
        Some(found.empty)
    }

    /// Reports that the rule about the field `name` changes nothing.
    pub(super) fn without_effect(&self, name: &str, why: &'static str, problems: &mut Problems) {
        if let Some(rule) = self.rules.fields.iter().find(|rule| rule.field == name) {
            problems
                .push(rule.place.clone(), Cause::RuleWithoutEffect { field: name.to_owned(), why });
        }
    }

    /// Reports the rules that were not used.
    pub(super) fn report_unused(&self, problems: &mut Problems) {
        let vocabulary_fields =
            self.rules.vocabularies.iter().flat_map(|vocabulary| &vocabulary.fields);
        for (place, field) in
            vocabulary_fields.filter(|(_, field)| !self.vocabularies.contains(field))
        {
            problems.push(place.clone(), Cause::RuleMatchesNothing(field.clone()));
        }
        for rule in self.rules.fields.iter().filter(|rule| !self.fields.contains(&rule.field)) {
            problems.push(rule.place.clone(), Cause::RuleMatchesNothing(rule.field.clone()));
        }
    }
}

fn report_doubles<'a>(rules: impl Iterator<Item = (&'a Place, &'a str)>, problems: &mut Problems) {
    let mut seen = BTreeSet::new();
    for (place, name) in rules {
        if !seen.insert(name) {
            problems.push(place.clone(), Cause::RuleTwice(name.to_owned()));
        }
    }
}
