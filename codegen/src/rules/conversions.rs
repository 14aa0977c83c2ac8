//! `conversions.toml`: the conversion of objects between the versions of a kind.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::paths::canonical;
use crate::gather::Gather;
use crate::input::toml_file::{self, RuleFile, optional};
use crate::problem::StepName;
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
    /// For `words`, `text` and `narrow`: the value of a version for all that it does not know, or that do not fit.
    pub fallback: Option<Placed<BTreeMap<String, toml::Value>>>,
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
        self.fallback_value(version)?.as_str()
    }

    /// The value of a version for all that do not fit.
    pub fn fallback_value(&self, version: &str) -> Option<&toml::Value> {
        self.fallback.as_ref()?.value.get(version)
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    kind: Vec<KindRule>,
}

/// Reads the rules of a text.
pub(crate) fn read_text(text: &str) -> Result<Vec<KindRule>, Problems> {
    read(&[(KindRule::PATH.to_owned(), text.as_bytes().to_vec())].into_iter().gather())
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
