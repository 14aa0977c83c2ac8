//! The causes of problems, by the stage that finds them. A cause displays as its message. Users also read its texts: the
//! meaning, and the hint.

mod conversion;
mod crd;
mod document;
mod file;
mod manifest;
mod model;
mod plan;
mod rules;
mod severity;
mod table;

use k8s_versioned_source::ReadCause as SourceCause;
use thiserror::Error;

pub use conversion::{ConversionCause, NamedRule, Remedy};
pub use crd::CrdCause;
pub use document::DocumentCause;
pub use file::FileCause;
pub use manifest::ManifestCause;
pub use model::ModelCause;
pub use plan::PlanCause;
pub use rules::RuleCause;
pub use severity::Severity;
use table::Texts;

/// The cause of a problem, which displays as the thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum Cause {
    /// In a text of JSON or YAML.
    Source(#[from] SourceCause),
    /// In the text of another file.
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
    /// Whether the problem stops the generation.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Source(_) => Severity::Error,
            Self::File(cause) => cause.severity(),
            Self::Manifest(cause) => cause.severity(),
            Self::Crd(cause) => cause.severity(),
            Self::Document(cause) => cause.severity(),
            Self::Model(cause) => cause.severity(),
            Self::Rule(cause) => cause.severity(),
            Self::Plan(cause) => cause.severity(),
            Self::Conversion(cause) => cause.severity(),
        }
    }

    /// The identifier of the cause, such as `name-clash`. It never changes its meaning.
    pub fn id(&self) -> &'static str {
        self.texts().id
    }

    /// How to solve the problem.
    pub fn hint(&self) -> &'static str {
        self.texts().hint
    }

    fn texts(&self) -> Texts {
        match self {
            Self::Source(cause) => {
                Texts { id: cause.id(), meaning: cause.meaning(), hint: cause.hint() }
            }
            Self::File(cause) => cause.texts(),
            Self::Manifest(cause) => cause.texts(),
            Self::Crd(cause) => cause.texts(),
            Self::Document(cause) => cause.texts(),
            Self::Model(cause) => cause.texts(),
            Self::Rule(cause) => cause.texts(),
            Self::Plan(cause) => cause.texts(),
            Self::Conversion(cause) => cause.texts(),
        }
    }

    /// The values that are understood in this place.
    pub fn understood(&self) -> Option<String> {
        match self {
            Self::Document(cause) => cause.understood(),
            Self::Model(cause) => cause.understood(),
            Self::Rule(cause) => cause.understood(),
            Self::Plan(cause) => cause.understood(),
            Self::Source(_)
            | Self::File(_)
            | Self::Manifest(_)
            | Self::Crd(_)
            | Self::Conversion(_) => None,
        }
    }
}

/// What `k8s-versioned explain` says about a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The identifier of the cause.
    pub id: &'static str,
    /// The input in which it is found.
    pub stage: &'static str,
    /// Whether it stops the generation.
    pub severity: Severity,
    /// What it means.
    pub meaning: &'static str,
    /// How to solve the problem.
    pub hint: &'static str,
}

impl Explanation {
    /// The explanations of all causes.
    pub fn all() -> Vec<Self> {
        [
            Self::of("the conversions (`conversions.toml`)", ConversionCause::all()),
            Self::of("CustomResourceDefinitions", CrdCause::all()),
            Self::of("an OpenAPI document", DocumentCause::all()),
            Self::of("the text of a file", FileCause::all()),
            Self::of("JSON and YAML", SourceCause::ALL),
            Self::of("the list of documents (`manifest.toml`)", ManifestCause::all()),
            Self::of("the documents of several releases", ModelCause::all()),
            Self::of("the Rust items", PlanCause::all()),
            Self::of("the rule files", RuleCause::all()),
        ]
        .concat()
    }

    /// The explanations of the causes of one stage.
    fn of<C: Into<Cause>>(stage: &'static str, causes: impl IntoIterator<Item = C>) -> Vec<Self> {
        let explanation = |cause: Cause| {
            let (Texts { id, meaning, hint }, severity) = (cause.texts(), cause.severity());
            Self { id, stage, severity, meaning, hint }
        };
        causes.into_iter().map(Into::into).map(explanation).collect()
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
