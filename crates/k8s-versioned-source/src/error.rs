//! The reasons why a text cannot be read.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A part of a text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
#[non_exhaustive]
pub struct Error {
    /// The name of the file.
    pub file: Arc<str>,
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The JSON pointer to the value, empty for the whole document.
    pub pointer: String,
    /// What is wrong.
    pub cause: ReadCause,
}

/// What is wrong with a text. It displays as what was found; [`ReadCause::meaning`] has a sentence on each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
#[non_exhaustive]
pub enum ReadCause {
    #[error("the file is empty")]
    Empty,
    #[error("the text is not UTF-8")]
    NotUtf8,
    #[error("the JSON cannot be read: {0}")]
    Json(String),
    #[error("the file cannot be read as YAML: {0}")]
    Yaml(String),
    #[error("the file cannot be read as YAML: {0}")]
    Template(String),
    #[error("the key `{0}` occurs twice in one object")]
    DuplicateKey(String),
    #[error("{0} cannot be a key")]
    Key(String),
    #[error("{0}")]
    Scalar(String),
    #[error("values nest more than {limit} deep")]
    TooDeep { limit: usize },
    #[error("the file has more than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the file has more than {limit} values")]
    TooManyValues { limit: usize },
    #[error("the file has more than {limit} documents")]
    TooManyDocuments { limit: usize },
    #[error("the aliases of the file repeat more than {limit} values")]
    Aliases { limit: usize },
    #[error("the aliases of the file repeat more than {limit} bytes")]
    AliasBytes { limit: usize },
}

impl ReadCause {
    /// Each cause once, with empty fields.
    pub const ALL: [Self; 14] = [
        Self::Empty,
        Self::NotUtf8,
        Self::Json(String::new()),
        Self::Yaml(String::new()),
        Self::Template(String::new()),
        Self::DuplicateKey(String::new()),
        Self::Key(String::new()),
        Self::Scalar(String::new()),
        Self::TooDeep { limit: 0 },
        Self::TooLarge { limit: 0 },
        Self::TooManyValues { limit: 0 },
        Self::TooManyDocuments { limit: 0 },
        Self::Aliases { limit: 0 },
        Self::AliasBytes { limit: 0 },
    ];

    /// The identifier, such as `duplicate-key`. It never changes its meaning.
    pub fn id(&self) -> &'static str {
        self.texts().0
    }

    /// What the cause means, as a sentence.
    pub fn meaning(&self) -> &'static str {
        self.texts().1
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        self.texts().2
    }

    /// The identifier, the meaning and the hint.
    fn texts(&self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Empty => (
                "empty",
                "A file is empty.",
                "restore the file; if a command imported it, import it again",
            ),
            Self::NotUtf8 => (
                "not-utf8",
                "A file is not text in UTF-8.",
                "save the file in UTF-8; if a command imported it, import it again",
            ),
            Self::Json(_) => (
                "json",
                "A file is not JSON.",
                "correct the file; if a command imported it, import it again",
            ),
            Self::Yaml(_) => (
                "yaml",
                "A file is neither YAML nor JSON.",
                "a file has objects in YAML or JSON, with `---` between them",
            ),
            Self::Template(_) => (
                "template",
                "A file with `{{` is not YAML.",
                "templates of charts are rendered first, for example by `helm template`",
            ),
            Self::DuplicateKey(_) => (
                "duplicate-key",
                "An object has a key twice, and programs would read different values.",
                "remove one of the two",
            ),
            Self::Key(_) => (
                "key",
                "A key of a mapping in YAML cannot be the name of a member in JSON.",
                "a key is a text: put it into quotes",
            ),
            Self::Scalar(_) => (
                "scalar",
                "A value in YAML has a tag of another type, or no value in JSON.",
                "write the value as JSON has it",
            ),
            Self::TooDeep { .. } => (
                "too-deep",
                "Values nest deeper than any real ones, and reading them could exhaust the stack.",
                "check that this is the right file",
            ),
            Self::TooLarge { .. } => (
                "too-large",
                "A file is larger than any real one, and reading it could exhaust the memory.",
                "check that this is the right file",
            ),
            Self::TooManyValues { .. } => (
                "too-many-values",
                "A file has more values than any real one, and reading it could exhaust the memory.",
                "check that this is the right file",
            ),
            Self::TooManyDocuments { .. } => (
                "too-many-documents",
                "A file has more documents than any real one.",
                "check that this is the right file",
            ),
            Self::AliasBytes { .. } => (
                "alias-bytes",
                "The aliases of a file repeat far more text than the file has, and to copy it could exhaust the memory.",
                "write the values where they belong",
            ),
            Self::Aliases { .. } => (
                "aliases",
                "The aliases of a file repeat more values than any real ones, and to copy them could exhaust the memory.",
                "write the values where they belong",
            ),
        }
    }
}

/// All errors of a document, in the order in which they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors(pub Vec<Error>);

impl From<Error> for Errors {
    fn from(error: Error) -> Self {
        Self(vec![error])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
