//! The rules about the fields of a kind, and the checks that they fit.

use std::cell::Cell;
use std::collections::BTreeSet;

use k8s_versioned_names::Version;
use k8s_versioned_names::text::nearest;
use litemap::{Entry, LiteMap};

use super::gaps::Gaps;
use super::plan::{FieldRef, distinct};
use super::steps::keyed_list;
use super::structs::{Structs, type_text};
use crate::Problems;
use crate::gather::Gather;
use crate::plan::{RustType, Struct};
use crate::problem::StepName;
use crate::problem::{ConversionCause, RuleCause};
use crate::rules::paths::{child, segment};
use crate::rules::{Correspondence, KindRule, guide, paths};
use crate::text::join;

/// The rules about the fields of a kind.
pub(super) struct FieldRules<'a> {
    rules: Vec<Rule<'a>>,
    /// The rule of a version's field.
    by_field: LiteMap<(&'a str, &'a str), usize>,
}

/// A rule, and the facts about it.
pub(super) struct Rule<'a> {
    pub(super) stated: &'a Correspondence,
    /// The name of its policy, from its field in the first version that it names; empty if it has none.
    pub(super) policy: String,
    /// The fields that it names, with their versions.
    pub(super) found: Vec<(&'a str, FieldRef)>,
    /// For `nest`: the structs that have the fields of the sub-object in other versions, by version.
    pub(super) flat: LiteMap<&'a str, &'a str>,
    /// Whether it makes a difference.
    effective: Cell<bool>,
    /// Whether it is reported already.
    wrong: Cell<bool>,
    /// Whether it names what is not there: nothing else is known of it then.
    unreadable: bool,
}

impl<'a> FieldRules<'a> {
    /// The rules of a kind with these versions. Reports fields that are not there, and those with two rules.
    pub(super) fn new(
        rule: &'a KindRule,
        versions: &LiteMap<String, &'a Struct>,
        structs: &Structs<'a>,
        problems: &mut Problems,
    ) -> Self {
        let mut rules = Self { rules: Vec::new(), by_field: LiteMap::new() };
        for stated in &rule.fields {
            let rule = rules.read(stated, versions, structs, problems);
            rules.rules.push(rule);
        }
        rules.check_schemas(problems);
        rules
    }

    /// Reports a rule about a field of a value that is any JSON in another version: there, nothing converts the field.
    fn check_schemas(&self, problems: &mut Problems) {
        for rule in &self.rules {
            let of_schema = |other: &Rule<'_>| other.stated.rule.value == StepName::Schema;
            if self.is_inside(rule, of_schema) {
                let why =
                    "the value around it is any JSON in another version, by the rule `schema`";
                rule.report_misfit(why.to_owned(), problems);
            }
        }
    }

