//! `conversions.toml`: the conversion of objects between the versions of a kind.

use std::collections::BTreeMap;

use serde::Deserialize;
use strum::{Display, EnumMessage, EnumString};

use super::paths::canonical;
use crate::input::toml_file::{self, RuleFile, optional};
use crate::{Files, Problems};

/// A text of the file.
type Placed<T = String> = toml_file::Placed<KindRule, T>;

/// A kind whose objects are converted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindRule {
    /// The name of the kind, and where the rule names it.
    pub kind: Placed,
    /// The group of the kind, in a package of several groups.
    pub group: Option<Placed>,
    /// The versions between which it is converted.
    pub versions: Vec<Placed>,
    /// The annotation that keeps what a version cannot hold.
    pub annotation: Option<Placed>,
    /// How the conversions of servers differ from these, for the page.
    pub servers: Option<Placed>,
    /// Fields that servers require and the documents do not, or the reverse.
    #[serde(default)]
    pub required: Vec<RequiredRule>,
    /// Fields that are not the same in all versions.
    #[serde(default, rename = "field")]
    pub fields: Vec<Correspondence>,
    /// Parts that are declared to be the same in several versions.
    #[serde(default)]
    pub lossless: Vec<LosslessRule>,
}

impl KindRule {
    /// Writes each path in the one form that it is shown in.
    fn make_canonical(&mut self) {
        let names = self.required.iter_mut().flat_map(|rule| rule.names.values_mut());
        let fields = self.fields.iter_mut();
        let fields = fields.flat_map(|rule| rule.names.values_mut().chain(&mut rule.fill_from));
        let parts = self.lossless.iter_mut().map(|rule| &mut rule.part);
        for path in names.chain(fields).chain(parts) {
            path.value = canonical(&path.value);
        }
    }
}

impl RuleFile for KindRule {
    const PATH: &'static str = "conversions.toml";
}

/// A field that servers require and the documents do not, or the reverse.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequiredRule {
    /// The path of the field in each version of the rule.
    pub names: BTreeMap<String, Placed>,
    /// Whether servers reject an empty value.
    pub required: bool,
    /// The evidence for the rule.
    pub reason: Placed,
}

/// A part of the objects that is the same in several versions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LosslessRule {
    /// The path of the part in the object, such as `spec`.
    pub part: Placed,
    /// The versions in which the part is the same.
    pub versions: Vec<Placed>,
    /// The evidence for the rule.
    pub reason: Placed,
}

/// Fields of several versions that hold the same value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Correspondence {
    /// The step between them.
    pub rule: Placed<StepName>,
    /// The path of the field in each version that has it. `[]` follows the name of a list or map, for each of its items.
    pub names: BTreeMap<String, Placed>,
    /// The field whose value a policy may use instead of an absent one.
    pub fill_from: Option<Placed>,
    /// For `keep-aside`: the value of a required field for which none is kept.
    pub fill: Option<Placed<toml::Value>>,
    /// The words of each version, for `words`.
    pub words: Option<Placed<BTreeMap<String, Vec<String>>>>,
    /// For `words`: the word of a version for all that it does not know.
    pub fallback: Option<Placed<BTreeMap<String, String>>>,
    /// For `wrap`: the field of the object that has the value.
    pub field: Option<Placed>,
    /// For `nest`: `true` if the sub-object is written when it is empty.
    pub present: Option<Placed<bool>>,
    /// The evidence for the rule.
    pub reason: Placed,
}

impl Correspondence {
    /// The words of each version.
    pub fn words(&self) -> &BTreeMap<String, Vec<String>> {
        static NONE: BTreeMap<String, Vec<String>> = BTreeMap::new();
        self.words.as_ref().map_or(&NONE, |words| &words.value)
    }

    /// The word of a version for all that it does not know; `None` if it holds all words.
    pub fn fallback(&self, version: &str) -> Option<&str> {
        self.fallback.as_ref()?.value.get(version).map(String::as_str)
    }
}

/// The kind of step from a field to its counterpart. The hint of a kind says which fields it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Display, EnumMessage, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum StepName {
    /// The field has another name, or is in another part of the object.
    ///
    /// Hint: `move` takes fields of one type, all optional or all required (`absent-to-zero` takes an optional and a required
    /// one, also with another name), in objects that are always there; with `nest` for the object, a field moves into it
    Move,
    /// A list becomes its first item; a list that this item cannot restore is kept aside.
    ///
    /// Hint: `first-of-list` takes a list and a value of the type of its items, each optional or required
    FirstOfList,
    /// An absent value becomes the zero value.
    ///
    /// Hint: `absent-to-zero` takes fields of one type, enums of words, objects, or lists and maps of objects, that are
    /// optional in a version and required in another
    AbsentToZero,
    /// Some versions lack the field; there its value is kept aside.
    ///
    /// Hint: `keep-aside` takes a field that some versions lack: name it in the versions that have it; `fill` is a value of a
    /// required field of a custom resource, which its words and limits allow: a text, number or boolean, or a list or map of these
    KeepAside,
    /// The fields of a sub-object are fields of the object around it.
    ///
    /// Hint: `nest` takes an object; for the versions that have its fields beside it, name the path of the object around it
    Nest,
    /// A word has another name, or is not known.
    ///
    /// Hint: `words` takes texts, all optional or all required, and lists the words of each version in one order: all words that
    /// a version names otherwise than another, each of them known to the version; `fallback` has a known word of each version
    /// that lacks some of the words
    Words,
    /// A number, quantity or time becomes its text.
    ///
    /// Hint: `text` takes a number, a quantity, a time of a custom resource or a value that can be a number or a text, and its text;
    /// all are optional or all are required
    Text,
    /// A number of 64 bits becomes one of 32 bits; one that does not fit is kept aside.
    ///
    /// Hint: `narrow` takes numbers of 64 and of 32 bits; all are optional or all are required
    Narrow,
    /// A value is a field of an object.
    ///
    /// Hint: `wrap` takes a value and an object that has it in `field`; both are optional or both are required, and the field
    /// can be optional in an optional object
    Wrap,
    /// A value without a schema has one in other versions.
    ///
    /// Hint: `schema` takes a value of any JSON and a value with a schema, which is the same in all versions that have it; all
    /// are optional or all are required
    Schema,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    kind: Vec<KindRule>,
}

/// Reads the rules of a text.
pub(crate) fn read_text(text: &str) -> Result<Vec<KindRule>, Problems> {
    read(&Files::from([(KindRule::PATH.to_owned(), text.as_bytes().to_vec())]))
}

pub(super) fn read(specs: &Files) -> Result<Vec<KindRule>, Problems> {
    let mut file: File = optional(specs, KindRule::PATH)?;
    file.kind.iter_mut().for_each(KindRule::make_canonical);
    let mut problems = Problems::new();
    for kind in &file.kind {
        let required = kind.required.iter().map(|rule| &rule.reason);
        let fields = kind.fields.iter().map(|rule| &rule.reason);
        let lossless = kind.lossless.iter().map(|rule| &rule.reason);
        required.chain(fields).chain(lossless).for_each(|it| it.check_reason(&mut problems));
    }
    problems.or(file.kind)
}
