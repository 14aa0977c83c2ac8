//! The modules of schemas that no rule places, from the names of the schemas.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_names::Version;

use super::names::snake_case;
use crate::model::Model;
use crate::spec::split_inline;

/// The module of each prefix of the names of schemas, without the version. It is empty for the only group's own types.
pub(super) struct DerivedModules(BTreeMap<String, String>);

/// The parts of a schema's name: all before the version with a dot at the end, the version, and the name of the type.
fn split(schema: &str) -> Option<(&str, &str, &str)> {
    let (rest, name) = schema.rsplit_once('.')?;
    let dot = rest.rfind('.')?;
    let (prefix, version) = rest.split_at(dot + 1);
    version.parse::<Version>().ok()?;
    Some((prefix, version, name))
}

impl DerivedModules {
    pub(super) fn new(model: &Model) -> Self {
        let mut prefixes = BTreeSet::new();
        let mut own = BTreeSet::new();
        let named = model.types.iter().filter(|(schema, _)| split_inline(schema).is_none());
        for (schema, found) in named {
            let Some((prefix, version, name)) = split(schema) else {
                continue;
            };
            prefixes.insert(prefix);
            let is_named = |group: &str| model.groups.len() == 1 && model.groups.contains(group);
            let mut kinds = found.kinds.iter();
            if kinds.any(|it| it.kind == name && it.version == version && is_named(&it.group)) {
                own.insert(prefix);
            }
        }
        let others: Vec<&str> = prefixes.difference(&own).copied().collect();
        let mut modules: BTreeMap<String, String> =
            own.into_iter().map(|prefix| (prefix.to_owned(), String::new())).collect();
        for prefix in &others {
            modules.insert((*prefix).to_owned(), short(prefix, &others) + "::");
        }
        Self(modules)
    }

    /// The module and the Rust name of a schema; `None` if its name has no version.
    pub(super) fn apply(&self, schema: &str) -> Option<(String, String)> {
        let (prefix, version, name) = split(schema)?;
        let module = self.0.get(prefix)?;
        Some((format!("{module}{version}"), name.to_owned()))
    }
}

/// The last part of a prefix, with as many of the parts before it as make it unique.
fn short(prefix: &str, all: &[&str]) -> String {
    let last = |prefix: &str, parts: usize| {
        let mut last: Vec<&str> = prefix.trim_end_matches('.').rsplit('.').take(parts).collect();
        last.reverse();
        snake_case(&last.join("_"))
    };
    let longest = prefix.split('.').count();
    let unique = |parts: &usize| {
        all.iter().filter(|it| last(it, *parts) == last(prefix, *parts)).count() == 1
    };
    last(prefix, (1..longest).find(unique).unwrap_or(longest))
}
