//! The members that every object of a version has. Where one is absent in JSON, its Rust type has an invented value.

use super::structs::{Structs, is_required};
use crate::plan::{ItemPath, Struct};

/// A path as the names of members; [`ITEM`] is each item of a list or map.
pub(super) type MemberPath = Vec<String>;

/// Stands for each item of a list or map.
const ITEM: &str = "[]";

/// The required members of the objects of a custom resource, at any depth. An object that holds itself counts once.
pub(super) fn required<'a>(object: &'a Struct, structs: &Structs<'a>) -> Vec<MemberPath> {
    let mut walk = Walk { structs, around: Vec::new(), at: Vec::new(), found: Vec::new() };
    walk.object(object);
    walk.found
}

/// What is left of a number without the fields of an object, at any depth; `None` if the object has more. An object that holds itself
/// counts once.
pub(super) fn fields_left(of: &Struct, structs: &Structs<'_>, left: usize) -> Option<usize> {
    fn walk<'a>(
        of: &'a Struct,
        structs: &Structs<'a>,
        around: &mut Vec<&'a ItemPath>,
        left: usize,
    ) -> Option<usize> {
        if of.path.is_shared() || around.contains(&&of.path) {
            return Some(left);
        }
        around.push(&of.path);
        let left = of.fields.iter().try_fold(left, |left, field| {
            let left = left.checked_sub(1)?;
            match field.rust_type.held().and_then(|path| structs.get(path)) {
                Some(inner) => walk(inner, structs, around, left),
                None => Some(left),
            }
        });
        around.pop();
        left
    }
    walk(of, structs, &mut Vec::new(), left)
}

struct Walk<'a, 'b> {
    structs: &'b Structs<'a>,
    around: Vec<&'a ItemPath>,
    at: MemberPath,
    found: Vec<MemberPath>,
}

impl<'a> Walk<'a, '_> {
    fn object(&mut self, of: &'a Struct) {
        if of.path.is_shared() || self.around.contains(&&of.path) {
            return;
        }
        self.around.push(&of.path);
        for field in of.fields.iter().filter(|field| field.wire != "metadata") {
            let depth = self.at.len();
            self.at.push(field.wire.clone());
            // A server fills in a default.
            if is_required(of, field) && field.property.default.is_none() {
                self.found.push(self.at.clone());
            }
            self.at.extend((0..field.rust_type.depth()).map(|_| ITEM.to_owned()));
            if let Some(inner) = field.rust_type.held().and_then(|path| self.structs.get(path)) {
                self.object(inner);
            }
            self.at.truncate(depth);
        }
        self.around.pop();
    }
}
