//! Kubernetes releases.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, text};

/// A minor release of Kubernetes, such as `v1.36`.
///
/// Its text is `v1.36`, and with the alternate flag (`{:#}`) `1.36`. The order is by number: `v1.9` is less than
/// `v1.10`.
///
/// ```
/// use k8s_versioned_names::Release;
///
/// let release: Release = "v1.36".parse()?;
/// assert_eq!(release, Release::new(1, 36));
/// assert_eq!(release.next().to_string(), "v1.37");
/// assert_eq!(format!("since {release:#}"), "since 1.36");
/// # Ok::<(), k8s_versioned_names::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    major: u16,
    minor: u16,
}

impl Release {
    /// The release `v<major>.<minor>`.
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// The number before the dot.
    pub const fn major(self) -> u16 {
        self.major
    }

    /// The number after the dot.
    pub const fn minor(self) -> u16 {
        self.minor
    }

    /// The minor release that follows this one. The largest number is followed by itself.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::new(self.major, self.minor.saturating_add(1))
    }

    fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.strip_prefix('v')?.split_once('.')?;
        Some(Self::new(text::number(major)?, text::number(minor)?))
    }

    /// The probable meaning of `1.36`, `V1.36` or `v1.36.2`.
    fn guess(text: &str) -> Option<Self> {
        let mut numbers = text.trim().trim_start_matches(['v', 'V']).split('.');
        let (major, minor) = (numbers.next()?, numbers.next()?);
        Some(Self::new(text::number(major)?, text::number(minor)?))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = if f.alternate() { "" } else { "v" };
        write!(f, "{prefix}{}.{}", self.major, self.minor)
    }
}

impl FromStr for Release {
    type Err = ParseError;

    /// Reads exactly `v<major>.<minor>`, without leading zeros.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text).ok_or_else(|| match Self::guess(text) {
            Some(meant) => ParseError::new(text, "a release", format!("write `{meant}`")),
            None => {
                ParseError::new(text, "a release", "expected `v<major>.<minor>`, such as `v1.36`")
            }
        })
    }
}

crate::text_serde!(Release, "a release such as `v1.36`");

#[cfg(test)]
mod tests {
    use super::Release;
    use crate::Quoted;

    #[test]
    fn exactly_one_form_is_read() {
        let unknown = "expected `v<major>.<minor>`, such as `v1.36`";
        let table = [
            ("v1.36", Ok(Release::new(1, 36))),
            ("v0.0", Ok(Release::new(0, 0))),
            ("v1.65535", Ok(Release::new(1, 65535))),
            ("1.36", Err("write `v1.36`")),
            ("V1.36", Err("write `v1.36`")),
            (" v1.36", Err("write `v1.36`")),
            ("v1.36.2", Err("write `v1.36`")),
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
