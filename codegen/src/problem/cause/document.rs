//! Causes in one document.

use strum::{EnumIter, EnumMessage};
use thiserror::Error;

use crate::text::join;

/// A cause in one document.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum DocumentCause {
    /// A value of the document has another JSON type than OpenAPI gives it.
    ///
    /// Hint: correct the definition, or import the release again
    #[error("found {found} where {expected} is expected")]
    WrongType { expected: &'static str, found: &'static str },
    /// YAML gives a word without quotes another type than its author meant.
    ///
    /// Hint: put the word into quotes: `y`, `n`, `yes`, `no`, `on`, `off`, `true` and `false` are booleans
    #[error("the word `{word}` is {found} in YAML, and {expected} is expected")]
    Misread { word: String, found: &'static str, expected: &'static str },
    /// The document has a keyword whose meaning the generator does not know, so its types could be wrong.
    ///
    /// Hint: a newer version of the generator may know it; else report it with the document. The other versions can be
    /// generated meanwhile: fetch the release without this document
    #[error("unknown keyword `{keyword}` in {of}")]
    UnknownKeyword { keyword: String, of: &'static str, understood: Vec<&'static str> },
    /// The package has its own descriptions, and the document has one, too.
    ///
    /// Hint: the import of a release removes it, if `descriptions` in `specs/group.toml` is `rules` or `none`: import
    /// the release again
    #[error("{of} has a `description`")]
    Prose { of: &'static str },
    /// The document lacks a keyword without which it has no meaning.
    ///
    /// Hint: correct the definition, or import the release again
    #[error("{of} has no `{keyword}`")]
    MissingKeyword { keyword: &'static str, of: &'static str },
    /// A keyword has a value whose meaning the generator does not know.
    ///
    /// Hint: a newer version of the generator may know it; else report it with the document. The other versions can be
    /// generated meanwhile: fetch the release without this document
    #[error("unknown {what} `{found}`")]
    UnknownValue { what: &'static str, found: String, understood: Vec<&'static str> },
    /// The document combines schemas, and the generator reads only `allOf` with one reference.
    ///
    /// Hint: no document of Kubernetes has this so far: report it with the document. The other versions can be
    /// generated meanwhile: fetch the release without this document
    #[error("`allOf` has {schemas} schemas")]
    AllOf { schemas: usize },
    /// An object has named fields and any others, for which the generator has no Rust type.
    ///
    /// Hint: servers reject a definition with both: remove one of them. No document of Kubernetes has both so far:
    /// report it with the document. The other versions can be generated meanwhile: fetch the release without this
    /// document
    #[error("the object has named fields and `additionalProperties`")]
    FieldsAndMap,
    /// An object has no schema of its own, so no name for its Rust type.
    ///
    /// Hint: no document of Kubernetes has this so far: report it with the document. The other versions can be
    /// generated meanwhile: fetch the release without this document
    #[error("an object with fields is inside another schema")]
    InlineStruct,
    /// The default of a field is not a value of its type.
    ///
    /// Hint: the document is incomplete: import the release again
    #[error("the default, {found}, is not a value of its type")]
    Default { found: &'static str },
    /// A field is required, and the object does not have it.
    ///
    /// Hint: the document is incomplete: import the release again
    #[error("`required` names `{0}`, which is not among the properties")]
    RequiredUnknown(String),
    /// A reference leads out of the document.
    ///
    /// Hint: a document has all schemas to which it refers; a definition has no references: write the schema in its
    /// place
    #[error("`{0}` does not lead to a schema of this document")]
    ForeignReference(String),
    /// A reference leads to a schema that the document does not have.
    ///
    /// Hint: the document is incomplete: import the release again
    #[error("the document has no schema `{0}`")]
    DanglingReference(String),
    /// A schema has a name that only the objects inside of others have in the model.
    ///
    /// Hint: OpenAPI allows letters, digits, `.`, `-` and `_`
    #[error("`{0}` is not the name of a schema")]
    SchemaName(String),
    /// A path is of another group or version than the document.
    ///
    /// Hint: the file was saved under the name of another document
    #[error("the path `{path}` is not one of this document")]
    ForeignPath { path: String, expected: String },
    /// A parameter of a path is optional, or another one is required.
    ///
    /// Hint: a newer version of the generator may know it; else report it with the document. The other versions can be
    /// generated meanwhile: fetch the release without this document
    #[error("a parameter has `required: {required}`")]
    RequiredParameter { required: bool },
    /// A parameter occurs twice in one operation.
    ///
    /// Hint: a parameter of the path holds for all operations
    #[error("the parameter `{0}` occurs twice")]
    DuplicateParameter(String),
    /// A parameter of the path does not occur in the path.
    ///
    /// Hint: placeholders are whole segments of the path, such as `/{name}`, each with one path parameter
    #[error("the path parameter `{parameter}` has no placeholder in `{path}`")]
    NoPlaceholder { parameter: String, path: String },
    /// A path has a placeholder that is not a parameter.
    ///
    /// Hint: placeholders are whole segments of the path, such as `/{name}`, each with one path parameter
    #[error("the placeholder `{placeholder}` in `{path}` has no path parameter")]
    NoPathParameter { placeholder: String, path: String },
    /// An operation states no answers.
    ///
    /// Hint: the document is incomplete: import the release again
    #[error("the operation has no responses")]
    NoResponses,
    /// The media types of one body have different schemas.
    ///
    /// Hint: a newer version of the generator may know it; else report it with the document. The other versions can be
    /// generated meanwhile: fetch the release without this document
    #[error("the media types of a body have different schemas: `{first}` and `{second}`")]
    TwoBodies { first: String, second: String },
}

impl DocumentCause {
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
