//! Releases of Kubernetes and of other products.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, text};

/// A minor release of Kubernetes, such as `v1.36`, or an edition of another product: a version such as `1.15.0`, or a
/// date such as `2026-01-31`.
///
/// Its text is `v1.36`, and with the alternate flag (`{:#}`) `1.36`; the texts of versions and dates have no `v`. The
/// order is by number: `v1.9` is less than `v1.10`.
///
/// ```
/// use k8s_versioned_core::Release;
///
/// let release: Release = "v1.36".parse()?;
/// assert_eq!(release, Release::new(1, 36));
/// assert_eq!(release.next().to_string(), "v1.37");
/// assert_eq!(format!("since {release:#}"), "since 1.36");
///
/// let edition: Release = "1.15.0".parse()?;
/// assert_eq!(edition, Release::version(1, 15, 0));
/// assert!(edition < "1.15.1".parse()?);
/// # Ok::<(), k8s_versioned_core::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    numbers: [u16; 3],
    form: ReleaseForm,
}

/// The form of the text of a [`Release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReleaseForm {
    /// `v1.36`: a minor release, whose number says which one follows.
    Minor,
    /// `1.15.0`: a version of a product.
    Version,
    /// `2026-01-31`: a date.
    Date,
}

impl Release {
    /// The release `v<major>.<minor>`.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { numbers: [major, minor, 0], form: ReleaseForm::Minor }
    }

    /// The edition `<major>.<minor>.<patch>` of a product.
    pub const fn version(major: u16, minor: u16, patch: u16) -> Self {
        Self { numbers: [major, minor, patch], form: ReleaseForm::Version }
    }

    /// The edition of a date.
    pub const fn date(year: u16, month: u16, day: u16) -> Self {
        Self { numbers: [year, month, day], form: ReleaseForm::Date }
    }

    /// The numbers of the text; the last of a minor release is 0.
    pub const fn numbers(self) -> [u16; 3] {
        self.numbers
    }

    /// The form of the text.
    pub const fn form(self) -> ReleaseForm {
        self.form
    }

    /// The next minor release. The largest number is followed by itself.
    ///
    /// Nobody knows which version or date follows another: the result is the next number.
    #[must_use]
    pub const fn next(self) -> Self {
        let [first, second, third] = self.numbers;
        let numbers = match self.form {
            ReleaseForm::Minor => [first, second.saturating_add(1), third],
            ReleaseForm::Version | ReleaseForm::Date => [first, second, third.saturating_add(1)],
        };
        Self { numbers, ..self }
    }

    fn parse(text: &str) -> Option<Self> {
        if let Some(minor) = text.strip_prefix('v') {
            let (major, minor) = minor.split_once('.')?;
            return Some(Self::new(text::number(major)?, text::number(minor)?));
        }
        let numbers = |separator, read: fn(&str) -> Option<u16>| {
            let mut parts = text.split(separator).map(read);
            let numbers = [parts.next()??, parts.next()??, parts.next()??];
            parts.next().is_none().then_some(numbers)
        };
        if let Some(numbers) = numbers('.', text::number) {
            return Some(Self { numbers, form: ReleaseForm::Version });
        }
        let [year, month, day] = numbers('-', |part| part.parse().ok())?;
        let date = Self::date(year, month, day);
        // Exactly the text that it is written as: with all digits, and no sign.
        let exists = (1..=12).contains(&month) && (1..=31).contains(&day);
        (exists && date.to_string() == text).then_some(date)
    }

    /// The probable meaning of `1.36`, `V1.36` or `v1.36.2`.
    fn guess(text: &str) -> Option<String> {
        let text = text.trim();
        let mut numbers = text.trim_start_matches(['v', 'V']).split('.').map(text::number);
        let (major, minor) = (numbers.next()??, numbers.next()??);
        let (release, patch) = (Self::new(major, minor), numbers.next());
        if patch.is_none() && text.starts_with(['v', 'V']) {
            return Some(format!("write `{release}`"));
        }
        let version = Self::version(major, minor, patch.unwrap_or(Some(0))?);
        Some(format!(
            "write `{release}` for a release of Kubernetes, `{version}` for another product"
        ))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = self.numbers;
        match self.form {
            ReleaseForm::Minor if f.alternate() => write!(f, "{first}.{second}"),
            ReleaseForm::Minor => write!(f, "v{first}.{second}"),
            ReleaseForm::Version => write!(f, "{first}.{second}.{third}"),
            ReleaseForm::Date => write!(f, "{first:04}-{second:02}-{third:02}"),
        }
    }
}

impl FromStr for Release {
    type Err = ParseError;

    /// Reads exactly `v<major>.<minor>`, `<major>.<minor>.<patch>` without leading zeros, or `<year>-<month>-<day>`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text).ok_or_else(|| {
            let expected = "expected `v<major>.<minor>`, such as `v1.36`, a version such as `1.15.0`, or a date such \
                            as `2026-01-31`";
            let hint = Self::guess(text).unwrap_or_else(|| expected.to_owned());
            ParseError::new(text, "a release", hint)
        })
    }
}

crate::text_serde!(Release, "a release such as `v1.36`");

// The releases that serve an API version.

