//! Types and their fields.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value, json};

use super::catalogue::{
    CUSTOM_DEFAULT, CUSTOM_DEFAULT_REMOVED, DEFAULT_CHANGED, FIELD_ADDED, FIELD_ADDED_REQUIRED,
    FIELD_OPTIONAL, FIELD_REMOVED, FIELD_REQUIRED, FIELD_TYPE, FIELD_WIDER, ITEM_DEFAULT,
    LIST_KEYS, LIST_TYPE, LIST_TYPE_OF_NO_LIST, MAP_TYPE, OBJECT_DEFAULT, PATCH_KEY,
    PATCH_STRATEGY, TYPE_ADDED, TYPE_CHANGED, TYPE_KINDS, TYPE_REMOVED, WORDS_ADDED, WORDS_REMOVED,
};
use super::checks::{self, Change};
use super::finding::pairs;
use super::reach::{BUDGET, Budget, Reach, Search};
use super::side::{Renames, Side, short};
use super::{Finding, Rule, Witness};
use crate::Place;
use crate::input::ModuleRule;
use crate::input::toml_file::Layers;
use crate::model::Model;
use crate::spec::{
    Dialect, Facts, GroupVersionKind, MERGE, Property, Type, TypeBody, ValueType, Width,
    is_empty_object, merge_text,
};
use crate::text::shorten;

/// Compares the types of both sides.
pub(super) fn compare(old: &Side, new: &Side, names: &Renames) -> Vec<Finding> {
    let before = selected(old, new, |name| names.schema(name));
    let after = selected(new, old, str::to_owned);
    let mut findings = Vec::new();
    let budget = &Budget::new(BUDGET);
    let searches = &(Search::of(&old.model, budget), Search::of(&new.model, budget));
    let whole = |rule, side: &Side, search: &Search<'_>, name, found: &Type| {
        let reach = search.reach(name, None);
        finding(rule, short(&side.modules, name), reach).at(&found.place)
    };
    for (_, was, is) in pairs(&before, &after) {
        match (was, is) {
            (Some((old_name, was)), Some((name, is))) => {
                let type_names = (*old_name, *name);
                let comparison = TypeDiff { searches, modules: &new.modules, names, type_names };
                findings.extend(comparison.compare(was, is));
            }
            (Some((name, was)), None) => {
                findings.push(whole(TYPE_REMOVED, old, &searches.0, name, was));
            }
            (None, Some((name, is))) => {
                findings.push(whole(TYPE_ADDED, new, &searches.1, name, is));
            }
            (None, None) => {}
        }
    }
    findings
}

/// The types of a side with their names, by their names on the new side. When whole releases are compared, types of a
/// version that the other release does not serve are left out: the version itself is a finding.
fn selected<'a>(
    side: &'a Side,
    other: &Side,
    new_name: impl Fn(&str) -> String,
) -> BTreeMap<String, (&'a str, &'a Type)> {
    let version = |name: &str| {
        let mut own = side.modules.iter().filter(|module| module.shared.is_none());
        own.find_map(|module| {
            let (version, _) = name.strip_prefix(&module.prefix)?.split_once('.')?;
            version.parse().ok()
        })
    };
    let known = side.model.types.iter().filter(|(name, _)| side.compares(version(name), other));
    known.map(|(name, found)| (new_name(name), (name.as_str(), found))).collect()
}

fn finding(rule: Rule, subject: String, reach: Reach) -> Finding {
    let Reach { in_requests, in_responses, trees } = reach;
    Finding::new(rule, subject, (in_requests, in_responses)).with_reach(trees)
}

/// The comparison of the two sides of one type.
struct TypeDiff<'a> {
    /// What the types of the sides are held by.
    searches: &'a (Search<'a>, Search<'a>),
    modules: &'a Layers<ModuleRule>,
    names: &'a Renames,
    /// The type's names, as the sides have them.
    type_names: (&'a str, &'a str),
}

