//! The fields that all versions of a kind share.

use super::names::distinct;
use super::plan::{Accessor, FieldRef};
use super::structs::{Structs, field_ref};
use crate::plan::{RustType, Struct};

/// The names of other functions of the same enum.
const TAKEN: [&str; 4] = ["api_version", "metadata", "metadata_mut", "version"];

/// The fields of parts such as `spec` that all versions have with the same type, `Option` aside.
pub(super) fn accessors(objects: &[&Struct], structs: &Structs<'_>) -> Vec<Accessor> {
    let Some(first) = objects.first() else {
        return Vec::new();
    };
    let mut accessors: Vec<Accessor> = Vec::new();
    for field in leaves(first, structs) {
        let in_all = objects.iter().map(|object| structs.find(object, &field.path));
        let Some(fields) = in_all.collect::<Option<Vec<FieldRef>>>() else {
            continue;
        };
        let alike = |other: &FieldRef| other.rust_type.present() == field.rust_type.present();
        if fields.iter().all(alike) {
            let taken = |name: &str| {
                TAKEN.contains(&name) || accessors.iter().any(|other| other.name == name)
            };
            let name = distinct(&field, taken);
            accessors.push(Accessor { name, fields });
        }
    }
    accessors
}

/// The fields of an object's parts, and its fields that are no parts.
fn leaves(object: &Struct, structs: &Structs<'_>) -> Vec<FieldRef> {
    let mut leaves = Vec::new();
    for field in object.fields.iter().filter(|field| field.wire != "metadata") {
        let part = match &field.rust_type {
            RustType::Struct(path) => structs.get(path).filter(|part| !part.shared()),
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
