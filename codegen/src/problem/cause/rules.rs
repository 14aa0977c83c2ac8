//! Causes in the rule files.

use thiserror::Error;

use super::texts::Texts;
use crate::text::did_you_mean;

/// A cause in a rule file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum RuleCause {
    #[error("this is not a rule file{}", did_you_mean(near.as_ref()))]
    NotARuleFile { near: Option<String> },
    #[error("`{0}` does not end with `{{version}}`")]
    NoVersionInModule(String),
    #[error("`{0}` is not the path of a type in another crate")]
    NotAPath(String),
    #[error("the releases of `{0}` are not in order: introduced, deprecated, removed")]
    LifecycleOrder(String),
    #[error(
        "`lifecycle.toml` says that `{kind}` is {stated}, but the documents show that it is {shown}"
    )]
    LifecycleDisagrees { kind: String, stated: String, shown: String },
    #[error("the rule has no reason")]
    NoReason,
    #[error("{0} has no description")]
    NoDescription(String),
    #[error("`{0}` has no field number")]
    NoFieldNumber(String),
    #[error("no rule says whether `{0}` is a pointer in Go")]
    NoPresence(String),
    #[error("`{field}` has the number {number}, which protobuf does not allow")]
    FieldNumberRange { field: String, number: u32 },
    #[error("`{field}` has the number {number}, like another field of the message")]
    FieldNumberTwice { field: String, number: String },
    #[error("`{field}` had the number {was}, and has {now} in the imported file")]
    FieldNumberChanged { field: String, was: String, now: String },
    #[error("the rule for `{0}` matches nothing")]
    MatchesNothing(String),
    #[error("the rule for `{of}` matches nothing{}", did_you_mean(near.as_ref()))]
    NoSuchName { of: String, near: Option<String> },
    #[error("the rule for `{0}` matches nothing: the version is not served, and left out")]
    NotServed(String),
    #[error("the rule for `{of}` matches nothing{}", did_you_mean(near.as_ref()))]
    NoSuchField { of: String, near: Option<String> },
    #[error("`{kind}` is a kind of {}", groups.join(" and "))]
    KindOfGroup { kind: String, groups: Vec<String> },
    #[error("`{0}` is the name of several types: `{1}`")]
    OneName(String, String),
    #[error("only the rule `{}` takes `{key}`", of.join("` or `"))]
    KeyOfRule { key: String, of: Vec<&'static str> },
    #[error("no rule takes `{key}`{}", did_you_mean(near.as_ref()))]
    NoSuchKey { key: String, near: Option<String> },
    #[error("`{key}` is {form}")]
    KeyForm { key: &'static str, form: &'static str },
    #[error("there is no rule `{rule}`{}", did_you_mean(near.as_ref()))]
    NoSuchRule { rule: String, near: Option<String>, known: Vec<&'static str> },
    #[error("`names` has {found} paths, and the kind {expected} versions")]
    NamesInOrder { found: usize, expected: usize },
    #[error("the rule states a value by `{key}`, and has no reason")]
    NoReasonForValue { key: &'static str },
    #[error("there is another rule for `{0}`")]
    Twice(String),
    #[error("the rule for `{0}` changes nothing: {1}")]
    WithoutEffect(String, &'static str),
}

impl RuleCause {
    /// Each cause once, with empty fields.
    pub(super) fn all() -> [Self; 26] {
        [
            Self::NotARuleFile { near: None },
            Self::NoVersionInModule(String::new()),
            Self::NotAPath(String::new()),
            Self::LifecycleOrder(String::new()),
            Self::LifecycleDisagrees {
                kind: String::new(),
                stated: String::new(),
                shown: String::new(),
            },
            Self::NoReason,
            Self::NoDescription(String::new()),
            Self::NoFieldNumber(String::new()),
            Self::NoPresence(String::new()),
            Self::FieldNumberRange { field: String::new(), number: 0 },
            Self::FieldNumberTwice { field: String::new(), number: String::new() },
            Self::FieldNumberChanged {
                field: String::new(),
                was: String::new(),
                now: String::new(),
            },
            Self::MatchesNothing(String::new()),
            Self::NoSuchName { of: String::new(), near: None },
            Self::NotServed(String::new()),
            Self::NoSuchField { of: String::new(), near: None },
            Self::KindOfGroup { kind: String::new(), groups: Vec::new() },
            Self::OneName(String::new(), String::new()),
            Self::KeyOfRule { key: String::new(), of: Vec::new() },
            Self::NoSuchKey { key: String::new(), near: None },
            Self::KeyForm { key: "", form: "" },
            Self::NoSuchRule { rule: String::new(), near: None, known: Vec::new() },
            Self::NamesInOrder { found: 0, expected: 0 },
            Self::NoReasonForValue { key: "" },
            Self::Twice(String::new()),
            Self::WithoutEffect(String::new(), ""),
        ]
    }

    /// The identifier, the meaning and the hint.
    #[allow(clippy::too_many_lines, reason = "it is a table")]
    pub(super) fn texts(&self) -> Texts {
        match self {
            Self::NotARuleFile { .. } => (
                "not-a-rule-file",
                "A file of TOML has not the name of a rule file, so nobody reads it.",
                "correct the name, or move the file out of the folder; the guide to your own group lists the rule \
                 files, and descriptions are in `descriptions`",
            ),
            Self::NoVersionInModule(_) => (
                "no-version-in-module",
                "A module of `group.toml` does not end with the version.",
                "write the prefix and then `{version}`, such as `meta::{version}`",
            ),
            Self::NotAPath(_) => (
                "not-a-path",
                "A rule names a Rust type without the path to it.",
                "write the whole path, such as `k8s_versioned::MicroTime`",
            ),
            Self::LifecycleOrder(_) => (
                "lifecycle-order",
                "`lifecycle.toml` states releases that are not in order.",
                "correct the releases of the rule",
            ),
            Self::LifecycleDisagrees { .. } => (
                "lifecycle-disagrees",
                "`lifecycle.toml` states something else about a kind than the documents show.",
                "the documents show what was served: remove the release from the rule",
            ),
            Self::NoReason => (
                "no-reason",
                "A rule has no `reason`.",
                "state the evidence for the rule in `reason`",
            ),
            Self::NoDescription(_) => (
                "no-description",
                "The package has its own descriptions, and an item has none.",
                "write one, short and in the project's own words; the descriptions of a module, its types and their \
                 fields are in `specs/descriptions/<module>.toml`",
            ),
            Self::NoFieldNumber(_) => (
                "no-field-number",
                "A field has no number in protobuf.",
                "fetch the release again from a checkout of Kubernetes, whose `generated.proto` has the numbers. If \
                 upstream's number is not known yet, name the field in `without-number` in `specs/protobuf.toml`: \
                 bodies in protobuf then leave it out",
            ),
            Self::NoPresence(_) => (
                "no-presence",
                "`protobuf.toml` does not say how Go holds a field.",
                "fetch the release again from a checkout of Kubernetes, whose `types.go` says it; or, in \
                 `specs/protobuf.toml`, name it in `pointers` if its Go type begins with `*`, else in `values`",
            ),
            Self::FieldNumberRange { .. } => (
                "field-number-range",
                "A number is not one that protobuf allows.",
                "numbers are from 1 to 536,870,911, without 19,000 to 19,999, and at most four lead to a field: \
                 correct the number",
            ),
            Self::FieldNumberTwice { .. } => (
                "field-number-twice",
                "Two fields of a message have the same number.",
                "correct one of the two",
            ),
            Self::FieldNumberChanged { .. } => (
                "field-number-changed",
                "A field has another number than it had.",
                "numbers of a served version never change: check that the file is genuine",
            ),
            Self::MatchesNothing(_) => (
                "matches-nothing",
                "A rule is about something that the documents do not have.",
                "correct the name, or remove the rule if it is obsolete",
            ),
            Self::NoSuchName { .. } => (
                "no-such-name",
                "A rule names a kind or a version that the documents do not have.",
                "correct the name, or remove the rule if it is obsolete",
            ),
            Self::NotServed(_) => (
                "not-served",
                "A rule names a version with `served: false`, which the package leaves out.",
                "set `unserved = true` in `specs/group.toml`, or remove the version from the rule",
            ),
            Self::NoSuchField { .. } => (
                "no-such-field",
                "A rule is about a field that the version does not have.",
                "a path has the names of fields in JSON, with `[]` after the name of a list or map for its items: \
                 correct it, or remove the rule if it is obsolete",
            ),
            Self::KindOfGroup { .. } => (
                "kind-of-group",
                "In a package of several groups, a rule names a kind without its group.",
                "the package has several groups: name one in `group` beside `kind`",
            ),
            Self::OneName(..) => (
                "one-name",
                "A name is for a type, and for something else.",
                "objects can be of one type; all others have names of their own",
            ),
            Self::KeyOfRule { .. } => (
                "key-of-rule",
                "A rule has a key that only another kind of rule uses.",
                "remove the key, or correct `rule`",
            ),
            Self::NoSuchKey { .. } => (
                "no-such-key",
                "A rule has a key that no kind of rule takes.",
                "remove the key, or correct its name; `k8s-versioned explain rules` lists the keys of each rule",
            ),
            Self::KeyForm { .. } => (
                "key-form",
                "The value of a key of a rule has another form than the rule takes.",
                "correct the value; `k8s-versioned explain rules` has an example of each rule",
            ),
            Self::NoSuchRule { .. } => (
                "no-such-rule",
                "A rule has the name of no kind of rule.",
                "correct `rule`; `k8s-versioned explain rules` says what each rule is for",
            ),
            Self::NamesInOrder { .. } => (
                "names-in-order",
                "A rule lists paths without versions, and not one for each version of the kind.",
                "list a path for each version in `versions`, in their order, and an empty text for a version that lacks the \
                 field; or name the versions: `names = { v1 = \"spec.size\" }`",
            ),
            Self::NoReasonForValue { .. } => (
                "no-reason-for-value",
                "A rule makes up a value, and nothing says where it comes from.",
                "state in `reason` why objects of the other version mean this value",
            ),
            Self::Twice(_) => {
                ("twice", "Two rules are about the same thing.", "remove one of the two")
            }
            Self::WithoutEffect(..) => (
                "without-effect",
                "A rule says what holds without it.",
                "remove the rule, or correct it",
            ),
        }
    }

    pub(super) fn understood(&self) -> Option<String> {
        match self {
            Self::NotAPath(_) => {
                Some("`<crate>::<module>::<Type>`, with or without modules".to_owned())
            }
            Self::NoSuchRule { known, .. } => Some(format!("`{}`", known.join("`, `"))),
            _ => None,
        }
    }
}
