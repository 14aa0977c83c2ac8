//! Rules that the drafts of several kinds have in common, which are said once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::mem;

use toml::Value;

use super::draft_rules::Draft;
use super::guesses::Guesser;
use super::rule::Rule;
use super::written::IN_SHARED;

/// Rules of several kinds with the same versions.
pub(super) struct Shared<'d> {
    kinds: Vec<&'d str>,
    versions: &'d [String],
    rules: Vec<Rule>,
    /// The place of the first of the kinds among the drafts.
    first: usize,
}

/// A rule as kinds share it, whatever speaks for it.
fn written(draft: &Draft<'_>, rule: &Rule) -> String {
    let [_, written] = draft.written_rule(rule, IN_SHARED, None);
    written
}

/// The drafts that have a rule, by the versions of their kinds and the rule as it is written.
type Holders<'d> = BTreeMap<(&'d [String], String), (Vec<usize>, Rule)>;

/// The rules that the same drafts have, each as it is written, by the versions of their kinds.
type Groups<'d> = BTreeMap<(&'d [String], Vec<usize>), Vec<(String, Rule)>>;

/// Takes the rules that several kinds have in common out of their drafts. Kinds of one name in several groups share nothing: a shared
/// rule names kinds without their groups.
pub(super) fn take<'d>(drafts: &mut [Draft<'d>]) -> Vec<Shared<'d>> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for draft in &*drafts {
        *names.entry(&draft.kind.kind).or_default() += 1;
    }
    let mut holders = Holders::new();
    let is_only = |draft: &Draft<'_>| names.get(draft.kind.kind.as_str()) == Some(&1);
    for (at, draft) in drafts.iter().enumerate().filter(|(_, draft)| is_only(draft)) {
        for rule in &draft.rules {
            let key = (&*draft.kind.versions, written(draft, rule));
            let (all, shown) = holders.entry(key).or_insert_with(|| (Vec::new(), rule.clone()));
            all.push(at);
            // What a person has to state for one of the kinds is shown for all.
            if rule.to_state.len() > shown.to_state.len() {
                shown.clone_from(rule);
            }
        }
    }
    let mut groups = Groups::new();
    for ((versions, text), (all, rule)) in holders {
        if all.len() > 1 {
            groups.entry((versions, all)).or_default().push((text, rule));
        }
    }
    // For one rule of two kinds, a shared table is not shorter than the rule in each kind.
    groups.retain(|(_, all), rules| all.len() + rules.len() > 3);
    let mut shared = Vec::new();
    for ((versions, all), rules) in groups {
        let (texts, mut rules): (BTreeSet<String>, Vec<Rule>) = rules.into_iter().unzip();
        for at in &all {
            if let Some(draft) = drafts.get_mut(*at) {
                let rules = mem::take(&mut draft.rules).into_iter();
                let is_taken = |rule: &Rule| texts.contains(&written(draft, rule));
                let rules = rules.filter(|rule| !is_taken(rule)).collect();
                draft.rules = rules;
            }
        }
        let kind = |at: &usize| Some(&*drafts.get(*at)?.kind.kind);
        let kinds: Vec<&str> = all.iter().filter_map(kind).collect();
        rules.sort_by(Rule::by_path);
        let first = all.first().copied().unwrap_or_default();
        shared.push(Shared { kinds, versions, rules, first });
    }
    shared
}

impl Shared<'_> {
    /// The rules as a table. With guessers, one for each draft, comments have the types of each field in the first of the kinds.
    pub(super) fn written(&self, drafts: &[Draft<'_>], explains: Option<&[Guesser<'_>]>) -> String {
        let list = |names: &mut dyn Iterator<Item = &str>| -> Value {
            Value::Array(names.map(Value::from).collect())
        };
        let kinds = list(&mut self.kinds.iter().copied());
        let versions = list(&mut self.versions.iter().map(String::as_str));
        let mut text = format!("[[shared]]\nkinds = {kinds}\nversions = {versions}\n");
        let explains = explains.and_then(|all| all.get(self.first));
        for rule in drafts.get(self.first).into_iter().flat_map(|draft| {
            self.rules.iter().map(move |rule| draft.written_rule(rule, IN_SHARED, explains))
        }) {
            let _ = write!(text, "\n{}", rule.concat());
        }
        text
    }
}
