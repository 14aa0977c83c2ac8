//! Causes in the plan of conversions.

use k8s_versioned_core::syntax::{AnnotationKey, SyntaxViolation};
use serde_json::Value;
use thiserror::Error;

use super::found_type::{FoundType, found_types};
use super::rule_fault::RuleFault;
use super::table::causes;
use crate::text::{join, reason};

/// Why no conversion can read the annotation of an earlier webhook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Error)]
pub(crate) enum AdoptFault {
    #[default]
    #[error("the kind has no `annotation` for its values")]
    NoOwnKey,
    #[error("our own annotations have such keys")]
    OwnKey,
    #[error("{0}")]
    Key(SyntaxViolation),
    #[error("it has both `field` and `fields`")]
    FieldAndFields,
    #[error("`write` is for a whole object or one field")]
    WritesFields,
}

/// Why the rules cannot state that servers require a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Error)]
pub(crate) enum RequiredFault {
    #[error("`{path}` is `{found}`, which is never empty")]
    NeverEmpty { path: String, found: String },
    #[default]
    #[error("only fields of an object and of its parts can be required")]
    InsidePart,
}

/// A rule about a field that other versions have at the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub(crate) struct NamedRule {
    pub(crate) rule: String,
    pub(crate) names: Vec<(String, String)>,
}

