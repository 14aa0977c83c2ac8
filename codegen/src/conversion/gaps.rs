//! Fields that need a rule and have none, gathered over all pairs so that each is reported once.

use std::collections::BTreeSet;

use k8s_versioned_names::Release;
use litemap::LiteMap;

use super::plan::FieldRef;
use super::rules::Rule;
use super::steps::{keyed_list, schema, text, words};
use super::structs::{Structs, innermost, type_text};
use crate::Problems;
use crate::plan::RustType;
use crate::problem::{ConversionCause, NamedRule, Place, Remedy};

#[derive(Debug, Default)]
pub(super) struct Gaps {
    /// The fields without a counterpart in another version, by path and version.
    alone: LiteMap<(String, String), Alone>,
    /// The fields that correspond to each other and differ in their types, by version.
    differing: Vec<LiteMap<String, Differing>>,
    /// The fields with words that servers of another version reject, by path and version.
    refused: LiteMap<(String, String), Refused>,
    /// The fields that the newest releases of their versions do not have, by path and version: their places, and their last
    /// releases.
    removed: LiteMap<(String, String), (Place, String)>,
    /// The required fields without a `fill`, by path and version: their places, and the versions that have no value for them.
    unfilled: LiteMap<(String, String), (Place, BTreeSet<String>)>,
    /// The required fields of which servers reject the value that a conversion makes up: by path and version, their places, the
    /// values and the checks that these break.
    made_up: LiteMap<(String, String), (Place, [String; 2])>,
}

/// A field without a counterpart in other versions.
#[derive(Debug)]
struct Alone {
    place: Place,
    /// The versions that do not have it.
    missing: BTreeSet<String>,
    /// The rule about the field of this path in another version.
    rule: Option<NamedRule>,
}

/// A field of another type than in other versions.
#[derive(Debug)]
struct Differing {
    field: FieldRef,
    /// Whether it can be absent.
    optional: bool,
    /// Whether rules can name it.
    in_reach: bool,
}

