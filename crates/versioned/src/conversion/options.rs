//! What a caller can choose.

use super::{ConversionError, Report, Severity};

/// What a caller can choose. The default is a conversion that always succeeds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options<P> {
    /// What to do about absent fields; each kind has its own.
    pub policies: P,
    /// Whether any loss, and anything that servers of the target version would reject, is an error.
    pub strict: bool,
}

impl<P> Options<P> {
    /// These policies, and no more strictness than they ask for.
    pub fn new(policies: P) -> Self {
        let strict = false;
        Self { policies, strict }
    }

    /// The same policies, strict.
    #[must_use]
    pub fn strict(self) -> Self {
        let strict = true;
        Self { strict, ..self }
    }

    /// The report, or those of its entries that these options do not accept.
    ///
    /// # Errors
    /// There are such entries.
    pub fn accept(&self, report: Report) -> Result<Report, ConversionError> {
        let limit = if self.strict {
            Severity::Invalid
        } else {
            Severity::Refused
        };
        if report.severity() >= Some(limit) {
            Err(ConversionError::new(report.at_least(limit)))
        } else {
            Ok(report)
        }
    }
}

/// What to do when the source has no value for a field that servers of the target version require. An empty
/// value counts as none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Absent<T> {
    /// Leave it empty, which the report notes.
    #[default]
    KeepEmpty,
    /// Refuse the object.
    Refuse,
    /// Use this value; the way back takes it out again unless somebody edits it.
    Use(T),
    /// Use the value of another field of the object, likewise; the docs of the policy name the field. If
    /// that has none either, the field stays empty.
    UseOther,
}
