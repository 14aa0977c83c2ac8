//! Causes in one document.

use thiserror::Error;

use super::texts::Texts;
use crate::text::join;

/// A cause in one document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum DocumentCause {
    #[error("found {found} where {expected} is expected")]
    WrongType { expected: &'static str, found: &'static str },
    #[error("the word `{word}` is {found} in YAML, and {expected} is expected")]
    Misread { word: String, found: &'static str, expected: &'static str },
    #[error("unknown keyword `{keyword}` in {of}")]
    UnknownKeyword { keyword: String, of: &'static str, understood: Vec<&'static str> },
    #[error("{of} has no `{keyword}`")]
    MissingKeyword { keyword: &'static str, of: &'static str },
    #[error("unknown {what} `{found}`")]
    UnknownValue { what: &'static str, found: String, understood: Vec<&'static str> },
    #[error("`allOf` has {schemas} schemas")]
    AllOf { schemas: usize },
    #[error("the object has named fields and `additionalProperties`")]
    FieldsAndMap,
    #[error("an object with fields is inside another schema")]
    InlineStruct,
    #[error("the default, {found}, is not a value of its type")]
    Default { found: &'static str },
    #[error("`required` names `{0}`, which is not among the properties")]
    RequiredUnknown(String),
    #[error("`{0}` does not lead to a schema of this document")]
    ForeignReference(String),
    #[error("the document has no schema `{0}`")]
    DanglingReference(String),
    #[error("`{0}` is not the name of a schema")]
    SchemaName(String),
    #[error("the path `{path}` is not one of this document")]
    ForeignPath { path: String, expected: String },
    #[error("a parameter has `required: {required}`")]
    RequiredParameter { required: bool },
    #[error("the parameter `{0}` occurs twice")]
    DuplicateParameter(String),
    #[error("the path parameter `{parameter}` has no placeholder in `{path}`")]
    NoPlaceholder { parameter: String, path: String },
    #[error("the placeholder `{placeholder}` in `{path}` has no path parameter")]
    NoPathParameter { placeholder: String, path: String },
    #[error("the operation has no responses")]
    NoResponses,
    #[error("the media types of a body have different schemas: `{first}` and `{second}`")]
    TwoBodies { first: String, second: String },
}

impl DocumentCause {
    /// Each cause once, with empty fields.
    pub(super) fn all() -> [Self; 20] {
        [
            Self::WrongType { expected: "", found: "" },
            Self::Misread { word: String::new(), found: "", expected: "" },
            Self::UnknownKeyword { keyword: String::new(), of: "", understood: Vec::new() },
            Self::MissingKeyword { keyword: "", of: "" },
            Self::UnknownValue { what: "", found: String::new(), understood: Vec::new() },
            Self::AllOf { schemas: 0 },
            Self::FieldsAndMap,
            Self::InlineStruct,
            Self::Default { found: "" },
            Self::RequiredUnknown(String::new()),
            Self::ForeignReference(String::new()),
            Self::DanglingReference(String::new()),
            Self::SchemaName(String::new()),
            Self::ForeignPath { path: String::new(), expected: String::new() },
            Self::RequiredParameter { required: false },
            Self::DuplicateParameter(String::new()),
            Self::NoPlaceholder { parameter: String::new(), path: String::new() },
            Self::NoPathParameter { placeholder: String::new(), path: String::new() },
            Self::NoResponses,
            Self::TwoBodies { first: String::new(), second: String::new() },
        ]
    }

