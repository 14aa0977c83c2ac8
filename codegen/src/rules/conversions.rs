//! `conversions.toml`: the conversion of objects between the versions of a kind.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use k8s_versioned_source::Positions;

use super::paths::{canonical, child};
use crate::gather::Gather;
use crate::input::toml_file::{self, RuleFile, optional};
use crate::problem::RuleCause;
use crate::{Files, Problems};

/// A text of the file.
type Placed<T = String> = toml_file::Placed<KindRule, T>;

/// A kind whose objects are converted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KindRule {
    /// The name of the kind, and where the rule names it.
    pub(crate) kind: Placed,
    /// The group of the kind, in a package of several groups.
    pub(crate) group: Option<Placed>,
    /// The versions between which it is converted.
    pub(crate) versions: Vec<Placed>,
    /// The annotation that keeps what a version cannot hold.
    pub(crate) annotation: Option<Placed>,
    /// Whether a field without a rule is absent in versions that reject its empty value.
    #[serde(default, rename = "leave-out-empty")]
    pub(crate) leave_out_empty: bool,
    /// How the conversions of servers differ from these: a text for the page.
    pub(crate) servers: Option<Placed>,
    /// Fields that servers require and the documents do not, or the reverse.
    #[serde(default)]
    pub(crate) required: Vec<RequiredRule>,
    /// Fields that are not the same in all versions.
    #[serde(default, rename = "field")]
    pub(crate) fields: Vec<Correspondence>,
    /// Parts that are declared to be the same in several versions.
    #[serde(default)]
    pub(crate) lossless: Vec<LosslessRule>,
    /// Annotations in which an earlier webhook kept values.
    #[serde(default)]
    pub(crate) adopt: Vec<AdoptRule>,
}

impl KindRule {
    /// Writes each path in the one form that it is shown in.
    fn make_canonical(&mut self) {
        let names = self.required.iter_mut().flat_map(|rule| rule.names.values_mut());
        let fields = self.fields.iter_mut();
        let fields = fields.flat_map(|rule| {
            rule.names.values_mut().chain(rule.under.iter_mut().flat_map(BTreeMap::values_mut))
        });
        let parts = self.lossless.iter_mut().map(|rule| &mut rule.part);
        let adopted = self.adopt.iter_mut();
        let adopted =
            adopted.flat_map(|adopted| adopted.field.iter_mut().chain(adopted.fields.values_mut()));
        for path in names.chain(fields).chain(parts).chain(adopted) {
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
pub(crate) struct RequiredRule {
    /// The path of the field in each version of the rule.
    pub(crate) names: BTreeMap<String, Placed>,
    /// Whether servers reject an empty value.
    pub(crate) required: bool,
    /// The evidence for the rule.
    pub(crate) reason: Placed,
}

/// A part of the objects that is the same in several versions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LosslessRule {
    /// The path of the part in the object, such as `spec`.
    pub(crate) part: Placed,
    /// The versions in which the part is the same.
    pub(crate) versions: Vec<Placed>,
    /// The evidence for the rule.
    pub(crate) reason: Placed,
}

/// An annotation in which an earlier webhook kept values: conversions read it once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdoptRule {
    /// Its key.
    pub(crate) annotation: Placed,
    /// The version of its values.
    pub(crate) version: Placed,
    /// The path of the field whose value it is. If it states neither `field` nor `fields`, its value is a whole object.
    pub(crate) field: Option<Placed>,
    /// The paths of several fields, by the places of their values in it.
    #[serde(default)]
    pub(crate) fields: BTreeMap<String, Placed>,
    /// Whether conversions also write it, so that the earlier webhook can take over again.
    #[serde(default)]
    pub(crate) write: bool,
}

/// Fields of several versions that hold the same value.
#[derive(Clone, Debug)]
pub(crate) struct Correspondence {
    /// The name of the kind of rule between them.
    pub(crate) rule: Placed,
    /// The line of that name in the file.
    pub(crate) line: usize,
    /// The path of the field in each version that has it. `[]` follows the name of a list or map, for each of its items.
    pub(crate) names: BTreeMap<String, Placed>,
    /// The keys of this kind of rule. The plan of conversions checks them.
    pub(crate) keys: BTreeMap<String, Placed<toml::Value>>,
    /// The evidence for the rule, where its names do not say it.
    pub(crate) reason: Option<Placed>,
    /// The object that the paths begin in, by version; empty if the paths are whole. `None` for a rule of one kind.
    pub(crate) under: Option<BTreeMap<String, Placed>>,
    /// How the file states the names.
    form: Placed<Names>,
}

/// How a rule states the path of the field in each version.
#[derive(Clone, Debug)]
enum Names {
    /// The same in all versions of the kind.
    Same(String),
    /// In the order of the versions of the kind; a version that lacks the field has an empty text.
    InOrder(Vec<Placed>),
    /// The paths by version.
    ByVersion(BTreeMap<String, Placed>),
}

impl Names {
    /// The path in each of these versions. Reports a list of another length.
    fn by_version(
        &self,
        form: &Placed<Self>,
        versions: &[Placed],
        problems: &mut Problems,
    ) -> BTreeMap<String, Placed> {
        match self {
            Self::Same(path) => {
                let path = || form.with(path.clone());
                versions.iter().map(|version| (version.value.clone(), path())).gather()
            }
            Self::InOrder(paths) => {
                if paths.len() != versions.len() {
                    let (found, expected) = (paths.len(), versions.len());
                    let cause = RuleCause::NamesInOrder { found, expected };
                    problems.push(&form.place, cause);
                }
                let named = versions.iter().zip(paths).filter(|(_, path)| !path.value.is_empty());
                named.map(|(version, path)| (version.value.clone(), path.clone())).gather()
            }
            Self::ByVersion(names) => names.clone(),
        }
    }
}

impl Correspondence {
    /// Names the fields of these versions.
    fn resolve(&mut self, versions: &[Placed], problems: &mut Problems) {
        self.names = self.form.value.by_version(&self.form, versions, problems);
    }

