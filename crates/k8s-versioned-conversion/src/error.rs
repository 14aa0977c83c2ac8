//! Refused conversions.

use thiserror::Error;

use super::ConversionReport;

/// A refused conversion. The reasons are findings, each with its field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not converted:\n{reasons}")]
pub struct ConversionError {
    reasons: ConversionReport,
}

impl ConversionError {
    pub(crate) fn new(reasons: ConversionReport) -> Self {
        Self { reasons }
    }

    /// The findings for which the conversion is refused.
    pub fn reasons(&self) -> &ConversionReport {
        &self.reasons
    }
}
