//! The causes of problems, in the order of the stages that find them. Each displays as what was found; what
//! would have been understood and what to do about it stands beside, in `hint.rs`.

use k8s_versioned::{Release, Version};
use thiserror::Error;

use super::Place;
use crate::text::join;

/// A cause of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the message of each variant says what it is, and its fields are named for it"
)]
pub enum Cause {
    // Text.
    #[error("the file is empty")]
    EmptyFile,
    #[error("the text is not UTF-8")]
    NotUtf8,
    #[error("the JSON cannot be read: {0}")]
    Syntax(String),
    #[error("the key `{0}` stands twice in one object")]
    DuplicateKey(String),
    #[error("values nest more than {limit} deep")]
    TooDeep { limit: usize },
    #[error("the TOML cannot be read: {0}")]
    Toml(String),

    // The manifest, and the files that it lists.
    #[error("there are no documents")]
    NoDocuments,
    #[error("the manifest lists this document, and it is not there")]
    DocumentMissing,
    #[error("this document is there, and the manifest does not list it")]
    DocumentUnlisted,
    #[error("this document is not as it was imported: its SHA-256 differs from the manifest's")]
    DocumentEdited,
    #[error("the manifest lists `{0}` twice")]
    DocumentTwice(String),
    #[error("releases are missing between {before} and {after}")]
    ReleaseGap { before: Release, after: Release },
    #[error("release {0} has no document of the group itself")]
    NoGroupDocument(Release),
    #[error("release {0} has no document of any version of the group")]
    NoVersionDocument(Release),

    // Import.
    #[error("there is no document of the group `{0}`")]
    NothingToImport(String),
    #[error("release {release} has documents from its source tree already")]
    SourceTreeThere { release: Release },

    // One document.
    #[error("found {found} where {expected} is expected")]
    WrongType { expected: &'static str, found: &'static str },
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
    #[error("the default, {found}, is not the zero value of its type")]
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
    #[error("the parameter `{0}` stands twice")]
    DuplicateParameter(String),
    #[error("the path parameter `{parameter}` has no placeholder in `{path}`")]
    NoPlaceholder { parameter: String, path: String },
    #[error("the placeholder `{placeholder}` in `{path}` has no path parameter")]
    NoPathParameter { placeholder: String, path: String },
    #[error("the operation has no responses")]
    NoResponses,
    #[error("one body has two schemas, `{first}` and `{second}`")]
    TwoBodies { first: String, second: String },

    // Documents against each other.
    #[error("the document is of the group `{found}`")]
    ForeignGroup { found: String, expected: String },
    #[error("an object with fields stands inside another schema")]
    InlineStruct,
    #[error("{what} is not the same in all documents of this release")]
    DocumentsDisagree { what: String, other: String },
    #[error("{what} was {was} and is {now} now")]
    TypeChanged { what: String, was: String, now: String, earlier: Place },
    #[error("the default of field `{field}` was {was} and is {now} now")]
    DefaultChanged { field: String, was: String, now: String, earlier: Place },
    #[error("two operations of this release have the id `{0}`")]
    OperationTwice(String),
    #[error("the operation `{was}` has the id `{now}` now")]
    OperationRenamed { was: String, now: String },
    #[error("{what} is not the same as before")]
    OperationChanged { what: String, earlier: Place },
    #[error("kind `{kind}` is served under another path than `{first}`, too")]
    TwoResources { kind: String, first: String },

