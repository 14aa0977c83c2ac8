//! The fields that all versions of a kind share.

use super::plan::{Accessor, FieldRef, distinct};
use super::rule::Role;
use super::rules::FieldRules;
use super::structs::{Structs, field_ref};
use crate::plan::{RustType, Struct};

/// Names of functions that the enums already have: inherent ones, and those of their traits, which an accessor would hide. The macro
/// `implement_versions` of the runtime implements them.
const TAKEN: [&str; 26] = [
    "api_version",
    "borrow",
    "borrow_mut",
    "by_ref",
    "clone",
    "clone_from",
    "clone_into",
    "convert_reporting",
    "convert_to_reporting",
    "convert_value",
    "decode",
    "deserialize_version",
    "eq",
    "fmt",
    "from_object",
    "hash",
    "into",
    "metadata",
    "metadata_mut",
    "ne",
    "serialize",
    "to_owned",
    "try_into",
    "type_id",
    "version",
    "visit",
];

/// The fields of parts such as `spec` that all versions have with the same type, `Option` aside, and those that are a list
/// in some versions and its first item in others.
pub(super) fn accessors(
    objects: &[(String, &Struct)],
    structs: &Structs<'_>,
    rules: &FieldRules<'_>,
) -> Vec<Accessor> {
    let Some((version, first)) = objects.first() else {
        return Vec::new();
    };
    let mut accessors: Vec<Accessor> = Vec::new();
    for field in leaves(first, structs) {
        let Some(fields) = same(&field, objects, structs)
            .or_else(|| list_or_first(version, &field, objects, rules))
        else {
            continue;
        };
        let list = |field: &&FieldRef| matches!(field.rust_type, RustType::List(_));
        let named = fields.iter().find(list).unwrap_or(&field);
        let taken =
            |name: &str| TAKEN.contains(&name) || accessors.iter().any(|other| other.name == name);
        let name = distinct(named, taken);
        accessors.push(Accessor { name, fields });
    }
    accessors
}

/// The field in each version, if all versions have it with the same type.
fn same(
    field: &FieldRef,
    objects: &[(String, &Struct)],
    structs: &Structs<'_>,
) -> Option<Vec<FieldRef>> {
    let in_all = objects.iter().map(|(_, object)| structs.find(object, &field.path));
    let fields: Vec<FieldRef> = in_all.collect::<Option<_>>()?;
    let alike = |other: &FieldRef| other.rust_type.present() == field.rust_type.present();
    fields.iter().all(alike).then_some(fields)
}

/// The list or its first item in each version, if a rule names both for all versions.
fn list_or_first(
    version: &str,
    field: &FieldRef,
    objects: &[(String, &Struct)],
    rules: &FieldRules<'_>,
) -> Option<Vec<FieldRef>> {
    let rule = rules.find(version, field)?;
    if rule.kind.role != Role::FirstItem {
        return None;
    }
    let in_all = objects.iter().map(|(version, _)| rule.in_version(version).cloned());
    let fields: Option<Vec<FieldRef>> = in_all.collect();
    // Objects are of a type of their own in each version.
    let is_plain = |field: &FieldRef| {
        !field.rust_type.is_option() && !matches!(field.rust_type.innermost(), RustType::Struct(_))
    };
    fields.filter(|fields| fields.iter().all(is_plain))
}

/// The fields of an object's parts, and its fields that are not parts.
fn leaves(object: &Struct, structs: &Structs<'_>) -> Vec<FieldRef> {
    let mut leaves = Vec::new();
    for field in object.fields.iter().filter(|field| field.wire != "metadata") {
        let part = match &field.rust_type {
            RustType::Struct(path) => structs.get(path).filter(|part| !part.path.is_shared()),
            _ => None,
        };
        match part {
            Some(part) => {
                leaves.extend(part.fields.iter().map(|inner| field_ref(part, &[field], inner)));
            }
            None => leaves.push(field_ref(object, &[], field)),
        }
    }
    leaves
}
