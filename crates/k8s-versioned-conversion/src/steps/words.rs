//! A word that has another name in another version.

use k8s_versioned::wire::ZeroValue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::context::json;

/// Gives each word its name in the target. The `names` of all words are a permutation, so nothing is lost. The value
/// is a text, or an optional value, a list or a map of texts.
pub fn convert<S, T>(value: S, names: &[(&str, &str)]) -> T
where
    S: Serialize,
    T: DeserializeOwned + ZeroValue,
{
    let mut words = json(&value);
    rename(&mut words, names);
    // The types differ in their vocabularies alone, and these hold any text.
    T::deserialize(words).unwrap_or_else(|_| T::zero_value())
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
