//! What is wrong with a rule of `conversions.toml`: the messages of all kinds of rules.

use std::fmt;

use k8s_versioned_core::syntax::SyntaxViolation;
use serde_json::Value;
use thiserror::Error;

use super::found_type::FoundType;
use crate::text::{code, did_you_mean, join};

/// Why a rule does not fit the fields that it names. A type is a text, as in Rust.
#[derive(Clone, Debug, Default, PartialEq, Eq, Error)]
pub(crate) enum RuleFault {
    // The versions that it names.
    #[default]
    #[error("`names` has the path of the object in each version")]
    LacksVersions,
    #[error(
        "all versions have the field. Fields that hold different values, such as seconds and minutes, take one rule each; a field that has \
         another name takes `move`"
    )]
    InAllVersions,
    #[error(
        "it is between two versions; between several, each has a `keep-aside` of its own, or `custom`"
    )]
    OverTwoVersions,
    #[error("`{key}` has {version}, but `names` has not")]
    VersionNotNamed { key: &'static str, version: String },
    #[error("`{key}` has the versions {}, but `names` has {}", versions.join(", "), names.join(", "))]
    OtherVersions { key: &'static str, versions: Vec<String>, names: Vec<String> },

    // Its keys.
    #[error("it has no `{key}`: {meaning}")]
    NoKey { key: &'static str, meaning: &'static str },
    #[error("`{}` or `{}` is missing", .0[0], .0[1])]
    NeitherKey([&'static str; 2]),
    #[error("state one key: `{}` or `{}`", .0[0], .0[1])]
    OneOfKeys([&'static str; 2]),
    #[error("`with` is the path of a Rust module, not {}", code(.0))]
    NotAModule(String),
    #[error("the key cannot be one of metadata: {0}")]
    MetadataKey(SyntaxViolation),
    #[error("the {kind} {} does not belong to a field: {owner}", code(key))]
    MetadataKeyTaken { kind: &'static str, key: String, owner: KeyOwner },

    // The values that it states.
    #[error("`{key}` of {} must be of type {}: {value}", code(path), code(wanted))]
    ValueType { key: &'static str, path: String, wanted: String, value: Value },
    #[error("`{key}` of {} breaks {check}: {value}", code(path))]
    ValueRefused { key: &'static str, path: String, check: String, value: Value },
    #[error("`fill` is `{{}}`: an object around the field may be empty")]
    FillAround,
    #[error(
        "`fill` of an object is `{{}}`, and that of a list of objects `[]`: it says that it may be empty; neither it nor a policy gives \
         values to the fields, which have rules of their own"
    )]
    FillOfObject,
    #[error("no version requires the first item as a value, so `fill` is never used")]
    FillUnused,
    #[error(
        "only some versions require the first item: `fill` is what it is there for a list without items"
    )]
    FillMissing,
    #[error(
        "all versions have the field, so `fill` is never used: it is for versions that lack the field"
    )]
    FillInAllVersions,
    #[error(
        "no version requires the field where another can be without it, so `fill` is never used"
    )]
    FillNotNeeded,
    #[error(
        "the field moves from one object into another, of which one can be absent: `fill` is the empty value then, which says that the \
         field may be empty"
    )]
    FillOfMoved,
    #[error(
        "the part of `fill` becomes another text again: state what follows it, or comes before it, as `rest`"
    )]
    FillWithOtherRest,
    #[error(
        "{} requires the value, and {} lacks it: `fill` says what it is there where none is kept",
        code(path), lacking.join(" and ")
    )]
    RequiredLacking { path: String, lacking: Vec<String> },
    #[error("`fill` gives {} no value: {value}", code(path))]
    FillWithoutForm { path: String, value: Value },
    #[error("`fill-from` is `metadata.namespace` for a text, and fills no other field")]
    FillFrom,
    #[error(
        "{version} requires no field `{path}` of the type `{wanted}` in the object of the field to fill"
    )]
    NothingToFillFrom { version: String, path: String, wanted: String },
    #[error("{} of {version} holds all values and needs no fallback", code(path))]
    FallbackOfAll { path: String, version: String },
    #[error(
        "{} of {version} needs no fallback: it is absent where a value does not fit, or has no value for a time",
        code(path)
    )]
    FallbackOfOptional { path: String, version: String },
    #[error(
        "values go unchanged between {}, so these versions have the same fallback",
        versions.join(" and ")
    )]
    FallbacksDiffer { versions: Vec<String> },

    // The types of its fields.
    #[error("{}", types(found, *absent_in_some, *enum_in_some))]
    Types { found: Vec<FoundType>, absent_in_some: bool, enum_in_some: bool },
    #[error("no version has the field as an optional one: `keep-aside` takes it, with `fill`")]
    OptionalInNone,
    #[error("{} of {version} is {}, which has no {what}", code(path), code(found))]
    HasNo { path: String, version: String, found: String, what: &'static str },
    #[error("`{object}` has no field `{name}`{}", did_you_mean(near.as_ref()))]
    NoField { object: String, name: String, near: Option<String> },
    #[error("`{name}` of `{object}` is `{found}`, not `{wanted}`")]
    FieldType { object: String, name: String, found: String, wanted: String },
    #[error(
        "the versions name different members, so the others differ: each version has a rule of its own"
    )]
    OtherMembers,
    #[error(
        "servers require `{path}` of {to} since {release}, and {from} can lack it. The field is an `Option` here only because earlier \
         releases are in `specs`: without them `absent-to-zero` fits, and with them `custom` makes a value"
    )]
    RequiredSince { path: String, to: String, release: String, from: String },

    #[error(
        "a quantity that is a JSON number comes back only from a version with the field: a version that lacks it takes `keep-aside` for \
         each type"
    )]
    QuantityLacking,

    // The objects around its fields.
    #[error("{} is in a list or map: an object has only one annotation or label of a key", code(.0))]
    InItems(String),
    #[error("{} has no rule for the list or map: a rule about its items names them in all versions", lacking.join(" and "))]
    ItemsLacking { lacking: Vec<String> },
    #[error("a list or map is around one of `{}` and `{}`, and not around both", .0[0], .0[1])]
    InItemsOfOne([String; 2]),
    #[error(
        "`{}` and `{}` are in different parts of the object, where only rules about one value take fields, such as `move` and `units`",
        .0[0], .0[1]
    )]
    InDifferentParts([String; 2]),
    #[error("`{path}` of {from} is in another object than `{object}` of {to}")]
    InOtherObject { path: String, from: String, object: String, to: String },
    #[error(
        "`{path}` of {from} would be in `{}` and in `{}` of {to}: a rule has to say in which",
        objects[0], objects[1]
    )]
    InTwoObjects { path: String, from: String, objects: [String; 2], to: String },
    #[error(
        "`{field}` has its value from elsewhere, and `{object}` would be replaced as a whole: give the object the rule `nest`, and `move` \
         to each of its fields"
    )]
    ReplacedWhole { field: String, object: String },
    #[error(
        "`{object}` is kept aside as a whole, so no field moves into it or out of it: give it the rule `nest` instead, beside this `move`"
    )]
    KeptWhole { object: String },
    #[error(
        "no field moves into `{object}` or out of it: only `move` and `nest` can be rules about an object around the field"
    )]
    AroundMoved { object: String },
    #[error(
        "no field moves into `{object}` or out of it, because its `nest` has `present = true`: such an object is written also when it is \
         empty, and the field decides whether it is there; leave `present` out"
    )]
    AroundMovedPresent { object: String },
    #[error("the value around it is any JSON in another version, by the rule `schema`")]
    InsideJson,

    // Words.
    #[error(
        "`words` has the versions {}, but `names` has {}; where each version has other words, `pattern` says which are the same",
        versions.join(", "), names.join(", ")
    )]
    WordsOfOtherVersions { versions: Vec<String>, names: Vec<String> },
    #[error(
        "`words` has the same number of words for each version, in the same order, and this rule has {}{}",
        join(counts.iter().map(|(version, count)| format!("{count} for {version}")), ", "),
        instead.as_ref().map(ToString::to_string).unwrap_or_default()
    )]
    WordCounts { counts: Vec<(String, usize)>, instead: Option<WordsInstead> },
    #[error(
        "{version} has a word twice: several words become one by `fallback`, which is the word of the version for those that it lacks"
    )]
    WordTwice { version: String },
    #[error(
        "{} of {version} has no word {}; its words are {}",
        code(path),
        code(word),
        codes(known)
    )]
    NoSuchWord { path: String, version: String, word: String, known: Vec<String> },
    #[error(
        "{} of {from} needs a name in {to}, which uses {} for another word",
        code(word),
        code(word)
    )]
    NameTaken { word: String, from: String, to: String },
    #[error("the words of `{path}` in {version} are not stated, as by an `enum`")]
    WordsNotStated { path: String, version: String },
    #[error("where a version lacks the field, another one knows all words and has no fallback")]
    NoVersionKnowsAllWords,
    #[error("the fallback of {version} is not a word: {value}")]
    NotAWord { version: String, value: String },
    #[error("a fallback is for one word: name the items of a list, as in `spec.modes[]`")]
    FallbackOfList,
    #[error(
        "{} have no fallback, so they have the same words; if they do not, `pattern` says which words are the same",
        versions.join(" and ")
    )]
    WordsDiffer { versions: Vec<String> },

    // Units, and parts of a text.
    #[error("the unit of {version} is not one of {}{}", codes(known), did_you_mean(near.as_ref()))]
    NoSuchUnit { version: String, near: Option<String>, known: Vec<&'static str> },
    #[error("a duration is not a quantity")]
    MeasuresDiffer,
    #[error("`separator` is the text between the two parts")]
    EmptySeparator,
    #[error("`part` is `before` or `after` for each version that has a part")]
    NoSuchPart,
    #[error("all versions that have a part have the same one")]
    PartsDiffer,
    #[error("no version has the whole text: leave it out of `part`")]
    NoWholeText,
    #[error("`rest` is a text, or a table of texts")]
    RestForm,

    // Objects of other kinds.
    #[error("there is no kind {}{}", code(kind), did_you_mean(near.as_ref()))]
    NoSuchKind { kind: String, near: Option<String> },
    #[error("several groups have a kind {}", code(kind))]
    SeveralGroups { kind: String },
    #[error("{} has no version {version}", code(kind))]
    NoVersionOfKind { kind: String, version: String },
    #[error("`path` is the path of the object in {version}")]
    NoPath { version: String },
    #[error("{} of {version} {kind} is not an object outside of lists and maps", code(path))]
    NotAnObject { path: String, version: String, kind: String },
    #[error("{} has a schema in both versions", code(.0))]
    SchemaInBoth(String),
    #[error(
        "no rules of {} convert this object on its own: the kind has a `[[kind]]` with the same versions, and no field moves out of the \
         object",
        code(kind)
    )]
    NotOnItsOwn { kind: String },

    // Patterns.
    #[error("a pattern has no {form}: {value}")]
    NoSuchForm { form: &'static str, value: String },
    #[error("a variable such as `$name` follows `$` in {}; `$$` is a `$`", code(.0))]
    NoVariableName(String),
    #[error("a text is between the variables of {}", code(.0))]
    NothingBetweenVariables(String),
    #[error(
        "a pattern has the variables {} in {}, and {} in {}",
        variables(&names[0]), versions[0], variables(&names[1]), versions[1]
    )]
    VariablesDiffer { versions: [String; 2], names: [Vec<String>; 2] },
    #[error("`${name}` is `{}` in {}, and `{}` in {}", types[0], versions[0], types[1], versions[1])]
    VariableTypes { name: String, versions: [String; 2], types: [String; 2] },
    #[error("`${name}` is `{here}` here, and `{elsewhere}` in another place")]
    VariableType { name: String, here: String, elsewhere: String },
    #[error("a value of type `{found}` is never {what}")]
    NeverOfForm { found: String, what: &'static str },
    #[error("{value} breaks {check}")]
    FormRefused { value: Value, check: String },
    #[error("an object without `{field}`, which is required")]
    LacksRequired { field: String },
    #[error("`{name}` of {version}: {fault}")]
    InMember { name: String, version: String, fault: Box<Self> },
    #[error("`{name}`: {fault}")]
    InField { name: String, fault: Box<Self> },
}

