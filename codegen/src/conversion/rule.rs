//! One rule about a field: the kind of rule that it is of, and the fields that it names.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use k8s_versioned_core::Version;
use litemap::LiteMap;
use serde_json::Value as Json;

use super::field_ref::Paths;
use super::plan::FieldRef;
use super::rule_step::RuleStep;
use super::structs::{Side, Structs, found_type};
use crate::Problems;
use crate::gather::Gather;
use crate::plan::{ItemPath, RustType};
use crate::problem::{ConversionCause, RuleFault};
use crate::rules::Correspondence;
use crate::rules::paths::is_of_items;

/// The versions of which some may require a field, and others not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mixed {
    /// None: all versions are alike.
    Never,
    /// Versions in which the field has different forms.
    BetweenForms,
    /// Any, also those in which the field has one form.
    Always,
}

/// A kind of rule: what people need to know to write one, and the step that it makes.
///
/// Each is a `const` in the module of its name in `steps/`. The guide, the JSON Schema of `conversions.toml`, the hints of
/// problems and drafts follow from it.
pub struct RuleKind {
    /// The name, such as `move`.
    pub name: &'static str,
    /// What it does, as a sentence.
    pub meaning: &'static str,
    /// The fields that it takes, as a hint.
    pub takes: &'static str,
    /// Its keys other than `rule`, `names` and `reason`.
    pub keys: &'static [RuleKey],
    /// A rule for an invented kind, as TOML.
    pub example: &'static str,
    /// The advice to a problem with a field whose types it `converts`.
    pub remedy: &'static str,
    /// Whether a draft names each item of lists and maps.
    pub of_items: bool,
    /// Whether it moves a field into another part of the object.
    pub(super) moves: bool,
    /// Whether it takes an optional and a required field.
    pub(super) mixed: Mixed,
    /// The `fill` of a rule in the form of a version, where it replaces an absent value of any form; `None` if the rules of the kind state
    /// none, or only in versions of one form.
    pub(super) fill_in: fn(&Rule<'_>, &str) -> Option<Json>,
    /// What it does with the object around the field.
    pub(super) role: Role,
    /// Returns `true` if it is the rule between fields of these types, one for each version.
    pub(super) converts: fn(&[&RustType]) -> bool,
    /// Checks the keys of a rule before its fields are looked up. All required keys are there. The number is that of the versions.
    pub(super) check: fn(&Correspondence, usize) -> Result<(), RuleFault>,
    /// The step between two forms of a field; `None` if it does not fit their types.
    pub(super) step: fn(&Between<'_, '_>, &mut Problems) -> Option<RuleStep>,
    /// The step around the conversion of objects.
    pub(super) objects: AroundObjects,
    /// The step for a field that the target lacks, and the one for a field that the source lacks; `None` for a kind of rule about fields
    /// that all versions have.
    pub(super) unmatched: Option<Unmatched>,
    /// Returns `true` if a version's form of the field is complete: it holds all that the forms in other versions hold. Values
    /// are kept in this form.
    pub(super) is_complete: fn(&Rule<'_>, (&str, &FieldRef)) -> bool,
    /// Returns `true` if a value changes between these versions although its type does not.
    pub(super) changes: fn(&Rule<'_>, &str, &str) -> bool,
}

/// The structs of the objects of two types, and the step around their conversion; `None` for other types.
pub(super) type AroundObjects = for<'t> fn(
    &Rule<'_>,
    (&'t RustType, &'t RustType),
    &Structs<'_>,
    &mut Problems,
) -> Option<((&'t ItemPath, &'t ItemPath), RuleStep)>;

/// The steps for a field that one of two versions lacks.
pub(super) type Unmatched =
    fn(&Rule<'_>, &FieldRef, &Structs<'_>, &mut Problems) -> Option<[RuleStep; 2]>;

impl fmt::Debug for RuleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What a kind of rule does with the objects around its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing: it is about a value.
    Value,
    /// It takes the field from one into the other.
    Move,
    /// The field is an object. Other versions have its fields in the object around it.
    Nest,
    /// Some versions lack the field.
    KeepAside,
    /// The field is any JSON in some versions, so no rule is about a field inside it.
    AnyJson,
    /// The field is a map in some versions, and a list with the keys in a field in others.
    Keyed,
    /// A policy of programs fills the field.
    Filled,
    /// The field is a list in some versions, and its first item in others.
    FirstItem,
    /// A value is kept as its own version has it.
    AsItIs,
    /// It is about several fields of one object.
    Pattern,
    /// The field is an object of which other versions have only one field.
    Wrap,
}

impl RuleKind {
    /// A kind of rule about values that fits nothing: the base of the others.
    pub(super) const NONE: Self = Self {
        name: "",
        meaning: "",
        takes: "",
        keys: &[],
        example: "",
        remedy: "",
        of_items: false,
        moves: false,
        mixed: Mixed::BetweenForms,
        fill_in: |_, _| None,
        role: Role::Value,
        converts: |_| false,
        check: |_, _| Ok(()),
        step: |_, _| None,
        objects: |_, _, _, _| None,
        unmatched: None,
        is_complete: |_, _| false,
        changes: |_, _, _| false,
    };