causes! {
    /// A cause in the plan of conversions.
    pub(crate) enum ConversionCause {
        /// `conversions.toml` names some versions of a kind, and the documents have another one.
        #[error(
            "`conversions.toml` does not list `{version}` of `{kind}`: it has no conversions to and from {}",
            others.join(" and ")
        )]
        #[id = "pairs-missing"]
        #[hint = "list the version in `versions` in `specs/conversions.toml`, each of its fields in the `names` of the rule \
            about this field, and the fields that its servers require beyond the documents in `[[kind.required]]`"]
        PairsMissing { kind: String, version: String, others: Vec<String> },
        /// A field is missing in another version, and no rule says what a conversion does with its value.
        #[error(
            "`{field}`{} of {version} {kind} has no counterpart in {}: a conversion would lose it, and the conversion back would \
             leave it empty{}",
            and_others(others.len()),
            missing.join(" and "),
            about(rule.as_ref())
        )]
        #[id = "no-counterpart"]
        #[hint = remedy.hint()]
        NoCounterpart {
            field: String,
            /// The other fields of this place: several fields have the type that has it.
            others: Vec<String>,
            version: String,
            kind: String,
            missing: Vec<String>,
            remedy: Remedy,
            rule: Option<NamedRule>,
        },
        /// A field has another type in another version, and no rule says how one becomes the other.
        #[error("`{field}`{} of `{kind}` has different types: {}", and_others(others.len()), found_types(field, found))]
        #[id = "field-types-differ"]
        #[hint = remedy.hint()]
        FieldTypesDiffer {
            kind: String,
            field: String,
            found: Vec<FoundType>,
            /// The other fields of this place.
            others: Vec<Vec<FoundType>>,
            remedy: Remedy,
        },
        /// The lists of a kind differ between its versions.
        #[error("{version} {kind} cannot be converted: its lists are of another kind than in lower versions")]
        #[id = "not-convertible"]
        #[hint = "the lists of all versions must be of one kind, so that a list of any version can be read"]
        NotConvertible { version: String, kind: String },
        /// A kind has more versions than conversions can be generated for: there is one between each two of them.
        #[error("`{kind}` has {count} versions: conversions are between each two of at most {most}")]
        #[id = "too-many-versions"]
        #[hint = "leave out versions that nobody uses, by `[[leave-out]]` in `specs/group.toml`, or remove the rules of the \
            kind"]
        #[leave_out]
        TooManyVersions { kind: String, count: usize, most: usize },
        /// The objects of a kind have more fields than conversions can be generated for.
        #[error("the conversions of `{kind}` have more than {most} fields: those of each version, once for each other version")]
        #[id = "too-many-fields"]
        #[hint = "a type counts at each field that has it, and again at each field of a type around it: leave out versions that nobody uses, \
            by `[[leave-out]]` in `specs/group.toml`, or remove the rules of the kind"]
        #[leave_out]
        TooManyFields { kind: String, most: usize },
        /// A rule is about fields whose types it cannot convert.
        #[error("the rule `{rule}` does not fit: {fault}")]
        #[id = "rule-does-not-fit"]
        #[hint = if takes.is_empty() { "the head of `specs/conversions.toml` says what each rule is for" } else { *takes }]
        RuleDoesNotFit { rule: &'static str, takes: &'static str, fault: RuleFault },
        /// Fields are declared to be required, and an empty value of them cannot be reported.
        #[error("the rule `required` does not fit: {0}")]
        #[id = "cannot-be-required"]
        #[hint = "`[[kind.required]]` takes texts, lists, maps and optional fields in objects that are always there"]
        CannotBeRequired(RequiredFault),
        /// A rule that takes fields of all versions names none of a version.
        #[error("the rule `{rule}` names no field of {}", versions.join(" and "))]
        #[id = "names-no-field"]
        #[hint = "add the field of this version to `names`: for `nest` the object that has, or would have, the fields; if it has \
            none, use `keep-aside` with the versions that have the field, and in a rule of its own for each type"]
        NamesNoField { rule: String, versions: Vec<String> },
        /// A word of a field is not known in another version, and no rule gives it a name there.
        #[error(
            "`{field}` of {version} {kind} has words that servers of {} reject: `{}`",
            others.join(" and "),
            words.join("`, `")
        )]
        #[id = "words-rejected"]
        #[hint = "a conversion leaves such a word as it is: add it to the `enum` of that version, or state its other name, or \
            a `fallback` for it, by the rule `words`"]
        #[warning]
        WordsRejected { field: String, version: String, kind: String, words: Vec<String>, others: Vec<String> },
        /// A newer release of a version does not have a field, which conversions to this version still write.
        #[error("servers newer than {last} drop `{field}` of {version} {kind}")]
        #[id = "field-gone"]
        #[hint = "to keep its values for the way back, state `keep-aside` in two rules, each with the name of the field in \
            one of the versions"]
        #[warning]
        FieldGone { field: String, version: String, kind: String, last: String },
        /// A version requires a field that other versions do not have, and no rule has a value for it.
        #[error(
            "`{field}` of {version} {kind} is required, and objects of {} have no value for it",
            others.join(" and ")
        )]
        #[id = "required-without-fill"]
        #[hint = "an object of such a version becomes one that servers reject, or whose value is empty: state a value as \
            `fill` of the rule, or in a `pattern` in place of `wrap`; if the object around the field can be absent, a rule \
            `absent-to-zero` for that object takes `fill = {}`"]
        #[warning]
        RequiredWithoutFill { field: String, version: String, kind: String, others: Vec<String> },
        /// Every object of a version has a required field that other versions do not have, and no rule has a value for it.
        #[error(
            "`{field}` of {version} {kind} is required in every object, and objects of {} have no value for it: servers reject each of them",
            others.join(" and ")
        )]
        #[id = "every-object-rejected"]
        #[hint = "state a value as `fill` of the rule"]
        #[warning]
        EveryObjectRejected { field: String, version: String, kind: String, others: Vec<String>, value: Value },
        /// A required field is empty or zero where another version has no value that fits, and servers reject that.
        #[error("`{field}` of {version} {kind} becomes {value} if no value fits, and servers reject that: {check}")]
        #[id = "made-up-rejected"]
        #[hint = stated_by.hint(*is_reported)]
        #[warning]
        MadeUpRejected {
            field: String,
            version: String,
            kind: String,
            value: String,
            check: String,
            /// What can state another value.
            stated_by: StatedBy,
            /// Whether a conversion reports the value.
            is_reported: bool,
        },
        /// A text is made of its part before the separator, and nothing says what follows.
        #[error("`{field}` of {version} {kind} ends with the separator where no text is kept")]
        #[id = "without-rest"]
        #[hint = "state the other part of the text as `rest` of the rule `part-of-text`, such as `rest = \"v1\"`, or `rest = \"\"` \
            if the text may end so"]
        #[warning]
        WithoutRest { field: String, version: String, kind: String },
        /// Fields can be empty in a version, and servers of another one reject that.
        #[error(
            "conversions of `{kind}` from {from} pass empty values on, which servers of {to} reject: {}",
            fields.join(", ")
        )]
        #[id = "empty-rejected"]
        #[hint = "state `leave-out-empty = true` in the `[[kind]]`: such a field is absent there, and comes back as empty"]
        #[warning]
        EmptyRejected { kind: String, from: String, to: String, fields: Vec<String> },
        /// A value that annotations keep can have any size, and the annotations of an object have 256 KiB together.
        #[error("annotations keep fields of `{kind}` that have no limit: {}", fields.join(", "))]
        #[id = "kept-without-limit"]
        #[hint = "state the limit in the definition; if it is not yours, leave it: only objects with very large values are \
            affected; a value without room is not shown in the versions that lack its field, \
            and the admission side of a webhook refuses the object where it is written (`Webhook::admit`)"]
        #[warning]
        KeptWithoutLimit { kind: String, fields: Vec<String> },
        /// `conversions.toml` declares that a part is the same in two versions, and it no longer is.
        #[error(
            "`{part}` is declared lossless between {from} {kind} and {to}, but differs: {}",
            differences.join(", ")
        )]
        #[id = "not-lossless"]
        #[hint = "take one of the versions out of the `[[kind.lossless]]` of `specs/conversions.toml`, or remove the table if \
            one version would remain; programs then have no `into()` between these types any more, so CHANGELOG.md has \
            to name the change"]
        NotLossless { part: String, kind: String, from: String, to: String, differences: Vec<String> },
        /// A rule keeps values in an annotation, and `conversions.toml` names none for the kind.
        #[error("conversions of `{0}` keep values, but no annotation is named for them")]
        #[id = "no-annotation-key"]
        #[hint = "in `annotation`, name a key under a domain of your own, such as `conversion.example.com/my-kind`"]
        NoAnnotationKey(String),
        /// `conversions.toml` names an annotation for a kind whose conversions keep no value.
        #[error("no conversion of `{0}` keeps a value, so nothing is written to the annotation")]
        #[id = "annotation-not-needed"]
        #[hint = "remove the line `annotation`"]
        AnnotationNotNeeded(String),
        /// Servers do not accept the name of the annotation, or it belongs to others.
        #[error("`{key}` cannot be the key of an annotation: {}", reason::<AnnotationKey>(key))]
        #[id = "annotation-key"]
        #[hint = "in `annotation`, name a key under a domain of your own, such as `conversion.example.com/my-kind`"]
        AnnotationKey { key: String },
        /// `conversions.toml` names an annotation of an earlier webhook that no conversion can read.
        #[error("the annotation `{annotation}` cannot be adopted: {fault}")]
        #[id = "cannot-adopt"]
        #[hint = "`[[kind.adopt]]` takes the annotation of an earlier webhook whose text is an object of a version, or the value \
            of one `field`, or an object with the values of several `fields`"]
        CannotAdopt { annotation: String, fault: AdoptFault },
        /// A rule keeps values in an annotation, and objects of the kind have no annotations.
        #[error("the object has no `metadata.annotations` to keep values in")]
        #[id = "no-annotations"]
        #[hint = "an annotation keeps the values that a version cannot hold: give the objects Kubernetes' own metadata"]
        NoAnnotations,
    }
}

