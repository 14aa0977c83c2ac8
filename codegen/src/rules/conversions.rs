//! `conversions.toml`: how objects of a kind become objects of another version.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::toml_file::{Text, optional, place, place_of};
use crate::problem::{Cause, Place};
use crate::{Files, Problems};

/// Where the rules are.
pub const FILE: &str = "conversions.toml";

/// A kind whose objects are converted.
#[derive(Clone, Debug)]
pub struct KindRule {
    /// The kind.
    pub kind: Placed,
    /// The versions between which it is converted.
    pub versions: Vec<Placed>,
    /// The annotation that keeps what a version cannot hold.
    pub annotation: Option<Placed>,
    /// Fields of which servers require more or less than the documents say.
    pub required: Vec<RequiredRule>,
    /// Fields that are not the same in all versions.
    pub fields: Vec<Correspondence>,
    /// Parts that are the same in several versions, and are to stay so.
    pub lossless: Vec<LosslessRule>,
}

/// A field of which servers require more or less than the documents say.
#[derive(Clone, Debug)]
pub struct RequiredRule {
    /// The path of the field in each version that the rule is about.
    pub names: BTreeMap<String, Placed>,
    /// Whether servers reject an empty value.
    pub required: bool,
}

/// A part of the objects that is the same in several versions.
#[derive(Clone, Debug)]
pub struct LosslessRule {
    /// Its path.
    pub part: Placed,
    /// The versions.
    pub versions: Vec<Placed>,
}

/// Fields of several versions that stand for each other.
#[derive(Clone, Debug)]
pub struct Correspondence {
    /// Where the rule stands.
    pub place: Place,
    /// How one becomes the other.
    pub rule: FieldRuleName,
    /// The path of the field in each version that has it.
    pub names: BTreeMap<String, Placed>,
    /// The field whose value a policy may put in the place of an absent one.
    pub fill_from: Option<Placed>,
}

/// How a field becomes its counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldRuleName {
    /// It has another name.
    Rename,
    /// A list becomes its first element; a list that this does not tell is kept aside.
    FirstOfList,
    /// An absent value becomes the zero value.
    AbsentToZero,
    /// Some versions do not have it; there it is kept aside.
    KeepAside,
}

impl FieldRuleName {
    /// The name in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::FirstOfList => "first-of-list",
            Self::AbsentToZero => "absent-to-zero",
            Self::KeepAside => "keep-aside",
        }
    }
}

/// A text of the file, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Where it stands.
    pub place: Place,
    /// The text.
    pub text: String,
}

impl From<Text> for Placed {
    fn from(text: Text) -> Self {
        Self { place: place(FILE, &text), text: text.into_inner() }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    kind: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: Text,
    versions: Vec<Text>,
    annotation: Option<Text>,
    #[serde(default)]
    required: Vec<RequiredEntry>,
    #[serde(default)]
    field: Vec<FieldEntry>,
    #[serde(default)]
    lossless: Vec<LosslessEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequiredEntry {
    names: BTreeMap<String, Text>,
    required: bool,
    reason: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LosslessEntry {
    part: Text,
    versions: Vec<Text>,
    reason: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FieldEntry {
    rule: toml::Spanned<FieldRuleName>,
    names: BTreeMap<String, Text>,
    fill_from: Option<Text>,
    reason: Text,
}

pub(super) fn read(specs: &Files) -> Result<Vec<KindRule>, Problems> {
    let file: File = optional(specs, FILE)?;
    let mut problems = Problems::new();
    let kinds = file.kind.into_iter().map(|entry| kind(entry, &mut problems));
    let kinds = kinds.collect();
    problems.or(kinds)
}

fn kind(entry: Entry, problems: &mut Problems) -> KindRule {
    KindRule {
        kind: entry.kind.into(),
        versions: placed(entry.versions),
        annotation: entry.annotation.map(Placed::from),
        required: all(entry.required, problems, required),
        fields: all(entry.field, problems, correspondence),
        lossless: all(entry.lossless, problems, lossless),
    }
}

fn all<E, R>(entries: Vec<E>, problems: &mut Problems, read: fn(E, &mut Problems) -> R) -> Vec<R> {
    let entries = entries.into_iter();
    entries.map(|entry| read(entry, problems)).collect()
}

fn placed(texts: Vec<Text>) -> Vec<Placed> {
    texts.into_iter().map(Placed::from).collect()
}

fn names(names: BTreeMap<String, Text>) -> BTreeMap<String, Placed> {
    let names = names.into_iter();
    names.map(|(version, path)| (version, path.into())).collect()
}

fn required(entry: RequiredEntry, problems: &mut Problems) -> RequiredRule {
    check_reason(&entry.reason, problems);
    RequiredRule { names: names(entry.names), required: entry.required }
}

fn lossless(entry: LosslessEntry, problems: &mut Problems) -> LosslessRule {
    check_reason(&entry.reason, problems);
    LosslessRule { part: entry.part.into(), versions: placed(entry.versions) }
}

fn correspondence(entry: FieldEntry, problems: &mut Problems) -> Correspondence {
    check_reason(&entry.reason, problems);
    Correspondence {
        place: place_of(FILE, entry.rule.span()),
        rule: entry.rule.into_inner(),
        names: names(entry.names),
        fill_from: entry.fill_from.map(Placed::from),
    }
}

fn check_reason(reason: &Text, problems: &mut Problems) {
    if reason.get_ref().trim().is_empty() {
        problems.push(place(FILE, reason), Cause::NoReason);
    }
}
