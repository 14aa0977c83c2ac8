//! Names of API groups and versions.

use std::fmt;

use crate::ParseError;

/// An API group and one of its versions: the parts of an `apiVersion`.
///
/// ```
/// use k8s_versioned::GroupVersion;
///
/// let parsed = GroupVersion::parse("coordination.k8s.io/v1beta1")?;
/// assert_eq!((parsed.group, parsed.version), ("coordination.k8s.io", "v1beta1"));
///
/// // The core group has no name and no slash.
/// let core = GroupVersion::parse("v1")?;
/// assert_eq!((core.group, core.version), ("", "v1"));
/// assert_eq!(core.to_string(), "v1");
/// # Ok::<(), k8s_versioned::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersion<'a> {
    /// The group; empty for the core group.
    pub group: &'a str,
    /// The version. [`Version`](crate::Version) reads the form of Kubernetes; other groups may use any name.
    pub version: &'a str,
}

impl<'a> GroupVersion<'a> {
    /// Splits an `apiVersion` into its parts. It does not check their characters.
    ///
    /// # Errors
    ///
    /// A part is empty, or there are more than two.
    pub fn parse(api_version: &'a str) -> Result<Self, ParseError> {
        let parts = match api_version.split_once('/') {
            None => Some(("", api_version)),
            Some(("", _)) => None,
            Some(parts) => Some(parts),
        };
        match parts {
            Some((group, version)) if !version.is_empty() && !version.contains('/') => {
                Ok(Self { group, version })
            }
            _ => Err(ParseError::new(
                api_version,
                "an apiVersion",
                "expected `<group>/<version>`, or `<version>` for the core group",
            )),
        }
    }
}

impl fmt::Display for GroupVersion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() {
            f.write_str(self.version)
        } else {
            write!(f, "{}/{}", self.group, self.version)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::GroupVersion;

    #[test]
    fn api_versions() {
        let table = [
            ("v1", Some(("", "v1"))),
            ("apps/v1", Some(("apps", "v1"))),
            ("example.com/foo", Some(("example.com", "foo"))),
            ("", None),
            ("/", None),
            ("/v1", None),
            ("apps/", None),
            ("apps/v1/", None),
            ("apps/v1/scale", None),
        ];
        for (text, expected) in table {
            let found = GroupVersion::parse(text);
            assert_eq!(found.as_ref().ok().map(|gv| (gv.group, gv.version)), expected, "{text:?}");
            match found {
                Ok(parsed) => assert_eq!(parsed.to_string(), text),
                Err(error) => assert_eq!(error.found(), text),
            }
        }
    }
}
