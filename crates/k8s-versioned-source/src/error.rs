//! The reasons why a text cannot be read.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use strum::{EnumIter, EnumMessage, IntoStaticStr};

/// A part of a text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct Error {
    /// The name of the file.
    pub file: Arc<str>,
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The JSON pointer to the value, empty for the whole document.
    pub pointer: String,
    /// What is wrong.
    pub cause: Cause,
}

/// What is wrong with a text. It displays as what was found; the docs have the hint.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    EnumIter,
    EnumMessage,
    IntoStaticStr,
    thiserror::Error,
)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
#[non_exhaustive]
pub enum Cause {
    /// A file is empty.
    ///
    /// Hint: restore the file; if a command imported it, import it again
    #[error("the file is empty")]
    Empty,
    /// A file is not text in UTF-8.
    ///
    /// Hint: save the file in UTF-8; if a command imported it, import it again
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A file is not JSON.
    ///
    /// Hint: correct the file; if a command imported it, import it again
    #[error("the JSON cannot be read: {0}")]
    Json(String),
    /// A file is neither YAML nor JSON.
    ///
    /// Hint: a file has objects in YAML or JSON, with `---` between them
    #[error("the file cannot be read as YAML: {0}")]
    Yaml(String),
    /// A file with `{{` is not YAML.
    ///
    /// Hint: templates of charts are rendered first, for example by `helm template`
    #[error("the file cannot be read as YAML: {0}")]
    Template(String),
    /// An object has a key twice, and programs would read different values.
    ///
    /// Hint: remove one of the two
    #[error("the key `{0}` occurs twice in one object")]
    DuplicateKey(String),
    /// A key of a mapping in YAML cannot be the name of a member in JSON.
    ///
    /// Hint: a key is a text: put it into quotes
    #[error("{0} cannot be a key")]
    Key(String),
    /// A value in YAML has a tag of another type, or no value in JSON.
    ///
    /// Hint: write the value as JSON has it
    #[error("{0}")]
    Scalar(String),
    /// Values nest deeper than any real ones, and reading them could exhaust the stack.
    ///
    /// Hint: check that this is the right file
    #[error("values nest more than {limit} deep")]
    TooDeep { limit: usize },
    /// A file is larger than any real one, and reading it could exhaust the memory.
    ///
    /// Hint: check that this is the right file
    #[error("the file has more than {limit} bytes")]
    TooLarge { limit: usize },
    /// A file has more values than any real one, and reading it could exhaust the memory.
    ///
    /// Hint: check that this is the right file
    #[error("the file has more than {limit} values")]
    TooManyValues { limit: usize },
    /// A file has more documents than any real one.
    ///
    /// Hint: check that this is the right file
    #[error("the file has more than {limit} documents")]
    TooManyDocuments { limit: usize },
    /// The aliases of a file repeat more values than any real ones, and to copy them could exhaust the memory.
    ///
    /// Hint: write the values where they belong
    #[error("the aliases of the file repeat more than {limit} values")]
    Aliases { limit: usize },
}

impl Cause {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let docs = self.get_documentation().unwrap_or_default();
        let hint = docs.split_once("Hint: ").map_or("", |(_, hint)| hint);
        hint.trim().replace('\n', " ")
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
