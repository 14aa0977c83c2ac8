//! `words`: a word has another name in another version, or is not known there.

use std::collections::{BTreeMap, BTreeSet};

use litemap::LiteMap;

use super::{Applied, Argument, Between, Call, Effect};
use crate::Problems;
use crate::conversion::plan::FieldRef;
use crate::conversion::rules::Rule;
use crate::gather::Gather;
use crate::plan::{RustType, code};
use crate::text::join;

pub(super) fn fit(between: &Between<'_, '_>, problems: &mut Problems) -> Option<Applied> {
    let (from, to) = between.types();
    let same = same(from, to)?;
    let rule = between.rule;
    let mut wrong = wrong_lists(rule).map_or_else(|| wrong_words(between), |why| vec![why]);
    wrong.extend(wrong_fallback(between));
    if !wrong.is_empty() {
        for why in wrong {
            rule.report_misfit(why, problems);
        }
        return None;
    }
    if rule.stated.fallback.is_some() && rule.changes_words(between.from.1, between.to.1) {
        return Some(with_fallback(between));
    }
    let pairs = pairs(rule.stated.words(), between.from.1, between.to.1);
    Some(Applied {
        how: format!("the same{}", but(&renamed(between))),
        call: Call { arguments: vec![Argument::Value, Argument::Pairs(pairs)], ..same.call },
        ..same
    })
}

/// The words of the rule that have another name in the target.
fn renamed(between: &Between<'_, '_>) -> Vec<(String, String)> {
    let list = |version| between.rule.stated.words().get(version).into_iter().flatten().cloned();
    let pairs = list(between.from.1).zip(list(between.to.1));
    pairs.filter(|(from, to)| from != to).collect()
}

/// The words that have another name in the target, for people.
fn but(pairs: &[(String, String)]) -> String {
    let shown = pairs.iter().map(|(from, to)| format!("`{from}` is `{to}`"));
    if pairs.is_empty() { String::new() } else { format!(", but {}", join(shown, ", ")) }
}

/// The reason why the lists of words do not fit together.
fn wrong_lists(rule: &Rule<'_>) -> Option<String> {
    let (lists, names) = (&rule.stated.words.as_ref()?.value, &rule.stated.names);
    if !lists.keys().eq(names.keys()) {
        let (words, names) = (join(lists.keys(), ", "), join(names.keys(), ", "));
        return Some(format!("`words` has the versions {words}, but `names` has {names}"));
    }
    let mut count = lists.values().map(Vec::len);
    let first = count.next().unwrap_or_default();
    if first == 0 || count.any(|other| other != first) {
        return Some(wrong_counts(lists));
    }
    let twice = |words: &Vec<String>| {
        words.iter().map(String::as_str).gather::<BTreeSet<_>>().len() < first
    };
    lists.values().any(twice).then(|| "`words` has a word twice".to_owned())
}