impl TypeDiff<'_> {
    fn compare(&self, was: &Type, is: &Type) -> Vec<Finding> {
        let (mut findings, mut changes) = (Vec::new(), Vec::new());
        match (&was.body, &is.body) {
            (TypeBody::Struct(was), TypeBody::Struct(is)) => {
                findings.extend(self.properties(was, is));
            }
            (TypeBody::Value(was), TypeBody::Value(is)) if self.names.value(was) == *is => {}
            (was, is) => changes.push((TYPE_CHANGED, Some(was.to_string()), Some(is.to_string()))),
        }
        let is_list = matches!(&is.body, TypeBody::Value(ValueType::List(_)));
        changes.extend(merges(&was.merge, &is.merge, is_list));
        if is.dialect == Dialect::Custom {
            changes.extend(checks::of_values(&[&was.facts], &[&is.facts]));
        }
        if self.names.are_the_same() && was.kinds != is.kinds {
            let only = |a: &Type, b: &Type| list(a.kinds.difference(&b.kinds));
            changes.push((TYPE_KINDS, only(was, is), only(is, was)));
        }
        findings.extend(changes.into_iter().map(|change| self.about(change, None, &is.place)));
        findings
    }

    fn properties(
        &self,
        was: &BTreeMap<String, Property>,
        is: &BTreeMap<String, Property>,
    ) -> Vec<Finding> {
        let property =
            |(name, was, is): (&String, Option<&Property>, Option<&Property>)| match (was, is) {
                (Some(was), Some(is)) => {
                    let changes = self.property(was, is).into_iter();
                    changes.map(|change| self.about(change, Some(name), &is.place)).collect()
                }
                (Some(was), None) => vec![self.removed(name, was)],
                (None, Some(is)) => {
                    let rule = if is.required() { FIELD_ADDED_REQUIRED } else { FIELD_ADDED };
                    let change = (rule, None, Some(is.value.to_string()));
                    vec![self.about(change, Some(name), &is.place)]
                }
                (None, None) => Vec::new(),
            };
        pairs(was, is).flat_map(property).collect()
    }

    fn removed(&self, name: &str, property: &Property) -> Finding {
        let ((before, after), (old, _)) = (self.searches, self.type_names);
        let reach = before.reach(old, Some(name));
        let in_requests = reach.in_requests;
        let subject = format!("{}.{name}", short(self.modules, old));
        let finding = finding(FIELD_REMOVED, subject, reach).of_field(Some(name));
        let mut finding = finding.at(&property.place);
        finding.old = Some(property.value.to_string());
        if in_requests && let Some((root, object)) = object(before.model, old, name, true) {
            let new = if refuses(after.model, &self.names.schema(root), &object) {
                "refused"
            } else {
                "the field is dropped; refused with fieldValidation=Strict"
            };
            finding.witness = Some(Witness { object, old: "accepted", new });
        }
        finding
    }

    /// The changes of a property.
    fn property(&self, was: &Property, is: &Property) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        let mut differ = |rule, was: String, is: String| changes.push((rule, Some(was), Some(is)));
        let is_same = self.names.value(&was.value) == is.value;
        if !is_same {
            let wider = ValueType::Integer(Width::I32) == was.value
                && ValueType::Integer(Width::I64) == is.value;
            let rule = if wider { FIELD_WIDER } else { FIELD_TYPE };
            differ(rule, was.value.to_string(), is.value.to_string());
        }
        if was.required() != is.required() {
            let word =
                |it: &Property| if it.required() { "required" } else { "optional" }.to_owned();
            let rule = if is.required() { FIELD_REQUIRED } else { FIELD_OPTIONAL };
            differ(rule, word(was), word(is));
        }
        let default = |default: Option<&Value>| {
            default.map_or_else(|| "no default".to_owned(), |default| format!("default {default}"))
        };
        let found = self.searches.1.model.types.get(self.type_names.1);
        let custom = found.is_some_and(|found| found.dialect == Dialect::Custom);
        let (before, after) = (was.default.as_ref(), is.default.as_ref());
        if before != after {
            differ(default_rule(before, after, custom), default(before), default(after));
        }
        let (before, after) = (was.items.default.as_ref(), is.items.default.as_ref());
        if before != after {
            differ(ITEM_DEFAULT, default(before), default(after));
        }
        // The object inside merges as its type does.
        if !(is_same && is.value.is_inline()) {
            changes.extend(merges(&was.merge, &is.merge, matches!(is.value, ValueType::List(_))));
        }
        if custom {
            let mut checks = checks::of_property(was, is);
            // The words of another type say nothing more.
            checks.retain(|(rule, ..)| is_same || ![WORDS_ADDED, WORDS_REMOVED].contains(rule));
            changes.extend(checks);
        }
        changes
    }

    /// The finding about a change of the type as the new side has it, or of one of its fields.
    fn about(&self, (rule, was, is): Change, field: Option<&str>, place: &Place) -> Finding {
        let (_, name) = self.type_names;
        let reach = self.searches.1.reach(name, field);
        let path = field.map(|field| format!(".{field}")).unwrap_or_default();
        let subject = short(self.modules, name) + &path;
        let finding = finding(rule, subject, reach).of_field(field);
        let mut finding = finding.with_values(was, is).at(place);
        // An object of another version shows nothing.
        let field = field.filter(|_| self.names.are_the_same());
        finding.witness = field.and_then(|field| self.refused(rule, field));
        finding
    }

    /// An object that the old side accepts and the new side refuses.
    fn refused(&self, rule: Rule, field: &str) -> Option<Witness> {
        let (old, new) = (self.searches.0.model, self.searches.1.model);
        let (old_name, name) = self.type_names;
        let (_, object) = match rule {
            FIELD_ADDED_REQUIRED | FIELD_REQUIRED => {
                object(new, name, field, false).filter(|(root, object)| refuses(new, root, object))
            }
            FIELD_TYPE => object(old, old_name, field, true),
            _ => None,
        }?;
        Some(Witness { object, old: "accepted", new: "refused" })
    }
}

