//! Whole parts and lists.

use crate::conversion::{ConversionError, Convert, ConvertLossy, Report, Severity};

/// The converted part, if nothing was lost and nothing that servers require is missing: for implementations
/// of `TryFrom`.
///
/// # Errors
/// All that speaks against it.
pub fn lossless<T>(part: impl ConvertLossy<T>) -> Result<T, ConversionError> {
    let (converted, report) = part.convert_lossy();
    if report.severity() >= Some(Severity::Invalid) {
        Err(ConversionError::new(report.at_least(Severity::Invalid)))
    } else {
        Ok(converted)
    }
}

/// Converts the items of a list in their order.
pub fn items<T, S: Convert<T>>(
    items: Vec<S>,
    policies: &S::Policies,
    report: &mut Report,
) -> Vec<T> {
    let convert = |(index, item): (usize, S)| {
        report.of_item(index, |report| item.convert_reporting(policies, report))
    };
    items.into_iter().enumerate().map(convert).collect()
}
