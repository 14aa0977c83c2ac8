//! Causes in the rule files.

use std::fmt;

use thiserror::Error;

use super::table::causes;
use crate::text::did_you_mean;

/// What has no description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Undescribed {
    /// A module.
    Module(String),
    /// A type of a module.
    Type { module: String, name: String },
    /// A field of a type, by its name in JSON.
    Field { module: String, name: String, field: String },
    /// An open enum of the rules, or one of its words.
    EnumWord(String),
}

/// A word without letters, for the table of all causes.
impl Default for Undescribed {
    fn default() -> Self {
        Self::EnumWord(String::new())
    }
}

impl fmt::Display for Undescribed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Module(module) => write!(f, "the module `{module}`"),
            Self::Type { module, name } => write!(f, "`{module}::{name}`"),
            Self::Field { module, name, field } => {
                write!(f, "field `{field}` of `{module}::{name}`")
            }
            Self::EnumWord(word) => write!(f, "`{word}`"),
        }
    }
}

/// Why a rule changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Error)]
pub(crate) enum NoEffect {
    /// Of `conversions.toml`: neither the name nor the type of the field changes.
    #[default]
    #[error("the name and the type are the same in all versions")]
    SameInAll,
    #[error("it names no field; in rules `under` an object, `.` is the object itself")]
    NamesNothing,
    #[error("conversions copy `metadata` unchanged")]
    Metadata,
    #[error(
        "the object that is to have its fields in another version is not around it: fields from elsewhere have rules of their own"
    )]
    NestedElsewhere,
    #[error("a rule keeps the object around it aside")]
    KeptAround,
    #[error(
        "the rule `wrap` is about the whole object around it: `pattern` states the other fields of such an object"
    )]
    WrappedAround,
    #[error("a `pattern` is about the whole value around it")]
    PassedOnAround,
    #[error("it has one version only")]
    OneVersion,
    #[error("it names one version only")]
    NamesOneVersion,
    /// A field that is stated as required is required.
    #[error("the documents say so already")]
    Stated,
    /// Of `lifecycle.toml`.
    #[error("the documents show the release")]
    ShownRelease,
    #[error("it states no release")]
    NoRelease,
    #[error("the definitions are not in the folder of a release: state `introduced` also")]
    NotIntroduced,
    /// Of `protobuf.toml`.
    #[error("its number is known")]
    KnownNumber,
    #[error("each item or entry is a field of its own")]
    Items,
    #[error("it is not a list")]
    NoList,
    /// Of the rules about fields.
    #[error("it holds no text")]
    NoText,
    #[error("it is required, and so kept anyway")]
    Kept,
    #[error("it is not required, and so omitted anyway")]
    Omitted,
    #[error("it is not required, and so an absent value is distinguished anyway")]
    Distinguished,
    #[error("it is a text, and so omitted anyway")]
    OmittedText,
    #[error("it is required, and so not an `Option`")]
    NoOption,
    /// Of descriptions.
    #[error("only `[module]` can be like another")]
    LikeOfType,
}

