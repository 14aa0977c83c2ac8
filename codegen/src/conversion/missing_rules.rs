//! Fields that need a rule and have none, gathered over all pairs so that each is reported once.

use std::collections::{BTreeSet, HashMap};

use k8s_versioned_core::Release;
use litemap::LiteMap;
use serde_json::Value;

use super::plan::FieldRef;
use super::rule::{Mixed, Rule};
use super::rules::VersionedPaths;
use super::steps;
use super::structs::{Structs, Versions, found_type, innermost};
use crate::Problems;
use crate::plan::RustType;
use crate::problem::{ConversionCause, NamedRule, Place, Remedy, StatedBy};
use crate::rules::paths::FieldPath;

#[derive(Debug, Default)]
pub(super) struct MissingRules {
    /// The fields without a counterpart in another version, by path and version.
    unmatched: LiteMap<(FieldPath, String), Unmatched>,
    /// The fields that correspond to each other and differ in their types, by version.
    differing: Vec<LiteMap<String, Differing>>,
    /// The places of such fields in the list, by path and version.
    differing_at: LiteMap<(FieldPath, String), usize>,
    /// The fields with words that servers of another version reject, by path and version.
    refused: LiteMap<(FieldPath, String), Refused>,
    /// The fields that the newest releases of their versions do not have, by path and version: their places, and their last
    /// releases.
    removed: LiteMap<(FieldPath, String), (Place, String)>,
    /// The required fields without a `fill`, by path and version.
    unfilled: LiteMap<(FieldPath, String), Unfilled>,
    /// The required fields of which servers reject the value that a conversion makes up, by path and version.
    made_up: LiteMap<(FieldPath, String), MadeUp>,
    /// The texts that end with a separator, by path and version, as a rule does not say what follows.
    without_rest: LiteMap<(FieldPath, String), Place>,
    /// The fields whose empty value the first version accepts and the second version rejects.
    empty: LiteMap<(String, String), BTreeSet<FieldPath>>,
}

/// A field without a counterpart in other versions.
#[derive(Debug)]
struct Unmatched {
    place: Place,
    /// The versions that do not have it.
    missing: BTreeSet<String>,
    /// The rule about the field of this path in another version.
    rule: Option<NamedRule>,
}

/// A required field without a `fill`.
#[derive(Debug)]
struct Unfilled {
    place: Place,
    /// The versions that have no value for it.
    others: BTreeSet<String>,
    /// A value that servers accept, for a field that every object has.
    of_every_object: Option<Value>,
}

/// A required field of which servers reject the value that a conversion makes up.
#[derive(Debug)]
struct MadeUp {
    place: Place,
    value: String,
    /// The check that the value breaks.
    check: String,
    /// What can state another value.
    stated_by: StatedBy,
    /// Whether a conversion reports the value.
    is_reported: bool,
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

/// The objects of a kind, in which the fields have their places.
#[derive(Clone, Copy)]
pub(super) struct Objects<'a, 'o> {
    pub(super) structs: &'o Structs<'a>,
    pub(super) versions: &'o Versions<'a>,
}

impl<'a> Objects<'a, '_> {
    /// The place of the field with this path in a version. `shared` is that of one of the fields that its type has.
    fn place(self, version: &str, path: &FieldPath, shared: &'a Place) -> &'a Place {
        let mut versions = self.versions.iter();
        let object = versions.find(|(name, _)| name == version).map(|(_, object)| *object);
        object.and_then(|object| self.structs.place(object, path)).unwrap_or(shared)
    }
}

impl MissingRules {
    /// Adds a field without a counterpart in another version: it would be lost there, and no value would fill it on the
    /// way back. `rule` is about the field of the same path in the other version.
    pub(super) fn unmatched(
        &mut self,
        version: &str,
        field: &FieldRef,
        (other, rule): (&str, Option<&Rule<'_>>),
    ) {
        let found =
            || Unmatched { place: field.place.clone(), missing: BTreeSet::new(), rule: None };
        let of = (field.path.clone(), version.to_owned());
        let unmatched = self.unmatched.entry(of).or_insert_with(found);
        unmatched.missing.insert(other.to_owned());
        // Members without names have a rule for each version.
        let is_about = |rule: &&Rule<'_>| {
            !field.path.ends_with('*')
                && rule
                    .in_version(other)
                    .is_some_and(|known| are_alike(&known.rust_type, &field.rust_type))
        };
        if let Some(rule) = rule.filter(is_about) {
            let names = rule.stated.names.iter();
            let names = names.map(|(version, name)| (version.clone(), name.value.clone()));
            let (rule, names) = (rule.kind.name.to_owned(), names.collect());
            unmatched.rule = Some(NamedRule { rule, names });
        }
    }

