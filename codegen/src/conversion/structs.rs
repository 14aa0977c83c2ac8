//! Look-up of structs and their fields.

use std::collections::BTreeMap;

use super::plan::FieldRef;
use crate::plan::{Field, ItemPath, ObjectRole, Plan, RustType, Struct};
use crate::text::join;

/// The structs of a plan.
pub(super) struct Structs<'a>(BTreeMap<&'a ItemPath, &'a Struct>);

impl<'a> Structs<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        Self(plan.structs().map(|planned| (&planned.path, planned)).collect())
    }

    pub(super) fn get(&self, path: &ItemPath) -> Option<&'a Struct> {
        self.0.get(path).copied()
    }

    /// The objects of a kind that are resources, by version.
    pub(super) fn of_kind(&self, group: &str, kind: &str) -> BTreeMap<String, &'a Struct> {
        let of_kind = |planned: &&'a Struct| {
            let object = planned.object.as_ref()?;
            let resource = matches!(object.role, ObjectRole::Resource { .. });
            (resource && object.of.group == group && object.of.kind == kind)
                .then(|| (object.of.version.clone(), *planned))
        };
        self.0.values().filter_map(of_kind).collect()
    }

    /// The field at a path such as `spec.strategy`, through structs that are always present.
    pub(super) fn find(&self, object: &'a Struct, path: &str) -> Option<FieldRef> {
        let (mut of, mut prefix) = (object, Vec::new());
        let mut names = path.split('.').peekable();
        loop {
            let name = names.next()?;
            let field = of.fields.iter().find(|field| field.wire == name)?;
            if names.peek().is_none() {
                return Some(field_ref(of, &prefix, field));
            }
            let RustType::Struct(inner) = &field.rust_type else {
                return None;
            };
            prefix.push(field);
            of = self.get(inner)?;
        }
    }
}

/// A field of a struct that is at `prefix` of an object.
pub(super) fn field_ref(of: &Struct, prefix: &[&Field], field: &Field) -> FieldRef {
    let fields = || prefix.iter().copied().chain([field]);
    FieldRef {
        path: join(fields().map(|field| &field.wire), "."),
        idents: fields().map(|field| field.ident.clone()).collect(),
        of: of.path.clone(),
        rust_type: field.rust_type.clone(),
        place: field.of.place.clone(),
    }
}

/// A type for people.
pub(super) fn shown(rust_type: &RustType) -> String {
    match rust_type {
        RustType::Bool => "bool".to_owned(),
        RustType::I32 => "i32".to_owned(),
        RustType::I64 => "i64".to_owned(),
        RustType::F64 => "f64".to_owned(),
        RustType::String => "String".to_owned(),
        RustType::Vocabulary(path) | RustType::External(path, _) => path.name.clone(),
        // Versions have structs of the same name.
        RustType::Struct(path) | RustType::Wrapped(_, path) => {
            format!("{}::{}", path.module, path.name)
        }
        RustType::List(item) => format!("Vec<{}>", shown(item)),
        RustType::Map(value) => format!("BTreeMap<String, {}>", shown(value)),
        RustType::Option(inner) => format!("Option<{}>", shown(inner)),
    }
}