    /// A kind of rule by which a value changes as a whole, and is kept as its own version has it.
    pub(super) const AS_IT_IS: Self = Self {
        role: Role::AsItIs,
        is_complete: |_, _| true,
        changes: |_, _, _| true,
        ..Self::NONE
    };

    /// A kind of rule about a field that some versions lack: each of the others has all of it.
    pub(super) const OF_ABSENT: Self = Self { is_complete: |_, _| true, ..Self::NONE };

    /// The cause that a rule of this kind does not fit.
    pub(super) fn does_not_fit(&self, fault: RuleFault) -> ConversionCause {
        ConversionCause::RuleDoesNotFit { rule: self.name, takes: self.takes, fault }
    }

    /// Checks what a rule states, without its fields.
    pub(super) fn check_stated(
        &self,
        stated: &Correspondence,
        versions: usize,
    ) -> Result<(), RuleFault> {
        let is_missing = |key: &&RuleKey| key.required && !stated.keys.contains_key(key.name);
        match self.keys.iter().find(is_missing) {
            Some(RuleKey { name: key, meaning, .. }) => Err(RuleFault::NoKey { key, meaning }),
            None => (self.check)(stated, versions),
        }
    }

    /// Whether versions can lack the field of a rule of this kind.
    pub(crate) fn takes_lacking(&self) -> bool {
        self.unmatched.is_some()
    }

    /// Whether a rule of this kind needs no other keys than `rule`, `names` and `reason`.
    pub(crate) fn is_plain(&self) -> bool {
        !self.keys.iter().any(|key| key.required)
    }
}

/// A key that only some rules have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleKey {
    /// The key, such as `fill`.
    pub name: &'static str,
    /// What its value says.
    pub meaning: &'static str,
    /// The form of its value.
    pub(crate) shape: Shape,
    /// Whether every rule of the kind has it.
    pub required: bool,
    /// Whether it states a value that no object has, which needs a reason.
    pub states_value: bool,
}

/// The form of the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A text.
    Text,
    /// `true` or `false`.
    Flag,
    /// Any value.
    Any,
    /// A text, number or boolean for each version.
    Values,
    /// A list of texts for each version.
    Words,
    /// A list of tables, with members for each version.
    Patterns,
}

impl Shape {
    /// Returns `true` if a value has this form.
    pub(super) fn takes(self, value: &toml::Value) -> bool {
        let is_text = |value: &toml::Value| value.is_str();
        let is_word_list =
            |value: &toml::Value| value.as_array().is_some_and(|words| words.iter().all(is_text));
        let all = |of: &dyn Fn(&toml::Value) -> bool| {
            value.as_table().is_some_and(|table| table.values().all(of))
        };
        match self {
            Self::Text => value.is_str(),
            Self::Flag => value.is_bool(),
            Self::Any => is_json(value),
            Self::Values => all(&|value| !value.is_table() && !value.is_array() && is_json(value)),
            Self::Words => all(&is_word_list),
            Self::Patterns => value.as_array().is_some_and(|patterns| {
                let is_pattern = |pattern: &toml::Value| {
                    let versions = pattern.as_table();
                    versions.is_some_and(|members| {
                        members.values().all(|members| members.is_table() && is_json(members))
                    })
                };
                !patterns.is_empty() && patterns.iter().all(is_pattern)
            }),
        }
    }

    /// The form, as a noun.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Flag => "`true` or `false`",
            Self::Any => "a text, number, boolean, list or table",
            Self::Values => "a table with a text, number or boolean for each version",
            Self::Words => "a table with a list of texts for each version",
            Self::Patterns => "a list of tables, each with a table of members for each version",
        }
    }
}

/// Returns `true` if JSON can express a value of TOML. It cannot express a date or `nan`.
fn is_json(value: &toml::Value) -> bool {
    match value {
        toml::Value::Datetime(_) => false,
        toml::Value::Float(float) => float.is_finite(),
        toml::Value::Array(items) => items.iter().all(is_json),
        toml::Value::Table(members) => members.values().all(is_json),
        _ => true,
    }
}