/// The changes in how values merge.
fn merges(was: &Facts, is: &Facts, is_list: bool) -> impl Iterator<Item = Change> {
    let list_type = if is_list { LIST_TYPE } else { LIST_TYPE_OF_NO_LIST };
    let rules = [list_type, LIST_KEYS, MAP_TYPE, PATCH_STRATEGY, PATCH_KEY];
    let text =
        |merge: &Facts, keyword| merge_text(merge, keyword).or_else(|| Some("none".to_owned()));
    let changed = rules.into_iter().zip(MERGE).filter(move |(_, of)| was.get(of) != is.get(of));
    changed.map(move |(rule, of)| (rule, text(was, of), text(is, of)))
}

fn default_rule(was: Option<&Value>, is: Option<&Value>, custom: bool) -> Rule {
    let is_bare = |default: Option<&Value>| default.is_none_or(is_empty_object);
    match is {
        _ if is_bare(was) && is_bare(is) => OBJECT_DEFAULT,
        Some(_) if custom => CUSTOM_DEFAULT,
        None if custom => CUSTOM_DEFAULT_REMOVED,
        _ => DEFAULT_CHANGED,
    }
}

/// The first kinds of a list, and the number of the others.
fn list<'a>(kinds: impl Iterator<Item = &'a GroupVersionKind>) -> Option<String> {
    const SHOWN: usize = 3;
    let mut texts: Vec<String> = kinds.map(GroupVersionKind::api_version).collect();
    shorten(&mut texts, SHOWN, |hidden| format!("{hidden} more"));
    (!texts.is_empty()).then(|| texts.join(", "))
}

// Objects that show a change.

/// The depth of an example. Deeper required fields are empty objects.
const DEPTH: usize = 8;

/// The most values of an example. A larger one is not shown.
const VALUES: usize = 1_000;

/// Returns `true` if a type refuses an object: a required field is missing that servers do not fill in, or a word is not one of
/// the known words.
fn refuses(model: &Model, of: &str, object: &Value) -> bool {
    let Some(found) = model.types.get(of) else {
        return false;
    };
    let is_filled = found.dialect == Dialect::Custom;
    let is_wrong = |(name, property): (&str, &Property)| match object.get(name) {
        Some(member) => {
            let mut words = property.facts.get("enum").and_then(Value::as_array).into_iter();
            words.any(|words| !words.contains(member))
                || refuses_value(model, &property.value, member)
        }
        None => property.required() && !(is_filled && property.default.is_some()),
    };
    object.is_object() && found.properties().any(is_wrong)
}

fn refuses_value(model: &Model, value: &ValueType, found: &Value) -> bool {
    let mut items = found.as_array().into_iter().flatten();
    let mut members = found.as_object().into_iter().flat_map(Map::values);
    match value {
        ValueType::Reference(of) => refuses(model, of, found),
        ValueType::Nullable(value) => refuses_value(model, value, found),
        ValueType::List(item) => items.any(|it| refuses_value(model, item, it)),
        ValueType::Map(value) => members.any(|it| refuses_value(model, value, it)),
        _ => false,
    }
}