/// The releases that serve a version of an API: from the first, through deprecation, to removal.
///
/// ```
/// use k8s_versioned_core::{Lifecycle, Release};
///
/// const BETA: Lifecycle = Lifecycle::introduced(Release::new(1, 33))
///     .deprecated(Release::new(1, 36))
///     .removed(Release::new(1, 39));
///
/// assert!(!BETA.is_served_in(Release::new(1, 32)));
/// assert!(BETA.is_served_in(Release::new(1, 36)));
/// assert!(BETA.is_deprecated_in(Release::new(1, 36)));
/// assert!(!BETA.is_served_in(Release::new(1, 39)));
/// assert_eq!(
///     BETA.to_string(),
///     "introduced in 1.33, deprecated since 1.36, removed in 1.39"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lifecycle {
    introduced: Release,
    deprecated: Option<Release>,
    removed: Option<Release>,
}

impl Lifecycle {
    /// A version that `release` is the first to serve.
    pub const fn introduced(release: Release) -> Self {
        Self { introduced: release, deprecated: None, removed: None }
    }

    /// Sets the first release that warns about its use.
    #[must_use]
    pub const fn deprecated(self, release: Release) -> Self {
        Self { deprecated: Some(release), ..self }
    }

    /// Sets the first release that does not serve it.
    #[must_use]
    pub const fn removed(self, release: Release) -> Self {
        Self { removed: Some(release), ..self }
    }

    /// The first release that serves it.
    pub const fn introduced_in(&self) -> Release {
        self.introduced
    }

    /// The first release that warns about its use, if known.
    pub const fn deprecated_in(&self) -> Option<Release> {
        self.deprecated
    }

    /// The first release that does not serve it, if it is known.
    pub const fn removed_in(&self) -> Option<Release> {
        self.removed
    }

    /// Returns `true` if `release` can serve the version. The flags of a server decide whether it does.
    pub fn is_served_in(&self, release: Release) -> bool {
        self.introduced <= release && self.removed.is_none_or(|removed| release < removed)
    }

    /// Returns `true` if some release can serve both.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.is_served_in(other.introduced) || other.is_served_in(self.introduced)
    }

    /// Returns `true` if `release` serves it and warns about its use.
    pub fn is_deprecated_in(&self, release: Release) -> bool {
        let deprecated = |deprecated| deprecated <= release;
        self.is_served_in(release) && self.deprecated.is_some_and(deprecated)
    }
}

impl fmt::Display for Lifecycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "introduced in {:#}", self.introduced)?;
        if let Some(deprecated) = self.deprecated {
            write!(f, ", deprecated since {deprecated:#}")?;
        }
        if let Some(removed) = self.removed {
            write!(f, ", removed in {removed:#}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Release;
    use crate::Quoted;

    #[test]
    fn exactly_one_form_is_read() {
        let unknown = "expected `v<major>.<minor>`, such as `v1.36`, a version such as `1.15.0`, or a date such as \
                       `2026-01-31`";
        let three = "write `v1.36` for a release of Kubernetes, `1.36.2` for another product";
        let table = [
            ("v1.36", Ok(Release::new(1, 36))),
            ("v0.0", Ok(Release::new(0, 0))),
            ("v1.65535", Ok(Release::new(1, 65535))),
            (
                "1.36",
                Err("write `v1.36` for a release of Kubernetes, `1.36.0` for another product"),
            ),
            ("V1.36", Err("write `v1.36`")),
            (" v1.36", Err("write `v1.36`")),
            ("v1.36.2", Err(three)),
            ("1.15.0", Ok(Release::version(1, 15, 0))),
            ("2026-01-31", Ok(Release::date(2026, 1, 31))),
            ("2026-1-31", Err(unknown)),
            ("2026-13-01", Err(unknown)),
            ("+026-01-31", Err(unknown)),
            ("1.15.00", Err(unknown)),
            (
                "1.2.3.4",
                Err("write `v1.2` for a release of Kubernetes, `1.2.3` for another product"),
            ),
            ("v1.036", Err(unknown)),
            ("v01.36", Err(unknown)),
            ("v1.65536", Err(unknown)),
            ("v1.", Err(unknown)),
            ("v1", Err(unknown)),
            ("v1.+6", Err(unknown)),
            ("v-1.36", Err(unknown)),
            ("", Err(unknown)),
        ];
        for (text, expected) in table {
            let found = text.parse::<Release>().map_err(|error| error.to_string());
            let expected =
                expected.map_err(|hint| format!("{} is not a release: {hint}", Quoted(text)));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn order_is_by_number() {
        assert!(Release::new(1, 9) < Release::new(1, 10));
        assert!(Release::new(1, 99) < Release::new(2, 0));
        assert!(Release::version(1, 9, 9) < Release::version(1, 10, 0));
        assert!(Release::date(2025, 12, 31) < Release::date(2026, 1, 1));
    }

    #[test]
    fn the_last_minor_has_no_successor() {
        let last = Release::new(1, u16::MAX);
        assert_eq!(last.next(), last);
    }

    #[test]
    fn serde_uses_the_text() {
        let json = serde_json::to_string(&Release::new(1, 36)).unwrap();
        assert_eq!(json, r#""v1.36""#);
        let release: Release = serde_json::from_str(&json).unwrap();
        assert_eq!(release, Release::new(1, 36));
        let error = serde_json::from_str::<Release>("1.36").unwrap_err();
        assert!(error.to_string().contains("expected a release such as `v1.36`"), "{error}");
    }
}
