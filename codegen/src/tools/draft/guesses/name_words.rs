//! The words of names.

use std::collections::BTreeSet;

use heck::ToSnakeCase;

use crate::gather::Gather;

/// The words of a name that the name of the object `around` does not have: `secretName` in `trigger` is about a secret.
pub(super) fn words(name: &str, around: &str) -> BTreeSet<String> {
    let all = |name: &str| -> BTreeSet<String> {
        let name = name.to_snake_case();
        name.split('_').map(|word| stem(word).to_owned()).gather()
    };
    let own = all(name);
    let around = all(around);
    let without = |unwanted: &dyn Fn(&String) -> bool, words: &BTreeSet<String>| {
        let rest: BTreeSet<String> = words.iter().filter(|word| !unwanted(word)).cloned().gather();
        if rest.is_empty() { words.clone() } else { rest }
    };
    let filler = ["name", "ref", "reference"];
    let own = without(&|word| filler.contains(&word.as_str()), &own);
    without(&|word| around.contains(word), &own)
}

/// A word without its plural, and in the form of a command: `enabled` is `enable`.
fn stem(word: &str) -> &str {
    match word {
        "enabled" => "enable",
        "disabled" => "disable",
        word => word.trim_end_matches('s'),
    }
}

/// The subject of a flag for something done, from its name: that of `infrastructureReady` and `infrastructureProvisioned` is the same.
pub(super) fn what_is_done(words: &BTreeSet<String>) -> Option<BTreeSet<String>> {
    const DONE: [&str; 5] = ["ready", "provisioned", "initialized", "created", "completed"];
    let is_done = |word: &String| DONE.contains(&word.as_str());
    let what = || words.iter().filter(|word| !is_done(word)).cloned().gather();
    words.iter().any(is_done).then(what)
}

/// Returns `true` for names that fields of different meaning have.
pub(super) fn is_generic(name: &str) -> bool {
    const GENERIC: [&str; 10] = [
        "name",
        "namespace",
        "type",
        "kind",
        "enabled",
        "enable",
        "value",
        "labels",
        "annotations",
        "apiVersion",
    ];
    GENERIC.contains(&name)
}
