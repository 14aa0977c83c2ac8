//! The conversion traits.

use thiserror::Error;

use super::{ConversionReport, Severity};
use crate::syntax::AnnotationKey;
use crate::{List, ParseError, Resource};

/// Converts whole objects, and lists of them, into another version. **The report names every value that is lost.**
///
/// The conversion moves the fields that both versions have. An annotation keeps the values that the target cannot hold,
/// through any number of conversions, until a version can hold them.
///
/// An object also converts into its own version: it does not change, and the report names required fields that are
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

    /// Converts with the default options. A variable of the target's type says which version; [`ConvertTo`] names it at the call.
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

/// Converts like [`ConvertObject`], with the target at the call, where no variable states it.
///
/// ```ignore
/// let (new, report) = object.convert_to::<v1::Widget>();
/// ```
pub trait ConvertTo: Sized {
    /// Converts into this version with the default options, as [`ConvertObject::convert`] does.
    fn convert_to<T>(self) -> (T, ConversionReport)
    where
        Self: ConvertObject<T>,
    {
        self.convert()
    }
}

impl<S> ConvertTo for S {}

/// Converts a part of an object, such as a spec, into another version. **Values that the target cannot hold are lost:**
/// a part has no annotation that could keep them.
///
/// `TryFrom` refuses to lose anything. Only parts that are declared to be the same in both versions have [`From`].
pub trait ConvertPart<T>: Sized {
    /// Converts; the report has the values that are lost.
    fn convert_lossy(self) -> (T, ConversionReport);
}

/// Converts a part, for implementations of `TryFrom`.
///
/// # Errors
/// The conversion loses a value, or servers of the target version would reject the result.
pub fn lossless<T>(part: impl ConvertPart<T>) -> Result<T, ConversionError> {
    let (converted, report) = part.convert_lossy();
    let lost = report.at_least(Severity::Warning);
    if lost.is_empty() { Ok(converted) } else { Err(ConversionError::new(lost)) }
}

/// Types of two versions that the rules declare to be the same: each value of either is a value of the other. Only they
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

// Refused conversions.

/// A refused conversion, with the findings that are the reasons.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not converted:\n{reasons}")]
pub struct ConversionError {
    reasons: ConversionReport,
}

impl ConversionError {
    pub(crate) fn new(reasons: ConversionReport) -> Self {
        Self { reasons }
    }

    /// The findings that are the reasons of the refusal.
    pub fn reasons(&self) -> &ConversionReport {
        &self.reasons
    }
}

// Options.

/// Options of a conversion. With the defaults, converting a typed object always succeeds.
///
/// ```
/// use k8s_versioned::conversion::Options;
///
/// let options = Options::new(())
///     .with_annotation_key("conversion.example.com/lease-candidate")?
///     .strict();
/// assert!(options.strict);
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options<P> {
    /// The policies about absent fields. Each kind has its type of policies.
    pub policies: P,
    /// Refuses any loss, and a result that servers of the target version would reject.
    pub strict: bool,
    annotation_key: Option<AnnotationKey>,
}

impl<P> Options<P> {
    /// Options with these policies and the default key.
    pub fn new(policies: P) -> Self {
        Self { policies, annotation_key: None, strict: false }
    }

    /// Sets the key of the annotation that keeps the values that a version cannot hold: a domain, `/`, and a name. Each
    /// kind has a default key.
    ///
    /// All programs that convert the same objects need the same key: a conversion neither reads nor removes an
    /// annotation with another key.
    ///
    /// # Errors
    /// The text is not such a key, or the domain belongs to Kubernetes.
    pub fn with_annotation_key(self, key: &str) -> Result<Self, ParseError> {
        let annotation_key = Some(key.parse()?);
        Ok(Self { annotation_key, ..self })
    }

    /// Sets `strict`: the conversion refuses any loss.
    #[must_use]
    pub fn strict(self) -> Self {
        let strict = true;
        Self { strict, ..self }
    }

    /// The key of the annotation.
    pub(super) fn annotation_key<'a>(&'a self, default: &'a str) -> &'a str {
        self.annotation_key.as_ref().map_or(default, AnnotationKey::as_str)
    }

    /// Checks a report.
    ///
    /// # Errors
    /// The options do not accept some findings; the error has these.
    pub fn accept(&self, report: ConversionReport) -> Result<ConversionReport, ConversionError> {
        let limit = if self.strict { Severity::Warning } else { Severity::Error };
        let refused = report.at_least(limit);
        if refused.is_empty() { Ok(report) } else { Err(ConversionError::new(refused)) }
    }
}

/// The policy for a field that servers of the target version require and that the source lacks. An empty
/// value counts as absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Absent<T> {
    /// Leave the field empty, and report that.
    #[default]
    KeepEmpty,
    /// Refuse the object.
    Refuse,
    /// Use this value. The conversion back removes it, unless the field was edited.
    Use(T),
    /// Use the value of another field of the object, which the docs of the policy name. The conversion back removes it,
    /// unless the field was edited. If that value is also absent, the field stays empty.
    UseOther,
}
