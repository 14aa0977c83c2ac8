//! The conversion traits.

use super::{ConversionError, Options, Report, Severity};

/// Whole objects, and lists of them, that can become objects of another version.
///
/// The conversion moves what both versions have. What the target cannot hold is kept in an annotation, and
/// put back on the way back.
///
/// Who needs the object again when its conversion is refused converts a reference to it.
pub trait Convert<T>: Sized {
    /// What can be chosen about absent fields.
    type Policies: Default;

    /// Converts, and adds to `report` what there is to tell. Always succeeds: a policy that refuses the
    /// object leaves an entry.
    fn convert_reporting(self, policies: &Self::Policies, report: &mut Report) -> T;

    /// Converts with the default policies.
    fn convert(self) -> (T, Report) {
        let mut report = Report::new();
        let converted = self.convert_reporting(&Self::Policies::default(), &mut report);
        (converted, report)
    }

    /// Converts with these options.
    ///
    /// # Errors
    /// The report has entries that the options do not accept.
    fn convert_with(
        self,
        options: &Options<Self::Policies>,
    ) -> Result<(T, Report), ConversionError> {
        let mut report = Report::new();
        let converted = self.convert_reporting(&options.policies, &mut report);
        Ok((converted, options.accept(report)?))
    }

    /// Converts with the default policies, if that loses nothing and servers of the target version require
    /// nothing that is missing.
    ///
    /// # Errors
    /// All that speaks against it.
    fn convert_strict(self) -> Result<(T, Report), ConversionError> {
        self.convert_with(&Options::default().strict())
    }
}

/// From a reference: what it refers to stays as it is.
impl<T, S: Convert<T> + Clone> Convert<T> for &S {
    type Policies = S::Policies;

    fn convert_reporting(self, policies: &Self::Policies, report: &mut Report) -> T {
        self.clone().convert_reporting(policies, report)
    }
}

/// Parts of objects, such as a spec, that can become parts of objects of another version.
///
/// A part has no annotation to keep anything in. Where nothing can be lost there is `From`; elsewhere there
/// are `TryFrom`, which refuses to lose anything, and this trait, which is explicit about it.
pub trait ConvertLossy<T>: Sized {
    /// Converts; the report says what was lost.
    fn convert_lossy(self) -> (T, Report);
}

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