/// A field with words that servers of other versions reject.
#[derive(Debug, Default)]
struct Refused {
    place: Place,
    words: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl Gaps {
    /// Adds a field without a counterpart in another version: it would be lost there, and no value would fill it on the
    /// way back. `rule` is about the field of the same path in the other version.
    pub(super) fn alone(
        &mut self,
        version: &str,
        field: &FieldRef,
        (other, rule): (&str, Option<&Rule<'_>>),
    ) {
        let found = || Alone { place: field.place.clone(), missing: BTreeSet::new(), rule: None };
        let of = (field.path.clone(), version.to_owned());
        let alone = self.alone.entry(of).or_insert_with(found);
        alone.missing.insert(other.to_owned());
        // Of members without names, each version has its own rule.
        let is_about = |rule: &&Rule<'_>| {
            !field.path.ends_with('*')
                && rule
                    .in_version(other)
                    .is_some_and(|it| are_alike(&it.rust_type, &field.rust_type))
        };
        if let Some(rule) = rule.filter(is_about) {
            let names = rule.stated.names.iter();
            let names = names.map(|(version, name)| (version.clone(), name.value.clone()));
            let (rule, names) = (rule.stated.rule.value.to_string(), names.collect());
            alone.rule = Some(NamedRule { rule, names });
        }
    }

    /// Adds fields of two versions whose types differ. `in_reach` is `true` if a rule can name them.
    pub(super) fn differing(
        &mut self,
        fields: [(&str, &FieldRef); 2],
        structs: &Structs<'_>,
        in_reach: bool,
    ) {
        let has = |group: &LiteMap<String, Differing>| {
            let is_one = |(version, field): &(&str, &FieldRef)| {
                group.get(*version).is_some_and(|it| it.field.path == field.path)
            };
            fields.iter().any(is_one)
        };
        let index = self.differing.iter().position(has).unwrap_or_else(|| {
            self.differing.push(LiteMap::new());
            self.differing.len() - 1
        });
        for (version, field) in fields {
            let optional = field.rust_type.is_option() && !structs.is_always_there(field);
            let found = || Differing { field: field.clone(), optional, in_reach };
            if let Some(group) = self.differing.get_mut(index) {
                group.entry(version.to_owned()).or_insert_with(found).in_reach &= in_reach;
            }
        }
    }

    /// Adds the words of a field that servers of another version reject.
    pub(super) fn refused(
        &mut self,
        version: &str,
        field: &FieldRef,
        (other, words): (&str, Vec<String>),
    ) {
        if words.is_empty() {
            return;
        }
        let of = (field.path.clone(), version.to_owned());
        let refused = self.refused.entry(of).or_default();
        refused.place = field.place.clone();
        refused.words.extend(words);
        refused.others.insert(other.to_owned());
    }

    /// Adds a field that conversions write, and that a version has until a release before its newest one.
    pub(super) fn removed(&mut self, version: &str, field: &FieldRef, last: Release) {
        let of = (field.path.clone(), version.to_owned());
        self.removed.entry(of).or_insert((field.place.clone(), last.to_string()));
    }

    /// Adds a required field of a version for which objects of another version have no value.
    pub(super) fn unfilled(&mut self, version: &str, field: &FieldRef, other: &str) {
        let of = (field.path.clone(), version.to_owned());
        let (_, others) = self.unfilled.entry(of).or_insert((field.place.clone(), BTreeSet::new()));
        others.insert(other.to_owned());
    }

    /// Adds a field, the value that it has where another version has none that fits, and the check that this breaks.
    pub(super) fn made_up(&mut self, version: &str, field: &FieldRef, broken: [String; 2]) {
        let of = (field.path.clone(), version.to_owned());
        self.made_up.entry(of).or_insert((field.place.clone(), broken));
    }

    /// The fields of a version that need a rule and have none.
    pub(super) fn paths<'g>(&'g self, version: &'g str) -> impl Iterator<Item = &'g str> {
        let alone = self.alone.keys().filter(move |(_, of)| of == version);
        let differing = self.differing.iter().filter_map(move |group| group.get(version));
        let differing = differing.map(|it| it.field.path.as_str());
        alone.map(|(path, _)| path.as_str()).chain(differing)
    }

    /// Returns `true` if a field has different types: each rule between these can keep a value.
    pub(super) fn keep(&self) -> bool {
        !self.differing.is_empty()
    }

    /// The warnings about what servers reject or drop.
    pub(super) fn warnings(&self, kind: &str) -> Problems {
        let mut warnings = Problems::new();
        for ((field, version), Refused { place, words, others }) in &self.refused {
            let cause = ConversionCause::WordsRefused {
                field: field.clone(),
                of: format!("{version} {kind}"),
                words: words.iter().cloned().collect(),
                others: others.iter().cloned().collect(),
            };
            warnings.push(place, cause);
        }
        for ((field, version), (place, last)) in &self.removed {
            let (field, of) = (field.clone(), format!("{version} {kind}"));
            warnings.push(place, ConversionCause::FieldGone { field, of, last: last.clone() });
        }
        for ((field, version), (place, others)) in &self.unfilled {
            let (field, of) = (field.clone(), format!("{version} {kind}"));
            let others = others.iter().cloned().collect();
            warnings.push(place, ConversionCause::RequiredWithoutFill { field, of, others });
        }
        for ((field, version), (place, [value, check])) in &self.made_up {
            let (field, of) = (field.clone(), format!("{version} {kind}"));
            let (value, check) = (value.clone(), check.clone());
            warnings.push(place, ConversionCause::MadeUpRefused { field, of, value, check });
        }
        warnings
    }

    pub(super) fn report(&self, kind: &str, problems: &mut Problems) {
        for ((field, version), Alone { place, missing, rule }) in &self.alone {
            let cause = ConversionCause::NoCounterpart {
                field: field.clone(),
                of: format!("{version} {kind}"),
                missing: missing.iter().cloned().collect(),
                remedy: if field.ends_with('*') { Remedy::OwnRule } else { Remedy::AnyRule },
                rule: rule.clone(),
            };
            problems.push(place, cause);
        }
        for versions in &self.differing {
            let types = versions.values().map(|it| &it.field.rust_type).collect::<Vec<_>>();
            let Some(last) = versions.values().next_back() else {
                continue;
            };
            let path = &last.field.path;
            let found = versions.iter().map(|(version, Differing { field, .. })| {
                let elsewhere = field.path != *path;
                let at =
                    if elsewhere { format!("{version} {}", field.path) } else { version.clone() };
                (at, type_text(&field.rust_type))
            });
            let mixed = versions.values().any(|it| it.optional != last.optional);
            let cause = ConversionCause::FieldTypesDiffer {
                kind: kind.to_owned(),
                field: path.clone(),
                found: found.collect(),
                remedy: match rule_between(&types) {
                    _ if !last.in_reach => Remedy::OutOfReach,
                    Remedy::Text | Remedy::Wrap | Remedy::Schema if mixed => Remedy::NoRule,
                    remedy => remedy,
                },
            };
            problems.push(&last.field.place, cause);
        }
    }
}

/// Returns `true` if the same rules fit both types: structs of two versions are of two types.
fn are_alike(one: &RustType, other: &RustType) -> bool {
    match (one.present(), other.present()) {
        (RustType::List(one), RustType::List(other))
        | (RustType::Map(one), RustType::Map(other)) => are_alike(one, other),
        (one, other) => {
            let are_words = words::is_text(one) && words::is_text(other);
            one == other || are_words || innermost(one, other).is_some()
        }
    }
}

/// The rule that can convert each of these types into the others.
fn rule_between(types: &[&RustType]) -> Remedy {
    let all_equal = |inside: fn(&RustType) -> RustType| {
        types.windows(2).all(|pair| matches!(pair, [one, other] if inside(one) == inside(other)))
    };
    let is_struct = |found: &&RustType| matches!(found.present(), RustType::Struct(_));
    let are_texts = types.iter().all(|found| words::is_text(found.present()));
    if let Some(items) = items(types) {
        rule_between(&items)
    } else if all_equal(|found| found.present().clone()) || types.iter().all(is_struct) || are_texts
    {
        Remedy::AbsentToZero
    } else if all_equal(item) || types.iter().all(|found| is_struct(&&item(found))) {
        Remedy::FirstOfList
    } else if types.iter().all(|found| keyed_list::object(found).is_some()) {
        Remedy::KeyedList
    } else if all_equal(wide) {
        Remedy::Narrow
    } else if types.iter().all(|found| text::is_value(found.present()))
        && types.iter().any(|form| text::is_complete(form, types))
    {
        Remedy::Text
    } else if types.iter().any(|found| schema::is_free(found.present())) {
        Remedy::Schema
    } else if types.iter().any(is_struct) {
        Remedy::Wrap
    } else {
        Remedy::NoRule
    }
}

/// The types of the items, if all are lists or all are maps.
fn items<'t>(types: &[&'t RustType]) -> Option<Vec<&'t RustType>> {
    let of_lists = types.iter().map(|found| match found.present() {
        RustType::List(item) => Some(&**item),
        _ => None,
    });
    let of_maps = types.iter().map(|found| match found.present() {
        RustType::Map(value) => Some(&**value),
        _ => None,
    });
    of_lists.collect::<Option<_>>().or_else(|| of_maps.collect())
}

/// The type with numbers of 64 bits.
fn wide(found: &RustType) -> RustType {
    match found {
        RustType::I32 => RustType::I64,
        RustType::Option(inner) => RustType::Option(Box::new(wide(inner))),
        other => other.clone(),
    }
}

fn item(found: &RustType) -> RustType {
    match found.present() {
        RustType::List(item) => (**item).clone(),
        plain => plain.clone(),
    }
}
