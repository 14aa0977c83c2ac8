//! Words of enums that differ in case or in a prefix.

use std::collections::{BTreeMap, BTreeSet};

use litemap::LiteMap;

use super::guess::{Guess, Guessed, Names, SHOWN, ToState, by_version};
use super::kept::Guesser;
use super::name_words::words as name_words;
use crate::conversion::names;
use crate::plan::code;
use crate::text::{join, shorten};

/// The words of each version, and its default.
type Known = LiteMap<String, (Vec<String>, Option<String>)>;

impl Guesser<'_> {
    /// Guesses which words of a field, of which some versions refuse some, are the same in all versions, and which word a version shows
    /// for those that it does not know: only its default, or its only word. `names` has the path of the field in each version.
    pub(in crate::tools::draft) fn about_words(&self, names: &Names) -> Option<Guess> {
        let same = SameWords::of(&self.known_words(names)?)?;
        let mut rule = Guessed::new(names::WORDS, names.clone());
        rule.to_state.extend(same.to_state());
        if !same.words.is_empty() {
            let words = same.words.iter().map(|(version, words)| (version, words.clone()));
            rule.keys.push(("words", by_version(words)));
        }
        if !same.fallback.is_empty() {
            let fallback = same.fallback.iter().map(|(version, (word, _))| (version, word.clone()));
            rule.keys.push(("fallback", by_version(fallback)));
        }
        let (rules, reason) = (vec![rule], same.reason());
        Some(Guess { joins: Vec::new(), apart: BTreeSet::new(), rules, reason })
    }

    /// The words of a field; `None` if a version does not have it where `names` says.
    fn known_words(&self, names: &Names) -> Option<Known> {
        let mut known = Known::new();
        for (version, path) in names {
            let field = self.structs.at(self.objects.get(version)?, path)?;
            let stated = &self.structs.field(&field)?.property;
            let words = stated.words().into_iter().map(str::to_owned).collect();
            let default =
                stated.default.as_ref().and_then(|default| default.as_str()).map(str::to_owned);
            known.insert(version.clone(), (words, default));
        }
        Some(known)
    }
}

/// Words that are the same in all versions, under other names.
#[derive(Default)]
struct SameWords {
    /// The names of the words in each version.
    words: BTreeMap<String, Vec<String>>,
    /// The words whose names differ, as the lowest version has them.
    renamed: Vec<String>,
    /// What a version that lacks words shows for them, and why.
    fallback: BTreeMap<String, (String, &'static str)>,
    /// The words that these versions lack.
    lacking: BTreeMap<String, Vec<String>>,
}

impl SameWords {
    /// `None` if all versions have the same words.
    fn of(known: &Known) -> Option<Self> {
        let (lowest, (first, _)) = known.first()?;
        let mut same = Self::default();
        for word in first {
            let name_in = |(version, (words, _)): (&String, &(Vec<String>, _))| {
                let name =
                    if version == lowest { Some(word) } else { same_word((word, first), words) };
                (version.clone(), name.cloned())
            };
            same.add(word, known.iter().map(name_in).collect());
        }
        for (_, (theirs, _)) in known.iter().filter(|(version, _)| *version != lowest) {
            let is_new = |word: &&String| {
                !first.iter().any(|own| same_word((own, first), theirs) == Some(word))
            };
            for word in theirs.iter().filter(is_new) {
                let all = same.lacking.entry(lowest.clone()).or_default();
                if !all.contains(word) {
                    all.push(word.clone());
                }
            }
        }
        let shown =
            |version: &String| Some((version.clone(), same.shown_for_others(known, version)?));
        same.fallback = same.lacking.keys().filter_map(shown).collect();
        let is_empty = same.words.is_empty() && same.fallback.is_empty();
        (!is_empty).then_some(same)
    }

    /// The word that a version can show for those that it lacks, and what speaks for it: the only word that other versions lack, its default,
    /// or its only word. Where others lack words of it, a word that all know means something else. Of several words, none is more
    /// probable than the others.
    fn shown_for_others(&self, known: &Known, version: &str) -> Option<(String, &'static str)> {
        let (words, default) = known.get(version)?;
        let others = || self.lacking.iter().filter(|(other, _)| *other != version);
        let is_own = |word: &&String| others().any(|(_, lacking)| lacking.contains(word));
        let own: Vec<&String> = words.iter().filter(is_own).collect();
        if let [only] = own.as_slice() {
            return Some(((*only).clone(), "its only word that others lack"));
        }
        let counts = |word: &String| own.is_empty() || own.contains(&word);
        let stated = default.iter().find(|default| words.contains(default) && counts(default));
        let stated = stated.map(|word| (word.clone(), "its default"));
        stated.or_else(|| match words.as_slice() {
            [only] => Some((only.clone(), "its only word")),
            _ => None,
        })
    }

