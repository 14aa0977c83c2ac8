//! `lifecycle.toml`: the releases in the life of a kind that the documents do not show.

use k8s_versioned_names::{Release, Version};
use serde::Deserialize;

use super::toml_file::{Placed, RuleFile, optional};
use crate::problem::{Place, RuleCause};
use crate::{Files, Problems};

/// What the documents cannot say about the lifecycle of a kind in one version.
#[derive(Clone, Debug)]
pub struct LifecycleRule {
    /// The place of the rule.
    pub place: Place,
    /// The group; `None` for the group of the package.
    pub group: Option<String>,
    /// The name of the kind.
    pub kind: String,
    /// The API version of which the facts are true.
    pub version: Version,
    /// The release that introduced it, if all documents have it.
    pub introduced: Option<Release>,
    /// The first release that warns of its use. No document shows it.
    pub deprecated: Option<Release>,
    /// The announced release that removes it.
    pub removed: Option<Release>,
    /// `true` if the rule is part of the generator: it need not match anything.
    pub shipped: bool,
}

impl LifecycleRule {
    /// The version and the kind, as findings and messages name them.
    pub fn subject(&self) -> String {
        format!("{} {}", self.version, self.kind)
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LifecycleFile {
    #[serde(default)]
    kind: Vec<LifecycleEntry>,
}

impl RuleFile for LifecycleFile {
    const PATH: &'static str = "lifecycle.toml";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LifecycleEntry {
    group: Option<String>,
    kind: Placed<LifecycleFile>,
    version: Version,
    introduced: Option<Release>,
    deprecated: Option<Release>,
    removed: Option<Release>,
}

/// Reads `lifecycle.toml` alone. The plan compares the rules with the documents.
///
/// # Errors
/// All problems of the file.
pub fn read(specs: &Files) -> Result<Vec<LifecycleRule>, Problems> {
    let file: LifecycleFile = optional(specs, LifecycleFile::PATH)?;
    let mut problems = Problems::new();
    let mut rules: Vec<LifecycleRule> = Vec::new();
    for entry in file.kind {
        let LifecycleEntry { group, kind, version, introduced, deprecated, removed } = entry;
        let (place, kind, shipped) = (kind.place, kind.value, false);
        let rule =
            LifecycleRule { place, group, kind, version, introduced, deprecated, removed, shipped };
        let is_same = |other: &LifecycleRule| {
            (&other.group, other.subject()) == (&rule.group, rule.subject())
        };
        if rules.iter().any(is_same) {
            problems.push(&rule.place, RuleCause::Twice(rule.subject()));
        } else {
            rules.push(rule);
        }
    }
    problems.or(rules)
}