    /// Adds fields of two versions whose types differ. `in_reach` is `true` if a rule can name them.
    pub(super) fn differing(
        &mut self,
        fields: [(&str, &FieldRef); 2],
        structs: &Structs<'_>,
        in_reach: bool,
    ) {
        let key = |(version, field): (&str, &FieldRef)| (field.path.clone(), version.to_owned());
        let known = fields.iter().filter_map(|field| self.differing_at.get(&key(*field)));
        let index = known.min().copied().unwrap_or_else(|| {
            self.differing.push(LiteMap::new());
            self.differing.len() - 1
        });
        for (version, field) in fields {
            let optional = field.rust_type.is_option() && !structs.is_always_there(field);
            let found = || Differing { field: field.clone(), optional, in_reach };
            if let Some(group) = self.differing.get_mut(index) {
                let differing = group.entry(version.to_owned()).or_insert_with(found);
                differing.in_reach &= in_reach;
                if differing.field.path == field.path {
                    self.differing_at.entry(key((version, field))).or_insert(index);
                }
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

    /// Adds a required field of a version for which objects of another version have no value. `acceptable` is a value that servers
    /// accept, for a field that every object has.
    pub(super) fn unfilled(
        &mut self,
        version: &str,
        field: &FieldRef,
        other: &str,
        acceptable: Option<Value>,
    ) {
        let of = (field.path.clone(), version.to_owned());
        let unfilled = self.unfilled.entry(of).or_insert_with(|| Unfilled {
            place: field.place.clone(),
            others: BTreeSet::new(),
            of_every_object: None,
        });
        unfilled.others.insert(other.to_owned());
        unfilled.of_every_object = unfilled.of_every_object.take().or(acceptable);
    }

    /// Adds a field for which a conversion makes up a value that servers reject: the value and the check that it breaks, what can state
    /// another value, and whether a conversion reports it.
    pub(super) fn made_up(
        &mut self,
        version: &str,
        field: &FieldRef,
        [value, check]: [String; 2],
        (stated_by, is_reported): (StatedBy, bool),
    ) {
        let of = (field.path.clone(), version.to_owned());
        let place = field.place.clone();
        self.made_up.entry(of).or_insert(MadeUp { place, value, check, stated_by, is_reported });
    }

    /// Adds a text of which the rule does not say the part after the separator.
    pub(super) fn without_rest(&mut self, version: &str, field: &FieldRef) {
        let of = (field.path.clone(), version.to_owned());
        self.without_rest.entry(of).or_insert_with(|| field.place.clone());
    }

    /// Adds a field whose empty value the second version rejects.
    pub(super) fn empty(&mut self, (from, to): (&str, &str), field: &FieldRef) {
        let fields = self.empty.entry((from.to_owned(), to.to_owned())).or_default();
        fields.insert(field.path.clone());
    }

    /// A warning about rejected empty values for each pair of versions.
    pub(super) fn empty_values(&self, kind: &str) -> impl Iterator<Item = ConversionCause> {
        self.empty.iter().map(move |((from, to), fields)| {
            let fields = fields.iter().map(ToString::to_string).collect();
            let (kind, from, to) = (kind.to_owned(), from.clone(), to.clone());
            ConversionCause::EmptyRejected { kind, from, to, fields }
        })
    }

    /// The fields that need a rule and have none.
    pub(super) fn places(&self) -> VersionedPaths<'_> {
        let unmatched = self.unmatched.keys().map(|(path, version)| (&**version, &**path));
        let differing = self.differing.iter().flat_map(|group| group.iter());
        let differing = differing.map(|(version, found)| (&**version, &*found.field.path));
        VersionedPaths::of(unmatched.chain(differing))
    }

    /// Returns `true` if a field has different types in two versions: each rule between them can keep a value.
    pub(super) fn keep(&self) -> bool {
        !self.differing.is_empty()
    }

    /// The warnings about what servers reject or drop.
    pub(super) fn warnings(&self, kind: &str, objects: Objects<'_, '_>) -> Problems {
        let mut warnings = Problems::new();
        let mut push = |(field, version): (&FieldPath, &String), shared, cause| {
            warnings.push(objects.place(version, field, shared), cause);
        };
        let names = |(field, version): (&FieldPath, &String)| {
            (field.to_string(), version.clone(), kind.to_owned())
        };
        for ((field, version), Refused { place, words, others }) in &self.refused {
            let cause = ConversionCause::WordsRejected {
                field: field.to_string(),
                version: version.clone(),
                kind: kind.to_owned(),
                words: words.iter().cloned().collect(),
                others: others.iter().cloned().collect(),
            };
            push((field, version), place, cause);
        }
        for ((path, version), (place, last)) in &self.removed {
            let of = (path, version);
            let (field, version, kind) = names(of);
            let cause = ConversionCause::FieldGone { field, version, kind, last: last.clone() };
            push(of, place, cause);
        }
        for ((path, version), Unfilled { place, others, of_every_object }) in &self.unfilled {
            let of = (path, version);
            let ((field, version, kind), others) = (names(of), others.iter().cloned().collect());
            let cause = match of_every_object.clone() {
                Some(value) => {
                    ConversionCause::EveryObjectRejected { field, version, kind, others, value }
                }
                None => ConversionCause::RequiredWithoutFill { field, version, kind, others },
            };
            push(of, place, cause);
        }
        for ((field, version), MadeUp { place, value, check, stated_by, is_reported }) in
            &self.made_up
        {
            let cause = ConversionCause::MadeUpRejected {
                field: field.to_string(),
                version: version.clone(),
                kind: kind.to_owned(),
                value: value.clone(),
                check: check.clone(),
                stated_by: *stated_by,
                is_reported: *is_reported,
            };
            push((field, version), place, cause);
        }
        for ((path, version), place) in &self.without_rest {
            let of = (path, version);
            let (field, version, kind) = names(of);
            push(of, place, ConversionCause::WithoutRest { field, version, kind });
        }
        warnings
    }

    /// Reports each place once, however many fields have the type that has it.
    pub(super) fn report(&self, kind: &str, objects: Objects<'_, '_>, problems: &mut Problems) {
        let all = self.without_counterpart(kind, objects).into_iter();
        for (place, cause) in all.chain(self.of_types(kind, objects)) {
            problems.push(place, cause);
        }
    }

    /// The fields without a counterpart.
    fn without_counterpart<'m>(
        &'m self,
        kind: &str,
        objects: Objects<'m, '_>,
    ) -> Vec<(&'m Place, ConversionCause)> {
        let (mut at, mut all) = (HashMap::new(), Vec::<(&Place, ConversionCause)>::new());
        for ((field, version), Unmatched { place, missing, rule }) in &self.unmatched {
            // A rule is about one field.
            let key = rule.is_none().then(|| (place_key(place), missing));
            let known = key.and_then(|key| all.get_mut(*at.get(&key)?));
            if let Some((_, ConversionCause::NoCounterpart { others, .. })) = known {
                others.push(field.to_string());
                continue;
            }
            at.extend(key.map(|key| (key, all.len())));
            let cause = ConversionCause::NoCounterpart {
                field: field.to_string(),
                others: Vec::new(),
                version: version.clone(),
                kind: kind.to_owned(),
                missing: missing.iter().cloned().collect(),
                remedy: if field.ends_with('*') { Remedy::OwnRule } else { Remedy::AnyRule },
                rule: rule.clone(),
            };
            all.push((objects.place(version, field, place), cause));
        }
        all
    }

    /// The fields of different types.
    fn of_types<'m>(
        &'m self,
        kind: &str,
        objects: Objects<'m, '_>,
    ) -> Vec<(&'m Place, ConversionCause)> {
        let (mut at, mut all) = (HashMap::new(), Vec::<(&Place, ConversionCause)>::new());
        for versions in &self.differing {
            let types =
                versions.values().map(|version| &version.field.rust_type).collect::<Vec<_>>();
            let Some((version, last)) = versions.iter().next_back() else {
                continue;
            };
            let path = &last.field.path;
            let found = versions
                .iter()
                .map(|(version, Differing { field, .. })| found_type((version, field)));
            let places: Vec<_> =
                versions.values().map(|differing| place_key(&differing.field.place)).collect();
            let key = (places, last.in_reach);
            let known = at.get(&key).and_then(|index: &usize| all.get_mut(*index));
            if let Some((_, ConversionCause::FieldTypesDiffer { others, .. })) = known {
                others.push(found.collect());
                continue;
            }
            at.insert(key, all.len());
            let mixed = versions.values().any(|found| found.optional != last.optional);
            let cause = ConversionCause::FieldTypesDiffer {
                kind: kind.to_owned(),
                field: path.to_string(),
                found: found.collect(),
                others: Vec::new(),
                remedy: if last.in_reach {
                    rule_between(&types, mixed)
                } else {
                    Remedy::OutOfReach
                },
            };
            all.push((objects.place(version, path, &last.field.place), cause));
        }
        all
    }
}

/// The key of a place.
fn place_key(place: &Place) -> (&str, &str) {
    (&place.file, &place.pointer)
}

/// Returns `true` if the same rules fit both types: structs of two versions are of two types.
fn are_alike(one: &RustType, other: &RustType) -> bool {
    match (one.present(), other.present()) {
        (RustType::List(one), RustType::List(other))
        | (RustType::Map(one), RustType::Map(other)) => are_alike(one, other),
        (one, other) => {
            let are_words = one.is_text() && other.is_text();
            one == other || are_words || innermost(one, other).is_some()
        }
    }
}

/// The rule that can convert each of these types into the others. `mixed`: some of the fields are optional.
fn rule_between(types: &[&RustType], mixed: bool) -> Remedy {
    if let Some(items) = items(types) {
        return rule_between(&items, mixed);
    }
    let found = steps::ALL.iter().find(|kind| (kind.converts)(types));
    match found.filter(|kind| kind.mixed != Mixed::Never || !mixed) {
        Some(kind) => Remedy::Rule { name: kind.name, hint: kind.remedy },
        None => Remedy::NoRule,
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
