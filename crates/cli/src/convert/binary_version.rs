//! The value for an absent `binaryVersion`.

use std::str::FromStr;

use k8s_versioned::conversion::Absent;
use k8s_versioned::{ParseError, SemanticVersion};

/// The word for the object's own `emulationVersion`. It is no version.
const EMULATION: &str = "emulation";

/// The value for an absent `binaryVersion`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BinaryVersion {
    /// This version, as it is written.
    Given(String),
    /// The object's `emulationVersion`.
    Emulation,
}

impl FromStr for BinaryVersion {
    type Err = ParseError;

    /// Servers would reject what is no version.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == EMULATION {
            return Ok(Self::Emulation);
        }
        text.parse::<SemanticVersion>()?;
        Ok(Self::Given(text.to_owned()))
    }
}

impl From<&BinaryVersion> for Absent<String> {
    fn from(version: &BinaryVersion) -> Self {
        match version {
            BinaryVersion::Given(version) => Self::Use(version.clone()),
            BinaryVersion::Emulation => Self::UseOther,
        }
    }
}
