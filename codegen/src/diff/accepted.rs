//! Accepted findings.
//!
//! The file is TOML. An entry names one finding by its key, which every report shows:
//!
//! ```toml
//! [[accepted]]
//! finding = "field-became-required v1beta1 LeaseCandidate.spec"
//! reason = "Servers refused such objects before: `spec.leaseName` is required."
//! ```

use serde::Deserialize;

use super::Finding;
use crate::Problems;
use crate::rules::parse_toml;

/// The accepted findings of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    #[serde(default)]
    accepted: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    finding: String,
    reason: String,
}

impl Accepted {
    /// Reads a file; `name` is for messages.
    ///
    /// # Errors
    /// The first mistake in its text.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Problems> {
        parse_toml(name, bytes)
    }

    /// The reason for which the finding is accepted, if it is.
    pub fn reason(&self, finding: &Finding) -> Option<&str> {
        let key = finding.key();
        let entry = self.accepted.iter().find(|entry| entry.finding == key)?;
        Some(&entry.reason)
    }

    /// The keys that no finding has.
    pub fn unused(&self, findings: &[Finding]) -> Vec<String> {
        let entries = self.accepted.iter();
        let unused =
            entries.filter(|entry| !findings.iter().any(|finding| finding.key() == entry.finding));
        unused.map(|entry| entry.finding.clone()).collect()
    }
}
