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

/// Defines the causes: of each the message, an identifier that never changes its meaning, what it means, and what to do about it.
macro_rules! causes {
    ($(
        $cause:ident $(($text:ty))? $({ limit: $limit:ty })? {
            message: $message:literal,
            id: $id:literal,
            meaning: $meaning:literal,
            hint: $hint:literal,
        }
    )+) => {
        /// What is wrong with a text. It displays as what was found; [`ReadCause::meaning`] has a sentence on each.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
        #[allow(missing_docs, reason = "the message says what the fields are")]
        #[non_exhaustive]
        pub enum ReadCause {
            $(#[error($message)] $cause $(($text))? $({ limit: $limit })?,)+
        }

        impl ReadCause {
            /// Each cause once, with empty fields.
            pub const ALL: &[Self] =
                &[$(Self::$cause $((<$text>::new()))? $({ limit: <$limit>::MIN })?),+];

            /// The identifier, the meaning and the hint.
            fn texts(&self) -> [&'static str; 3] {
                match self {
                    $(Self::$cause { .. } => [$id, $meaning, $hint],)+
                }
            }
        }
    };
}

causes! {
    Empty {
        message: "the file is empty",
        id: "empty",
        meaning: "A file is empty.",
        hint: "restore the file; if a command imported it, import it again",
    }
    NotUtf8 {
        message: "the text is not UTF-8",
        id: "not-utf8",
        meaning: "A file is not text in UTF-8.",
        hint: "save the file in UTF-8; if a command imported it, import it again",
    }
    Json(String) {
        message: "the JSON cannot be read: {0}",
        id: "json",
        meaning: "A file is not JSON.",
        hint: "correct the file; if a command imported it, import it again",
    }
    Yaml(String) {
        message: "the file cannot be read as YAML: {0}",
        id: "yaml",
        meaning: "A file is neither YAML nor JSON.",
        hint: "a file has objects in YAML or JSON, with `---` between them",
    }
    Template(String) {
        message: "the file cannot be read as YAML: {0}",
        id: "template",
        meaning: "A file with `{{` is not YAML.",
        hint: "templates of charts are rendered first, for example by `helm template`",
    }
    DuplicateKey(String) {
        message: "the key `{0}` occurs twice in one object",
        id: "duplicate-key",
        meaning: "An object has a key twice, and programs would read different values.",
        hint: "remove one of the two; `---` stands between two objects of YAML",
    }
    Key(String) {
        message: "{0} cannot be a key",
        id: "key",
        meaning: "A key of a mapping in YAML cannot be the name of a member in JSON.",
        hint: "a key is a text: put it into quotes",
    }
    Scalar(String) {
        message: "{0}",
        id: "scalar",
        meaning: "A value in YAML has a tag of another type, or no value in JSON.",
        hint: "write the value as JSON has it",
    }
    NumberRange(String) {
        message: "the number {0} is out of range",
        id: "number-range",
        meaning: "A number is too large for a 64-bit float, so API servers cannot read it.",
        hint: "write a number up to 1e308",
    }
    TooDeep { limit: usize } {
        message: "values nest more than {limit} deep",
        id: "too-deep",
        meaning: "Values nest deeper than any real ones, and reading them could exhaust the stack.",
        hint: "check that this is the right file",
    }
    LongPath {
        message: "the names of the objects around a value have more than 1024 bytes together",
        id: "long-path",
        meaning: "The names on the way to a value are longer than any real ones, and each message about the value would repeat them.",
        hint: "check that this is the right file",
    }
    LongFieldNames { limit: usize } {
        message: "the names of all fields, each with the names of the fields around it, have more than {limit} bytes together",
        id: "long-field-names",
        meaning: "A name around many fields is longer than any real one, and whatever names the fields by their paths would repeat it.",
        hint: "check that this is the right file",
    }
    MoreErrors {
        message: "there are more errors, whose places are too long to name each",
        id: "more-errors",
        meaning: "A file has errors below names that are longer than any real ones.",
        hint: "correct the other errors first",
    }
    TooLarge { limit: usize } {
        message: "the file has more than {limit} bytes",
        id: "too-large",
        meaning: "A file is larger than any real one, and reading it could exhaust the memory.",
        hint: "check that this is the right file",
    }
    TooManyValues { limit: usize } {
        message: "the file has more than {limit} values",
        id: "too-many-values",
        meaning: "A file has more values than any real one, and reading it could exhaust the memory.",
        hint: "check that this is the right file",
    }
    TooManyDocuments { limit: usize } {
        message: "the file has more than {limit} documents",
        id: "too-many-documents",
        meaning: "A file has more documents than any real one.",
        hint: "check that this is the right file",
    }
    Aliases { limit: usize } {
        message: "the aliases of the file repeat more than {limit} values",
        id: "aliases",
        meaning: "The aliases of a file repeat more values than any real ones, and to copy them could exhaust the memory.",
        hint: "write the values where they belong",
    }
    AliasBytes { limit: usize } {
        message: "the aliases of the file repeat more than {limit} bytes",
        id: "alias-bytes",
        meaning: "The aliases of a file repeat far more text than the file has, and to copy it could exhaust the memory.",
        hint: "write the values where they belong",
    }
}

impl ReadCause {
    /// The identifier, such as `duplicate-key`. It never changes its meaning.
    pub fn id(&self) -> &'static str {
        let [id, ..] = self.texts();
        id
    }

    /// What the cause means, as a sentence.
    pub fn meaning(&self) -> &'static str {
        let [_, meaning, _] = self.texts();
        meaning
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        let [.., hint] = self.texts();
        hint
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
