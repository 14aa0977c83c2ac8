//! `words`: a word has another name in another version, or is not known there.

use std::collections::{BTreeMap, BTreeSet};

use litemap::LiteMap;
use serde_json::Value as Json;

use super::aside;
use crate::Problems;
use crate::conversion::actions::{AbsentToZero, Action, Pairs, Words};
use crate::conversion::plan::FieldRef;
use crate::conversion::rule::{Between, Rule, RuleKey, RuleKind, Shape};
use crate::conversion::rule_step::{Effect, RuleStep, TargetWords};
use crate::conversion::structs::Structs;
use crate::gather::Gather;
use crate::plan::{RustType, code};
use crate::problem::{RuleFault, WordsInstead};
use crate::rules::Correspondence;
use crate::text::join;

const WORDS: RuleKey = RuleKey {
    name: "words",
    meaning: "the words of each version, all in one order",
    shape: Shape::Words,
    required: false,
    states_value: false,
};

pub(in crate::conversion) const RULE: RuleKind = RuleKind {
    name: "words",
    meaning: "A word has another name, or is not known.",
    takes: "`words` takes texts, all optional or all required, and lists the words of each version in one order: all words that a \
            version names otherwise than another, each of them known to the version; `fallback` has a known word of each \
            version that lacks some of the words; `fill` is the word of a required field for a version that lacks it",
    keys: &[WORDS, RuleKey::FALLBACK, RuleKey::FILL],
    example: r#"rule = "words"
names = { v1beta1 = "spec.mode", v1 = "spec.mode" }
words = { v1beta1 = ["ro", "rw"], v1 = ["ReadOnly", "ReadWrite"] }
fallback = { v1beta1 = "rw" }
fill = "ReadOnly"
reason = "v1 writes the words in full, and knows `WriteOnce`, too.""#,
    check: check_stated,
    step,
    unmatched: Some(unmatched),
    is_complete: |rule, (version, _): (&str, &FieldRef)| {
        holds_all_words(rule, version) || each_lacks_words(rule) || is_kept_as(rule, version)
    },
    changes,
    moves: true,
    ..RuleKind::NONE
};

fn check_stated(stated: &Correspondence, versions: usize) -> Result<(), RuleFault> {
    let keys = [WORDS.name, RuleKey::FALLBACK.name];
    if keys.iter().any(|key| stated.keys.contains_key(*key)) {
        aside::check_stated(stated, versions)
    } else {
        Err(RuleFault::NeitherKey(keys))
    }
}

fn step(between: &Between<'_, '_>, problems: &mut Problems) -> Option<RuleStep> {
    let (from, to) = between.types();
    let same = same(from, to)?;
    let rule = between.rule;
    let mut wrong = match check_lists(rule) {
        Ok(()) => wrong_words(between),
        Err(fault) => vec![fault],
    };
    wrong.extend(wrong_fallback(between));
    if !wrong.is_empty() {
        for fault in wrong {
            rule.report_fault(fault, problems);
        }
        return None;
    }
    if has_fallbacks(rule) && changes(rule, between.from.1, between.to.1) {
        return Some(with_fallback(between));
    }
    let names = pairs(&lists(rule), between.from.1, between.to.1);
    let action = Action::Words(Words::Rename { names, renamed: renamed(between) });
    Some(RuleStep { action, ..same })
}

/// The steps for a version that lacks the field.
fn unmatched(
    rule: &Rule<'_>,
    field: &FieldRef,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<[RuleStep; 2]> {
    if each_lacks_words(rule) {
        rule.report_fault(RuleFault::NoVersionKnowsAllWords, problems);
        return None;
    }
    aside::unmatched(rule, field, structs, problems, |back, kept| {
        let Action::Words(Words::Rename { names, .. } | Words::FallBack { to: names, .. }) = back
        else {
            return None;
        };
        let name = |word: &str| names.iter().find(|(kept, _)| kept == word).map(|(_, own)| own);
        let own = |word: &Json| match word.as_str().and_then(name) {
            Some(own) => Json::from(own.as_str()),
            None => word.clone(),
        };
        Some(match kept {
            Json::Array(words) => words.iter().map(own).collect(),
            word => own(word),
        })
    })
}

/// The words of each version.
fn lists(rule: &Rule<'_>) -> BTreeMap<String, Vec<String>> {
    rule.texts(WORDS.name)
}

fn has_fallbacks(rule: &Rule<'_>) -> bool {
    rule.table(RuleKey::FALLBACK.name).is_some()
}

/// The word of a version for all that it does not know; `None` if it holds all words.
fn fallback<'a>(rule: &Rule<'a>, version: &str) -> Option<&'a str> {
    rule.fallback(version)?.as_str()
}

