//! The words of names.

use std::collections::BTreeSet;

use heck::ToSnakeCase;

use crate::gather::Gather;

/// The words of a name that say something beside the object `around`: `secretName` in `trigger` is about a secret.
pub(super) fn words(name: &str, around: &str) -> BTreeSet<String> {
    let all = |name: &str| -> BTreeSet<String> {
        let name = name.to_snake_case();
        name.split('_').map(|word| word.trim_end_matches('s').to_owned()).gather()
    };
    let own = all(name);
    let around = all(around);
    let without = |unwanted: &dyn Fn(&String) -> bool, words: &BTreeSet<String>| {
        let rest: BTreeSet<String> = words.iter().filter(|it| !unwanted(it)).cloned().gather();
        if rest.is_empty() { words.clone() } else { rest }
    };
    let filler = ["name", "ref", "reference"];
    let own = without(&|word| filler.contains(&word.as_str()), &own);
    without(&|word| around.contains(word), &own)
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
