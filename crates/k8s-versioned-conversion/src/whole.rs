//! Whole parts of objects, and lists of objects.

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

/// Converts the objects of a list in their order.
pub(crate) fn objects<T, S: ConvertObject<T>>(
    objects: Vec<S>,
    options: &Options<S::Policies>,
    report: &mut ConversionReport,
) -> Vec<T> {
    let convert = |(index, object): (usize, S)| {
        report.of_item(index, |report| object.convert_reporting(options, report))
    };
    objects.into_iter().enumerate().map(convert).collect()
}
