//! From when to when the versions of the group are served, held against what the documents show.

use k8s_versioned::{Lifecycle, Version};

use crate::Problems;
use crate::model::Model;
use crate::problem::Cause;
use crate::rules::Rules;

/// The lifecycle of the API version whose types are in `module`; nothing if the rules have none.
pub(super) fn of_module<'a>(rules: &'a Rules, module: &str) -> Option<&'a Lifecycle> {
    let version: Version = module.rsplit("::").next()?.parse().ok()?;
    let rule = rules
        .lifecycle
        .iter()
        .find(|rule| rule.version == version)?;
    Some(&rule.lifecycle)
}

/// Reports versions without a rule, rules without a version, and rules that the documents contradict. A group
/// without such rules is none the worse.
pub(super) fn check(model: &Model, rules: &Rules, problems: &mut Problems) {
    for rule in &rules.lifecycle {
        let Some(shown) = model.versions.get(&rule.version) else {
            let cause = Cause::RuleMatchesNothing(rule.version.to_string());
            problems.push(rule.place.clone(), cause);
            continue;
        };
        let served = |release| rule.lifecycle.is_served_in(release);
        let mut releases = model.releases.iter().copied();
        if let Some(release) = releases.find(|it| served(*it) != shown.contains(*it)) {
            let cause = Cause::LifecycleDisagrees {
                version: rule.version,
                release,
                served: words(served(release)),
                shown: words(shown.contains(release)),
            };
            problems.push(rule.place.clone(), cause);
        }
    }
    let Some(first) = rules.lifecycle.first() else {
        return;
    };
    let known = |version: &Version| rules.lifecycle.iter().any(|rule| rule.version == *version);
    for version in model.versions.keys().filter(|version| !known(version)) {
        problems.push(first.place.clone(), Cause::NoLifecycle(*version));
    }
}

fn words(served: bool) -> &'static str {
    if served { "served" } else { "not served" }
}
