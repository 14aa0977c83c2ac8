//! The sides of a comparison, as users name them.

use std::fmt;
use std::str::FromStr;

use k8s_versioned_names::{Release, Version};

/// A release, or one version of the API as a release serves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection {
    /// The release.
    pub release: Release,
    /// The version of the API; `None` for all versions.
    pub version: Option<Version>,
}

impl From<Release> for Selection {
    fn from(release: Release) -> Self {
        let version = None;
        Self { release, version }
    }
}

impl FromStr for Selection {
    type Err = String;

    /// Reads `v1.36` or `v1.36/v1beta1`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (release, version) = match text.split_once('/') {
            Some((release, version)) => (release, Some(version)),
            None => (text, None),
        };
        let release = release.parse::<Release>().map_err(|error| error.to_string())?;
        let version = version.map(str::parse::<Version>).transpose();
        let version = version.map_err(|error| error.to_string())?;
        Ok(Self { release, version })
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { release, version } = self;
        match version {
            Some(version) => write!(f, "{release}/{version}"),
            None => write!(f, "{release}"),
        }
    }
}

impl serde::Serialize for Selection {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
