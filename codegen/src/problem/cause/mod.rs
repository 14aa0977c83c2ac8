//! The causes of problems, by the stage that finds them. A cause displays as its message. Its docs are what users read: the
//! meaning, and the hint.

mod conversion;
mod crd;
mod document;
mod file;
mod manifest;
mod model;
mod plan;
mod rules;

use k8s_versioned_source::Cause as SourceCause;
use strum::{EnumMessage, EnumProperty, IntoEnumIterator};
use thiserror::Error;

use super::step_name::StepName;

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

/// What a problem does to a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The problem stops the generation.
    Error,
    /// The files are generated, and the problem is reported beside them.
    Warning,
}

impl Severity {
    /// The word that messages begin with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl Cause {
    /// Whether the problem stops the generation. The attribute of a variant states it; without one, it is an error.
    pub fn severity(&self) -> Severity {
        let property: &dyn EnumProperty = match self {
            Self::Conversion(cause) => cause,
            Self::Crd(cause) => cause,
            Self::Plan(cause) => cause,
            _ => return Severity::Error,
        };
        match property.get_str("severity") {
            Some("warning") => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The identifier of the cause, such as `name-clash`. It never changes its meaning.
    pub fn id(&self) -> &'static str {
        self.texts().0
    }

    /// How to solve the problem.
    pub fn hint(&self) -> String {
        let (_, hint) = match self {
            Self::Conversion(
                ConversionCause::NoCounterpart { remedy, .. }
                | ConversionCause::FieldTypesDiffer { remedy, .. },
            ) => paragraphs(remedy),
            Self::Conversion(ConversionCause::RuleDoesNotFit { rule, .. }) => {
                let step = rule.parse::<StepName>();
                step.map_or_else(|_| self.paragraphs(), |it| paragraphs(&it))
            }
            _ => self.paragraphs(),
        };
        hint.replace('\n', " ")
    }

    fn paragraphs(&self) -> (&'static str, &'static str) {
        let (_, meaning, hint) = self.texts();
        (meaning, hint)
    }

    /// The identifier, the meaning and the hint.
    fn texts(&self) -> (&'static str, &'static str, &'static str) {
        let described: &dyn EnumMessage = match self {
            Self::Source(cause) => return (cause.id(), cause.meaning(), cause.hint()),
            Self::File(cause) => cause,
            Self::Manifest(cause) => cause,
            Self::Crd(cause) => cause,
            Self::Document(cause) => cause,
            Self::Model(cause) => cause,
            Self::Rule(cause) => cause,
            Self::Plan(cause) => cause,
            Self::Conversion(cause) => cause,
        };
        let id = described.get_serializations().first().copied().unwrap_or_default();
        let (meaning, hint) = paragraphs(described);
        (id, meaning, hint)
    }

    /// The values that are understood in this place.
    pub fn understood(&self) -> Option<String> {
        match self {
            Self::Document(cause) => cause.understood(),
            Self::Model(cause) => cause.understood(),
            Self::Rule(cause) => cause.understood().map(str::to_owned),
            Self::Plan(cause) => cause.understood(),
            Self::Source(_)
            | Self::File(_)
            | Self::Manifest(_)
            | Self::Crd(_)
            | Self::Conversion(_) => None,
        }
    }
}

/// The docs of a cause: the meaning, and the hint.
pub(crate) fn paragraphs(described: &dyn EnumMessage) -> (&'static str, &'static str) {
    let docs = described.get_documentation().unwrap_or_default().trim_end();
    docs.split_once("\n\nHint: ").unwrap_or((docs, ""))
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
    pub hint: String,
}

impl Explanation {
    /// The explanations of all causes.
    pub fn all() -> Vec<Self> {
        [
            Self::of("the conversions (`conversions.toml`)", ConversionCause::iter()),
            Self::of("CustomResourceDefinitions", CrdCause::iter()),
            Self::of("an OpenAPI document", DocumentCause::iter()),
            Self::of("the text of a file", FileCause::iter()),
            Self::of("JSON and YAML", SourceCause::ALL),
            Self::of("the list of documents (`manifest.toml`)", ManifestCause::iter()),
            Self::of("the documents of several releases", ModelCause::iter()),
            Self::of("the Rust items", PlanCause::iter()),
            Self::of("the rule files", RuleCause::iter()),
        ]
        .concat()
    }

    /// The explanations of the causes of one stage.
    fn of<C: Into<Cause>>(stage: &'static str, causes: impl IntoIterator<Item = C>) -> Vec<Self> {
        let explanation = |cause: Cause| {
            let ((id, meaning, _), severity) = (cause.texts(), cause.severity());
            Self { id, stage, severity, meaning, hint: cause.hint() }
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
