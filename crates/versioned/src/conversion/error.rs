//! Conversions that were not to lose anything.

use thiserror::Error;

use super::ConversionReport;

/// The reasons why an object was not converted, each with its field and the values that would be lost.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not converted:\n{reasons}")]
pub struct ConversionError {
    reasons: ConversionReport,
}

impl ConversionError {
    pub(in crate::conversion) fn new(reasons: ConversionReport) -> Self {
        Self { reasons }
    }

    /// The reasons.
    pub fn reasons(&self) -> &ConversionReport {
        &self.reasons
    }
}
