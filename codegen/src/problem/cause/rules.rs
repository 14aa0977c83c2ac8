//! Causes in the rule files.

use thiserror::Error;

/// A cause in a rule file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum RuleCause {
    #[error("`{0}` does not end with `{{version}}`")]
    NoVersionInModule(String),
    #[error("`{0}` is not the path of a type in another crate")]
    NotAPath(String),
    #[error("the releases of `{0}` are not in order: introduced, deprecated, removed")]
    LifecycleOrder(String),
    #[error("by its lifecycle, `{kind}` is {stated}, and by the documents it is {shown}")]
    LifecycleDisagrees { kind: String, stated: String, shown: String },
    #[error("the rule has no reason")]
    NoReason,
    #[error("{0} has no description")]
    NoDescription(String),
    #[error("the rule for `{0}` matches nothing")]
    MatchesNothing(String),
    #[error("there is another rule for `{0}`")]
    Twice(String),
    #[error("the rule for `{0}` changes nothing: {1}")]
    WithoutEffect(String, &'static str),
}

impl RuleCause {
    /// The advice.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::NoVersionInModule(_) => {
                "write the prefix and then `{version}`, such as `meta::{version}`"
            }
            Self::NotAPath(_) => "write the whole path, such as `k8s_versioned::MicroTime`",
            Self::LifecycleOrder(_) => "correct the releases of the rule",
            Self::LifecycleDisagrees { .. } => {
                "the documents show what was served: remove the release from the rule"
            }
            Self::NoReason => "state the evidence for the rule in `reason`",
            Self::NoDescription(_) => {
                "write one, short and in the project's own words; those of a module, its types and their fields are \
                 in `specs/descriptions/<module>.toml`"
            }
            Self::MatchesNothing(_) => "correct the name, or remove the rule if it is obsolete",
            Self::Twice(_) => "remove one of the two",
            Self::WithoutEffect(..) => "remove the rule",
        }
    }

    pub(super) fn understood(&self) -> Option<&'static str> {
        let is_path = matches!(self, Self::NotAPath(_));
        is_path.then_some("`<crate>::<module>::<Type>`, with or without modules")
    }
}
