//! Causes in the plan of conversions.

use strum::EnumProperty;
use thiserror::Error;

use crate::text::join;

/// A cause in the plan of conversions.
#[derive(Clone, Debug, PartialEq, Eq, Error, EnumProperty)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum ConversionCause {
    #[error("`{kind}` has the version `{version}`, which is not converted from and to {}", others.join(" and "))]
    #[strum(props(
        hint = "list the version in `versions` in `specs/conversions.toml`, and the fields that its servers \
                require in `required`"
    ))]
    PairsMissing { kind: String, version: String, others: Vec<String> },
    /// The remedy has the hint.
    #[error(
        "`{field}` of {of} has no counterpart in {}: it would be lost on the way there, and nothing fills it on \
         the way back",
        missing.join(" and ")
    )]
    NoCounterpart { field: String, of: String, missing: Vec<String>, remedy: Remedy },
    /// The remedy has the hint.
    #[error("`{field}` of `{kind}` has different types: {}", types(found))]
    FieldTypesDiffer { kind: String, field: String, found: Vec<(String, String)>, remedy: Remedy },
    #[error("{of} cannot be converted: {why}")]
    #[strum(props(
        hint = "the lists of all versions must be of one kind, or a list cannot be read whatever its version"
    ))]
    NotConvertible { of: String, why: &'static str },
    #[error("the rule `{rule}` does not fit: {why}")]
    #[strum(props(hint = "the head of `specs/conversions.toml` says what each rule is for"))]
    RuleDoesNotFit { rule: String, why: String },
    #[error(
        "`{part}` is declared to be the same in {of} and in {to}, and it is not: {}",
        differences.join(", ")
    )]
    #[strum(props(
        hint = "take one of the versions out of the `[[kind.lossless]]` of `specs/conversions.toml`; programs then \
                have no `into()` between these types any more, so CHANGELOG.md has to name the change"
    ))]
    NotLossless { part: String, of: String, to: String, differences: Vec<String> },
    #[error("conversions of `{0}` have to keep values aside, and no annotation is named for that")]
    #[strum(props(
        hint = "in `annotation`, name a key under a domain of your own, such as `conversion.example.com/my-kind`"
    ))]
    NoAnnotationKey(String),
    #[error("`{key}` is no key for an annotation: {why}")]
    #[strum(props(
        hint = "in `annotation`, name a key under a domain of your own, such as `conversion.example.com/my-kind`"
    ))]
    AnnotationKey { key: String, why: String },
    #[error("the object has no `metadata.annotations` to keep values in")]
    #[strum(props(
        hint = "only objects with Kubernetes' own metadata can be converted when something has to be kept aside"
    ))]
    NoAnnotations,
}

fn types(found: &[(String, String)]) -> String {
    join(found.iter().map(|(version, found)| format!("`{found}` in {version}")), ", ")
}

/// Which rule can say what becomes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumProperty)]
pub enum Remedy {
    /// One for fields that have no counterpart, or one of another name.
    #[strum(props(
        hint = "add a `[[kind.field]]` to `specs/conversions.toml`: with `rule = \"keep-aside\"` and the versions \
                that have the field in `names`, or `\"rename\"` or `\"first-of-list\"` if another field stands for it; \
                each rule has a `reason`"
    ))]
    AnyRule,
    /// `absent-to-zero`
    #[strum(props(
        hint = "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"absent-to-zero\"` that names the \
                field in all versions"
    ))]
    AbsentToZero,
    /// `first-of-list`
    #[strum(props(
        hint = "add a `[[kind.field]]` to `specs/conversions.toml` with `rule = \"first-of-list\"` that names the \
                field in all versions"
    ))]
    FirstOfList,
    /// None can turn one type into the other.
    #[strum(props(
        hint = "no rule turns one of these types into another: decide what becomes of such a value, then teach \
                codegen/src/conversion"
    ))]
    NoRule,
    /// None: the field is in a list, a map or an optional value.
    #[strum(props(
        hint = "no rule reaches into lists, maps and optional values: decide what becomes of the field there, then \
                teach codegen/src/conversion"
    ))]
    OutOfReach,
}
