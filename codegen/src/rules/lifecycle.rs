//! `lifecycle.toml`: from when to when each version of the group is served.

use k8s_versioned::{Lifecycle, Release, Version};
use serde::Deserialize;
use toml::Spanned;

use super::toml_file::{optional, place_of};
use crate::problem::{Cause, Place};
use crate::{Files, Problems};

const FILE: &str = "lifecycle.toml";

/// From when to when a version of the group is served.
#[derive(Clone, Debug)]
pub struct VersionRule {
    /// Where the rule stands.
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<Version>,
    introduced: Release,
    deprecated: Option<Release>,
    removed: Option<Release>,
}

pub(super) fn read(specs: &Files) -> Result<Vec<VersionRule>, Problems> {
    let file: File = optional(specs, FILE)?;
    let mut problems = Problems::new();
    let mut rules: Vec<VersionRule> = Vec::new();
    for entry in file.version {
        let rule = rule(&entry);
        let order = [Some(entry.introduced), entry.deprecated, entry.removed];
        if !order.iter().flatten().is_sorted() {
            problems.push(rule.place, Cause::LifecycleOrder(rule.version));
        } else if rules.iter().any(|other| other.version == rule.version) {
            problems.push(rule.place, Cause::RuleTwice(rule.version.to_string()));
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
    VersionRule {
        place: place_of(FILE, entry.name.span()),
        version: *entry.name.get_ref(),
        lifecycle,
    }
}