/// The reason why lists of different lengths do not fit, with a rule that does: the words of the shortest list with their names in
/// the other versions, and a fallback.
fn wrong_counts(lists: &BTreeMap<String, Vec<String>>) -> String {
    let counts = lists.iter().map(|(version, words)| format!("{} for {version}", words.len()));
    let counts = join(counts, ", ");
    let why = "`words` has the same number of words for each version, in the same order, and this rule has";
    let shortest = lists.iter().min_by_key(|(_, words)| words.len());
    let Some((version, short)) = shortest.filter(|(_, words)| !words.is_empty()) else {
        return format!("{why} {counts}");
    };
    let plain = |word: &str| -> String {
        word.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let names = |words: &[String]| -> Vec<String> {
        let name = |word: &String| words.iter().find(|other| plain(other) == plain(word)).cloned();
        let names: Option<Vec<String>> = short.iter().map(name).collect();
        names.unwrap_or_else(|| words.iter().take(short.len()).cloned().collect())
    };
    let words = lists.iter().map(|(version, words)| format!("{version} = {:?}", names(words)));
    let (words, fallback) = (join(words, ", "), short.first().map_or("", String::as_str));
    format!(
        "{why} {counts}. Where {version} lacks words, it needs one for them: `words = {{ {words} }}` with \
         `fallback = {{ {version} = {fallback:?} }}`"
    )
}

/// The reasons why the fallbacks of a rule do not fit.
fn wrong_fallback(between: &Between<'_, '_>) -> Vec<String> {
    let stated = between.rule.stated;
    let Some(fallback) = stated.fallback.as_ref().map(|it| &it.value) else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    let others = fallback.iter().filter(|(_, word)| !word.is_str());
    wrong.extend(
        others.map(|(version, word)| format!("the fallback of {version} is not a word: {word}")),
    );
    let surplus = fallback.keys().filter(|version| !stated.names.contains_key(*version));
    wrong.extend(surplus.map(|version| format!("`fallback` has {version}, but `names` has not")));
    let complete = || stated.names.keys().filter(|version| !fallback.contains_key(*version));
    let mut lists = complete().map(|version| stated.words().get(version));
    if let Some(first) = lists.next() {
        if lists.any(|other| other != first) {
            wrong.push(format!(
                "{} have no fallback, so they have the same words",
                join(complete(), " and ")
            ));
        }
    } else {
        wrong.push("all versions have a fallback: leave out those that know all words".to_owned());
    }
    if !between.inside().is_some_and(|(from, to, _)| is_text(from) && is_text(to)) {
        wrong.push(
            "a fallback is for one word: name the items of a list, as in `spec.modes[]`".to_owned(),
        );
    }
    for at in [(between.from.0, between.from.1), between.to] {
        wrong.extend(stated.fallback(at.1).and_then(|word| wrong_word(between, at, word)));
    }
    wrong
}

/// The reason why a word is not the fallback of a version.
fn wrong_word(between: &Between<'_, '_>, at: (&FieldRef, &str), fallback: &str) -> Option<String> {
    let (path, version, known) = (&at.0.path, at.1, between.words(at.0));
    if known.is_empty() {
        return Some(format!("the words of `{path}` in {version} are not stated, as by an `enum`"));
    }
    if !known.contains(&fallback) {
        let (word, known) = (code(fallback), join(known.iter().map(|word| code(word)), ", "));
        return Some(format!(
            "`{path}` of {version} has no word {word} for a fallback; its words are {known}"
        ));
    }
    let needs_none = others(between, at).is_empty();
    needs_none.then(|| format!("`{path}` of {version} knows all words and needs no fallback"))
}

/// The step from or to a version that has a fallback.
fn with_fallback(between: &Between<'_, '_>) -> Applied {
    let (rule, from, to) = (between.rule, (between.from.0, between.from.1), between.to);
    let names = |at: (&FieldRef, &str)| {
        let mut names = Vec::new();
        if let Some(fallback) = rule.stated.fallback(at.1) {
            names = kept_names(between, at);
            names.extend(others(between, at).into_iter().map(|word| (word, fallback.to_owned())));
        }
        Argument::Pairs(names)
    };
    // The paths in all versions, for reports. The word is kept under the first one.
    let mut paths = rule.paths(&|version, _| rule.holds_all_words(version));
    paths.extend(rule.paths(&|version, _| !rule.holds_all_words(version)));
    let arguments = vec![
        Argument::Around(paths),
        Argument::Borrowed,
        names(from),
        names(to),
        Argument::Context,
    ];
    let in_option = between.from.0.rust_type.is_option();
    let call = Call { function: ("words", "fall_back"), arguments, in_option };
    let but = but(&renamed(between));
    match rule.stated.fallback(to.1) {
        Some(word) => Applied::keeps(
            call,
            format!("the same{but}; {} if the word is not known there", code(word)),
            "a word that is not known there is kept in the annotation",
        ),
        None => Applied::restores(
            call,
            format!("the kept word if this is its name or the fallback, else the same{but}"),
        ),
    }
}

/// The words that only other versions know, under the names under which they are kept.
fn others(between: &Between<'_, '_>, at: (&FieldRef, &str)) -> BTreeSet<String> {
    let kept = |at| kept_names(between, at).into_iter().map(|(kept, _)| kept);
    let found = between.rule.found.iter();
    let mut all: BTreeSet<_> = found.flat_map(|(version, field)| kept((field, *version))).gather();
    kept(at).for_each(|word| _ = all.remove(&word));
    all
}

/// The words that a version knows, each after the name under which it is kept: its name in the versions that hold all words.
fn kept_names(
    between: &Between<'_, '_>,
    (field, version): (&FieldRef, &str),
) -> Vec<(String, String)> {
    let lists = between.rule.stated.words();
    let complete = lists.iter().find(|(version, _)| between.rule.holds_all_words(version));
    let renamed = complete.zip(lists.get(version));
    let kept = |word: &str| {
        let (kept, own) = renamed.map(|((_, kept), own)| (kept, own))?;
        own.iter().zip(kept).find(|(own, _)| *own == word).map(|(_, kept)| kept.clone())
    };
    let words = between.words(field).into_iter();
    words.map(|word| (kept(word).unwrap_or_else(|| word.to_owned()), word.to_owned())).collect()
}

/// The reasons why the words of a rule do not fit to those that the versions know.
fn wrong_words(between: &Between<'_, '_>) -> Vec<String> {
    let lists = between.rule.stated.words();
    let (from, to) = ((between.from.0, between.from.1), between.to);
    let of = |(field, version): (&FieldRef, &str)| {
        let stated = lists.get(version).map_or(&[][..], Vec::as_slice);
        (stated, between.words(field))
    };
    let mut wrong = Vec::new();
    for at in [from, to] {
        let (stated, known) = of(at);
        let shown = join(known.iter().map(|word| code(word)), ", ");
        let unknown = stated.iter().filter(|word| !known.contains(&word.as_str()));
        let (path, version) = (&at.0.path, at.1);
        wrong.extend(unknown.filter(|_| !known.is_empty()).map(|word| {
            format!("`{path}` has no word {} in {version}; its words are {shown}", code(word))
        }));
    }
    let ((stated, known), (names, _)) = (of(from), of(to));
    let is = |list: &[String], word: &str| list.iter().any(|other| other == word);
    let taken = known.into_iter().filter(|word| !is(stated, word) && is(names, word));
    wrong.extend(taken.map(|word| {
        let (word, from, to) = (code(word), from.1, to.1);
        format!("{word} of {from} needs a name in {to}, which uses {word} for another word")
    }));
    wrong
}

/// The loss, as tables show it, of a conversion to a version that does not know all words.
const REFUSED: &str = "words unknown to the target stay, and its servers reject them";

/// The words that a version rejects: `known` has the words of the source, if it states them, and `theirs` the words of the target.
/// The page then says so.
pub(in crate::conversion) fn refused(
    applied: &mut Applied,
    known: &[&str],
    theirs: &[&str],
) -> Vec<String> {
    const TEXTS: [&str; 5] = ["convert", "fill_text", "restore_text", "wrap_word", "unwrap_word"];
    if theirs.is_empty() || !TEXTS.contains(&applied.call.function.1) {
        return Vec::new();
    }
    let pairs = applied.call.arguments.iter().find_map(|argument| match argument {
        Argument::Pairs(pairs) => Some(pairs.as_slice()),
        _ => None,
    });
    let image = |word: &str| {
        let renamed = pairs.into_iter().flatten().find(|(from, _)| from == word);
        renamed.map_or(word.to_owned(), |(_, to)| to.clone())
    };
    let images = known.iter().map(|word| image(word));
    let refused: Vec<String> = images.filter(|word| !theirs.contains(&word.as_str())).collect();
    if !refused.is_empty() {
        let words = join(refused.iter().map(|word| code(word)), ", ");
        applied.how = format!("{}; not known there: {words}", applied.how);
    }
    // What a fill keeps says more.
    if applied.effect != Effect::Keeps && (!refused.is_empty() || known.is_empty()) {
        applied.loss = REFUSED;
    }
    refused
}

/// The step between texts and known words of two versions, which hold any text; `None` for other types.
pub(in crate::conversion) fn same(from: &RustType, to: &RustType) -> Option<Applied> {
    // `null` in an `Option` is not the absent value.
    let in_option = matches!(from, RustType::Option(inner) if inner.is_option());
    are_texts(from, to).then(|| Applied {
        how: "the same".to_owned(),
        loss: "lossless",
        effect: Effect::Nothing,
        call: Call {
            function: ("words", "convert"),
            arguments: vec![Argument::Value, Argument::Pairs(Vec::new())],
            in_option,
        },
    })
}

pub(in crate::conversion) fn are_texts(from: &RustType, to: &RustType) -> bool {
    match (from, to) {
        (RustType::List(from), RustType::List(to))
        | (RustType::Map(from), RustType::Map(to))
        | (RustType::Option(from), RustType::Option(to)) => are_texts(from, to),
        (from, to) => is_text(from) && is_text(to),
    }
}

/// Returns `true` for texts and known words, which hold any text.
pub(crate) fn is_text(rust_type: &RustType) -> bool {
    matches!(rust_type, RustType::String | RustType::Vocabulary(_))
}

/// The words of one version with their names in another, where they differ.
///
/// Any text is a value, also one that is a word of the other version alone. So that it comes back, the words of each
/// version are a permutation of the words of the lowest one: a word that only one of the two versions has goes to the place
/// that it takes away.
fn pairs(words: &BTreeMap<String, Vec<String>>, from: &str, to: &str) -> Vec<(String, String)> {
    let names = (words.values().next(), words.get(from), words.get(to));
    let (Some(lowest), Some(from), Some(to)) = names else {
        return Vec::new();
    };
    let (from, to) = (permutation(lowest, from), permutation(lowest, to));
    let all: BTreeSet<&str> = words.values().flatten().map(String::as_str).gather();
    let image = |of: &LiteMap<String, String>, word: &str| {
        of.get(word).cloned().unwrap_or_else(|| word.to_owned())
    };
    let pairs = all.into_iter().map(|word| (image(&from, word), image(&to, word)));
    let mut pairs: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
    pairs.sort();
    pairs
}

/// The name of each word of the lowest version in another version, as a permutation of all words.
fn permutation(lowest: &[String], other: &[String]) -> LiteMap<String, String> {
    let mut named: LiteMap<String, String> =
        lowest.iter().cloned().zip(other.iter().cloned()).gather();
    let only = |of: &[String], not: &[String]| -> Vec<String> {
        let mut words: Vec<String> =
            of.iter().filter(|word| !not.contains(word)).cloned().collect();
        words.sort();
        words
    };
    for (word, name) in only(other, lowest).into_iter().zip(only(lowest, other)) {
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