    /// Adds a word by its names in the versions.
    fn add(&mut self, word: &str, names: Vec<(String, Option<String>)>) {
        for (version, _) in names.iter().filter(|(_, name)| name.is_none()) {
            self.lacking.entry(version.clone()).or_default().push(word.to_owned());
        }
        let all: Option<Vec<_>> = names.into_iter().map(|(of, name)| Some((of, name?))).collect();
        if let Some(all) = all.filter(|all| all.iter().any(|(_, name)| name != word)) {
            self.renamed.push(code(word));
            for (version, name) in all {
                self.words.entry(version).or_default().push(name);
            }
        }
    }

    /// The evidence, for people.
    fn reason(&self) -> String {
        if self.renamed.is_empty() {
            return "some versions do not know all of its words".to_owned();
        }
        let renamed = self.renamed.join(", ");
        format!(
            "the words {renamed} differ from words of other versions only in case, signs, a prefix or more words"
        )
    }

    /// For each guessed `fallback`, why it is that word.
    fn to_state(&self) -> impl Iterator<Item = ToState> {
        self.fallback.iter().map(|(version, (word, why))| {
            let lacking = self.lacking.get(version).into_iter().flatten();
            let mut lacking: Vec<String> = lacking.map(|word| code(word)).collect();
            shorten(&mut lacking, SHOWN, |hidden| format!("{hidden} more"));
            let (lacking, word) = (join(lacking, " and "), code(word));
            let why = format!("{version} does not know {lacking}, and {word} is {why}");
            ToState { key: "fallback", why }
        })
    }
}

/// The only word of a list that is the same but for case, signs or a prefix, or that is new there and has more words: `WhenIdle` and
/// `WhenEmptyOrIdle`. `known` are the words of the own version.
pub(super) fn same_word<'w>(
    (word, known): (&str, &[String]),
    words: &'w [String],
) -> Option<&'w String> {
    let plain = |word: &str| -> String {
        word.chars()
            .filter(|character| character.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let own = plain(word);
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = words.iter().filter(|other| fits(&plain(other)));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    if let Some(equal) = words.iter().find(|other| *other == word) {
        return Some(equal);
    }
    only(&|other| other == own)
        .or_else(|| {
            let is_long = |text: &str| text.len() > 2;
            only(&|other| {
                is_long(other) && is_long(&own) && (own.ends_with(other) || other.ends_with(&own))
            })
        })
        .or_else(|| {
            let of_word = name_words(word, "");
            let lacks =
                |all: &[String], word: &str| !all.iter().any(|other| plain(other) == plain(word));
            let mut new = words.iter().filter(|other| lacks(known, other));
            let mut gone = known.iter().filter(|own| lacks(words, own));
            let only = new.next().filter(|_| new.next().is_none() && gone.nth(1).is_none())?;
            let other = name_words(only, "");
            let (fewer, more) =
                if of_word.len() < other.len() { (of_word, other) } else { (other, of_word) };
            (fewer.len() > 1 && fewer.is_subset(&more)).then_some(only)
        })
}

#[cfg(test)]
mod tests {
    use super::same_word;

    #[test]
    fn words_that_are_one() {
        for (word, words, expected) in [
            ("readOnly", vec!["ReadOnly", "ReadWrite"], Some("ReadOnly")),
            ("read-only", vec!["ReadOnly", "ReadWrite"], Some("ReadOnly")),
            ("RO", vec!["ReadOnly"], None),
            ("Always", vec!["PolicyAlways", "PolicyNever"], Some("PolicyAlways")),
            ("PolicyNever", vec!["Always", "Never"], Some("Never")),
            // Two are equally good.
            ("Always", vec!["PullAlways", "PushAlways"], None),
            ("always", vec!["Always", "ALWAYS"], None),
            ("WhenIdle", vec!["WhenEmptyOrIdle"], Some("WhenEmptyOrIdle")),
            ("Idle", vec!["IdleNow"], None),
            ("WhenIdle", vec!["WhenEmptyOrIdle", "WhenFull"], None),
        ] {
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            assert_eq!(
                same_word((word, &[word.to_owned()]), &words).map(String::as_str),
                expected,
                "{word} in {words:?}"
            );
        }
    }
}
