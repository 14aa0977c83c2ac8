//! The causes of problems, by the stage that finds them. A cause displays as its message, and has a hint.

mod conversion;
mod crd;
mod document;
mod file;
mod manifest;
mod model;
mod plan;
mod rules;

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

    /// The advice.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File(cause) => cause.hint(),
            Self::Manifest(cause) => cause.hint(),
            Self::Crd(cause) => cause.hint(),
            Self::Document(cause) => cause.hint(),
            Self::Model(cause) => cause.hint(),
            Self::Rule(cause) => cause.hint(),
            Self::Plan(cause) => cause.hint(),
            Self::Conversion(cause) => cause.hint(),
        }
    }
}
