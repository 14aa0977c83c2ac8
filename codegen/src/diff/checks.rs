//! What servers check in the values of custom resources: known words, limits, patterns and rules.
//!
//! Definitions state all checks, so one that is missing is gone. Documents of built-in kinds state few of them, and not in
//! each release.

use std::collections::BTreeSet;

use k8s_versioned_names::Short;

use super::Rule;
use super::catalogue::{CHECKS, NULL_REFUSED, NULLABLE, WORDS_ADDED, WORDS_REMOVED};
use crate::spec::{Facts, Property, ValueType};
use crate::text::join;

/// A change: its rule, the old value and the new one.
pub(super) type Change = (Rule, Option<String>, Option<String>);

/// Texts for readers, which servers do not check, and the words, which have rules of their own.
const NO_CHECKS: [&str; 4] = ["enum", "example", "externalDocs", "title"];

/// The changes of a property.
pub(super) fn of_property(was: &Property, is: &Property) -> Vec<Change> {
    let null = match (was.nullable, is.nullable) {
        (false, true) => Some((NULLABLE, None, None)),
        (true, false) => Some((NULL_REFUSED, None, None)),
        _ => None,
    };
    let none = Facts::default();
    let [was, is] = [was, is].map(|property| {
        // An object inside is compared as a type, which has the same checks.
        let own = |facts, of: Option<&ValueType>| match of {
            Some(of) if of.is_inline() => &none,
            _ => facts,
        };
        let value = &property.value;
        [own(&property.facts, Some(value)), own(&property.items.facts, value.item())]
    });
    null.into_iter().chain(of_values(&was, &is)).collect()
}

/// The changes in what is checked of values, and of their items.
pub(super) fn of_values(was: &[&Facts], is: &[&Facts]) -> Vec<Change> {
    let (mut changes, none) = (Vec::new(), BTreeSet::new());
    let any = Some("any value".to_owned());
    match (words(was), words(is)) {
        (Some(was), Some(is)) => {
            changes.extend(only(&is, &was).map(|words| (WORDS_ADDED, None, Some(words))));
            changes.extend(only(&was, &is).map(|words| (WORDS_REMOVED, Some(words), None)));
        }
        (None, Some(words)) => changes.push((WORDS_REMOVED, any, only(&words, &none))),
        (Some(words), None) => changes.push((WORDS_ADDED, only(&words, &none), any)),
        (None, None) => {}
    }
    let (was, is) = (checks(was), checks(is));
    if was != is {
        changes.push((CHECKS, only(&was, &is), only(&is, &was)));
    }
    changes
}

/// The texts that only the first set has, as one line; `None` if it has none.
fn only(one: &BTreeSet<String>, other: &BTreeSet<String>) -> Option<String> {
    let only = join(one.difference(other).map(String::as_str), ", ");
    (!only.is_empty()).then(|| Short(&only).to_string())
}

fn words(facts: &[&Facts]) -> Option<BTreeSet<String>> {
    let words = facts.iter().find_map(|facts| facts.get("enum"))?.as_array()?;
    Some(words.iter().map(ToString::to_string).collect())
}

/// Each keyword with its value.
fn checks(facts: &[&Facts]) -> BTreeSet<String> {
    let of = ["", "items: "].into_iter().zip(facts);
    let checks = of.flat_map(|(of, facts)| facts.iter().map(move |fact| (of, fact)));
    let checks = checks.filter(|(_, (keyword, _))| !NO_CHECKS.contains(keyword));
    checks.map(|(of, (keyword, value))| format!("{of}{keyword} {value}")).collect()
}
