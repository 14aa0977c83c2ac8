//! The lists inside kept fields whose items server-side apply tells apart, by keys or as a set: each item has an annotation of its own.

use std::collections::BTreeSet;

use super::plan::{MergedList, Pair};
use super::structs::{Structs, Versions, name_of};
use crate::plan::{Field, ItemPath, Presence, RustType, Struct};
use crate::rules::paths::{FieldPath, split_last, without_first_items, without_items};
use crate::spec::{list_map_keys, merge_text};

/// The most levels of a kept value that are split.
const MOST_LEVELS: usize = 16;

/// The lists inside all fields that the pairs can keep.
pub(super) fn merged_lists(
    pairs: &[Pair],
    versions: &Versions<'_>,
    structs: &Structs<'_>,
) -> Vec<MergedList> {
    let steps = pairs.iter().flat_map(|pair| pair.object.leaves());
    // A value is kept under the lowest version that is not the target.
    let places: BTreeSet<&(String, FieldPath)> =
        steps.flat_map(|step| step.places.iter().take(2)).collect();
    let mut found = BTreeSet::new();
    for (version, path) in places {
        let object = versions.iter().find(|(name, _)| name == version);
        let mut lists = Lists { structs, version, found: &mut found };
        if let Some((_, object)) = object {
            lists.at(object, path);
        }
    }
    found.into_iter().collect()
}

struct Lists<'s, 'a> {
    structs: &'s Structs<'a>,
    version: &'s str,
    found: &'s mut BTreeSet<MergedList>,
}

impl<'a> Lists<'_, 'a> {
    /// The lists at a path of the annotation, which has `[-]` for an object that is an item elsewhere.
    fn at(&mut self, object: &'a Struct, path: &FieldPath) {
        let (parent, name) = split_last(path);
        let name = without_first_items(name);
        let plain = without_items(&name);
        let levels = (name.len() - plain.len()) / 2;
        let Some((of, _)) = self.structs.struct_at(object, &without_first_items(parent)) else {
            return;
        };
        let Some(field) = self.structs.named(of, plain) else {
            return;
        };
        if levels == 0 {
            self.field(path, field, &mut Vec::new());
        } else if let Some(found) = item(&field.rust_type, levels) {
            self.inside(path, found, &mut Vec::new());
        }
    }

    fn field(&mut self, path: &FieldPath, field: &'a Field, around: &mut Vec<&'a ItemPath>) {
        let merge = &field.property.merge;
        let keys: Vec<String> = list_map_keys(merge).map(str::to_owned).collect();
        let is_set = merge_text(merge, "x-kubernetes-list-type").as_deref() == Some("set");
        if field.rust_type.is_list() && (is_set || !keys.is_empty()) {
            let version = self.version.to_owned();
            self.found.insert(MergedList { version, path: path.clone(), keys });
        } else if field.rust_type.is_list() {
            // Its items have one owner.
            return;
        }
        self.inside(path, &field.rust_type, around);
    }

    /// The lists inside a value.
    fn inside(&mut self, path: &FieldPath, found: &'a RustType, around: &mut Vec<&'a ItemPath>) {
        match found {
            RustType::Option(inner) => self.inside(path, inner, around),
            RustType::List(inner) | RustType::Map(inner) => {
                self.inside(&path.clone().items(), inner, around);
            }
            RustType::Struct(of) | RustType::Wrapped(_, of) => {
                if around.contains(&of) || around.len() >= MOST_LEVELS {
                    return;
                }
                around.push(of);
                let fields = self.structs.get(of).into_iter().flat_map(|of| &of.fields);
                for field in fields.filter(|field| field.presence != Presence::Rest) {
                    self.field(&path.child(&name_of(field)), field, around);
                }
                around.pop();
            }
            _ => {}
        }
    }
}

/// The type of the items of a list or map, so many levels inside.
fn item(found: &RustType, levels: usize) -> Option<&RustType> {
    match found {
        RustType::Option(inner) => item(inner, levels),
        _ if levels == 0 => Some(found),
        RustType::List(inner) | RustType::Map(inner) => item(inner, levels - 1),
        _ => None,
    }
}