    fn read(
        &mut self,
        stated: &'a Correspondence,
        versions: &LiteMap<String, &'a Struct>,
        structs: &Structs<'a>,
        problems: &mut Problems,
    ) -> Rule<'a> {
        let (mut found, mut policy, mut wrong) = (Vec::new(), String::new(), false);
        let mut flat = LiteMap::new();
        for (version, name) in &stated.names {
            let object = versions.get(version.as_str());
            let label = || format!("{version} {}", name.value);
            if is_flat(stated, &name.value)
                && object.is_some_and(|object| structs.struct_at(object, &name.value).is_some())
            {
                flat.insert(version.as_str(), name.value.as_str());
                continue;
            }
            let cause = match object.and_then(|object| structs.at(object, &name.value)) {
                None => match object {
                    None => {
                        let near = nearest(version, versions.keys().map(String::as_str));
                        RuleCause::NoSuchName { of: label(), near: near.map(str::to_owned) }
                    }
                    Some(object) => {
                        let near = structs.near(object, &name.value);
                        RuleCause::NoSuchField { of: label(), near }
                    }
                },
                Some(field) => {
                    found.push((version.as_str(), field));
                    match self.by_field.entry((version, &name.value)) {
                        Entry::Occupied(_) => RuleCause::Twice(label()),
                        Entry::Vacant(entry) => {
                            entry.insert(self.rules.len());
                            continue;
                        }
                    }
                }
            };
            problems.push(&name.place, cause);
            wrong = true;
        }
        if stated.rule.value == StepName::AbsentToZero {
            let taken = |name: &str| self.rules.iter().any(|other| other.policy == name);
            policy = found.first().map(|(_, field)| distinct(field, taken)).unwrap_or_default();
        }
        wrong |= report_keys(stated, problems);
        if let Some(why) = contradicts_itself(stated, versions.len()) {
            let rule = stated.rule.value.to_string();
            problems.push(&stated.rule.place, ConversionCause::RuleDoesNotFit { rule, why });
            wrong = true;
        }
        let (effective, unreadable, wrong) = (Cell::new(false), wrong, Cell::new(wrong));
        Rule { stated, policy, found, flat, effective, wrong, unreadable }
    }

    /// All rules.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Rule<'a>> {
        self.rules.iter()
    }

    /// The rule about a field, or about each item of it.
    pub(super) fn find(&self, version: &str, field: &FieldRef) -> Option<&Rule<'a>> {
        let of = |path: &str| self.rules.get(*self.by_field.get(&(version, path))?);
        of(&field.path).or_else(|| of(&field.item()?.path))
    }

    /// Returns `true` if a field is the key of the items of a list that is a map in the other version.
    pub(super) fn is_key(&self, (version, field): (&str, &FieldRef), other: &str) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| {
            let key = rule.stated.field.as_ref().map(|key| segment(&key.value));
            let (Some(list), Some(map), Some(key)) =
                (rule.in_version(version), rule.in_version(other), key)
            else {
                return false;
            };
            rule.stated.rule.value == StepName::KeyedList
                && keyed_list::is_map(&map.rust_type)
                && !keyed_list::is_map(&list.rust_type)
                && field.path == child(&format!("{}[]", list.path), &key)
        })
    }

    /// Returns `true` if a field of a rule is inside one that is reported: nobody looked at it.
    fn is_hidden(&self, rule: &Rule<'_>, gaps: &Gaps) -> bool {
        let reported = self.is_inside(rule, |other| other.wrong.get());
        reported
            || rule.found.iter().any(|(version, field)| {
                gaps.paths(version).any(|around| is_in(&field.path, around))
            })
    }

    /// Returns `true` if a field of a rule is inside one of these others.
    fn is_inside(&self, rule: &Rule<'_>, others: impl Fn(&Rule<'_>) -> bool) -> bool {
        let others = self.rules.iter().filter(|other| others(other));
        let around: Vec<_> = others.flat_map(|other| &other.found).collect();
        rule.found.iter().any(|(version, field)| {
            around.iter().any(|(of, around)| of == version && is_in(&field.path, &around.path))
        })
    }

    /// Reports the rules that change nothing.
    pub(super) fn report_unused(&self, gaps: &Gaps, problems: &mut Problems) {
        let unused = |rule: &&Rule<'_>| !rule.effective.get() && !rule.wrong.get();
        for rule in self.rules.iter().filter(unused).filter(|rule| !self.is_hidden(rule, gaps)) {
            let names: BTreeSet<&str> =
                rule.stated.names.values().map(|name| name.value.as_str()).gather();
            let is_metadata = |path: &&str| path.split('.').next() == Some("metadata");
            let why = if names.is_empty() {
                "it names no field"
            } else if names.iter().all(is_metadata) {
                "conversions copy `metadata` unchanged"
            } else if self.is_inside(rule, |other| other.stated.rule.value == StepName::KeepAside) {
                "a rule keeps the object around it aside"
            } else {
                "the name and the type are the same in all versions"
            };
            let cause = RuleCause::WithoutEffect(join(names, "`, `"), why);
            problems.push(&rule.stated.rule.place, cause);
        }
    }
}

/// Returns `true` if a path is inside another, or inside the items of it.
pub(crate) fn is_in(path: &str, around: &str) -> bool {
    let rest = path.strip_prefix(around.trim_end_matches("[]"));
    rest.is_some_and(|rest| rest.trim_start_matches("[]").starts_with(['.', '[']))
}

/// The reason why a rule cannot mean what it says, whatever the fields are.
fn contradicts_itself(stated: &Correspondence, versions: usize) -> Option<String> {
    let why = match stated.rule.value {
        // The members that a schema does not name have a reason of their own.
        StepName::KeepAside
            if stated.names.len() == versions
                && !stated.names.values().any(|name| name.value.ends_with('*')) =>
        {
            "all versions have the field. Fields that hold different values, such as seconds and minutes, take one rule \
             each; a field that has another name takes `move`"
        }
        StepName::Words if stated.words.is_none() && stated.fallback.is_none() => {
            "`words` or `fallback` is missing"
        }
        _ => return None,
    };
    Some(why.to_owned())
}

/// Reports the keys that are for another rule; `true` if there are some.
fn report_keys(stated: &Correspondence, problems: &mut Problems) -> bool {
    let (rule, before) = (stated.rule.value, problems.len());
    let Correspondence { fill_from, fill, words, fallback, field, present, .. } = stated;
    for (key, place) in [
        ("fill-from", fill_from.as_ref().map(|it| &it.place)),
        ("fill", fill.as_ref().map(|it| &it.place)),
        ("words", words.as_ref().map(|it| &it.place)),
        ("fallback", fallback.as_ref().map(|it| &it.place)),
        ("field", field.as_ref().map(|it| &it.place)),
        ("present", present.as_ref().map(|it| &it.place)),
    ] {
        let has_key = |rule: &StepName| guide::keys(*rule).iter().any(|own| own.name == key);
        if let Some(place) = place.filter(|_| !has_key(&rule)) {
            let of = StepName::ALL
                .iter()
                .filter(|rule| has_key(rule))
                .map(ToString::to_string)
                .collect();
            problems.push(place, RuleCause::KeyOfRule { key, of });
        }
    }
    problems.len() > before
}

