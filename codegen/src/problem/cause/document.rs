//! Causes in one document.

use strum::EnumProperty;
use thiserror::Error;

use crate::text::join;

/// A cause in one document.
#[derive(Clone, Debug, PartialEq, Eq, Error, EnumProperty)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum DocumentCause {
    #[error("found {found} where {expected} is expected")]
    #[strum(props(hint = "import the release again from upstream's documents"))]
    WrongType { expected: &'static str, found: &'static str },
    #[error("unknown keyword `{keyword}` in {of}")]
    #[strum(props(
        hint = "if upstream began to use this, teach the reader (codegen/src/spec) what it means"
    ))]
    UnknownKeyword { keyword: String, of: &'static str, understood: Vec<&'static str> },
    #[error("{of} has a `description`")]
    #[strum(props(hint = "vendored documents hold no prose: `cargo xtask import` removes it"))]
    Prose { of: &'static str },
    #[error("{of} has no `{keyword}`")]
    #[strum(props(hint = "import the release again from upstream's documents"))]
    MissingKeyword { keyword: &'static str, of: &'static str },
    #[error("unknown {what} `{found}`")]
    #[strum(props(
        hint = "if upstream began to use this, teach the reader (codegen/src/spec) what it means"
    ))]
    UnknownValue { what: &'static str, found: String, understood: Vec<&'static str> },
    #[error("`allOf` has {schemas} schemas")]
    #[strum(props(
        understood = "exactly one reference",
        hint = "no document of Kubernetes did this so far: decide what it means in Rust, then teach the reader"
    ))]
    AllOf { schemas: usize },
    #[error("the object has named fields and `additionalProperties`")]
    #[strum(props(
        understood = "either of the two",
        hint = "no document of Kubernetes did this so far: decide what it means in Rust, then teach the reader"
    ))]
    FieldsAndMap,
    #[error("an object with fields stands inside another schema")]
    #[strum(props(
        hint = "no document of Kubernetes did this so far: decide what it means in Rust, then teach the reader"
    ))]
    InlineStruct,
    #[error("the default, {found}, is not the zero value of its type")]
    #[strum(props(
        understood = "`{}`, `\"\"`, `false`, `0`, each for its own type",
        hint = "other groups have such defaults, but an absent value is read as the zero value of its type so far: \
                teach `spec/read_schema` to read the default and `emit/fields` to use it for absent values"
    ))]
    Default { found: &'static str },
    #[error("`required` names `{0}`, which is not among the properties")]
    #[strum(props(hint = "the document is incomplete: import the release again"))]
    RequiredUnknown(String),
    #[error("`{0}` does not lead to a schema of this document")]
    #[strum(props(
        understood = "`#/components/schemas/<name>`",
        hint = "if upstream began to use this, teach the reader (codegen/src/spec) what it means"
    ))]
    ForeignReference(String),
    #[error("the document has no schema `{0}`")]
    #[strum(props(hint = "the document is incomplete: import the release again"))]
    DanglingReference(String),
    #[error("the path `{path}` is not one of this document")]
    #[strum(props(hint = "the file was saved under the name of another document"))]
    ForeignPath { path: String, expected: String },
    #[error("a parameter has `required: {required}`")]
    #[strum(props(
        understood = "`required: true` in the path, and nothing of the kind elsewhere",
        hint = "if upstream began to use this, teach the reader (codegen/src/spec) what it means"
    ))]
    RequiredParameter { required: bool },
    #[error("the parameter `{0}` stands twice")]
    #[strum(props(hint = "a parameter of the path holds for all of its operations"))]
    DuplicateParameter(String),
    #[error("the path parameter `{parameter}` has no placeholder in `{path}`")]
    #[strum(props(
        hint = "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter"
    ))]
    NoPlaceholder { parameter: String, path: String },
    #[error("the placeholder `{placeholder}` in `{path}` has no path parameter")]
    #[strum(props(
        hint = "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter"
    ))]
    NoPathParameter { placeholder: String, path: String },
    #[error("the operation has no responses")]
    #[strum(props(
        hint = "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"
    ))]
    NoResponses,
    #[error("one body has two schemas, `{first}` and `{second}`")]
    #[strum(props(
        understood = "one schema for all media types of a body",
        hint = "if upstream began to use this, teach the reader (codegen/src/spec) what it means"
    ))]
    TwoBodies { first: String, second: String },
}

impl DocumentCause {
    /// A word that is not among those understood.
    pub fn unknown(what: &'static str, found: &str, understood: &[&'static str]) -> Self {
        let (found, understood) = (found.to_owned(), understood.to_vec());
        Self::UnknownValue { what, found, understood }
    }

    pub(super) fn understood(&self) -> Option<String> {
        match self {
            Self::UnknownKeyword { understood, .. } if understood.is_empty() => {
                Some("nothing".to_owned())
            }
            Self::UnknownKeyword { understood, .. } | Self::UnknownValue { understood, .. } => {
                Some(join(understood.iter().map(|word| format!("`{word}`")), ", "))
            }
            Self::ForeignPath { expected, .. } => {
                Some(format!("paths that begin with `{expected}`"))
            }
            _ => None,
        }
    }
}