    // Rules.
    #[error("no group is named")]
    NoGroup,
    #[error("`{0}` does not end with `{{version}}`")]
    NoVersionInModule(String),
    #[error("`{0}` is not the path of a type in another crate")]
    NotAPath(String),
    #[error("the releases of `{0}` are not in order: introduced, deprecated, removed")]
    LifecycleOrder(Version),
    #[error("no rule says from when to when `{0}` is served")]
    NoLifecycle(Version),
    #[error(
        "by its lifecycle, `{version}` is {served} in {release}, and by the documents it is {shown}"
    )]
    LifecycleDisagrees {
        version: Version,
        release: Release,
        served: &'static str,
        shown: &'static str,
    },
    #[error("the rule has no reason")]
    NoReason,
    #[error("{0} has no description")]
    NoDescription(String),
    #[error("the rule for `{0}` matches nothing")]
    RuleMatchesNothing(String),
    #[error("there is another rule for `{0}`")]
    RuleTwice(String),
    #[error("the rule for `{field}` changes nothing: {why}")]
    RuleWithoutEffect { field: String, why: &'static str },

    // From the model to Rust.
    #[error("no rule says which module the schema `{0}` goes into")]
    NoModule(String),
    #[error("`{0}` has no named fields to make a Rust type of")]
    NoShape(String),
    #[error(
        "`{field}` is a bare {value}, and no reference to a schema that a Rust type could stand for"
    )]
    NamelessValue { field: String, value: String },
    #[error("`{0}` is no name for a Rust item")]
    NotAnIdentifier(String),
    #[error("the Rust name `{0}` is that of the registry of all kinds")]
    ReservedName(String),
    #[error("`{first}` and `{second}` would both be `{rust}` in Rust")]
    NameClash { first: String, second: String, rust: String },
    #[error("`{0}` would contain itself")]
    Endless(String),
    #[error("a field requires a value of `{0}`, which has no default")]
    NoDefault(String),
    #[error("several of the object's kinds could be written")]
    ManyKinds(Vec<String>),
    #[error("the resource `{0}` has no type for its objects")]
    NoObjectType(String),
    #[error("the resource `{0}` has no type for lists of its objects")]
    NoListType(String),
    #[error("the object has no `metadata` of the type `ObjectMeta` that is always there")]
    NoMetadata,
    #[error(
        "a list has `items`, `metadata` of the type `ListMeta` that is always there, and nothing else; this one differs"
    )]
    UnusualList,

    // Operations.
    #[error("the operation `{id}` is not a verb: {why}")]
    NoVerb { id: String, why: &'static str },
    #[error("the operation `{id}` is not what the verb `{verb}` is: {what}")]
    UnlikeVerb { id: String, verb: &'static str, what: String },
    #[error("the resource `{resource}` has no `{verb}`, which others like it have")]
    VerbMissing { resource: String, verb: String },

    // Conversions.
    #[error(
        "`{kind}` has the version `{version}`, which is not converted from and to {}",
        words(others)
    )]
    PairsMissing { kind: String, version: String, others: Vec<String> },
    #[error(
        "`{field}` of {of} has no counterpart in {}: it would be lost on the way there, and nothing fills it on \
         the way back",
        words(missing)
    )]
    NoCounterpart { field: String, of: String, missing: Vec<String>, remedy: Remedy },
    #[error("`{field}` of `{kind}` has different types: {}", types(found))]
    FieldTypesDiffer { kind: String, field: String, found: Vec<(String, String)>, remedy: Remedy },
    #[error("{of} cannot be converted: {why}")]
    NotConvertible { of: String, why: &'static str },
    #[error("the rule `{rule}` does not fit: {why}")]
    RuleDoesNotFit { rule: String, why: String },
    #[error(
        "`{part}` is declared to be the same in {of} and in {to}, and it is not: {}",
        differences.join(", ")
    )]
    NotLossless { part: String, of: String, to: String, differences: Vec<String> },
    #[error("conversions of `{0}` have to keep values aside, and no annotation is named for that")]
    NoAnnotationKey(String),
    #[error("`{key}` is no key for an annotation: {why}")]
    AnnotationKey { key: String, why: String },
    #[error("the object has no `metadata.annotations` to keep values in")]
    NoAnnotations,

    // All of them.
    #[error("{0} more problems of this file are not shown")]
    More(usize),

    // Rust text.
    #[error("the text made for `{file}` is not Rust: {message}")]
    NotRust { file: String, message: String },
}

impl Cause {
    /// A word that is not among those understood.
    pub fn unknown(what: &'static str, found: &str, understood: &[&'static str]) -> Self {
        let (found, understood) = (found.to_owned(), understood.to_vec());
        Self::UnknownValue { what, found, understood }
    }

    /// Another place that the problem is about.
    pub fn earlier(&self) -> Option<&Place> {
        match self {
            Self::TypeChanged { earlier, .. }
            | Self::DefaultChanged { earlier, .. }
            | Self::OperationChanged { earlier, .. } => Some(earlier),
            _ => None,
        }
    }
}

/// Which rule can say what becomes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// One for fields that have no counterpart, or one of another name.
    AnyRule,
    /// `absent-to-zero`
    AbsentToZero,
    /// `first-of-list`
    FirstOfList,
    /// None can turn one type into the other.
    NoRule,
    /// None: the field is in a list, a map or an optional value.
    OutOfReach,
}

fn words(words: &[String]) -> String {
    words.join(" and ")
}

fn types(found: &[(String, String)]) -> String {
    join(found.iter().map(|(version, found)| format!("`{found}` in {version}")), ", ")
}
