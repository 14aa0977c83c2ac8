//! `lifecycle.toml`: the releases in the life of a kind that the documents do not show.

use std::collections::BTreeSet;

use k8s_versioned_core::{Release, Version};
use serde::Deserialize;

use crate::input::toml_file::{Placed, RuleFile, optional};
use crate::problem::RuleCause;
use crate::{Files, Problems};

/// What the documents cannot say about the lifecycle of a kind in one version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LifecycleRule {
    /// The group; `None` for the group of the package.
    pub group: Option<String>,
    /// The name of the kind, and where the rule names it.
    pub(crate) kind: Placed<Self>,
    /// The API version that the facts are about.
    pub version: Version,
    /// The release that introduced it, if all documents have it.
    pub(crate) introduced: Option<Release>,
    /// The first release that warns of its use. No document shows it.
    pub deprecated: Option<Release>,
    /// The announced release that removes it.
    pub removed: Option<Release>,
}

impl LifecycleRule {
    /// The name of the kind.
    pub fn kind(&self) -> &str {
        &self.kind.value
    }

    /// The version and the kind, as findings and messages name them.
    pub(crate) fn subject(&self) -> String {
        format!("{} {}", self.version, self.kind.value)
    }
}

impl RuleFile for LifecycleRule {
    const PATH: &'static str = "lifecycle.toml";
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LifecycleFile {
    #[serde(default)]
    kind: Vec<LifecycleRule>,
}

/// Names the group of each rule that is about the group of the package, and reports the second of two rules about one kind.
pub(crate) fn name_groups(rules: &mut [LifecycleRule], own: &str, problems: &mut Problems) {
    let mut seen = BTreeSet::new();
    for rule in rules {
        let group = rule.group.get_or_insert_with(|| own.to_owned());
        if !seen.insert((group.clone(), rule.subject())) {
            problems.push(&rule.kind.place, RuleCause::Twice(rule.subject()));
        }
    }
}

/// Reads only `lifecycle.toml`. The plan compares the rules with the documents.
///
/// # Errors
/// All problems of the file.
pub(crate) fn read(specs: &Files) -> Result<Vec<LifecycleRule>, Problems> {
    let mut rules = optional::<LifecycleFile>(specs, LifecycleRule::PATH)?.kind;
    let (mut problems, mut seen) = (Problems::new(), BTreeSet::new());
    rules.retain(|rule| {
        let is_new = seen.insert((rule.group.clone(), rule.subject()));
        if !is_new {
            problems.push(&rule.kind.place, RuleCause::Twice(rule.subject()));
        }
        is_new
    });
    problems.or(rules)
}
