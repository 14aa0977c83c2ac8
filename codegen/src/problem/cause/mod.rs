//! The causes of problems, by the stage that finds them. A cause displays as its message, and has a hint.

mod conversion;
mod crd;
mod document;
mod file;
mod manifest;
mod model;
mod plan;
mod rules;

use strum::{EnumMessage, IntoEnumIterator};
use thiserror::Error;

pub use conversion::{ConversionCause, Remedy};
pub use crd::CrdCause;
pub use document::DocumentCause;
pub use file::FileCause;
pub use manifest::ManifestCause;
pub use model::ModelCause;
pub use plan::PlanCause;
pub use rules::RuleCause;

/// The cause of a problem, which displays as the thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum Cause {
    /// In the text of one file.
    File(#[from] FileCause),
    /// In the manifest, or in an import.
    Manifest(#[from] ManifestCause),
    /// In the manifest of a CustomResourceDefinition.
    Crd(#[from] CrdCause),
    /// In one document.
    Document(#[from] DocumentCause),
    /// In several documents that are compared.
    Model(#[from] ModelCause),
    /// In a rule file.
    Rule(#[from] RuleCause),
    /// In the plan of the Rust items.
    Plan(#[from] PlanCause),
    /// In the plan of conversions.
    Conversion(#[from] ConversionCause),
}

impl Cause {
    /// The identifier of the cause, such as `name-clash`. It never changes its meaning.
    pub fn id(&self) -> &'static str {
        self.facts().0
    }

    /// How to solve the problem.
    pub fn hint(&self) -> &'static str {
        self.facts().1
    }

    /// The identifier and the advice.
    fn facts(&self) -> (&'static str, &'static str) {
        match self {
            Self::File(cause) => (cause.into(), cause.hint()),
            Self::Manifest(cause) => (cause.into(), cause.hint()),
            Self::Crd(cause) => (cause.into(), cause.hint()),
            Self::Document(cause) => (cause.into(), cause.hint()),
            Self::Model(cause) => (cause.into(), cause.hint()),
            Self::Rule(cause) => (cause.into(), cause.hint()),
            Self::Plan(cause) => (cause.into(), cause.hint()),
            Self::Conversion(cause) => (cause.into(), cause.hint()),
        }
    }

    /// The values that are understood in this place.
    pub fn understood(&self) -> Option<String> {
        match self {
            Self::Document(cause) => cause.understood(),
            Self::Model(cause) => cause.understood(),
            Self::Rule(cause) => cause.understood().map(str::to_owned),
            Self::Plan(cause) => cause.understood(),
            Self::File(_) | Self::Manifest(_) | Self::Crd(_) | Self::Conversion(_) => None,
        }
    }
}

/// What `k8s-versioned explain` says about a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The identifier of the cause.
    pub id: &'static str,
    /// The input in which it is found.
    pub stage: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// How to solve the problem.
    pub hint: &'static str,
}

impl Explanation {
    /// The explanations of all causes.
    pub fn all() -> Vec<Self> {
        [
            Self::of("the conversions (`conversions.toml`)", ConversionCause::hint),
            Self::of("CustomResourceDefinitions", CrdCause::hint),
            Self::of("an OpenAPI document", DocumentCause::hint),
            Self::of("the text of a file", FileCause::hint),
            Self::of("the list of documents (`manifest.toml`)", ManifestCause::hint),
            Self::of("the documents of several releases", ModelCause::hint),
            Self::of("the Rust items", PlanCause::hint),
            Self::of("the rule files", RuleCause::hint),
        ]
        .concat()
    }

    /// The explanations of the causes of one stage.
    fn of<C>(stage: &'static str, hint: fn(&C) -> &'static str) -> Vec<Self>
    where
        C: EnumMessage + IntoEnumIterator,
        for<'a> &'static str: From<&'a C>,
    {
        let explanation = |cause: C| {
            let meaning = cause.get_documentation().unwrap_or_default();
            Self { id: (&cause).into(), stage, meaning, hint: hint(&cause) }
        };
        C::iter().map(explanation).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Explanation;

    #[test]
    fn every_cause_has_its_own_identifier_and_an_explanation() {
        let all = Explanation::all();
        let ids: BTreeSet<&str> = all.iter().map(|it| it.id).collect();
        assert_eq!(ids.len(), all.len());
        for Explanation { id, meaning, hint, .. } in all {
            assert!(meaning.ends_with('.') && !hint.is_empty(), "{id}: {meaning:?}, {hint:?}");
            // Users of the command have no generator to change.
            assert!(!hint.contains("codegen") && !hint.contains("crates/"), "{id}: {hint}");
        }
    }
}