impl RuleKey {
    /// `field`, which every rule of a kind that takes it has.
    pub(super) const FIELD: Self = Self {
        name: "field",
        meaning: "the field of the object that has the value, or of the list's items that has the key",
        shape: Shape::Text,
        required: true,
        states_value: false,
    };
    /// `fill`
    pub(super) const FILL: Self = Self {
        name: "fill",
        meaning: "the value of the field where none is kept, or where another version has none",
        shape: Shape::Any,
        required: false,
        states_value: true,
    };
    /// `fill-from`
    pub(super) const FILL_FROM: Self = Self {
        name: "fill-from",
        meaning: "the path of a field whose value can replace an absent one: a required field of the same object, by a policy \
                  (`absent-to-zero`), or `metadata.namespace`, the namespace of the object (`keep-aside`)",
        shape: Shape::Text,
        required: false,
        states_value: false,
    };
    /// `annotation`
    pub(super) const ANNOTATION: Self = Self {
        name: "annotation",
        meaning: "the key of the annotation that has the value in versions without the field",
        shape: Shape::Text,
        required: false,
        states_value: false,
    };
    /// `label`
    pub(super) const LABEL: Self = Self {
        name: "label",
        meaning: "the key of the label that has the value in versions without the field",
        shape: Shape::Text,
        required: false,
        states_value: false,
    };
    /// `fallback`
    pub(super) const FALLBACK: Self = Self {
        name: "fallback",
        meaning: "the value that a version has for each value that it does not know, or that does not fit",
        shape: Shape::Values,
        required: false,
        states_value: true,
    };
}

/// A rule, and the facts about it.
pub(super) struct Rule<'a> {
    pub(super) kind: &'static RuleKind,
    pub(super) stated: &'a Correspondence,
    /// The name of its policy, from its field in the first version that it names; empty if it has none.
    pub(super) policy: String,
    /// The fields that it names, with their versions.
    pub(super) found: Vec<(&'a str, FieldRef)>,
    /// The versions in which it names no field, lowest first.
    pub(super) lacking: Vec<String>,
    /// For `nest`: the structs that have the fields of the sub-object in other versions, by version.
    pub(super) flat: LiteMap<&'a str, &'a str>,
    /// For `pattern`: the paths of the objects that have the members, by version.
    pub(super) objects: LiteMap<&'a str, &'a str>,
    /// Whether it has an effect.
    pub(super) effective: Cell<bool>,
    /// Whether it is reported already.
    pub(super) wrong: Cell<bool>,
    /// Whether it names a field that does not exist. Nothing else is checked then.
    pub(super) unreadable: bool,
}

impl<'a> Rule<'a> {
    /// The field that it names in a version.
    pub(super) fn in_version(&self, version: &str) -> Option<&FieldRef> {
        let found = self.found.iter().find(|(of, _)| *of == version);
        found.map(|(_, field)| field)
    }

