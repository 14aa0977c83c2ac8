//! `lifecycle.toml`: the releases that serve each version of the group.

use k8s_versioned_names::{Lifecycle, Release, Version};
use serde::Deserialize;

use super::toml_file::{Placed, RuleFile, optional};
use crate::problem::{Place, RuleCause};
use crate::{Files, Problems};

/// The lifecycle of a version of the group.
#[derive(Clone, Debug)]
pub struct VersionRule {
    /// The place of the rule.
    pub place: Place,
    /// The version.
    pub version: Version,
    /// Its lifecycle.
    pub lifecycle: Lifecycle,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    version: Vec<Entry>,
}

impl RuleFile for File {
    const PATH: &'static str = "lifecycle.toml";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Placed<File, Version>,
    introduced: Release,
    deprecated: Option<Release>,
    removed: Option<Release>,
}

/// Reads `lifecycle.toml` alone.
///
/// # Errors
/// All problems of the file.
pub fn read(specs: &Files) -> Result<Vec<VersionRule>, Problems> {
    let file: File = optional(specs, File::PATH)?;
    let mut problems = Problems::new();
    let mut rules: Vec<VersionRule> = Vec::new();
    for entry in file.version {
        let rule = rule(&entry);
        let order = [Some(entry.introduced), entry.deprecated, entry.removed];
        if !order.iter().flatten().is_sorted() {
            problems.push(&rule.place, RuleCause::LifecycleOrder(rule.version));
        } else if rules.iter().any(|other| other.version == rule.version) {
            problems.push(&rule.place, RuleCause::Twice(rule.version.to_string()));
        } else {
            rules.push(rule);
        }
    }
    problems.or(rules)
}

fn rule(entry: &Entry) -> VersionRule {
    let mut lifecycle = Lifecycle::introduced(entry.introduced);
    if let Some(release) = entry.deprecated {
        lifecycle = lifecycle.deprecated(release);
    }
    if let Some(release) = entry.removed {
        lifecycle = lifecycle.removed(release);
    }
    VersionRule { place: entry.name.place.clone(), version: entry.name.value, lifecycle }
}
