//! Causes in the rule files.

use strum::{EnumIter, EnumMessage};
use thiserror::Error;

use crate::text::did_you_mean;

/// A cause in a rule file.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum RuleCause {
    /// A file of TOML has not the name of a rule file, so nobody reads it.
    ///
    /// Hint: correct the name, or move the file out of the folder; the guide to your own group lists the rule files, and
    /// descriptions are in `descriptions`
    #[error("this is not a rule file{}", did_you_mean(near.as_ref()))]
    NotARuleFile { near: Option<String> },
    /// A module of `group.toml` does not end with the version.
    ///
    /// Hint: write the prefix and then `{version}`, such as `meta::{version}`
    #[error("`{0}` does not end with `{{version}}`")]
    NoVersionInModule(String),
    /// A rule names a Rust type without the path to it.
    ///
    /// Hint: write the whole path, such as `k8s_versioned::MicroTime`
    #[error("`{0}` is not the path of a type in another crate")]
    NotAPath(String),
    /// `lifecycle.toml` states releases that are not in order.
    ///
    /// Hint: correct the releases of the rule
    #[error("the releases of `{0}` are not in order: introduced, deprecated, removed")]
    LifecycleOrder(String),
    /// `lifecycle.toml` states something else about a kind than the documents show.
    ///
    /// Hint: the documents show what was served: remove the release from the rule
    #[error(
        "`lifecycle.toml` says that `{kind}` is {stated}, but the documents show that it is {shown}"
    )]
    LifecycleDisagrees { kind: String, stated: String, shown: String },
    /// A rule has no `reason`.
    ///
    /// Hint: state the evidence for the rule in `reason`
    #[error("the rule has no reason")]
    NoReason,
    /// The package has its own descriptions, and an item has none.
    ///
    /// Hint: write one, short and in the project's own words; the descriptions of a module, its types and their fields
    /// are in `specs/descriptions/<module>.toml`
    #[error("{0} has no description")]
    NoDescription(String),
    /// A field has no number in protobuf.
    ///
    /// Hint: fetch the release again from a checkout of Kubernetes, whose `generated.proto` has the numbers. If upstream's number
    /// is not known yet, name the field in `without-number` in `specs/protobuf.toml`: bodies in protobuf then leave it out
    #[error("`{0}` has no field number")]
    NoFieldNumber(String),
    /// `protobuf.toml` does not say how Go holds a field.
    ///
    /// Hint: fetch the release again from a checkout of Kubernetes, whose `types.go` says it; or, in `specs/protobuf.toml`, name
    /// it in `pointers` if its Go type begins with `*`, else in `values`
    #[error("no rule says whether `{0}` is a pointer in Go")]
    NoPresence(String),
    /// A number is not one that protobuf allows.
    ///
    /// Hint: numbers are from 1 to 536,870,911, without 19,000 to 19,999, and at most four lead to a field: correct the number
    #[error("`{field}` has the number {number}, which protobuf does not allow")]
    FieldNumberRange { field: String, number: u32 },
    /// Two fields of a message have the same number.
    ///
    /// Hint: correct one of the two
    #[error("`{field}` has the number {number}, like another field of the message")]
    FieldNumberTwice { field: String, number: String },
    /// A field has another number than it had.
    ///
    /// Hint: numbers of a served version never change: check that the file is genuine
    #[error("`{field}` had the number {was}, and has {now} in the imported file")]
    FieldNumberChanged { field: String, was: String, now: String },
    /// A rule is about something that the documents do not have.
    ///
    /// Hint: correct the name, or remove the rule if it is obsolete
    #[error("the rule for `{0}` matches nothing")]
    MatchesNothing(String),
    /// A rule names a kind or a version that the documents do not have.
    ///
    /// Hint: correct the name, or remove the rule if it is obsolete
    #[error("the rule for `{of}` matches nothing{}", did_you_mean(near.as_ref()))]
    NoSuchName { of: String, near: Option<String> },
    /// A rule names a version with `served: false`, which the package leaves out.
    ///
    /// Hint: set `unserved = true` in `specs/group.toml`, or remove the version from the rule
    #[error("the rule for `{0}` matches nothing: the version is not served, and left out")]
    NotServed(String),
    /// A rule is about a field that the version does not have.
    ///
    /// Hint: a path has the names of fields in JSON, with `[]` after the name of a list or map for its items: correct it, or
    /// remove the rule if it is obsolete
    #[error("the rule for `{of}` matches nothing{}", did_you_mean(near.as_ref()))]
    NoSuchField { of: String, near: Option<String> },
    /// In a package of several groups, a rule names a kind without its group.
    ///
    /// Hint: the package has several groups: name one in `group` beside `kind`
    #[error("`{kind}` is a kind of {}", groups.join(" and "))]
    KindOfGroup { kind: String, groups: Vec<String> },
    /// A name is for a type, and for something else.
    ///
    /// Hint: objects can be of one type; all others have names of their own
    #[error("`{0}` is the name of several types: `{1}`")]
    OneName(String, String),
    /// A rule has a key that only another kind of rule uses.
    ///
    /// Hint: remove the key, or correct `rule`
    #[error("only the rule `{}` takes `{key}`", of.join("` or `"))]
    KeyOfRule { key: &'static str, of: Vec<String> },
    /// Two rules are about the same thing.
    ///
    /// Hint: remove one of the two
    #[error("there is another rule for `{0}`")]
    Twice(String),
    /// A rule says what holds without it.
    ///
    /// Hint: remove the rule, or correct it
    #[error("the rule for `{0}` changes nothing: {1}")]
    WithoutEffect(String, &'static str),
}

impl RuleCause {
    pub(super) fn understood(&self) -> Option<&'static str> {
        let is_path = matches!(self, Self::NotAPath(_));
        is_path.then_some("`<crate>::<module>::<Type>`, with or without modules")
    }
}
