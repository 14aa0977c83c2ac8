//! A word that has another name in another version, or is not known there.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Context, FieldLocations};
use crate::conversion::context::json;
use crate::wire::ZeroValue;

/// Gives each word its name in the target. The `names` of all words are a permutation, so nothing is lost. The value
/// is a text, or an optional value, a list or a map of texts.
pub fn convert<S, T>(value: S, names: &[(&str, &str)]) -> T
where
    S: Serialize,
    T: DeserializeOwned + ZeroValue,
{
    let mut words = json(&value);
    rename(&mut words, names);
    // The types differ only in their open enums, and these hold any text.
    T::deserialize(words).unwrap_or_else(|_| T::zero_value())
}

/// The text of a word.
pub fn text<S: Serialize>(word: S) -> String {
    convert(word, &[])
}

/// The texts of a list of words.
pub fn texts<S: Serialize>(words: S) -> Vec<String> {
    convert(words, &[])
}

fn rename(value: &mut Value, names: &[(&str, &str)]) {
    match value {
        Value::String(word) => {
            if let Some((_, name)) = names.iter().find(|(known, _)| known == word) {
                (*name).clone_into(word);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Value::Object(members) => members.values_mut().for_each(|value| rename(value, names)),
        _ => {}
    }
}

/// The words of all versions under the names that the annotation has, and the names in one version: the fallback for those that
/// the version does not know, after the others. Empty for a version that knows all words.
pub type Names<'n> = &'n [(&'n str, &'n str)];

/// Gives a word its name in the target, or the fallback. The annotation keeps a word that this loses, also over other versions
/// with a fallback. A word that no version knows stays. `around` has the path in every version, first in those that know all
/// words, or in the source if none does.
pub fn fall_back<S, T, P>(
    around: FieldLocations,
    word: &S,
    from: Names<'_>,
    to: Names<'_>,
    context: &mut Context<'_, P>,
) -> T
where
    S: AsRef<str>,
    T: for<'w> From<&'w str>,
{
    let live = word.as_ref();
    let back = kept_name(live, from);
    if from.is_empty() {
        context.reduce(around, &back, comes_back(back, to));
        return T::from(name(back, to));
    }
    let carried = context.kept_text(around);
    if let Some(kept) = carried.filter(|kept| name(kept, from) == live && !comes_back(kept, to)) {
        return T::from(name(kept, to));
    }
    let mut word = back.to_owned();
    if let Some(kept) = context.take_kept::<String>(around) {
        let unedited = name(&kept, from) == live;
        word = context.restore(around, kept, unedited, word, json(&live));
    }
    if !comes_back(&word, to) {
        context.keep(around, &word, None);
    }
    T::from(name(&word, to))
}

/// The name of a word in a version.
fn name<'w>(kept: &'w str, names: Names<'w>) -> &'w str {
    names.iter().find(|(word, _)| *word == kept).map_or(kept, |(_, own)| own)
}

/// The name under which the annotation has a word of a version.
fn kept_name<'w>(own: &'w str, names: Names<'w>) -> &'w str {
    names.iter().find(|(_, word)| *word == own).map_or(own, |(kept, _)| kept)
}

/// Returns `true` if the name in a version is enough to restore the word.
fn comes_back(kept: &str, names: Names<'_>) -> bool {
    kept_name(name(kept, names), names) == kept
}