/// The number of other fields of the same place.
fn and_others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " and one more field of the same type".to_owned(),
        _ => format!(" and {count} more fields of the same type"),
    }
}

/// What can say what a required field is where no value fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StatedBy {
    /// `fill` of the rule, with any value that servers accept.
    #[default]
    Fill,
    /// `fill` of the rule, which of a list or map of objects is empty.
    EmptyFill,
    /// `fallback` of the rule.
    Fallback,
    /// The rule has no key for it.
    NoKey,
    /// `nest` without `present`.
    NotPresent,
    /// No rule names the field: it is inside of the variable of a `pattern`.
    Nothing,
}

impl StatedBy {
    /// The hint to a warning that servers reject the value which a conversion makes up.
    pub(super) fn hint(self, is_reported: bool) -> &'static str {
        match self {
            Self::NotPresent => {
                "no conversion fails, and servers reject a write of the object in this version until a client sets the field: \
                 without `present = true`, an optional object is absent if it is empty; a rule with `fill` for one of its fields \
                 gives it a value"
            }
            Self::EmptyFill if !is_reported => {
                "no conversion fails, and servers reject a write of the object in this version until a client sets the field: no \
                 rule makes up the objects in a list or map, so `fill` says only that it may be empty (`fill = []` for a list, \
                 `fill = {}` for a map); a function of the rule `custom` can make objects"
            }
            Self::Fill if !is_reported => {
                "no conversion fails, and servers reject a write of the object in this version until a client sets the field: state \
                 what an absent value is as `fill` of the rule, or the empty value of the message, which says that the field may \
                 be empty"
            }
            _ if !is_reported => {
                "no conversion fails, and servers reject a write of the object in this version until a client sets the field: leave \
                 it if such objects are rare, or let a step of the webhook (`Webhook::after`) set a value"
            }
            Self::Fill => {
                "a webhook fails for such an object unless it is `lossy()`: state a value as `fill` of the rule, or the empty value \
                 of the message, which says that the field may be empty; with `absent-to-zero`, programs can also choose a value by \
                 the policy of the field"
            }
            Self::EmptyFill => {
                "a webhook fails for such an object unless it is `lossy()`: no rule makes up the objects in a list or map, so \
                 `fill` says only that it may be empty (`fill = []` for a list, `fill = {}` for a map); a function of the \
                 rule `custom` can make objects"
            }
            Self::Fallback => {
                "a webhook fails for such an object unless it is `lossy()`: state another value as `fallback` of the rule"
            }
            Self::NoKey => {
                "a webhook fails for such an object unless it is `lossy()`: no key of this rule states another value; a function of \
                 the rule `custom` can make one, or a step of the webhook (`Webhook::after`)"
            }
            Self::Nothing => {
                "a webhook fails for such an object unless it is `lossy()`: no rule names what is inside the variable of a \
                 `pattern`; a step of the webhook can give it a value (`Webhook::after`)"
            }
        }
    }
}

