//! The rules about the fields of a kind, and whether they fit.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned::Version;

use super::aside;
use super::items::FieldRef;
use super::names::distinct;
use super::structs::Structs;
use crate::Problems;
use crate::plan::{RustType, Struct};
use crate::problem::Cause;
use crate::rules::{Correspondence, FieldRuleName, KindRule};

/// The rules about the fields of a kind.
pub(super) struct FieldRules<'a> {
    rules: &'a [Correspondence],
    by_field: BTreeMap<(&'a str, &'a str), usize>,
    /// The names of their policies.
    policies: BTreeMap<usize, String>,
    /// The fields that they name, with their versions.
    found: BTreeMap<usize, Vec<(&'a str, FieldRef)>>,
    /// Those that make a difference.
    effective: BTreeSet<usize>,
    /// Those that are reported already.
    wrong: BTreeSet<usize>,
}

impl<'a> FieldRules<'a> {
    /// The rules of a kind with these versions. Reports fields that are not there, and those with two rules.
    pub(super) fn new(
        rule: &'a KindRule,
        versions: &BTreeMap<String, &'a Struct>,
        structs: &Structs<'a>,
        problems: &mut Problems,
    ) -> Self {
        let mut rules = Self {
            rules: &rule.fields,
            by_field: BTreeMap::new(),
            policies: BTreeMap::new(),
            found: BTreeMap::new(),
            effective: BTreeSet::new(),
            wrong: BTreeSet::new(),
        };
        for (index, field) in rule.fields.iter().enumerate() {
            for (version, name) in &field.names {
                let object = versions.get(version.as_str());
                let found = object.and_then(|object| structs.find(object, &name.value));
                if let Some(found) = &found {
                    rules.name_policy(index, field, found);
                    let named = (version.as_str(), found.clone());
                    rules.found.entry(index).or_default().push(named);
                }
                let of = (version.as_str(), name.value.as_str());
                let shown = || format!("{version} {}", name.value);
                let cause = match rules.by_field.entry(of) {
                    _ if found.is_none() => Cause::RuleMatchesNothing(shown()),
                    Entry::Occupied(_) => Cause::RuleTwice(shown()),
                    Entry::Vacant(entry) => {
                        entry.insert(index);
                        continue;
                    }
                };
                problems.push(&name.place, cause);
                rules.wrong.insert(index);
            }
            rules.check_fill_from(index, field, problems);
        }
        rules
    }

    /// Names the policy of a rule that fills fields, after its field in the first version that it names.
    fn name_policy(&mut self, index: usize, rule: &Correspondence, field: &FieldRef) {
        if rule.rule.value == FieldRuleName::AbsentToZero && !self.policies.contains_key(&index) {
            let taken = |name: &str| self.policies.values().any(|other| other == name);
            self.policies.insert(index, distinct(field, taken));
        }
    }

    fn check_fill_from(&mut self, index: usize, field: &Correspondence, problems: &mut Problems) {
        if let Some(other) = &field.fill_from
            && field.rule.value != FieldRuleName::AbsentToZero
        {
            let cause = Cause::RuleWithoutEffect {
                field: other.value.clone(),
                why: "only `absent-to-zero` fills fields",
            };
            problems.push(&other.place, cause);
            self.wrong.insert(index);
        }
    }

    /// The rule about a field.
    pub(super) fn find(&self, version: &str, path: &str) -> Option<(usize, &'a Correspondence)> {
        let index = *self.by_field.get(&(version, path))?;
        Some((index, self.rules.get(index)?))
    }

    /// The name of the policy of a rule.
    pub(super) fn policy(&self, index: usize) -> String {
        self.policies.get(&index).cloned().unwrap_or_default()
    }

    /// The versions that have the field of a rule in the form that is kept aside, lowest first, and its path in each.
    pub(super) fn places(&self, index: usize, rule: FieldRuleName) -> Vec<(String, String)> {
        let found = self.found.get(&index).map_or(&[][..], Vec::as_slice);
        let of_type = |(_, field): &(&str, FieldRef)| field.rust_type.clone();
        let types: Vec<RustType> = found.iter().map(of_type).collect();
        let kept = found.iter();
        let kept = kept.filter(|(_, field)| aside::is_kept(rule, &field.rust_type, &types));
        let kept = kept.map(|(version, field)| ((*version).to_owned(), field.path.clone()));
        let mut places: Vec<(String, String)> = kept.collect();
        places.sort_by_key(|(version, _)| version.parse::<Version>().ok());
        places
    }

    /// The rule makes a difference.
    pub(super) fn has_effect(&mut self, index: usize) {
        self.effective.insert(index);
    }

    /// The rule does not fit; said once for all pairs.
    pub(super) fn does_not_fit(&mut self, index: usize, why: String, problems: &mut Problems) {
        if let Some(field) = self.rules.get(index)
            && self.wrong.insert(index)
        {
            let rule = field.rule.value.to_string();
            problems.push(&field.rule.place, Cause::RuleDoesNotFit { rule, why });
        }
    }

    /// Reports the rules that change nothing.
    pub(super) fn report_unused(&self, problems: &mut Problems) {
        for (index, field) in self.rules.iter().enumerate() {
            if !self.effective.contains(&index) && !self.wrong.contains(&index) {
                let names: BTreeSet<&str> =
                    field.names.values().map(|name| name.value.as_str()).collect();
                let names: Vec<&str> = names.into_iter().collect();
                let cause = Cause::RuleWithoutEffect {
                    field: names.join("`, `"),
                    why: "the name and the type are the same in all versions",
                };
                problems.push(&field.rule.place, cause);
            }
        }
    }
}