/// Whether a word can be another one in the other version.
fn changes(rule: &Rule<'_>, from: &str, to: &str) -> bool {
    let words = lists(rule);
    let has_fallback = |version| fallback(rule, version).is_some();
    words.get(from) != words.get(to) || has_fallback(from) || has_fallback(to)
}

/// Whether other versions have a fallback, and this one has none.
fn holds_all_words(rule: &Rule<'_>, version: &str) -> bool {
    has_fallbacks(rule) && fallback(rule, version).is_none()
}

/// Returns `true` if the annotation keeps words by the names of this version, where another version lacks the field. If each version has
/// all words, these are the names of the lowest version.
fn is_kept_as(rule: &Rule<'_>, version: &str) -> bool {
    let lists = lists(rule);
    let paths = rule.paths();
    let lowest = paths.first().and_then(|(lowest, _)| lists.get(lowest));
    !has_fallbacks(rule) && !rule.lacking.is_empty() && lists.get(version) == lowest
}

/// Whether all versions have a fallback: each keeps the words that others lack.
fn each_lacks_words(rule: &Rule<'_>) -> bool {
    rule.stated.names.keys().all(|version| fallback(rule, version).is_some())
}

/// The words of the rule that have another name in the target.
fn renamed(between: &Between<'_, '_>) -> Pairs {
    let lists = lists(between.rule);
    let list = |version| lists.get(version).into_iter().flatten().cloned();
    let pairs = list(between.from.1).zip(list(between.to.1));
    pairs.filter(|(from, to)| from != to).collect()
}

/// The words that have another name in the target, for people.
fn but(pairs: &[(String, String)]) -> String {
    let shown = pairs.iter().map(|(from, to)| format!("`{from}` is `{to}`"));
    if pairs.is_empty() { String::new() } else { format!(", but {}", join(shown, ", ")) }
}

/// Checks that the lists of words fit together.
fn check_lists(rule: &Rule<'_>) -> Result<(), RuleFault> {
    if rule.value(WORDS.name).is_none() {
        return Ok(());
    }
    let (lists, names) = (lists(rule), &rule.stated.names);
    if !lists.keys().eq(names.keys()) {
        let (versions, names) = (lists.into_keys().collect(), names.keys().cloned().collect());
        return Err(RuleFault::WordsOfOtherVersions { versions, names });
    }
    let mut count = lists.values().map(Vec::len);
    let first = count.next().unwrap_or_default();
    if first == 0 || count.any(|other| other != first) {
        return Err(wrong_counts(&lists));
    }
    let twice = |words: &Vec<String>| {
        words.iter().map(String::as_str).gather::<BTreeSet<_>>().len() < first
    };
    match lists.iter().find(|(_, words)| twice(words)) {
        Some((version, _)) => Err(RuleFault::WordTwice { version: version.clone() }),
        None => Ok(()),
    }
}

/// The fault of lists of different lengths.
fn wrong_counts(lists: &BTreeMap<String, Vec<String>>) -> RuleFault {
    let counts = lists.iter().map(|(version, words)| (version.clone(), words.len()));
    RuleFault::WordCounts { counts: counts.collect(), instead: words_instead(lists) }
}

