//! The file names of upstream's documents.

use std::fmt;

use k8s_versioned_names::Version;
use serde::{Deserialize, Serialize};

/// The group and the version of a document, as its file name has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DocumentName {
    /// The API group.
    pub group: String,
    /// The version; none for the document that describes the group itself.
    pub version: Option<Version>,
}

impl DocumentName {
    /// Reads `apis__<group>_openapi.json` or `apis__<group>__<version>_openapi.json`.
    pub fn parse(file_name: &str) -> Option<Self> {
        let name = file_name.strip_prefix("apis__")?.strip_suffix("_openapi.json")?;
        match name.split_once("__") {
            None => Some(Self { group: name.to_owned(), version: None }),
            Some((group, version)) => {
                Some(Self { group: group.to_owned(), version: Some(version.parse().ok()?) })
            }
        }
    }

    /// The path under which everything in the document is served, with a slash at the end.
    pub fn path_prefix(&self) -> String {
        match &self.version {
            None => format!("/apis/{}/", self.group),
            Some(version) => format!("/apis/{}/{version}/", self.group),
        }
    }
}

impl TryFrom<String> for DocumentName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::parse(&name).ok_or_else(|| {
            format!(
                "`{name}` is not the name of an OpenAPI document of a group, such as \
                 `apis__<group>_openapi.json` or `apis__<group>__<version>_openapi.json`"
            )
        })
    }
}

impl From<DocumentName> for String {
    fn from(name: DocumentName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            None => write!(f, "apis__{}_openapi.json", self.group),
            Some(version) => write!(f, "apis__{}__{version}_openapi.json", self.group),
        }
    }
}
