//! What joins two fields beside their names: types, checks and units.

use toml::Value;

use super::guess::{Names, by_version};
use crate::conversion::names;
use crate::gather::Gather;
use crate::plan::{Field, RustType};

/// What joins two fields.
#[derive(Default)]
pub(super) struct Relation {
    pub(super) rule: &'static str,
    pub(super) keys: Vec<(&'static str, Value)>,
    pub(super) what: &'static str,
    /// Whether the types and checks are enough evidence.
    pub(super) is_enough: bool,
    /// Whether the rule is about the items of the lists.
    pub(super) of_items: bool,
    /// How much the objects have in common: the number of fields of both of one name and one type.
    pub(super) common: usize,
}

impl Relation {
    /// A relation by a rule without keys, whose types alone are not enough evidence.
    pub(super) fn of(rule: &'static str, what: &'static str) -> Self {
        Self { rule, what, ..Self::default() }
    }
}

/// Returns `true` if servers check two fields by the same pattern or the same words.
pub(super) fn check_alike(one: &Field, other: &Field) -> bool {
    const CHECKS: [&str; 2] = ["pattern", "enum"];
    let has_check = CHECKS.iter().any(|keyword| one.property.facts.contains_key(*keyword));
    has_check && same_facts(one, other, &CHECKS)
}

/// Returns `true` if nothing that servers check tells two fields apart.
pub(super) fn same_checks(one: &Field, other: &Field) -> bool {
    same_facts(one, other, &["pattern", "enum", "format"])
}

/// Returns `true` for a field with a choice of words.
pub(super) fn has_enum(field: &Field) -> bool {
    field.property.words().len() > 1
}

/// Returns `true` if servers take the same choice of words for two fields.
pub(super) fn have_same_enum(one: &Field, other: &Field) -> bool {
    has_enum(one) && same_checks(one, other)
}

fn same_facts(one: &Field, other: &Field, keywords: &[&str]) -> bool {
    let of = |field: &Field, keyword: &str| field.property.facts.get(keyword).cloned();
    keywords.iter().all(|keyword| of(one, keyword) == of(other, keyword))
}

/// The unit at the end of a name.
pub(super) fn unit_of(name: &str) -> Option<&'static str> {
    const UNITS: [&str; 5] = ["milliseconds", "seconds", "minutes", "hours", "days"];
    let name = name.to_ascii_lowercase();
    UNITS.into_iter().find(|unit| name.ends_with(unit))
}

/// A field as some versions have it: its name, its type and its paths.
pub(super) type Side<'s> = (&'s str, &'s RustType, &'s Names);

/// A duration as text, and as a number of the unit in its name.
pub(super) fn in_units<'s>(one: Side<'s>, other: Side<'s>) -> Option<Relation> {
    const TEXT: &str = "duration";
    let rule = names::UNITS;
    let unit = |(name, rust_type, _): Side<'_>| match (rust_type.present(), unit_of(name)) {
        (RustType::String, None) => Some(TEXT),
        (RustType::I32 | RustType::I64, unit) => unit,
        _ => None,
    };
    let (a, b) = (unit(one)?, unit(other)?);
    ((a == TEXT) != (b == TEXT)).then_some(())?;
    let versions = |(_, _, names): Side<'s>, unit| names.keys().map(move |version| (version, unit));
    let units = by_version(versions(one, a).chain(versions(other, b)));
    let what = "one is a text and the other a number of a unit";
    Some(Relation { rule, keys: vec![("units", units)], what, ..Relation::default() })
}

/// Two integers, or a number and a text, which can be of units.
pub(super) fn of_numbers<'s>(one: Side<'s>, other: Side<'s>) -> Option<Relation> {
    let ((_, a, _), (_, b, _)) = (one, other);
    let optional = a.is_option() == b.is_option();
    match (a.present(), b.present()) {
        (RustType::I32, RustType::I64) | (RustType::I64, RustType::I32) => {
            optional.then(|| Relation::of(names::NARROW, "both are integers"))
        }
        (RustType::String, RustType::I32 | RustType::I64)
        | (RustType::I32 | RustType::I64, RustType::String) => {
            if unit_of(one.0).or_else(|| unit_of(other.0)).is_some() {
                return in_units(one, other);
            }
            let what = "one is a number and the other a text";
            optional.then(|| Relation::of(names::TEXT, what))
        }
        _ => None,
    }
}

/// The names, in small letters, of fields with the group of which a field has the version, or the other way round.
pub(super) fn names_of_group(name: &str) -> &'static [&'static str] {
    match name {
        "apiVersion" => &["apigroup", "group"],
        "apiGroup" | "group" => &["apiversion"],
        _ => &[],
    }
}

/// The version of a group, and the group: their names, each with its paths by version.
pub(super) fn group_of_version(one: (&str, &Names), other: (&str, &Names)) -> Option<Relation> {
    let (_, group) = match (one.0, other.0) {
        ("apiVersion", "apiGroup" | "group") => other,
        ("apiGroup" | "group", "apiVersion") => one,
        _ => return None,
    };
    let rule = names::PART_OF_TEXT;
    let part = by_version(group.keys().map(|version| (version, "before")));
    let keys = vec![("separator", "/".into()), ("part", part)];
    let what = "one is a group with its version";
    Some(Relation { rule, keys, what, is_enough: true, ..Relation::default() })
}

/// The paths of the items of lists.
pub(super) fn items(names: Names) -> Names {
    names.into_iter().map(|(version, path)| (version, path + "[]")).gather()
}

pub(super) fn are_structs(one: &RustType, other: &RustType) -> bool {
    matches!((one, other), (RustType::Struct(_), RustType::Struct(_)))
}

pub(super) fn are_lists(one: &RustType, other: &RustType) -> bool {
    matches!((one, other), (RustType::List(_), RustType::List(_)))
}

pub(super) fn are_texts(one: &RustType, other: &RustType) -> bool {
    one.is_text() && other.is_text()
}

/// Returns `true` if all values of the type are plain: no versions of a struct or of words that could differ.
pub(super) fn is_plain(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::Option(inner) | RustType::List(inner) | RustType::Map(inner) => is_plain(inner),
        RustType::Struct(_) | RustType::Wrapped(..) | RustType::OpenEnum(_) => false,
        _ => true,
    }
}

pub(super) fn named(rust_type: &RustType) -> &'static str {
    match rust_type.present() {
        RustType::String | RustType::OpenEnum(_) => "both are texts",
        RustType::Bool => "both are booleans",
        RustType::I32 | RustType::I64 | RustType::F64 => "both are numbers",
        RustType::List(_) => "both are lists of one type",
        RustType::Map(_) => "both are maps of one type",
        _ => "both have one type",
    }
}