/// A small object of a kind that holds the type `of`, with the field or without it, and the name of its type.
fn object<'a>(model: &'a Model, of: &str, field: &str, with: bool) -> Option<(&'a str, Value)> {
    let kinds = model.resources.iter().map(|resource| &resource.kind);
    let mut types = kinds.filter_map(|kind| {
        let (name, _) = model.object(kind)?;
        Some((kind, name, way(model, name, of)?))
    });
    let (kind, root, way) = types.next()?;
    let mut example = Example { model, left: VALUES };
    let mut object = example.of(root, 0);
    let at = example.dig(&mut object, root, &way)?;
    let members = at.as_object_mut()?;
    if with {
        let found = model.types.get(of)?.property(field)?;
        members.insert(field.to_owned(), example.property(found, 0));
    } else {
        members.remove(field);
    }
    if example.left == 0 {
        return None;
    }
    let head = object.as_object_mut()?;
    head.insert("apiVersion".to_owned(), json!(kind.api_version()));
    head.insert("kind".to_owned(), json!(kind.kind));
    let metadata = head.entry("metadata").or_insert_with(|| json!({}));
    let metadata = metadata.as_object_mut()?;
    metadata.entry("name").or_insert_with(|| json!("example"));
    Some((root, object))
}

/// The fields that lead from one type to another through references alone.
fn way(model: &Model, from: &str, to: &str) -> Option<Vec<String>> {
    let mut open = VecDeque::from([(from, Vec::new())]);
    let mut entered = BTreeSet::new();
    while let Some((name, way)) = open.pop_front() {
        if name == to {
            return Some(way);
        }
        if way.len() == DEPTH || !entered.insert(name) {
            continue;
        }
        for (field, of) in model.types.get(name).into_iter().flat_map(Type::properties) {
            if let ValueType::Reference(next) = &of.value {
                let longer = way.iter().cloned().chain([field.to_owned()]);
                open.push_back((next, longer.collect()));
            }
        }
    }
    None
}

/// Writes examples until too many values are written.
struct Example<'a> {
    model: &'a Model,
    left: usize,
}

impl Example<'_> {
    /// The member at the end of a path of fields. Missing members are added.
    fn dig<'o>(
        &mut self,
        object: &'o mut Value,
        of: &str,
        way: &[String],
    ) -> Option<&'o mut Value> {
        let Some((field, rest)) = way.split_first() else {
            return Some(object);
        };
        let ValueType::Reference(next) = &self.model.types.get(of)?.property(field)?.value else {
            return None;
        };
        let member = object.as_object_mut()?.entry(field.clone());
        let member = member.or_insert_with(|| self.of(next, 0));
        self.dig(member, next, rest)
    }

    /// A value of a type with its required fields and no others.
    fn of(&mut self, name: &str, depth: usize) -> Value {
        match self.model.types.get(name).map(|found| &found.body) {
            Some(TypeBody::Struct(properties)) if depth < DEPTH => {
                let required = properties.iter().filter(|(_, property)| property.required());
                let members =
                    required.map(|(name, it)| (name.clone(), self.property(it, depth + 1)));
                Value::Object(members.collect())
            }
            Some(TypeBody::Value(value)) if depth < DEPTH => self.value(value, depth + 1),
            _ => Value::Object(Map::new()),
        }
    }

    /// The default of a property, its first word, or an example.
    fn property(&mut self, property: &Property, depth: usize) -> Value {
        let first = |facts: &Facts| facts.get("enum")?.as_array()?.first().cloned();
        let default =
            property.default.clone().filter(|it| !is_empty_object(it) && *it != json!(""));
        let stated = default.or_else(|| first(&property.facts));
        match (stated, &property.value, first(&property.items.facts)) {
            (Some(stated), ..) => stated,
            (None, ValueType::List(_), Some(word)) => json!([word]),
            (None, ValueType::Map(_), Some(word)) => json!({"example": word}),
            (None, value, _) => self.value(value, depth),
        }
    }

    fn value(&mut self, value: &ValueType, depth: usize) -> Value {
        self.left = self.left.saturating_sub(1);
        match value {
            _ if self.left == 0 => Value::Null,
            ValueType::String => json!("example"),
            ValueType::DateTime => json!("2026-01-02T03:04:05.000000Z"),
            ValueType::Bytes => json!("ZXhhbXBsZQ=="),
            ValueType::Integer(_) | ValueType::IntOrString | ValueType::Any => json!(1),
            ValueType::Number => json!(1.5),
            ValueType::Boolean => json!(true),
            ValueType::Opaque => json!({}),
            ValueType::List(item) => json!([self.value(item, depth)]),
            ValueType::Map(value) => json!({"example": self.value(value, depth)}),
            ValueType::Nullable(value) => self.value(value, depth),
            ValueType::Reference(name) => self.of(name, depth),
        }
    }
}
