//! What the objects of a kind and their lists must have in common to be converted.

use super::kind::Versions;
use super::structs::Structs;
use crate::Problems;
use crate::plan::{ItemPath, ObjectRole, RustType, Struct};
use crate::problem::Cause;

/// What is the same in all versions.
#[derive(PartialEq)]
pub(super) struct Common {
    /// The type of the metadata of objects.
    pub(super) metadata: ItemPath,
    /// The kind of lists.
    pub(super) list_kind: String,
    /// The type of the metadata of lists.
    pub(super) list_metadata: ItemPath,
}

/// What all versions have in common. Reports each version that cannot be converted.
pub(super) fn common(
    kind: &str,
    versions: &Versions<'_>,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Option<Common> {
    let mut common: Option<Common> = None;
    let mut complete = true;
    for (version, object) in versions {
        let why = match (of_version(object, structs), &common) {
            (Ok(found), None) => {
                common = Some(found);
                continue;
            }
            (Ok(found), Some(first)) if found == *first => continue,
            (Ok(_), Some(_)) => {
                "its metadata, or its list, is of another type than in lower versions"
            }
            (Err(why), _) => why,
        };
        let of = format!("{version} {kind}");
        problems.push(object.place.clone(), Cause::NotConvertible { of, why });
        complete = false;
    }
    common.filter(|_| complete)
}

/// What one version has.
///
/// # Errors
/// Why it cannot be converted.
fn of_version(object: &Struct, structs: &Structs<'_>) -> Result<Common, &'static str> {
    let list = list(object).and_then(|list| structs.get(list));
    let list = list.ok_or("it has no list")?;
    let (Some(of_object), Some(of_list)) = (&object.object, &list.object) else {
        return Err("it has no kind");
    };
    let ObjectRole::Resource {
        metadata: RustType::Struct(metadata),
        ..
    } = &of_object.role
    else {
        return Err("its `metadata` is of no generated type");
    };
    let ObjectRole::List {
        metadata: RustType::Struct(list_metadata),
        ..
    } = &of_list.role
    else {
        return Err("the `metadata` of its list is of no generated type, or not always there");
    };
    if !list
        .fields
        .iter()
        .all(|field| ["items", "metadata"].contains(&&*field.wire))
    {
        return Err("its list has more than `items` and `metadata`");
    }
    Ok(Common {
        metadata: metadata.clone(),
        list_kind: of_list.kind.clone(),
        list_metadata: list_metadata.clone(),
    })
}

/// The type of the lists of a kind.
pub(super) fn list(object: &Struct) -> Option<&ItemPath> {
    match &object.object.as_ref()?.role {
        ObjectRole::Resource { list, .. } => Some(list),
        _ => None,
    }
}