    /// The rule inside an object, which has these paths.
    fn under(&self, objects: &BTreeMap<String, Placed>) -> Self {
        let names = self.names.iter().map(|(version, path)| {
            let whole = match objects.get(version) {
                Some(object) if path.value == "." => path.with(object.value.clone()),
                Some(object) => path.with(child(&object.value, &path.value)),
                None => path.clone(),
            };
            (version.clone(), whole)
        });
        Self { names: names.gather(), under: Some(objects.clone()), ..self.clone() }
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NamesVisitor)
    }
}

/// Reads the names of a rule in any form.
struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path, a list of paths or a table of paths by version")
    }

    fn visit_str<E>(self, path: &str) -> Result<Names, E> {
        Ok(Names::Same(path.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Names, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(items)).map(Names::InOrder)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Names, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(members)).map(Names::ByVersion)
    }
}

impl Correspondence {
    /// Returns `true` if it lists the paths in the order of the versions.
    pub(crate) fn is_in_order(&self) -> bool {
        matches!(self.form.value, Names::InOrder(_))
    }

    /// The rule in a form that can be compared: without its reason, and without the values that only a person can state.
    pub(crate) fn comparable(&self) -> String {
        const STATED: [&str; 4] = ["fill", "fallback", "rest", "present"];
        let names: Vec<String> =
            self.names.iter().map(|(version, path)| format!("{version} {}", path.value)).collect();
        let keys = self.keys.iter().filter(|(key, _)| !STATED.contains(&key.as_str()));
        let keys: Vec<String> = keys.map(|(key, value)| format!("{key} {}", value.value)).collect();
        format!("{} {names:?} {keys:?}", self.rule.value)
    }
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
            line: 0,
            names: BTreeMap::new(),
            under: None,
            form: names.ok_or_else(|| A::Error::missing_field("names"))?,
            reason,
            keys,
        })
    }
}

/// Rules that several kinds share, or several objects of one type in them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedRules {
    /// The kinds that share the rules, in addition to those that `under` names. Each has a `[[kind]]`.
    #[serde(default)]
    kinds: Vec<Placed>,
    /// The versions, for names in their order.
    #[serde(default)]
    versions: Vec<Placed>,
    /// The objects that the paths of the rules begin in; empty if the paths are whole.
    #[serde(default)]
    under: Under,
    #[serde(default, rename = "field")]
    fields: Vec<Correspondence>,
    /// Annotations of an earlier webhook.
    #[serde(default)]
    adopt: Vec<AdoptRule>,
}

/// The objects that the paths of shared rules begin in.
#[derive(Clone, Debug)]
enum Under {
    /// The same in all kinds.
    InAll(Vec<Placed<Names>>),
    /// The objects of each kind.
    ByKind(BTreeMap<String, Vec<Placed<Names>>>),
}

impl Default for Under {
    fn default() -> Self {
        Self::InAll(Vec::new())
    }
}

impl<'de> Deserialize<'de> for Under {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UnderVisitor)
    }
}

/// Reads the objects of shared rules in both forms.
struct UnderVisitor;

