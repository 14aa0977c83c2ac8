//! The causes of problems, by the stage that finds them. Each has its message, which says what was found, and its
//! hint in one place.

mod conversion;
mod document;
mod file;
mod manifest;
mod model;
mod plan;
mod rules;

use strum::EnumProperty;
use thiserror::Error;

pub use conversion::{ConversionCause, Remedy};
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
    /// In one document.
    Document(#[from] DocumentCause),
    /// In documents that are held against each other.
    Model(#[from] ModelCause),
    /// In a rule file.
    Rule(#[from] RuleCause),
    /// On the way from the model to Rust.
    Plan(#[from] PlanCause),
    /// In the plan of conversions.
    Conversion(#[from] ConversionCause),
}

impl Cause {
    /// The words that would have been understood in this place.
    pub fn understood(&self) -> Option<String> {
        let understood = match self {
            Self::Document(cause) => cause.understood(),
            Self::Model(cause) => cause.understood(),
            Self::Plan(cause) => cause.understood(),
            _ => None,
        };
        understood.or_else(|| self.properties().get_str("understood").map(str::to_owned))
    }

    /// The advice.
    pub fn hint(&self) -> &'static str {
        self.properties().get_str("hint").unwrap_or_default()
    }

    fn properties(&self) -> &dyn EnumProperty {
        use ConversionCause::{FieldTypesDiffer, NoCounterpart};
        match self {
            Self::File(cause) => cause,
            Self::Manifest(cause) => cause,
            Self::Document(cause) => cause,
            Self::Model(cause) => cause,
            Self::Rule(cause) => cause,
            Self::Plan(cause) => cause,
            Self::Conversion(NoCounterpart { remedy, .. } | FieldTypesDiffer { remedy, .. }) => {
                remedy
            }
            Self::Conversion(cause) => cause,
        }
    }
}