causes! {
    /// A cause in a rule file.
    pub(crate) enum RuleCause {
        /// A file of TOML has not the name of a rule file, so nobody reads it.
        #[error("this is not a rule file{}", did_you_mean(near.as_ref()))]
        #[id = "not-a-rule-file"]
        #[hint = "correct the name, or move the file out of the folder; the guide to your own group lists the rule files, and \
            descriptions are in `descriptions`"]
        NotARuleFile { near: Option<String> },
        /// A module of `group.toml` does not end with the version.
        #[error("`{0}` does not end with `{{version}}`")]
        #[id = "no-version-in-module"]
        #[hint = "write the prefix and then `{version}`, such as `meta::{version}`"]
        NoVersionInModule(String),
        /// A rule names a Rust type without the path to it.
        #[error("`{0}` is not the path of a type in another crate")]
        #[id = "not-a-path"]
        #[hint = "write the whole path, such as `k8s_versioned::MicroTime`"]
        NotAPath(String),
        /// `lifecycle.toml` states releases that are not in order.
        #[error("the releases of `{0}` are not in order: introduced, deprecated, removed")]
        #[id = "lifecycle-order"]
        #[hint = "correct the releases of the rule"]
        LifecycleOrder(String),
        /// `lifecycle.toml` states something else about a kind than the documents show.
        #[error(
            "`lifecycle.toml` says that `{kind}` is {stated}, but the documents show that it is {shown}"
        )]
        #[id = "lifecycle-disagrees"]
        #[hint = "the documents show what was served: remove the release from the rule"]
        LifecycleDisagrees { kind: String, stated: String, shown: String },
        /// A rule has no `reason`.
        #[error("the rule has no reason")]
        #[id = "no-reason"]
        #[hint = "state the evidence for the rule in `reason`"]
        NoReason,
        /// The package has its own descriptions, and an item has none.
        #[error("{0} has no description")]
        #[id = "no-description"]
        #[hint = "write one, short and in the project's own words; the descriptions of a module, its types and their fields \
            are in `specs/descriptions/<module>.toml`"]
        NoDescription(Undescribed),
        /// A field has no number in protobuf.
        #[error("`{schema}.{field}` has no field number")]
        #[id = "no-field-number"]
        #[hint = "fetch the release again from a checkout of Kubernetes, whose `generated.proto` has the numbers. If \
            upstream's number is not known yet, name the field in `without-number` in `specs/protobuf.toml`: bodies in \
            protobuf then leave it out"]
        NoFieldNumber { schema: String, field: String },
        /// `protobuf.toml` does not say how Go holds a field.
        #[error("no rule says whether `{schema}.{field}` is a pointer in Go")]
        #[id = "no-presence"]
        #[hint = "fetch the release again from a checkout of Kubernetes, whose `types.go` says it; or, in \
            `specs/protobuf.toml`, name it in `pointers` if its Go type begins with `*`, else in `values`"]
        NoPresence { schema: String, field: String },
        /// Protobuf does not allow a number.
        #[error("`{field}` has the number {number}, which protobuf does not allow")]
        #[id = "field-number-range"]
        #[hint = "numbers are from 1 to 536,870,911, without 19,000 to 19,999, and at most four lead to a field: correct the \
            number"]
        FieldNumberRange { field: String, number: u32 },
        /// Two fields of a message have the same number.
        #[error("`{field}` has the number {number}, like another field of the message")]
        #[id = "field-number-twice"]
        #[hint = "correct one of the two"]
        FieldNumberTwice { field: String, number: String },
        /// A field has another number than it had.
        #[error("`{field}` had the number {was}, and has {now} in the imported file")]
        #[id = "field-number-changed"]
        #[hint = "numbers of a served version never change: check that the file is genuine"]
        FieldNumberChanged { field: String, was: String, now: String },
        /// A rule is about something that the documents do not have.
        #[error("the rule for `{0}` matches nothing")]
        #[id = "matches-nothing"]
        #[hint = "correct the name, or remove the rule if it is obsolete"]
        MatchesNothing(String),
        /// A rule names a kind or a version that the documents do not have.
        #[error("the rule for `{name}` matches nothing{}", did_you_mean(near.as_ref()))]
        #[id = "no-such-name"]
        #[hint = "correct the name, or remove the rule if it is obsolete"]
        NoSuchName { name: String, near: Option<String> },
        /// A rule names a version with `served: false`, which the package leaves out.
        #[error("the rule for `{0}` matches nothing: the version is not served, and left out")]
        #[id = "not-served"]
        #[hint = "set `unserved = true` in `specs/group.toml`, or remove the version from the rule"]
        NotServed(String),
        /// A rule is about a field that the version does not have.
        #[error("the rule for `{field}` matches nothing{}", did_you_mean(near.as_ref()))]
        #[id = "no-such-field"]
        #[hint = if *in_metadata {
            "a field that is an annotation or label of the object in some versions takes the rule `in-metadata`: name the field in the \
                versions that have it, and the key in `annotation` or `label`"
        } else {
            "a path has the names of fields in JSON, with `[]` after the name of a list or map for its items: correct \
                it, or remove the rule if it is obsolete"
        }]
        NoSuchField {
            field: String,
            near: Option<String>,
            /// Whether the path is one of an annotation or a label of the object.
            in_metadata: bool,
        },
        /// A rule names a kind of several groups without its group.
        #[error("`{kind}` is a kind of {}", groups.join(" and "))]
        #[id = "kind-of-group"]
        #[hint = "several groups have this kind: name one in `group`, next to `kind`"]
        KindOfGroup { kind: String, groups: Vec<String> },
        /// A name is for a type, and for something else.
        #[error("`{0}` is the name of several types: `{1}`")]
        #[id = "one-name"]
        #[hint = "objects can be of one type; all others have names of their own"]
        OneName(String, String),
        /// A rule has a key that only another kind of rule uses.
        #[error("only the rule `{}` takes `{key}`", rules.join("` or `"))]
        #[id = "key-of-rule"]
        #[hint = "remove the key, or correct `rule`"]
        KeyOfRule { key: String, rules: Vec<&'static str> },
        /// A rule has a key that no kind of rule takes.
        #[error("no rule takes `{key}`{}", did_you_mean(near.as_ref()))]
        #[id = "no-such-key"]
        #[hint = "remove the key, or correct its name; `k8s-versioned explain rules` lists the keys of each rule"]
        NoSuchKey { key: String, near: Option<String> },
        /// The value of a key of a rule has another form than the rule takes.
        #[error("`{key}` is {form}")]
        #[id = "key-form"]
        #[hint = "correct the value; `k8s-versioned explain rules` has an example of each rule"]
        KeyForm { key: &'static str, form: &'static str },
        /// A rule has the name of no kind of rule.
        #[error("there is no rule `{rule}`{}", did_you_mean(near.as_ref()))]
        #[id = "no-such-rule"]
        #[hint = "correct `rule`; `k8s-versioned explain rules` says what each rule is for"]
        NoSuchRule { rule: String, near: Option<String>, known: Vec<&'static str> },
        /// A rule lists paths without versions, and not one for each version of the kind.
        #[error("`names` has {found} paths, and the kind {expected} versions")]
        #[id = "names-in-order"]
        #[hint = "list a path for each version in `versions`, in their order, and an empty text for a version that lacks the \
            field; or name the versions: `names = { v1 = \"spec.size\" }`"]
        NamesInOrder { found: usize, expected: usize },
        /// A rule lists paths in another order than the versions.
        #[error("the rule for `{field}` matches nothing: {other} has the field")]
        #[id = "names-out-of-order"]
        #[hint = "the paths of a list are in the order of `versions`: correct the order of one of the two"]
        NamesOutOfOrder { field: String, other: String },
        /// A rule makes up a value, and nothing says where it comes from.
        #[error("the rule states a value by `{key}`, and has no reason")]
        #[id = "no-reason-for-value"]
        #[hint = "state in `reason` why objects of the other version mean this value"]
        NoReasonForValue { key: &'static str },
        /// Two rules are about the same thing.
        #[error("there is another rule for `{0}`")]
        #[id = "twice"]
        #[hint = "remove one of the two"]
        Twice(String),
        /// Two rules are about the same field of a version.
        #[error("there is another rule for `{field}`: `{rule}` in line {line} of `conversions.toml`")]
        #[id = "field-twice"]
        #[hint = "remove one of the two; a field of which other versions have several parts or forms takes one rule `pattern`, such as \
            `{ v1beta1 = { image = \"${repo}:$tag\" }, v1 = { repo = \"$repo\", tag = \"$tag\" } }`"]
        FieldTwice {
            field: String,
            rule: String,
            /// The line of the other rule in the file.
            line: usize,
        },
        /// A rule says what holds without it.
        #[error("the rule for `{0}` changes nothing: {1}")]
        #[id = "without-effect"]
        #[hint = "remove the rule, or correct it"]
        WithoutEffect(String, NoEffect),
    }
}

impl RuleCause {
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
