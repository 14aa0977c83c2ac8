//! The rules about the fields of a kind, and whether they fit.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned::Version;

use super::items::FieldRef;
use super::names::distinct;
use super::structs::Structs;
use crate::Problems;
use crate::plan::{RustType, Struct};
use crate::problem::Cause;
use crate::rules::{Correspondence, FieldRuleName, KindRule, Placed};
use crate::text::join;

/// The rules about the fields of a kind.
pub(super) struct FieldRules<'a> {
    rules: Vec<Rule<'a>>,
    /// The rule of a version's field.
    by_field: BTreeMap<(&'a str, &'a str), usize>,
}

/// A rule, and what is known of it.
struct Rule<'a> {
    stated: &'a Correspondence,
    /// The name of its policy, after its field in the first version that it names; empty if it has none.
    policy: String,
    /// The fields that it names, with their versions.
    found: Vec<(&'a str, FieldRef)>,
    /// `true` if it makes a difference.
    effective: bool,
    /// `true` if it is reported already.
    wrong: bool,
}

impl<'a> FieldRules<'a> {
    /// The rules of a kind with these versions. Reports fields that are not there, and those with two rules.
    pub(super) fn new(
        rule: &'a KindRule,
        versions: &BTreeMap<String, &'a Struct>,
        structs: &Structs<'a>,
        problems: &mut Problems,
    ) -> Self {
        let mut rules = Self { rules: Vec::new(), by_field: BTreeMap::new() };
        for stated in &rule.fields {
            let rule = rules.read(stated, versions, structs, problems);
            rules.rules.push(rule);
        }
        rules
    }

    fn read(
        &mut self,
        stated: &'a Correspondence,
        versions: &BTreeMap<String, &'a Struct>,
        structs: &Structs<'a>,
        problems: &mut Problems,
    ) -> Rule<'a> {
        let (policy, found) = (String::new(), Vec::new());
        let mut rule = Rule { stated, policy, found, effective: false, wrong: false };
        for (version, name) in &stated.names {
            let object = versions.get(version.as_str());
            let shown = || format!("{version} {}", name.value);
            let cause = match object.and_then(|object| structs.find(object, &name.value)) {
                None => Cause::RuleMatchesNothing(shown()),
                Some(found) => {
                    rule.found.push((version, found));
                    match self.by_field.entry((version, &name.value)) {
                        Entry::Occupied(_) => Cause::RuleTwice(shown()),
                        Entry::Vacant(entry) => {
                            entry.insert(self.rules.len());
                            continue;
                        }
                    }
                }
            };
            problems.push(&name.place, cause);
            rule.wrong = true;
        }
        if stated.rule.value == FieldRuleName::AbsentToZero {
            let taken = |name: &str| self.rules.iter().any(|other| other.policy == name);
            let first = rule.found.first();
            rule.policy = first.map(|(_, field)| distinct(field, taken)).unwrap_or_default();
        } else if let Some(other) = &stated.fill_from {
            let (field, why) = (other.value.clone(), "only `absent-to-zero` fills fields");
            problems.push(&other.place, Cause::RuleWithoutEffect { field, why });
            rule.wrong = true;
        }
        rule
    }

    /// The rule about a field.
    pub(super) fn find(&self, version: &str, path: &str) -> Option<(usize, &'a Correspondence)> {
        let index = *self.by_field.get(&(version, path))?;
        Some((index, self.rules.get(index)?.stated))
    }

    /// The name of the policy of a rule.
    pub(super) fn policy(&self, index: usize) -> String {
        self.rules.get(index).map(|rule| rule.policy.clone()).unwrap_or_default()
    }

    /// The versions that have the field of a rule in the form that is kept aside, lowest first, and its path in each.
    pub(super) fn places(&self, index: usize) -> Vec<(String, String)> {
        let rule = self.rules.get(index);
        let kept = rule.into_iter().flat_map(Rule::kept);
        let mut places: Vec<(String, String)> =
            kept.map(|(version, field)| ((*version).to_owned(), field.path.clone())).collect();
        places.sort_by_key(|(version, _)| version.parse::<Version>().ok());
        places
    }

    /// The rule makes a difference.
    pub(super) fn has_effect(&mut self, index: usize) {
        if let Some(rule) = self.rules.get_mut(index) {
            rule.effective = true;
        }
    }

    /// The rule does not fit; said once for all pairs.
    pub(super) fn does_not_fit(&mut self, index: usize, why: String, problems: &mut Problems) {
        if let Some(rule) = self.rules.get_mut(index).filter(|rule| !rule.wrong) {
            rule.wrong = true;
            let Placed { value, place, .. } = &rule.stated.rule;
            problems.push(place, Cause::RuleDoesNotFit { rule: value.to_string(), why });
        }
    }

    /// Reports the rules that change nothing.
    pub(super) fn report_unused(&self, problems: &mut Problems) {
        for rule in self.rules.iter().filter(|rule| !rule.effective && !rule.wrong) {
            let names: BTreeSet<&str> =
                rule.stated.names.values().map(|name| name.value.as_str()).collect();
            let field = join(names, "`, `");
            let why = "the name and the type are the same in all versions";
            problems.push(&rule.stated.rule.place, Cause::RuleWithoutEffect { field, why });
        }
    }
}

impl<'a> Rule<'a> {
    /// The fields that are kept aside in the form of their version, because the other versions say less.
    fn kept(&self) -> impl Iterator<Item = &(&'a str, FieldRef)> {
        let held = |inner: &RustType| self.found.iter().any(|(_, field)| field.rust_type == *inner);
        self.found.iter().filter(move |(_, field)| {
            match (self.stated.rule.value, &field.rust_type) {
                (FieldRuleName::FirstOfList, RustType::List(inner))
                | (FieldRuleName::AbsentToZero, RustType::Option(inner)) => held(inner),
                (FieldRuleName::KeepAside, _) => true,
                _ => false,
            }
        })
    }
}
