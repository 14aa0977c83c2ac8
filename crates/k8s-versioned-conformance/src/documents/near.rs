//! The kinds of the documents that are near to another one.

use std::collections::BTreeSet;

use k8s_versioned::quoted::alternatives;
use k8s_versioned::text::nearest;
use k8s_versioned::{Release, TypeMeta};
use serde_json::Value;

use super::Documents;

impl Documents {
    /// The releases that have documents.
    pub fn releases(&self) -> BTreeSet<Release> {
        self.documents.keys().filter_map(|(release, _)| *release).collect()
    }

    /// The type of an object that no document has, if it is probably not a typo: the documents do not have its group,
    /// or a similar group or kind.
    pub fn foreign<'v>(&self, object: &'v Value) -> Option<TypeMeta<'v>> {
        let found = TypeMeta::of(object).ok()?;
        let group = found.group()?;
        let is_near = || nearest(group, self.groups()).is_some() || self.near(&found).is_some();
        let is_foreign = !self.groups().any(|known| known == group) && !is_near();
        is_foreign.then_some(found)
    }

    /// The kind with almost the same spelling, and its versions.
    pub(super) fn near(&self, found: &TypeMeta<'_>) -> Option<String> {
        let group = found.group().unwrap_or_default();
        let begins = |known: &str| known.strip_prefix(group).is_some_and(|it| it.starts_with('.'));
        let is_near = |known: &str| {
            group.is_empty() || begins(known) || nearest(group, [known].into_iter()).is_some()
        };
        let kinds = || self.kinds().filter(|(known, ..)| is_near(known));
        let kind = nearest(&found.kind, kinds().map(|(.., kind)| kind))?;
        let versions = kinds().filter(|(.., it)| *it == kind).map(|(_, version, _)| version);
        let versions: BTreeSet<&str> = versions.collect();
        let versions: Vec<&str> = versions.into_iter().collect();
        Some(format!("did you mean `{kind}` of {}?", alternatives(&versions)))
    }

    /// The groups of the documents.
    fn groups(&self) -> impl Iterator<Item = &str> {
        self.documents.keys().map(|(_, name)| group(name))
    }

    /// The groups, the `apiVersion`s and the kinds. A document also has kinds of other groups, such as `DeleteOptions`.
    fn kinds(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.documents.iter().flat_map(|((_, name), document)| {
            let group = group(name);
            let kinds = document.schemas.keys();
            kinds.filter_map(move |(api_version, kind)| {
                let of = api_version.split_once('/').map_or("", |(of, _)| of);
                (of == group).then_some((group, api_version.as_str(), kind.as_str()))
            })
        })
    }
}

/// The group of a document with this beginning of its name.
fn group(name: &str) -> &str {
    let group = name.strip_prefix("apis__").and_then(|rest| rest.split("__").next());
    group.unwrap_or_default()
}
