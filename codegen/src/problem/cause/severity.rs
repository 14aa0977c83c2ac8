//! What a problem does to a generation.

/// What a problem does to a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The problem stops the generation.
    Error,
    /// The files are generated, and the problem is reported beside them.
    Warning,
}

impl Severity {
    /// The word that messages begin with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}
