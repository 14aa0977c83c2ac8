//! Options.

use super::{ConversionError, ConversionReport, Severity};
use k8s_versioned::ParseError;
use k8s_versioned::names::AnnotationKey;

/// Options of a conversion. With the defaults the conversion of a typed object always succeeds.
///
/// ```
/// use k8s_versioned_conversion::Options;
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
        let limit = if self.strict { Severity::Invalid } else { Severity::Refused };
        if report.severity() >= Some(limit) {
            Err(ConversionError::new(report.at_least(limit)))
        } else {
            Ok(report)
        }
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
    /// unless the field was edited. Without that value, too, the field stays empty.
    UseOther,
}
