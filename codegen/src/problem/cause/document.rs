//! Causes in one document.

use super::table::causes;
use crate::text::join;

causes! {
    /// A cause in one document.
    pub(crate) enum DocumentCause {
        /// A value of the document has another JSON type than OpenAPI gives it.
        #[error("found {found} where {expected} is expected")]
        #[id = "wrong-type"]
        #[hint = "correct the definition, or import the release again"]
        WrongType { expected: &'static str, found: &'static str },
        /// YAML gives a word without quotes another type than its author meant.
        #[error("the word `{word}` is {found} in YAML, and {expected} is expected")]
        #[id = "misread"]
        #[hint = "put the word into quotes: `y`, `n`, `yes`, `no`, `on`, `off`, `true` and `false` are booleans"]
        Misread { word: String, found: &'static str, expected: &'static str },
        /// The document has a keyword whose meaning the generator does not know, so its types could be wrong.
        #[error("unknown keyword `{keyword}` in {object}")]
        #[id = "unknown-keyword"]
        #[hint = "a newer version of the generator may know it; else report it with the document. The other versions can be \
            generated meanwhile: fetch the release without this document"]
        UnknownKeyword { keyword: String, object: &'static str, understood: Vec<&'static str> },
        /// The document lacks a keyword without which it has no meaning.
        #[error("{object} has no `{keyword}`")]
        #[id = "missing-keyword"]
        #[hint = "correct the definition, or import the release again"]
        MissingKeyword { keyword: &'static str, object: &'static str },
        /// A keyword has a value whose meaning the generator does not know.
        #[error("unknown {what} `{found}`")]
        #[id = "unknown-value"]
        #[hint = "a newer version of the generator may know it; else report it with the document. The other versions can be \
            generated meanwhile: fetch the release without this document"]
        UnknownValue { what: &'static str, found: String, understood: Vec<&'static str> },
        /// The document combines schemas, and the generator reads only `allOf` with one reference.
        #[error("`allOf` has {schemas} schemas")]
        #[id = "all-of"]
        #[hint = "no document of Kubernetes has this so far: report it with the document. The other versions can be generated \
            meanwhile: fetch the release without this document"]
        AllOf { schemas: usize },
        /// An object has named fields and any others, for which the generator has no Rust type.
        #[error("the object has named fields and `additionalProperties`")]
        #[id = "fields-and-map"]
        #[hint = "servers reject a definition with both: remove one of them. No document of Kubernetes has both so far: \
            report it with the document. The other versions can be generated meanwhile: fetch the release without this \
            document"]
        FieldsAndMap,
        /// An object has no schema of its own, so no name for its Rust type.
        #[error("an object with fields is inside another schema")]
        #[id = "inline-struct"]
        #[hint = "no document of Kubernetes has this so far: report it with the document. The other versions can be generated \
            meanwhile: fetch the release without this document"]
        InlineStruct,
        /// The default of a field is not a value of its type.
        #[error("the default, {found}, is not a value of its type")]
        #[id = "default"]
        #[hint = "the document is incomplete: import the release again"]
        Default { found: &'static str },
        /// A field is required, and the object does not have it.
        #[error("`required` names `{0}`, which is not among the properties")]
        #[id = "required-unknown"]
        #[hint = "the document is incomplete: import the release again"]
        RequiredUnknown(String),
        /// A reference leads out of the document.
        #[error("`{0}` does not lead to a schema of this document")]
        #[id = "foreign-reference"]
        #[hint = "a document has all schemas to which it refers; a definition has no references: write the schema in its \
            place"]
        ForeignReference(String),
        /// A reference leads to a schema that the document does not have.
        #[error("the document has no schema `{0}`")]
        #[id = "dangling-reference"]
        #[hint = "the document is incomplete: import the release again"]
        DanglingReference(String),
        /// A schema has a name that only the objects inside of others have in the model.
        #[error("`{0}` is not the name of a schema")]
        #[id = "schema-name"]
        #[hint = "OpenAPI allows letters, digits, `.`, `-` and `_`"]
        SchemaName(String),
        /// A path is of another group or version than the document.
        #[error("the path `{path}` is not one of this document")]
        #[id = "foreign-path"]
        #[hint = "the file was saved under the name of another document"]
        ForeignPath { path: String, expected: String },
        /// A parameter of a path is optional, or another one is required.
        #[error("a parameter has `required: {required}`")]
        #[id = "required-parameter"]
        #[hint = "a newer version of the generator may know it; else report it with the document. The other versions can be \
            generated meanwhile: fetch the release without this document"]
        RequiredParameter { required: bool },
        /// A parameter occurs twice in one operation.
        #[error("the parameter `{0}` occurs twice")]
        #[id = "duplicate-parameter"]
        #[hint = "a parameter of the path holds for all operations"]
        DuplicateParameter(String),
        /// A parameter of the path does not occur in the path.
        #[error("the path parameter `{parameter}` has no placeholder in `{path}`")]
        #[id = "no-placeholder"]
        #[hint = "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter"]
        NoPlaceholder { parameter: String, path: String },
        /// A path has a placeholder that is not a parameter.
        #[error("the placeholder `{placeholder}` in `{path}` has no path parameter")]
        #[id = "no-path-parameter"]
        #[hint = "placeholders are whole segments of the path, such as `/{name}`, each with one path parameter"]
        NoPathParameter { placeholder: String, path: String },
        /// An operation states no answers.
        #[error("the operation has no responses")]
        #[id = "no-responses"]
        #[hint = "the document is incomplete: import the release again"]
        NoResponses,
        /// The media types of one body have different schemas.
        #[error("the media types of a body have different schemas: `{first}` and `{second}`")]
        #[id = "two-bodies"]
        #[hint = "a newer version of the generator may know it; else report it with the document. The other versions can be \
            generated meanwhile: fetch the release without this document"]
        TwoBodies { first: String, second: String },
    }
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
            Self::RequiredParameter { .. } => {
                "`required: true` for a parameter of the path, and for no other"
            }
            Self::TwoBodies { .. } => "one schema for all media types of a body",
            _ => return None,
        };
        Some(understood.to_owned())
    }
}
