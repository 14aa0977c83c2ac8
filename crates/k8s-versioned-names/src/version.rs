//! The version part of an `apiVersion`.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, text};

/// The maturity of an API version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stability {
    /// May change or vanish in any release: `v1alpha1`.
    Alpha,
    /// May change, with notice: `v1beta1`.
    Beta,
    /// Generally available: `v1`.
    Stable,
}

/// The version of an API group: `v1`, `v1beta1`, `v1alpha2`.
///
/// # Order
///
/// The order is Kubernetes' [version priority] of custom resources, the lowest first: stability counts before the
/// numbers, then the major number, then the number after `alpha` or `beta`. So `v2alpha1` is less
/// than `v1beta1`, which is less than `v1`. Clients prefer the greatest version.
///
/// ```
/// use k8s_versioned_names::Version;
///
/// let mut versions: Vec<Version> = ["v2", "v1", "v11beta2", "v10beta3", "v1alpha1"]
///     .iter()
///     .map(|text| text.parse())
///     .collect::<Result<_, _>>()?;
/// versions.sort();
/// let sorted: Vec<String> = versions.iter().map(Version::to_string).collect();
/// assert_eq!(sorted, ["v1alpha1", "v10beta3", "v11beta2", "v1", "v2"]);
/// # Ok::<(), k8s_versioned_names::ParseError>(())
/// ```
///
/// [version priority]: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
// The order of the fields is the order of comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    stability: Stability,
    major: u32,
    minor: Option<u32>,
}

impl Version {
    /// Returns `true` for a version that is generally available: `v1`, unlike `v1beta1`.
    pub const fn is_stable(self) -> bool {
        matches!(self.stability, Stability::Stable)
    }

    /// The number after `v`.
    pub const fn major(self) -> u32 {
        self.major
    }

    /// The number after `alpha` or `beta`; a stable version has none.
    pub const fn minor(self) -> Option<u32> {
        self.minor
    }

    fn parse(text: &str) -> Option<Self> {
        let numbers = text.strip_prefix('v')?;
        if let Some((major, minor)) = numbers.split_once("alpha") {
            Self::unstable(Stability::Alpha, major, minor)
        } else if let Some((major, minor)) = numbers.split_once("beta") {
            Self::unstable(Stability::Beta, major, minor)
        } else {
            Some(Self { stability: Stability::Stable, major: positive(numbers)?, minor: None })
        }
    }

    fn unstable(stability: Stability, major: &str, minor: &str) -> Option<Self> {
        Some(Self { stability, major: positive(major)?, minor: Some(positive(minor)?) })
    }
}

/// Kubernetes counts versions from 1.
fn positive(text: &str) -> Option<u32> {
    text::number(text).filter(|&number| number > 0)
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match self.stability {
            Stability::Alpha => "alpha",
            Stability::Beta => "beta",
            Stability::Stable => "",
        };
        write!(f, "v{}{stage}", self.major)?;
        self.minor.map_or(Ok(()), |minor| write!(f, "{minor}"))
    }
}

impl FromStr for Version {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text).ok_or_else(|| {
            ParseError::new(
                text,
                "an API version",
                "expected `v<major>`, `v<major>alpha<minor>` or `v<major>beta<minor>`, such as `v1beta1`",
            )
        })
    }
}

crate::text_serde!(Version, "an API version such as `v1beta1`");

#[cfg(test)]
mod tests {
    use super::Version;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn parts() {
        let table = [
            ("v1", true, 1, None),
            ("v12", true, 12, None),
            ("v1beta1", false, 1, Some(1)),
            ("v2alpha10", false, 2, Some(10)),
        ];
        for (text, stable, major, minor) in table {
            let version = version(text);
            let found = (version.is_stable(), version.major(), version.minor());
            assert_eq!(found, (stable, major, minor), "{text}");
            assert_eq!(version.to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        let texts = [
            "",
            "v",
            "1",
            "V1",
            "v0",
            "v01",
            "v1.1",
            "v1gamma1",
            "v1alpha",
            "v1beta0",
            "v1beta01",
            "valpha1",
            "v1alpha1beta1",
            "v1Beta1",
            "v1 ",
            "v4294967296",
            "coordination.k8s.io/v1",
        ];
        for text in texts {
            let error = text.parse::<Version>().unwrap_err();
            assert_eq!(error.found(), text);
        }
    }

    #[test]
    fn order_is_the_priority() {
        let ascending =
            ["v11alpha2", "v12alpha1", "v3beta1", "v10beta3", "v11beta2", "v1", "v2", "v10"];
        for pair in ascending.windows(2) {
            assert!(version(pair[0]) < version(pair[1]), "{pair:?}");
        }
    }
}
