//! The conversion traits.

use super::{ConversionError, ConversionReport, Options};

/// Whole objects, and lists of them, that become objects of another version. **Nothing is lost, or the report says
/// so.**
///
/// The conversion moves what both versions have. What the target cannot hold is kept in an annotation, along any
/// number of conversions, and comes back in a version that can hold it.
///
/// An object converts into its own version, too: it stays as it is, and the report says what servers require and it lacks.
/// Convert a reference to keep the object if its conversion is refused.
pub trait ConvertObject<T>: Sized {
    /// The choices about absent fields.
    type Policies: Default;

    /// Converts, and adds to `report` what there is to tell. Always succeeds: what the options do not accept is in
    /// the report, for [`Options::accept`].
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
    /// The report has entries that the options do not accept.
    fn convert_with(
        self,
        options: &Options<Self::Policies>,
    ) -> Result<(T, ConversionReport), ConversionError> {
        let mut report = ConversionReport::new();
        let converted = self.convert_reporting(options, &mut report);
        Ok((converted, options.accept(report)?))
    }

    /// Converts with the default options, if that loses nothing and servers of the target version require
    /// nothing that is missing.
    ///
    /// # Errors
    /// All that speaks against it.
    fn convert_strict(self) -> Result<(T, ConversionReport), ConversionError> {
        self.convert_with(&Options::default().strict())
    }
}

/// From a reference: what it refers to stays as it is.
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

/// Parts of objects, such as a spec, that become parts of objects of another version. **What the target cannot hold is
/// lost:** a part has no annotation to keep it in.
///
/// `TryFrom` is the other way: it refuses to lose anything. Only parts that are declared to be the same in both
/// versions have [`From`], see [`LosslessFrom`].
pub trait ConvertPart<T>: Sized {
    /// Converts; the report says what was lost.
    fn convert_lossy(self) -> (T, ConversionReport);
}

/// Types of two versions that the rules declare to be the same: each value of one is a value of the other. They, and
/// only they, have [`From`].
#[diagnostic::on_unimplemented(
    message = "a `{S}` can lose something on the way to a `{Self}`",
    label = "only conversions that never lose anything have `into`",
    note = "a whole object: `object.convert()` keeps what the other version cannot hold (`ConvertObject`)",
    note = "a part of an object: `part.try_into()` refuses to lose anything, `part.convert_lossy()` says what it lost (`ConvertPart`)"
)]
pub trait LosslessFrom<S> {
    /// Converts.
    fn lossless_from(source: S) -> Self;
}