impl<'de> Visitor<'de> for UnderVisitor {
    type Value = Under;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of paths or a table of such lists by kind")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Under, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(items)).map(Under::InAll)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Under, A::Error> {
        let mut kinds = BTreeMap::new();
        while let Some((kind, objects)) = members.next_entry::<String, Vec<Placed<Names>>>()? {
            if objects.is_empty() {
                return Err(A::Error::custom(format!("`under` has no path in `{kind}`")));
            }
            kinds.insert(kind, objects);
        }
        Ok(Under::ByKind(kinds))
    }
}

impl SharedRules {
    /// The kinds, each with the rules for each of its objects, with whole paths.
    fn expanded(&self, problems: &mut Problems) -> Vec<(Placed, Vec<Correspondence>)> {
        let mut rules = self.fields.clone();
        for rule in &mut rules {
            rule.resolve(&self.versions, problems);
            rule.under = Some(BTreeMap::new());
        }
        let none = BTreeMap::new();
        let (in_all, by_kind) = match &self.under {
            Under::InAll(objects) => (objects.as_slice(), &none),
            Under::ByKind(kinds) => (&[][..], kinds),
        };
        let in_all = self.in_each(&rules, in_all, problems);
        let mut expanded: Vec<_> =
            self.kinds.iter().map(|kind| (kind.clone(), in_all.clone())).collect();
        for (kind, objects) in by_kind {
            let of_kind = self.in_each(&rules, objects, problems);
            expanded.extend(objects.first().map(|first| (first.with(kind.clone()), of_kind)));
        }
        expanded
    }

    /// The rules in each of these objects. If there are none, the rules themselves.
    fn in_each(
        &self,
        rules: &[Correspondence],
        objects: &[Placed<Names>],
        problems: &mut Problems,
    ) -> Vec<Correspondence> {
        if objects.is_empty() {
            return rules.to_vec();
        }
        let mut expanded = Vec::new();
        for object in objects {
            let paths = object.value.by_version(object, &self.versions, problems);
            expanded.extend(rules.iter().map(|rule| rule.under(&paths)));
        }
        expanded
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    kind: Vec<KindRule>,
    #[serde(default)]
    shared: Vec<SharedRules>,
}

impl File {
    /// Notes the line of each rule.
    fn count_lines(&mut self, text: &str) {
        let positions = Positions::new(text, 1);
        let of_kinds = self.kind.iter_mut().flat_map(|kind| &mut kind.fields);
        let shared = self.shared.iter_mut().flat_map(|shared| &mut shared.fields);
        for rule in of_kinds.chain(shared) {
            let begin = rule.rule.place.span.as_ref().map_or(0, |span| span.start);
            rule.line = positions.of(begin).line;
        }
    }

    /// Gives each kind the rules that it shares. Reports a kind without rules of its own.
    fn share(&mut self, problems: &mut Problems) {
        for shared in &self.shared {
            let expanded = shared.expanded(problems);
            if expanded.is_empty()
                && let Some(rule) = shared.fields.first()
            {
                rule.rule.report_without_match(problems);
            }
            for (name, rules) in expanded {
                let mut kinds = self.kind.iter_mut().filter(|kind| kind.kind.value == name.value);
                match kinds.next() {
                    Some(kind) => {
                        kind.fields.extend(rules);
                        kind.adopt.extend(shared.adopt.iter().cloned());
                    }
                    None => name.report_without_match(problems),
                }
            }
        }
    }
}

/// Reads the rules of a text.
pub(crate) fn read_text(text: &str) -> Result<Vec<KindRule>, Problems> {
    read(&[(KindRule::PATH.to_owned(), text.as_bytes().to_vec())].into_iter().gather())
}

pub(super) fn read(specs: &Files) -> Result<Vec<KindRule>, Problems> {
    let mut file: File = optional(specs, KindRule::PATH)?;
    let text = specs.get(KindRule::PATH).and_then(|bytes| str::from_utf8(bytes).ok());
    file.count_lines(text.unwrap_or_default());
    let mut problems = Problems::new();
    for kind in &mut file.kind {
        for rule in &mut kind.fields {
            rule.resolve(&kind.versions, &mut problems);
        }
    }
    file.share(&mut problems);
    file.kind.iter_mut().for_each(KindRule::make_canonical);
    for kind in &file.kind {
        let required = kind.required.iter().map(|rule| &rule.reason);
        let fields = kind.fields.iter().filter_map(|rule| rule.reason.as_ref());
        let lossless = kind.lossless.iter().map(|rule| &rule.reason);
        required
            .chain(fields)
            .chain(lossless)
            .for_each(|required| required.check_reason(&mut problems));
    }
    problems.or(file.kind)
}