/// Whose annotation or label it is that a rule names for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum KeyOwner {
    #[error("another rule has it: name all fields of it in one rule")]
    OtherRule,
    #[error("conversions keep values in annotations with such keys")]
    Conversions,
    #[error("`adopt` names it as an annotation of an earlier webhook")]
    EarlierWebhook,
}

/// What a rule can state in place of lists of words that have different lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordsInstead {
    /// The words that all versions have.
    pub(crate) words: Vec<(String, Vec<String>)>,
    /// The version that lacks words.
    pub(crate) lacking: String,
    /// Its word for those that it lacks.
    pub(crate) fallback: String,
}

impl fmt::Display for WordsInstead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, lacking, fallback } = self;
        let words = words.iter().map(|(version, words)| format!("{version} = {words:?}"));
        write!(
            f,
            ". Where {lacking} lacks words, it needs one for them: `words = {{ {} }}` with `fallback = {{ {lacking} = {fallback:?} }}`",
            join(words, ", ")
        )
    }
}

/// The types of all fields, with what can be done about the two most frequent differences.
fn types(found: &[FoundType], absent_in_some: bool, enum_in_some: bool) -> String {
    let found = found.iter().map(|FoundType { version, path, rust_type, .. }| {
        format!("`{path}` of {version} is `{rust_type}`")
    });
    let mut text = join(found, ", and ");
    if absent_in_some {
        text += "; one can be absent and the other cannot: `absent-to-zero` takes such values of one type, and `pattern` other values, \
                 such as `{ v1beta1 = { mode = \"fast\" }, v1 = { class = { kind = \"Fast\" } } }`";
    }
    if enum_in_some {
        text += "; the open enum in `open-enums.toml` names the field in each version, or in none";
    }
    text
}

fn codes(texts: &[impl AsRef<str>]) -> String {
    join(texts.iter().map(|text| code(text.as_ref())), ", ")
}

fn variables(names: &[String]) -> String {
    join(names.iter().map(|name| code(&format!("${name}"))), ", ")
}