    /// The identifier, the meaning and the hint.
    #[allow(clippy::too_many_lines, reason = "it is a table")]
    pub(super) fn texts(&self) -> Texts {
        match self {
            Self::WrongType { .. } => (
                "wrong-type",
                "A value of the document has another JSON type than OpenAPI gives it.",
                "correct the definition, or import the release again",
            ),
            Self::Misread { .. } => (
                "misread",
                "YAML gives a word without quotes another type than its author meant.",
                "put the word into quotes: `y`, `n`, `yes`, `no`, `on`, `off`, `true` and `false` are booleans",
            ),
            Self::UnknownKeyword { .. } => (
                "unknown-keyword",
                "The document has a keyword whose meaning the generator does not know, so its types could be wrong.",
                "a newer version of the generator may know it; else report it with the document. The other versions \
                 can be generated meanwhile: fetch the release without this document",
            ),
            Self::MissingKeyword { .. } => (
                "missing-keyword",
                "The document lacks a keyword without which it has no meaning.",
                "correct the definition, or import the release again",
            ),
            Self::UnknownValue { .. } => (
                "unknown-value",
                "A keyword has a value whose meaning the generator does not know.",
                "a newer version of the generator may know it; else report it with the document. The other versions \
                 can be generated meanwhile: fetch the release without this document",
            ),
            Self::AllOf { .. } => (
                "all-of",
                "The document combines schemas, and the generator reads only `allOf` with one reference.",
                "no document of Kubernetes has this so far: report it with the document. The other versions can be \
                 generated meanwhile: fetch the release without this document",
            ),
            Self::FieldsAndMap => (
                "fields-and-map",
                "An object has named fields and any others, for which the generator has no Rust type.",
                "servers reject a definition with both: remove one of them. No document of Kubernetes has both so \
                 far: report it with the document. The other versions can be generated meanwhile: fetch the release \
                 without this document",
            ),
            Self::InlineStruct => (
                "inline-struct",
                "An object has no schema of its own, so no name for its Rust type.",
                "no document of Kubernetes has this so far: report it with the document. The other versions can be \
                 generated meanwhile: fetch the release without this document",
            ),
            Self::Default { .. } => (
                "default",
                "The default of a field is not a value of its type.",
                "the document is incomplete: import the release again",
            ),
            Self::RequiredUnknown(_) => (
                "required-unknown",
                "A field is required, and the object does not have it.",
                "the document is incomplete: import the release again",
            ),
            Self::ForeignReference(_) => (
                "foreign-reference",
                "A reference leads out of the document.",
                "a document has all schemas to which it refers; a definition has no references: write the schema in \
                 its place",
            ),
            Self::DanglingReference(_) => (
                "dangling-reference",
                "A reference leads to a schema that the document does not have.",
                "the document is incomplete: import the release again",
            ),
            Self::SchemaName(_) => (
                "schema-name",
                "A schema has a name that only the objects inside of others have in the model.",
                "OpenAPI allows letters, digits, `.`, `-` and `_`",
            ),
            Self::ForeignPath { .. } => (
                "foreign-path",
                "A path is of another group or version than the document.",
                "the file was saved under the name of another document",
            ),
            Self::RequiredParameter { .. } => (
                "required-parameter",
                "A parameter of a path is optional, or another one is required.",
                "a newer version of the generator may know it; else report it with the document. The other versions \
                 can be generated meanwhile: fetch the release without this document",
            ),
            Self::DuplicateParameter(_) => (
                "duplicate-parameter",
                "A parameter occurs twice in one operation.",
                "a parameter of the path holds for all operations",
            ),
            Self::NoPlaceholder { .. } => (
                "no-placeholder",
                "A parameter of the path does not occur in the path.",
                "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter",
            ),
            Self::NoPathParameter { .. } => (
                "no-path-parameter",
                "A path has a placeholder that is not a parameter.",
                "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter",
            ),
            Self::NoResponses => (
                "no-responses",
                "An operation states no answers.",
                "the document is incomplete: import the release again",
            ),
            Self::TwoBodies { .. } => (
                "two-bodies",
                "The media types of one body have different schemas.",
                "a newer version of the generator may know it; else report it with the document. The other versions \
                 can be generated meanwhile: fetch the release without this document",
            ),
        }
    }

    /// A word that the reader does not understand.
    pub(crate) fn unknown(what: &'static str, found: &str, understood: &[&'static str]) -> Self {
        let (found, understood) = (found.to_owned(), understood.to_vec());
        Self::UnknownValue { what, found, understood }
    }

    pub(super) fn understood(&self) -> Option<String> {
        let understood = match self {
            Self::UnknownKeyword { understood, .. } if understood.is_empty() => "nothing",
            Self::UnknownKeyword { understood, .. } | Self::UnknownValue { understood, .. } => {
                return Some(join(understood.iter().map(|word| format!("`{word}`")), ", "));
            }
            Self::AllOf { .. } => "exactly one reference",
            Self::FieldsAndMap => "either of the two",
            Self::ForeignReference(_) => "`#/components/schemas/<name>`",
            Self::ForeignPath { expected, .. } => {
                return Some(format!("paths that begin with `{expected}`"));
            }
            Self::RequiredParameter { .. } => "`required: true` in the path, and nowhere else",
            Self::TwoBodies { .. } => "one schema for all media types of a body",
            _ => return None,
        };
        Some(understood.to_owned())
    }
}