/// The rule that can state how a field converts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// A rule for fields that have no counterpart, or one of another name.
    #[default]
    AnyRule,
    /// `keep-aside` in each version: the members that a schema keeps and does not name.
    OwnRule,
    /// The kind of rule of this name.
    Rule {
        /// The name.
        name: &'static str,
        /// The hint to a problem that asks for the rule.
        hint: &'static str,
    },
    /// No rule converts one type into the other.
    NoRule,
    /// No rule can name the field: it is in a value of its own type.
    OutOfReach,
}

impl Remedy {
    /// The hint to a problem that asks for the rule.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::AnyRule => {
                "add a `[[kind.field]]` to `specs/conversions.toml`: with `rule = \"keep-aside\"` and the versions \
                 that have the field in `names`, or `\"move\"` or `\"first-of-list\"` if it corresponds to another \
                 field, or `\"nest\"` if the other version has it in a sub-object (for the sub-object itself: if the \
                 other version has its fields beside it, and `\"move\"` for fields of another name); the head of the \
                 file has all rules"
            }
            Self::OwnRule => {
                "add a `[[kind.field]]` with `rule = \"keep-aside\"` to `specs/conversions.toml`: one for the \
                 versions whose schemas name the same members, and one for each version that names others"
            }
            Self::Rule { hint, .. } => hint,
            Self::NoRule => {
                "no rule converts one of these types into another: give each field a `keep-aside` rule of its own, so \
                 that no value is lost, or leave the kind out of `specs/conversions.toml`; a missing kind of rule is \
                 worth a report"
            }
            Self::OutOfReach => {
                "no rule reaches into values that hold values of their own type: keep the whole value by a \
                 `keep-aside` rule for the field that holds it, or leave the kind out of `specs/conversions.toml`"
            }
        }
    }
}

fn about(rule: Option<&NamedRule>) -> String {
    let Some(NamedRule { rule, names }) = rule else { return String::new() };
    let versions = join(names.iter().map(|(version, _)| version), " and ");
    format!("; the rule `{rule}` is about a field of this path in {versions}")
}
