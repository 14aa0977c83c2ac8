//! Causes in the rule files.

use k8s_versioned::{Release, Version};
use strum::EnumProperty;
use thiserror::Error;

/// A cause in a rule file.
#[derive(Clone, Debug, PartialEq, Eq, Error, EnumProperty)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum RuleCause {
    #[error("no group is named")]
    #[strum(props(hint = "`specs/group.toml` begins with `group = \"<name>\"`"))]
    NoGroup,
    #[error("`{0}` does not end with `{{version}}`")]
    #[strum(props(hint = "write the prefix and then `{version}`, such as `meta::{version}`"))]
    NoVersionInModule(String),
    #[error("`{0}` is not the path of a type in another crate")]
    #[strum(props(
        understood = "`<crate>::<module>::<Type>`, with or without modules",
        hint = "write the whole path, such as `k8s_versioned::MicroTime`"
    ))]
    NotAPath(String),
    #[error("the releases of `{0}` are not in order: introduced, deprecated, removed")]
    #[strum(props(hint = "look up when each happened, and correct the rule"))]
    LifecycleOrder(Version),
    #[error("no rule says from when to when `{0}` is served")]
    #[strum(props(
        hint = "add a `[[version]]` to `specs/lifecycle.toml` with `name` and `introduced`, and `deprecated` and \
                `removed` where they are known"
    ))]
    NoLifecycle(Version),
    #[error(
        "by its lifecycle, `{version}` is {served} in {release}, and by the documents it is {shown}"
    )]
    #[strum(props(hint = "the documents show what was served: correct the rule"))]
    LifecycleDisagrees {
        version: Version,
        release: Release,
        served: &'static str,
        shown: &'static str,
    },
    #[error("the rule has no reason")]
    #[strum(props(hint = "say in `reason` what the rule is based on"))]
    NoReason,
    #[error("{0} has no description")]
    #[strum(props(
        hint = "write one, short and in the project's own words; those of a module, its types and their fields are \
                in `specs/descriptions/<module>.toml`"
    ))]
    NoDescription(String),
    #[error("the rule for `{0}` matches nothing")]
    #[strum(props(hint = "correct the name, or remove the rule if its time has passed"))]
    MatchesNothing(String),
    #[error("there is another rule for `{0}`")]
    #[strum(props(hint = "remove one of the two"))]
    Twice(String),
    #[error("the rule for `{0}` changes nothing: {1}")]
    #[strum(props(hint = "remove the rule"))]
    WithoutEffect(String, &'static str),
}
