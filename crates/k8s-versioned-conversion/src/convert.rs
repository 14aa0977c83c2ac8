//! The conversion traits.

use super::{ConversionError, ConversionReport, Options};

/// Converts whole objects, and lists of them, into another version. **The report names every value that is lost.**
///
/// The conversion moves the fields that both versions have. An annotation keeps the values that the target cannot hold,
/// through any number of conversions, until a version can hold them.
///
/// An object converts into its own version, too: it stays as it is, and the report names required fields that are
/// empty. Convert a reference to keep the object if its conversion is refused.
pub trait ConvertObject<T>: Sized {
    /// The choices about absent fields.
    type Policies: Default;

    /// Converts, and adds the findings to `report`. It always succeeds: [`Options::accept`] checks the report.
    fn convert_reporting(
        self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> T;

    /// Converts with the default options.
    fn convert(self) -> (T, ConversionReport) {
        let mut report = ConversionReport::new();
        let converted = self.convert_reporting(&Options::default(), &mut report);
        (converted, report)
    }

    /// Converts with these options.
    ///
    /// # Errors
    /// The report has findings that the options do not accept.
    fn convert_with(
        self,
        options: &Options<Self::Policies>,
    ) -> Result<(T, ConversionReport), ConversionError> {
        let mut report = ConversionReport::new();
        let converted = self.convert_reporting(options, &mut report);
        Ok((converted, options.accept(report)?))
    }

    /// Converts with the default options.
    ///
    /// # Errors
    /// The conversion loses a value, or servers of the target version would reject the result.
    fn convert_strict(self) -> Result<(T, ConversionReport), ConversionError> {
        self.convert_with(&Options::default().strict())
    }
}

/// Converts a clone.
impl<T, S: ConvertObject<T> + Clone> ConvertObject<T> for &S {
    type Policies = S::Policies;

    fn convert_reporting(
        self,
        options: &Options<Self::Policies>,
        report: &mut ConversionReport,
    ) -> T {
        self.clone().convert_reporting(options, report)
    }
}

/// Converts a part of an object, such as a spec, into another version. **Values that the target cannot hold are lost:**
/// a part has no annotation that could keep them.
///
/// `TryFrom` refuses to lose anything. Only parts that are declared to be the same in both versions have [`From`].
pub trait ConvertPart<T>: Sized {
    /// Converts; the report has the values that are lost.
    fn convert_lossy(self) -> (T, ConversionReport);
}

/// Types of two versions that the rules declare to be the same: each value of one is a value of the other. Only they
/// have [`From`].
#[diagnostic::on_unimplemented(
    message = "the conversion of a `{S}` into a `{Self}` can lose values",
    label = "only conversions that never lose a value have `into`",
    note = "a whole object: `object.convert()` keeps the values that the other version cannot hold (`ConvertObject`)",
    note = "a part of an object: `part.try_into()` refuses to lose a value, `part.convert_lossy()` reports the lost values (`ConvertPart`)"
)]
pub trait LosslessFrom<S> {
    /// Converts.
    fn lossless_from(source: S) -> Self;
}
