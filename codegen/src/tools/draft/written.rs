//! Rules as text for the rule files.

use std::fmt::Write as _;

use k8s_versioned_core::Version;
use litemap::LiteMap;
use toml::Value;

use crate::gather::Gather;
use crate::text::join;

/// The table of a rule about a field, with its path in each version and with the keys of this kind of rule.
pub(super) fn field_rule<'a>(
    rule: &str,
    names: impl IntoIterator<Item = (&'a str, &'a str)>,
    keys: &[(&str, Value)],
    reason: &str,
) -> String {
    rule_in(IN_KIND, rule, names, keys, reason)
}

/// The table with the rules of a kind, and the one with those that several kinds share.
pub(super) const IN_KIND: &str = "kind.field";
pub(super) const IN_SHARED: &str = "shared.field";

/// A rule in the table of this name.
pub(super) fn rule_in<'a>(
    table: &str,
    rule: &str,
    names: impl IntoIterator<Item = (&'a str, &'a str)>,
    keys: &[(&str, Value)],
    reason: &str,
) -> String {
    let names = named(names);
    let mut text = format!("[[{table}]]\nrule = {rule:?}\n{names}\n");
    for (key, value) in keys {
        let _ = writeln!(text, "{key} = {value}");
    }
    let _ = write!(text, "reason = {}", quoted(reason));
    text
}

/// The line with the paths of a field.
pub(super) fn named<'a>(names: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let names: LiteMap<_, _> =
        names.into_iter().map(|(version, path)| (key(version), (version, path))).gather();
    let names = names.values().map(|(version, path)| format!("{version} = {}", quoted(path)));
    format!("names = {{ {} }}", join(names, ", "))
}

/// The versions, lowest first.
pub(super) fn sorted<'a>(versions: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let versions: LiteMap<_, _> = versions.map(|version| (key(version), version)).gather();
    versions.values().copied().collect()
}

/// Sorts versions as Kubernetes does.
fn key(version: &str) -> (Option<Version>, &str) {
    (version.parse().ok(), version)
}

pub(super) fn quoted(text: &str) -> Value {
    Value::from(text)
}
