//! Causes in one document.

use thiserror::Error;

use crate::text::join;

/// A cause in one document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum DocumentCause {
    #[error("found {found} where {expected} is expected")]
    WrongType { expected: &'static str, found: &'static str },
    #[error("unknown keyword `{keyword}` in {of}")]
    UnknownKeyword { keyword: String, of: &'static str, understood: Vec<&'static str> },
    #[error("{of} has a `description`")]
    Prose { of: &'static str },
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
    #[error("one body has two schemas, `{first}` and `{second}`")]
    TwoBodies { first: String, second: String },
}

impl DocumentCause {
    /// The advice.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::WrongType { .. } | Self::MissingKeyword { .. } => "import the release again",
            Self::UnknownKeyword { .. }
            | Self::UnknownValue { .. }
            | Self::ForeignReference(_)
            | Self::RequiredParameter { .. }
            | Self::TwoBodies { .. } => {
                "if upstream began to use this, teach the reader (codegen/src/spec) what it means"
            }
            Self::Prose { .. } => "`cargo xtask import` removes it: import the release again",
            Self::AllOf { .. } | Self::FieldsAndMap | Self::InlineStruct => {
                "no document of Kubernetes has this so far: decide what it means in Rust, then teach the reader"
            }
            Self::RequiredUnknown(_)
            | Self::DanglingReference(_)
            | Self::NoResponses
            | Self::Default { .. } => "the document is incomplete: import the release again",
            Self::ForeignPath { .. } => "the file was saved under the name of another document",
            Self::DuplicateParameter(_) => "a parameter of the path holds for all operations",
            Self::NoPlaceholder { .. } | Self::NoPathParameter { .. } => {
                "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter"
            }
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
