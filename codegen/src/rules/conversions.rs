//! `conversions.toml`: the conversion of objects between the versions of a kind.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::paths::canonical;
use crate::gather::Gather;
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
        let fields = fields.flat_map(|rule| rule.names.values_mut());
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
#[derive(Clone, Debug)]
pub struct Correspondence {
    /// The name of the kind of rule between them.
    pub rule: Placed,
    /// The path of the field in each version that has it. `[]` follows the name of a list or map, for each of its items.
    pub names: BTreeMap<String, Placed>,
    /// The keys of this kind of rule. The plan of conversions checks them.
    pub keys: BTreeMap<String, Placed<toml::Value>>,
    /// The evidence for the rule.
    pub reason: Placed,
}

impl<'de> Deserialize<'de> for Correspondence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(CorrespondenceVisitor)
    }
}

/// Reads a rule: the keys that every rule has, and those of its kind.
struct CorrespondenceVisitor;

impl<'de> Visitor<'de> for CorrespondenceVisitor {
    type Value = Correspondence;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rule about a field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Correspondence, A::Error> {
        let (mut rule, mut names, mut reason, mut keys) = (None, None, None, BTreeMap::new());
        while let Some(key) = members.next_key::<String>()? {
            match key.as_str() {
                "rule" => rule = Some(members.next_value()?),
                "names" => names = Some(members.next_value()?),
                "reason" => reason = Some(members.next_value()?),
                _ => _ = keys.insert(key, members.next_value()?),
            }
        }
        Ok(Correspondence {
            rule: rule.ok_or_else(|| A::Error::missing_field("rule"))?,
            names: names.ok_or_else(|| A::Error::missing_field("names"))?,
            reason: reason.ok_or_else(|| A::Error::missing_field("reason"))?,
            keys,
        })
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
