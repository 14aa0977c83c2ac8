//! The causes of problems, by the stage that finds them. A cause displays as its message. Users also read its texts: the
//! meaning, and the hint.

mod conversion;
mod crd;
mod document;
mod file;
mod found_type;
mod manifest;
mod model;
mod plan;
mod rule_fault;
mod rules;
mod table;

use k8s_versioned_source::ReadCause as SourceCause;
use thiserror::Error;

pub(crate) use conversion::{
    AdoptFault, ConversionCause, NamedRule, Remedy, RequiredFault, StatedBy,
};
pub(crate) use crd::CrdCause;
pub(crate) use document::DocumentCause;
pub(crate) use file::FileCause;
pub(crate) use found_type::{FoundType, found_types};
pub(crate) use manifest::ManifestCause;
pub(crate) use model::ModelCause;
pub(crate) use plan::{PlanCause, VerbFault};
pub(crate) use rule_fault::{KeyOwner, RuleFault, WordsInstead};
pub(crate) use rules::{NoEffect, RuleCause, Undescribed};
use table::Texts;

/// The cause of a problem, which displays as the thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
pub(crate) enum Cause {
    /// Found in a text of JSON or YAML.
    Source(#[from] SourceCause),
    /// Found in the text of another file.
    File(#[from] FileCause),
    /// Found in the manifest, or in an import.
    Manifest(#[from] ManifestCause),
    /// Found in the manifest of a CustomResourceDefinition.
    Crd(#[from] CrdCause),
    /// Found in one document.
    Document(#[from] DocumentCause),
    /// Found in several documents that are compared.
    Model(#[from] ModelCause),
    /// Found in a rule file.
    Rule(#[from] RuleCause),
    /// Found in the plan of the Rust items.
    Plan(#[from] PlanCause),
    /// Found in the plan of conversions.
    Conversion(#[from] ConversionCause),
}

impl Cause {
    /// Returns `true` if the problem does not stop the generation.
    pub(crate) fn is_warning(&self) -> bool {
        match self {
            Self::Source(_) => false,
            Self::File(cause) => cause.is_warning(),
            Self::Manifest(cause) => cause.is_warning(),
            Self::Crd(cause) => cause.is_warning(),
            Self::Document(cause) => cause.is_warning(),
            Self::Model(cause) => cause.is_warning(),
            Self::Rule(cause) => cause.is_warning(),
            Self::Plan(cause) => cause.is_warning(),
            Self::Conversion(cause) => cause.is_warning(),
        }
    }

    /// Returns `true` if the hint itself says how to leave out the version.
    pub(crate) fn leaves_out(&self) -> bool {
        self.texts().leaves_out
    }

    /// The identifier of the cause, such as `name-clash`. It never changes its meaning.
    pub(crate) fn id(&self) -> &'static str {
        self.texts().id
    }

    /// How to solve the problem.
    pub(crate) fn hint(&self) -> &'static str {
        self.texts().hint
    }

    fn texts(&self) -> Texts {
        match self {
            Self::Source(cause) => {
                let (id, meaning, hint) = (cause.id(), cause.meaning(), cause.hint());
                Texts { id, meaning, hint, leaves_out: false }
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
    pub(crate) fn understood(&self) -> Option<String> {
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
    /// Whether the files are generated all the same.
    pub is_warning: bool,
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
            Self::of("JSON and YAML", SourceCause::ALL.iter().cloned()),
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
            let (Texts { id, meaning, hint, .. }, is_warning) = (cause.texts(), cause.is_warning());
            Self { id, stage, is_warning, meaning, hint }
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
        let ids: BTreeSet<&str> = all.iter().map(|cause| cause.id).collect();
        assert_eq!(ids.len(), all.len());
        for Explanation { id, meaning, hint, .. } in all {
            assert!(meaning.ends_with('.') && !hint.is_empty(), "{id}: {meaning:?}, {hint:?}");
            // Users of the command have no generator to change.
            assert!(!hint.contains("codegen") && !hint.contains("crates/"), "{id}: {hint}");
        }
    }
}