/// A rule that fits in place of one with lists of different lengths: the words of the shortest list with their names in the other
/// versions, and a fallback.
fn words_instead(lists: &BTreeMap<String, Vec<String>>) -> Option<WordsInstead> {
    let (lacking, short) = lists.iter().min_by_key(|(_, words)| words.len())?;
    let fallback = short.first()?.clone();
    let plain = |word: &str| -> String {
        word.chars()
            .filter(|character| character.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let names = |words: &[String]| -> Vec<String> {
        let name = |word: &String| words.iter().find(|other| plain(other) == plain(word)).cloned();
        let names: Option<Vec<String>> = short.iter().map(name).collect();
        names.unwrap_or_else(|| words.iter().take(short.len()).cloned().collect())
    };
    let words = lists.iter().map(|(version, words)| (version.clone(), names(words))).collect();
    Some(WordsInstead { words, lacking: lacking.clone(), fallback })
}

/// The faults of the fallbacks of a rule.
fn wrong_fallback(between: &Between<'_, '_>) -> Vec<RuleFault> {
    let (rule, names) = (between.rule, &between.rule.stated.names);
    let Some(all) = rule.table(RuleKey::FALLBACK.name) else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    let others = all.iter().filter(|(_, word)| !word.is_str());
    wrong.extend(others.map(|(version, value)| {
        let (version, value) = (version.clone(), value.to_string());
        RuleFault::NotAWord { version, value }
    }));
    let surplus = all.keys().filter(|version| !names.contains_key(*version));
    wrong.extend(surplus.map(|version| {
        let (key, version) = (RuleKey::FALLBACK.name, version.clone());
        RuleFault::VersionNotNamed { key, version }
    }));
    let complete = || names.keys().filter(|version| !all.contains_key(*version));
    let lists = lists(rule);
    let mut of_complete = complete().map(|version| lists.get(version));
    if let Some(first) = of_complete.next()
        && of_complete.any(|other| other != first)
    {
        wrong.push(RuleFault::WordsDiffer { versions: complete().cloned().collect() });
    }
    if !between.inside().is_some_and(|(from, to, _)| from.is_text() && to.is_text()) {
        wrong.push(RuleFault::FallbackOfList);
    }
    for at in [(between.from.0, between.from.1), between.to] {
        wrong.extend(fallback(rule, at.1).and_then(|word| wrong_word(between, at, word)));
    }
    wrong
}

/// The fault of a word that is not the fallback of a version.
fn wrong_word(
    between: &Between<'_, '_>,
    at: (&FieldRef, &str),
    fallback: &str,
) -> Option<RuleFault> {
    let known = between.words(at.0);
    let (path, version) = (at.0.path.to_string(), at.1.to_owned());
    if known.is_empty() {
        return Some(RuleFault::WordsNotStated { path, version });
    }
    if !known.contains(&fallback) {
        return Some(no_such_word(at, fallback, &known));
    }
    let needs_none = others(between, at).is_empty();
    needs_none.then_some(RuleFault::FallbackOfAll { path, version })
}

/// The fault of a word that a version does not know.
fn no_such_word((field, version): (&FieldRef, &str), word: &str, known: &[&str]) -> RuleFault {
    let (path, version, word) = (field.path.to_string(), version.to_owned(), word.to_owned());
    let known = known.iter().map(|word| (*word).to_owned()).collect();
    RuleFault::NoSuchWord { path, version, word, known }
}

/// The step from or to a version that has a fallback.
fn with_fallback(between: &Between<'_, '_>) -> RuleStep {
    let (rule, from, to) = (between.rule, (between.from.0, between.from.1), between.to);
    let names = |at: (&FieldRef, &str)| {
        let mut names = Vec::new();
        if let Some(fallback) = fallback(rule, at.1) {
            names = kept_names(between, at);
            names.extend(others(between, at).into_iter().map(|word| (word, fallback.to_owned())));
        }
        names
    };
    // The paths in all versions, for reports. The word is kept under the first one: of a version that knows it, as those that hold all
    // words do, or else the source.
    let apart = each_lacks_words(rule);
    let is_first =
        |version: &str| if apart { version == from.1 } else { holds_all_words(rule, version) };
    let mut around = rule.paths_in(&|version, _| is_first(version));
    around.extend(rule.paths_in(&|version, _| !is_first(version)));
    let fallback = fallback(rule, to.1).map(str::to_owned);
    let effect = if fallback.is_some() { Effect::Keeps } else { Effect::Restores };
    let (from, to, renamed) = (names(from), names(to), renamed(between));
    let step = Words::FallBack { around, apart, from, to, renamed, fallback };
    RuleStep::new(Action::Words(step), effect).inside(between.from.0.rust_type.is_option())
}

/// The words that only other versions know, under the names under which they are kept.
fn others(between: &Between<'_, '_>, at: (&FieldRef, &str)) -> BTreeSet<String> {
    let kept = |at| kept_names(between, at).into_iter().map(|(kept, _)| kept);
    let found = between.rule.found.iter().filter(|(version, _)| *version != at.1);
    let mut all: BTreeSet<_> = found.flat_map(|(version, field)| kept((field, *version))).gather();
    kept(at).for_each(|word| _ = all.remove(&word));
    all
}

/// The words that a version knows, each after the name under which it is kept: its name in the versions that hold all words, or in the
/// first version by its name if none does.
fn kept_names(between: &Between<'_, '_>, (field, version): (&FieldRef, &str)) -> Pairs {
    let lists = lists(between.rule);
    let complete = lists.iter().find(|(version, _)| holds_all_words(between.rule, version));
    let first = || lists.first_key_value().filter(|_| each_lacks_words(between.rule));
    let renamed = complete.or_else(first).zip(lists.get(version));
    let kept = |word: &str| {
        let (kept, own) = renamed.map(|((_, kept), own)| (kept, own))?;
        own.iter().zip(kept).find(|(own, _)| *own == word).map(|(_, kept)| kept.clone())
    };
    let words = between.words(field).into_iter();
    words.map(|word| (kept(word).unwrap_or_else(|| word.to_owned()), word.to_owned())).collect()
}

/// The faults of the words of a rule, which are among those that the versions know.
fn wrong_words(between: &Between<'_, '_>) -> Vec<RuleFault> {
    let lists = lists(between.rule);
    let (from, to) = ((between.from.0, between.from.1), between.to);
    let of = |(field, version): (&FieldRef, &str)| {
        let stated = lists.get(version).map_or(&[][..], Vec::as_slice);
        (stated, between.words(field))
    };
    let mut wrong = Vec::new();
    for at in [from, to] {
        let (stated, known) = of(at);
        let unknown = stated.iter().filter(|word| !known.contains(&word.as_str()));
        let unknown = unknown.filter(|_| !known.is_empty());
        wrong.extend(unknown.map(|word| no_such_word(at, word, &known)));
    }
    let ((stated, known), (names, _)) = (of(from), of(to));
    let is = |list: &[String], word: &str| list.iter().any(|other| other == word);
    let taken = known.into_iter().filter(|word| !is(stated, word) && is(names, word));
    wrong.extend(taken.map(|word| {
        let (word, from, to) = (word.to_owned(), from.1.to_owned(), to.1.to_owned());
        RuleFault::NameTaken { word, from, to }
    }));
    wrong
}

/// The words that a version rejects: `known` has the words of the source, if it states them, and `theirs` the words of the target.
/// The step notes them.
pub(in crate::conversion) fn refused(
    step: &mut RuleStep,
    known: &[&str],
    theirs: &[&str],
) -> Vec<String> {
    if theirs.is_empty() || !passes_words(&step.action) {
        return Vec::new();
    }
    let names: Pairs = match &step.action {
        Action::Words(Words::Rename { names, .. }) => names.clone(),
        Action::Words(Words::FallBack { from, .. }) => {
            from.iter().map(|(kept, own)| (own.clone(), kept.clone())).collect()
        }
        _ => Vec::new(),
    };
    let refused = refused_under(&names, known, theirs);
    step.words = match refused.as_slice() {
        [] if known.is_empty() => TargetWords::Unstated,
        [] => TargetWords::Known,
        _ => TargetWords::Unknown(refused.clone()),
    };
    refused
}

/// Among the words that stay as they are, those that a version rejects. An enum whose words are not Rust names has the type of texts,
/// which is the same in all versions.
pub(in crate::conversion) fn refused_as_they_are(known: &[&str], theirs: &[&str]) -> Vec<String> {
    if theirs.is_empty() { Vec::new() } else { refused_under(&[], known, theirs) }
}

/// The words that a version rejects under their `names` there.
fn refused_under(names: &[(String, String)], known: &[&str], theirs: &[&str]) -> Vec<String> {
    let image = |word: &str| {
        let renamed = names.iter().find(|(from, _)| from == word);
        renamed.map_or(word.to_owned(), |(_, to)| to.clone())
    };
    let images = known.iter().map(|word| image(word));
    images.filter(|word| !theirs.contains(&word.as_str())).collect()
}

/// Returns `true` if a word reaches the target under its name there, whether it knows the word or not. Only words have a target that
/// states words, so the form of the value does not count.
fn passes_words(action: &Action) -> bool {
    matches!(
        action,
        Action::Words(Words::Rename { .. } | Words::FallBack { fallback: None, .. })
            | Action::AbsentToZero(AbsentToZero::Fill { .. } | AbsentToZero::Restore { .. })
            | Action::Wrap(_)
    )
}

/// The step between texts and known words of two versions, which hold any text; `None` for other types.
pub(in crate::conversion) fn same(from: &RustType, to: &RustType) -> Option<RuleStep> {
    // `null` in an `Option` is not the absent value.
    let in_option = matches!(from, RustType::Option(inner) if inner.is_option());
    let rename = Words::Rename { names: Vec::new(), renamed: Vec::new() };
    are_texts(from, to)
        .then(|| RuleStep::new(Action::Words(rename), Effect::Nothing).inside(in_option))
}

pub(super) fn are_texts(from: &RustType, to: &RustType) -> bool {
    match (from, to) {
        (RustType::List(from), RustType::List(to))
        | (RustType::Map(from), RustType::Map(to))
        | (RustType::Option(from), RustType::Option(to)) => are_texts(from, to),
        (from, to) => from.is_text() && to.is_text(),
    }
}

/// The step, as text for people: what it is, and what it loses.
pub(super) fn text(step: &Words) -> (String, &'static str) {
    match step {
        Words::Rename { renamed, .. } => (format!("the same{}", but(renamed)), "lossless"),
        Words::FallBack { renamed, fallback: Some(word), .. } => (
            format!("the same{}; {} if the word is not known there", but(renamed), code(word)),
            "a word that is not known there is kept in an annotation",
        ),
        Words::FallBack { renamed, fallback: None, .. } => (
            format!(
                "the kept word if this is its name or the fallback, else the same{}",
                but(renamed)
            ),
            "lossless",
        ),
    }
}

/// Adds the words that the target does not know, or may not know.
pub(super) fn with_unknown(
    step: &RuleStep,
    how: String,
    loss: &'static str,
) -> (String, &'static str) {
    let how = match &step.words {
        TargetWords::Known => return (how, loss),
        TargetWords::Unstated => how,
        TargetWords::Unknown(words) => {
            let words = join(words.iter().map(|word| code(word)), ", ");
            format!("{how}; not known there: {words}")
        }
    };
    // What a fill keeps says more.
    let is_fill = step.effect == Effect::Keeps;
    (
        how,
        if is_fill {
            loss
        } else {
            "words unknown to the target stay, and its servers reject them"
        },
    )
}

/// The words of one version with their names in another, where they differ.
///
/// Any text is a value, even if only the other version has the word. So that it comes back, the words of each
/// version are a permutation of the words of one version, the first by its name: a word that only one of the two versions has goes to the place
/// that it takes away.
fn pairs(words: &BTreeMap<String, Vec<String>>, from: &str, to: &str) -> Pairs {
    let names = (words.values().next(), words.get(from), words.get(to));
    let (Some(base), Some(from), Some(to)) = names else {
        return Vec::new();
    };
    let (from, to) = (permutation(base, from), permutation(base, to));
    let all: BTreeSet<&str> = words.values().flatten().map(String::as_str).gather();
    let image = |of: &LiteMap<String, String>, word: &str| {
        of.get(word).cloned().unwrap_or_else(|| word.to_owned())
    };
    let pairs = all.into_iter().map(|word| (image(&from, word), image(&to, word)));
    let mut pairs: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
    pairs.sort();
    pairs
}

/// The name of each word of one version in another version, as a permutation of all words.
fn permutation(base: &[String], other: &[String]) -> LiteMap<String, String> {
    let mut named: LiteMap<String, String> =
        base.iter().cloned().zip(other.iter().cloned()).gather();
    let only = |of: &[String], not: &[String]| -> Vec<String> {
        let mut words: Vec<String> =
            of.iter().filter(|word| !not.contains(word)).cloned().collect();
        words.sort();
        words
    };
    for (word, name) in only(other, base).into_iter().zip(only(base, other)) {
        named.insert(word, name);
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text comes back over any versions.
    #[test]
    fn words_are_permuted() {
        let lists = [("v1", ["A", "B", "C"]), ("v2", ["B", "D", "C"]), ("v3", ["A", "E", "D"])];
        let lists =
            lists.map(|(version, words)| (version.to_owned(), words.map(str::to_owned).to_vec()));
        let lists = BTreeMap::from(lists);
        let convert = |word: &str, from: &str, to: &str| {
            let pairs = pairs(&lists, from, to);
            let found = pairs.into_iter().find(|(known, _)| known == word);
            found.map_or(word.to_owned(), |(_, to)| to)
        };
        assert_eq!(convert("A", "v1", "v2"), "B");
        assert_eq!(convert("B", "v1", "v3"), "E");
        for word in ["A", "B", "C", "D", "E", "F", ""] {
            for over in ["v2", "v3"] {
                for last in ["v2", "v3"] {
                    let there = convert(&convert(word, "v1", over), over, last);
                    assert_eq!(convert(word, "v1", last), there, "{word} over {over} to {last}");
                    assert_eq!(convert(&there, last, "v1"), word, "{word} over {over} and {last}");
                }
            }
        }
    }
}