/// Returns `true` if a name of the rule names a struct whose fields another version has in a sub-object.
fn is_flat(stated: &Correspondence, path: &str) -> bool {
    let inside = |other: &str| paths::split_last(other).0 == path;
    stated.rule.value == StepName::Nest && stated.names.values().any(|name| inside(&name.value))
}

impl Rule<'_> {
    /// The field that it names in a version.
    pub(super) fn in_version(&self, version: &str) -> Option<&FieldRef> {
        let found = self.found.iter().find(|(of, _)| *of == version);
        found.map(|(_, field)| field)
    }

    /// For `nest`: whether the sub-object is written when it is empty.
    pub(super) fn is_present(&self) -> bool {
        self.stated.present.as_ref().is_some_and(|present| present.value)
    }

    /// The versions that have the field in the form that is kept, lowest first, and its path in each. It is kept in the
    /// form of these versions, because the form of the others says less.
    pub(super) fn places(&self) -> Vec<(String, String)> {
        let all: Vec<_> = self.found.iter().map(|(_, field)| &field.rust_type).collect();
        let step = self.stated.rule.value;
        self.paths(&|version, field| {
            self.holds_all_words(version) || step.is_complete(&field.rust_type, &all)
        })
    }

    /// For `words`: whether a word can be another one in the other version.
    pub(super) fn changes_words(&self, from: &str, to: &str) -> bool {
        let words = self.stated.words();
        let has_fallback = |version| self.stated.fallback(version).is_some();
        words.get(from) != words.get(to) || has_fallback(from) || has_fallback(to)
    }

    /// For `words`: whether other versions have a fallback, and this one has none.
    pub(super) fn holds_all_words(&self, version: &str) -> bool {
        let are_words = self.stated.rule.value == StepName::Words;
        are_words && self.stated.fallback.is_some() && self.stated.fallback(version).is_none()
    }

    /// The chosen fields of the rule: the versions, lowest first, and the path in each.
    pub(super) fn paths(&self, chosen: &dyn Fn(&str, &FieldRef) -> bool) -> Vec<(String, String)> {
        let found =
            self.lowest_first().into_iter().filter(|(version, field)| chosen(version, field));
        found.map(|(version, field)| ((*version).to_owned(), field.path.clone())).collect()
    }

    fn lowest_first(&self) -> Vec<&(&str, FieldRef)> {
        self.found.iter().sorted_by_key(|(version, _)| version.parse::<Version>().ok())
    }

    /// Notes that the rule makes a difference.
    pub(super) fn note_effect(&self) {
        self.effective.set(true);
    }

    /// Reports that the rule does not fit. Each reason counts once for all pairs.
    pub(super) fn report_misfit(&self, why: String, problems: &mut Problems) {
        let rule = self.stated.rule.value.to_string();
        self.report(ConversionCause::RuleDoesNotFit { rule, why }, problems);
    }

    /// Reports the types of the fields that it names, if no other reason is known why it does not fit.
    pub(super) fn report_types(&self, problems: &mut Problems) {
        if self.wrong.get() {
            return;
        }
        let types = self.lowest_first().into_iter().map(|(version, field)| {
            format!("`{}` of {version} is `{}`", field.path, type_text(&field.rust_type))
        });
        let mut why = join(types, ", and ");
        let holds = |wanted: fn(&RustType) -> bool| {
            self.found.iter().any(|(_, field)| wanted(field.rust_type.innermost()))
        };
        let texts = holds(|inner| matches!(inner, RustType::String));
        if texts && holds(|inner| matches!(inner, RustType::Vocabulary(_))) {
            why += "; the vocabulary in `vocabularies.toml` names the field in each version, or in none";
        }
        self.report_misfit(why, problems);
    }

    /// Reports that the rule names no field of some of these versions.
    pub(super) fn report_lacking(&self, versions: &[(String, &Struct)], problems: &mut Problems) {
        let names = versions.iter().map(|(version, _)| version);
        let lacking = names.filter(|version| !self.stated.names.contains_key(*version));
        let (rule, versions) = (self.stated.rule.value.to_string(), lacking.cloned().collect());
        self.report(ConversionCause::NamesNoField { rule, versions }, problems);
    }

    fn report(&self, cause: ConversionCause, problems: &mut Problems) {
        self.wrong.set(true);
        if !self.unreadable {
            problems.push(&self.stated.rule.place, cause);
        }
    }
}
