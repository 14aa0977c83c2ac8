//! Whole parts and lists.

use crate::{ConversionError, ConversionReport, ConvertObject, ConvertPart, Options, Severity};

/// Converts a part, for implementations of `TryFrom`.
///
/// # Errors
/// The conversion loses a value, or servers of the target version would reject the result.
pub fn lossless<T>(part: impl ConvertPart<T>) -> Result<T, ConversionError> {
    let (converted, report) = part.convert_lossy();
    if report.severity() >= Some(Severity::Invalid) {
        Err(ConversionError::new(report.at_least(Severity::Invalid)))
    } else {
        Ok(converted)
    }
}

/// Converts the items of a list in their order.
pub fn items<T, S: ConvertObject<T>>(
    items: Vec<S>,
    options: &Options<S::Policies>,
    report: &mut ConversionReport,
) -> Vec<T> {
    let convert = |(index, item): (usize, S)| {
        report.of_item(index, |report| item.convert_reporting(options, report))
    };
    items.into_iter().enumerate().map(convert).collect()
}
