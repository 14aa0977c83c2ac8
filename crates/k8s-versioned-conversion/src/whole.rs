//! Whole parts of objects, and lists of objects.

use k8s_versioned::{List, Resource};

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

/// Converts each item of the list of one version into another.
impl<A: Resource + ConvertObject<B>, B: Resource> ConvertObject<List<B>> for List<A> {
    type Policies = A::Policies;

    fn convert_reporting(
        self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> List<B> {
        let convert = |(index, item): (usize, A)| {
            report.of_item(index, |report| item.convert_reporting(options, report))
        };
        let items: Vec<B> = self.items.into_iter().enumerate().map(convert).collect();
        List::new(items).with_metadata(self.metadata)
    }
}