    /// [`in_version`](Self::in_version) for each version that it names.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'a str, &FieldRef)> {
        let versions: BTreeSet<&'a str> = self.found.iter().map(|(version, _)| *version).collect();
        versions.into_iter().filter_map(|version| Some((version, self.in_version(version)?)))
    }

    /// Whether it is about each item of a list or map of a version.
    pub(super) fn is_of_items(&self, version: &str) -> bool {
        self.stated.names.get(version).is_some_and(|name| is_of_items(&name.value))
    }

    /// The version in which it names a field.
    pub(super) fn version_of(&self, field: &FieldRef) -> &'a str {
        let found = self.found.iter().find(|(_, found)| found == field);
        found.map(|(version, _)| *version).unwrap_or_default()
    }

    /// Whether the rule makes the list of a version from the map of another one.
    pub(super) fn is_list_of_map(&self, list: &str, map: &str) -> bool {
        let is_map = |version: &str| Some(self.in_version(version)?.rust_type.is_map());
        is_map(list) == Some(false) && is_map(map) == Some(true)
    }

    /// The value of a key.
    pub(super) fn value(&self, key: &str) -> Option<&'a toml::Value> {
        self.stated.keys.get(key).map(|value| &value.value)
    }

    /// The text of a key.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.value(key)?.as_str()
    }

    /// Whether a key is `true`.
    pub(super) fn flag(&self, key: &str) -> bool {
        self.value(key).and_then(toml::Value::as_bool).unwrap_or_default()
    }

    /// The table of a key.
    pub(super) fn table(&self, key: &str) -> Option<&'a toml::Table> {
        self.value(key)?.as_table()
    }

    /// The lists of texts that a key has, by version.
    pub(super) fn texts(&self, key: &str) -> BTreeMap<String, Vec<String>> {
        let list = |list: &toml::Value| {
            let items = list.as_array().into_iter().flatten();
            items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
        };
        let table = self.table(key).into_iter().flatten();
        table.map(|(version, words)| (version.clone(), list(words))).gather()
    }

    /// The value that replaces values that do not fit into a version.
    pub(super) fn fallback(&self, version: &str) -> Option<&'a toml::Value> {
        self.table(RuleKey::FALLBACK.name)?.get(version)
    }

    /// The versions that have the field in the form that is kept, lowest first, and its path in each. It is kept in the
    /// form of these versions, because the form of the others says less.
    pub(super) fn places(&self) -> Paths {
        self.paths_in(&|version, field| (self.kind.is_complete)(self, (version, field)))
    }

    /// The path of the field in each version that the rule names, lowest first.
    pub(super) fn paths(&self) -> Paths {
        self.paths_in(&|_, _| true)
    }

    /// The path of the field in the chosen versions, lowest first.
    pub(super) fn paths_in(&self, chosen: &dyn Fn(&str, &FieldRef) -> bool) -> Paths {
        let found =
            self.lowest_first().into_iter().filter(|(version, field)| chosen(version, field));
        found.map(|(version, field)| ((*version).to_owned(), field.path.clone())).collect()
    }

    /// The types of the field in all versions that the rule names.
    pub(super) fn types(&self) -> Vec<&RustType> {
        self.found.iter().map(|(_, field)| &field.rust_type).collect()
    }

    fn lowest_first(&self) -> Vec<&(&str, FieldRef)> {
        self.found.iter().sorted_by_key(|(version, _)| version.parse::<Version>().ok())
    }

    /// Marks the rule as used.
    pub(super) fn note_effect(&self) {
        self.effective.set(true);
    }

    /// Reports that the rule does not fit. Each fault counts once for all pairs.
    pub(super) fn report_fault(&self, fault: RuleFault, problems: &mut Problems) {
        self.report(self.kind.does_not_fit(fault), problems);
    }

    /// Reports the types of the fields that it names, if no other reason is known why it does not fit.
    pub(super) fn report_types(&self, problems: &mut Problems) {
        if self.wrong.get() {
            return;
        }
        let found = self.lowest_first().into_iter();
        let found = found.map(|(version, field)| found_type((version, field))).collect();
        let holds = |wanted: fn(&RustType) -> bool| {
            self.found.iter().any(|(_, field)| wanted(field.rust_type.innermost()))
        };
        let can_be_absent =
            self.found.iter().filter(|(_, field)| field.rust_type.is_option()).count();
        let absent_in_some = (1..self.found.len()).contains(&can_be_absent);
        let enum_in_some = holds(|inner| matches!(inner, RustType::String))
            && holds(|inner| matches!(inner, RustType::OpenEnum(_)));
        self.report_fault(RuleFault::Types { found, absent_in_some, enum_in_some }, problems);
    }

    /// Reports that the rule names no field of some of these versions, if no other reason is known why it does not fit.
    pub(super) fn report_lacking(&self, problems: &mut Problems) {
        if self.wrong.get() {
            return;
        }
        let (rule, versions) = (self.kind.name.to_owned(), self.lacking.clone());
        self.report(ConversionCause::NamesNoField { rule, versions }, problems);
    }

    fn report(&self, cause: ConversionCause, problems: &mut Problems) {
        self.wrong.set(true);
        if !self.unreadable {
            problems.push(&self.stated.rule.place, cause);
        }
    }
}

/// Two forms of a field, of which the first becomes the second.
pub(super) struct Between<'a, 'b> {
    pub(super) rule: &'b Rule<'a>,
    pub(super) structs: &'b Structs<'a>,
    /// The field in the source, the version, and the struct that has the field.
    pub(super) from: (&'b FieldRef, &'b str, &'b Side<'a, 'b>),
    /// The field in the target, and the version.
    pub(super) to: (&'b FieldRef, &'b str),
}

impl<'b> Between<'_, 'b> {
    /// The types of the two forms.
    pub(super) fn types(&self) -> (&'b RustType, &'b RustType) {
        (&self.from.0.rust_type, &self.to.0.rust_type)
    }

    /// The words of a field of the source or the target that its servers take.
    pub(super) fn words(&self, field: &FieldRef) -> Vec<&'b str> {
        self.structs.field(field).map(|found| found.property.words_now()).unwrap_or_default()
    }

    /// The types, without the `Option` around both, and whether there is one.
    pub(super) fn inside(&self) -> Option<(&RustType, &RustType, bool)> {
        match self.types() {
            (RustType::Option(from), RustType::Option(to)) => Some((from, to, true)),
            (RustType::Option(_), _) | (_, RustType::Option(_)) => None,
            (from, to) => Some((from, to, false)),
        }
    }
}
