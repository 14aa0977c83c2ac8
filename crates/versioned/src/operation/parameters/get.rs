//! The parameters for reading one object.

use serde::{Deserialize, Serialize};

/// The parameters for reading one object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct GetParameters {
    /// `true` indents JSON for people.
    ///
    /// Default: `false`, unless the header `User-Agent` is that of a browser, `curl` or `wget`.
    pub pretty: Option<String>,
}

impl GetParameters {
    /// Sets `pretty`.
    #[must_use]
    pub fn with_pretty(mut self, pretty: impl Into<String>) -> Self {
        self.pretty = Some(pretty.into());
        self
    }
}
