//! Look-up of structs and their fields.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use k8s_versioned_core::Release;
use k8s_versioned_core::nearest::nearest;
use litemap::LiteMap;
use serde_json::Value;

use super::plan::FieldRef;
use crate::gather::Gather;
use crate::input::crd::Unserved;
use crate::plan::{Field, ItemPath, ObjectRole, Plan, Presence, RustType, Struct};
use crate::problem::{FoundType, Place, RuleFault};
use crate::rules::paths::{self, FieldPath, child, segment, segments, without_items};
use crate::spec::{Dialect, GroupVersionKind, Type, ValueType, is_zero, list_map_keys};

/// The objects of a kind with their versions, lowest first.
pub(super) type Versions<'a> = Vec<(String, &'a Struct)>;

/// The structs of a plan, and the versions that it lacks.
pub(crate) struct Structs<'a> {
    by_path: BTreeMap<&'a ItemPath, &'a Struct>,
    /// The fields of each struct by their names in paths: rules name many fields of one struct.
    by_name: BTreeMap<&'a ItemPath, HashMap<Cow<'a, str>, &'a Field>>,
    /// The objects that are resources, by group and kind.
    resources: BTreeMap<(&'a str, &'a str), Vec<&'a Struct>>,
    unserved: &'a [Unserved],
    /// The schemas that the structs are made of, if they are known: equal objects without a name are one struct.
    schemas: Option<&'a BTreeMap<String, Type>>,
}

impl<'a> Structs<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        let by_path: BTreeMap<&ItemPath, &Struct> =
            plan.structs().map(|planned| (&planned.path, planned)).gather();
        let mut resources: BTreeMap<(&str, &str), Vec<&Struct>> = BTreeMap::new();
        for planned in by_path.values() {
            if let Some(object) = &planned.object
                && matches!(object.role, ObjectRole::Resource { .. })
            {
                let key = (object.gvk.group.as_str(), object.gvk.kind.as_str());
                resources.entry(key).or_default().push(planned);
            }
        }
        let names = |planned: &'a Struct| {
            planned.fields.iter().map(|field| (name_of(field), field)).collect()
        };
        let by_name = by_path.iter().map(|(path, planned)| (*path, names(planned))).collect();
        Self { by_path, by_name, resources, unserved: &plan.unserved, schemas: None }
    }

    /// Finds the places of fields in these schemas.
    pub(crate) fn placed_in(self, schemas: &'a BTreeMap<String, Type>) -> Self {
        Self { schemas: Some(schemas), ..self }
    }

    /// The place of the field with this path in an object. The place of a struct's field is that of one of the equal objects.
    pub(super) fn place(&self, object: &Struct, path: &FieldPath) -> Option<&'a Place> {
        let schemas = self.schemas?;
        let (mut of, mut place) = (schemas.get(&object.schema)?, None);
        let mut segments = path.segments().into_iter().peekable();
        while let Some(segment) = segments.next() {
            let property = of.property(&paths::name(segment))?;
            place = Some(&property.place);
            if segments.peek().is_some() {
                of = schemas.get(property.value.reference()?)?;
            }
        }
        place
    }

    /// The field of a struct with this name in a path.
    pub(super) fn named(&self, of: &Struct, name: &str) -> Option<&'a Field> {
        self.by_name.get(&of.path)?.get(name).copied()
    }

    /// Returns `true` if a version of a kind is left out, because it is not served.
    pub(super) fn is_left_out(&self, group: &str, kind: &str, version: &str) -> bool {
        let all = self.unserved.iter().map(|unserved| &unserved.kind);
        all.into_iter().any(|gvk| gvk.group == group && gvk.kind == kind && gvk.version == version)
    }

    pub(super) fn get(&self, path: &ItemPath) -> Option<&'a Struct> {
        self.by_path.get(path).copied()
    }

    /// The struct that a type is.
    pub(crate) fn of_type(&self, found: &RustType) -> Option<&'a Struct> {
        match found {
            RustType::Struct(path) => self.get(path),
            _ => None,
        }
    }

    /// The objects of a kind that are resources, by version.
    pub(crate) fn of_kind(&self, group: &str, kind: &str) -> LiteMap<String, &'a Struct> {
        let objects = self.resources.get(&(group, kind)).into_iter().flatten();
        let by_version =
            |planned: &&'a Struct| Some((planned.object.as_ref()?.gvk.version.clone(), *planned));
        objects.filter_map(by_version).gather()
    }

    /// The groups that have a kind.
    pub(super) fn groups_of(&self, kind: &str) -> BTreeSet<String> {
        let of_kind = self.resources().filter(|resource| resource.kind == kind);
        of_kind.map(|of_kind| of_kind.group.clone()).gather()
    }

    /// The name of a kind that is nearly the one of a rule.
    pub(super) fn near_kind(&self, kind: &str) -> Option<String> {
        nearest(kind, self.resources().map(|resource| resource.kind.as_str())).map(str::to_owned)
    }

    fn resources(&self) -> impl Iterator<Item = &'a GroupVersionKind> {
        let objects = self.resources.values().flatten();
        objects.filter_map(|planned| Some(&planned.object.as_ref()?.gvk))
    }

    /// The path of a field that is nearly the one of a rule, which may lack `spec`.
    pub(super) fn near(&self, object: &'a Struct, path: &str) -> Option<String> {
        let in_spec = child("spec", path);
        let near = [path, &in_spec].into_iter().find_map(|path| self.corrected(object, path));
        near.filter(|near| near != path)
    }

    /// A path with each name replaced by the nearest existing name.
    fn corrected(&self, object: &'a Struct, path: &str) -> Option<String> {
        let (mut of, mut found) = (object, String::new());
        let mut rest = segments(path).into_iter().peekable();
        while let Some(written) = rest.next() {
            let name = paths::name(written);
            let own = |field: &&Field| field.wire == *name;
            let names = of.fields.iter().map(|field| field.wire.as_str());
            let near = || nearest(&name, names);
            let field = of.fields.iter().find(own).or_else(|| {
                let near = near()?;
                of.fields.iter().find(|field| field.wire == near)
            })?;
            found = child(&found, &name_of(field));
            let items = brackets(&field.rust_type);
            if rest.peek().is_some() {
                found += &items;
                of = self.get(field.rust_type.held()?)?;
            } else if paths::is_of_items(written) {
                found += &items;
            }
        }
        self.at(object, &found).is_some().then_some(found)
    }

    /// The field of a struct.
    pub(crate) fn field(&self, field: &FieldRef) -> Option<&'a Field> {
        let name = field.name();
        let name = without_items(&name);
        let of = self.get(&field.parent)?;
        let named = self.named(of, &segment(name)).filter(|found| found.wire == name);
        named.or_else(|| of.fields.iter().find(|found| found.wire == name))
    }

    /// Returns `true` if a field or an item has an `Option` because its type has no empty value, and not because it can be
    /// absent or `null`.
    pub(super) fn is_always_there(&self, field: &FieldRef) -> bool {
        let RustType::Option(inner) = &field.rust_type else {
            return false;
        };
        let Some(found) =
            self.field(field).filter(|_| matches!(**inner, RustType::External(_, false)))
        else {
            return false;
        };
        match &found.property.value {
            ValueType::List(item) | ValueType::Map(item) => {
                !matches!(**item, ValueType::Nullable(_))
            }
            _ => found.presence == Presence::Always && !found.property.nullable,
        }
    }

    /// The field at a path such as `spec.strategy`, through structs that are always present.
    pub(super) fn find(&self, object: &'a Struct, path: &str) -> Option<FieldRef> {
        let spot = self.spot(object, path)?;
        let is_present = |field: &&Field| matches!(field.rust_type, RustType::Struct(_));
        spot.prefix.iter().all(is_present).then(|| spot.reference())
    }

    /// The field at a path of a rule: `[]` follows the name of a list or map, for each of its items.
    pub(crate) fn at(&self, object: &'a Struct, path: &str) -> Option<FieldRef> {
        let plain = without_items(path);
        let found = self.spot(object, plain)?.reference();
        if plain == path { Some(found) } else { found.item().filter(|item| *item.path == *path) }
    }

    /// The place of a field whose path does not end with `[]`.
    pub(super) fn spot(&self, object: &'a Struct, path: &str) -> Option<Spot<'a>> {
        let (parent, name) = paths::split_last(path);
        let (of, prefix) = self.struct_at(object, parent)?;
        let field = self.named(of, name)?;
        Some(Spot { parent: of, prefix, field })
    }

    /// The struct at a path of a rule, and the fields that lead to it. The empty path is the object.
    pub(crate) fn struct_at(
        &self,
        object: &'a Struct,
        path: &str,
    ) -> Option<(&'a Struct, Vec<&'a Field>)> {
        let (mut of, mut prefix) = (object, Vec::new());
        for segment in segments(path) {
            let name = without_items(segment);
            let field = self.named(of, name)?;
            prefix.push(field);
            if segment.len() - name.len() != brackets(&field.rust_type).len() {
                return None;
            }
            of = self.get(field.rust_type.held()?)?;
        }
        Some((of, prefix))
    }
}

/// `[]` for each list and map that the type consists of.
fn brackets(rust_type: &RustType) -> String {
    "[]".repeat(rust_type.depth())
}

/// Returns `true` if an optional value is among these fields, after the last list or map.
fn is_optional(prefix: &[&Field]) -> bool {
    let mut inner = prefix.iter().rev().map(|field| &field.rust_type);
    let mut inner = inner.by_ref().take_while(|inner| inner.depth() == 0);
    inner.any(RustType::is_option)
}

/// The path of the struct to which these fields lead.
pub(super) fn path_to(prefix: &[&Field]) -> FieldPath {
    prefix.iter().fold(FieldPath::default(), |path, field| {
        let levels = 0..field.rust_type.depth();
        levels.fold(path.child(&name_of(field)), |path, _| path.items())
    })
}

/// The name of a field in a path. The members that the schema does not name are `*`.
pub(super) fn name_of(field: &Field) -> Cow<'_, str> {
    if field.presence == Presence::Rest { Cow::Borrowed("*") } else { segment(&field.wire) }
}

/// A field of a struct that is at `prefix` of an object.
pub(super) fn field_ref(of: &Struct, prefix: &[&Field], field: &Field) -> FieldRef {
    field_ref_at(&path_to(prefix), of, prefix, field)
}

/// A field of a struct that is at `prefix` of an object, which has this path.
fn field_ref_at(path: &FieldPath, of: &Struct, prefix: &[&Field], field: &Field) -> FieldRef {
    let fields = || prefix.iter().copied().chain([field]);
    FieldRef {
        path: path.child(&name_of(field)),
        idents: fields().map(|field| field.ident.clone()).collect(),
        options: fields().map(|field| field.rust_type.is_option()).collect(),
        parent: of.path.clone(),
        rust_type: field.rust_type.clone(),
        keys: list_map_keys(&field.property.merge).map(str::to_owned).collect(),
        optional: is_optional(prefix),
        required: is_required(of, field),
        default: default_of(field),
        place: field.property.place.clone(),
    }
}

/// The default of a field, as JSON. A field without `Option` has an absent value that is zero already.
fn default_of(field: &Field) -> Option<String> {
    let counts = |default: &&Value| field.rust_type.is_option() || !is_zero(default);
    field.property.default.as_ref().filter(counts).map(ToString::to_string)
}

/// Returns `true` for a required field of a custom resource whose type has no value for an absent one.
pub(super) fn is_required(of: &Struct, field: &Field) -> bool {
    of.schema_type.dialect == Dialect::Custom
        && field.presence == Presence::Always
        && !field.rust_type.is_option()
}

/// The required fields of the objects of a type, as names in paths.
pub(super) fn required_fields(of: &Struct) -> Vec<String> {
    let required = of.fields.iter().filter(|field| is_required(of, field));
    required.map(|field| segment(&field.wire).into_owned()).collect()
}

/// A type, as text for people.
pub(crate) fn type_text(rust_type: &RustType) -> String {
    // Versions have structs and enums of the same name.
    type_with(rust_type, &|path| format!("{}::{}", path.module, path.name))
}

/// A type, with the names of structs and enums as a function writes them.
fn type_with(rust_type: &RustType, name: &dyn Fn(&ItemPath) -> String) -> String {
    let inside = |inner: &RustType| type_with(inner, name);
    match rust_type {
        RustType::Bool => "bool".to_owned(),
        RustType::I32 => "i32".to_owned(),
        RustType::I64 => "i64".to_owned(),
        RustType::F64 => "f64".to_owned(),
        RustType::String => "String".to_owned(),
        RustType::External(path, _) => path.name.clone(),
        RustType::OpenEnum(path) if path.module.is_empty() => path.name.clone(),
        RustType::Struct(path) | RustType::Wrapped(_, path) | RustType::OpenEnum(path) => {
            name(path)
        }
        RustType::List(item) => format!("Vec<{}>", inside(item)),
        RustType::Map(value) => format!("BTreeMap<String, {}>", inside(value)),
        RustType::Option(inner) => format!("Option<{}>", inside(inner)),
    }
}

/// The type of a field in a version, for messages.
pub(super) fn found_type((version, field): (&str, &FieldRef)) -> FoundType {
    FoundType {
        version: version.to_owned(),
        path: field.path.to_string(),
        rust_type: type_text(&field.rust_type),
        of_any_version: type_with(&field.rust_type, &|path| path.name.clone()),
        holds_items: field.rust_type.is_list() || field.rust_type.is_map(),
    }
}

/// The fault of a rule about a field whose values have no such form.
pub(super) fn has_no((version, field): (&str, &FieldRef), what: &'static str) -> RuleFault {
    let FoundType { version, path, rust_type: found, .. } = found_type((version, field));
    RuleFault::HasNo { path, version, found, what }
}

/// The field of an object that a rule names.
pub(super) fn named_field<'a>(of: &'a Struct, name: &str) -> Result<&'a Field, RuleFault> {
    of.fields.iter().find(|field| field.wire == name).ok_or_else(|| {
        let near = nearest(name, of.fields.iter().map(|field| field.wire.as_str()));
        let (object, near) = (struct_text(of), near.map(str::to_owned));
        RuleFault::NoField { object, name: name.to_owned(), near }
    })
}

/// The fault of a rule that takes a field of another type there.
pub(super) fn other_type(of: &Struct, field: &Field, wanted: &RustType) -> RuleFault {
    let (found, wanted) = (type_text(&field.rust_type), type_text(wanted));
    RuleFault::FieldType { object: struct_text(of), name: field.wire.clone(), found, wanted }
}

fn struct_text(of: &Struct) -> String {
    type_text(&RustType::Struct(of.path.clone()))
}

/// A field, the struct that has it, and the fields that lead to the struct.
pub(super) struct Spot<'a> {
    pub(super) parent: &'a Struct,
    pub(super) prefix: Vec<&'a Field>,
    pub(super) field: &'a Field,
}

impl<'a> Spot<'a> {
    pub(super) fn reference(&self) -> FieldRef {
        field_ref(self.parent, &self.prefix, self.field)
    }

    pub(super) fn side(&self) -> Side<'a, '_> {
        Side::new(self.parent, &self.prefix)
    }
}

// One side of a pair of structs.

/// A struct, and the fields that lead to it.
pub(super) struct Side<'a, 'b> {
    pub(super) parent: &'a Struct,
    pub(super) prefix: &'b [&'a Field],
    /// The path of the struct itself; empty for the object. Each of its fields asks for it.
    pub(super) path: FieldPath,
}

impl<'a, 'b> Side<'a, 'b> {
    pub(super) fn new(of: &'a Struct, prefix: &'b [&'a Field]) -> Self {
        Self { parent: of, prefix, path: path_to(prefix) }
    }

    pub(super) fn field(&self, field: &'a Field) -> FieldRef {
        field_ref_at(&self.path, self.parent, self.prefix, field)
    }

    pub(super) fn at(&self, path: &str, structs: &Structs<'a>) -> Option<(FieldRef, &'a Field)> {
        let field = structs.named(self.parent, paths::inside(path, &self.path)?)?;
        Some((self.field(field), field))
    }

    pub(super) fn inside(&self, field: &'a Field) -> Vec<&'a Field> {
        self.prefix.iter().copied().chain([field]).collect()
    }
}

/// A field of a struct on one side.
#[derive(Clone, Copy)]
pub(super) struct SideField<'a, 's> {
    pub(super) side: &'s Side<'a, 's>,
    pub(super) field: &'a Field,
}

/// The structs that two types hold in the same way.
pub(super) fn innermost<'t>(
    from: &'t RustType,
    to: &'t RustType,
) -> Option<(&'t ItemPath, &'t ItemPath)> {
    match (from, to) {
        (RustType::Struct(from), RustType::Struct(to)) => Some((from, to)),
        (RustType::Wrapped(one, from), RustType::Wrapped(other, to)) if one == other => {
            Some((from, to))
        }
        (RustType::List(from), RustType::List(to))
        | (RustType::Map(from), RustType::Map(to))
        | (RustType::Option(from), RustType::Option(to)) => innermost(from, to),
        _ => None,
    }
}

/// The release since which servers require a custom field of the target that is optional in Rust, if the source can lack the value:
/// no default fills it.
pub(super) fn required_since(from: SideField<'_, '_>, to: SideField<'_, '_>) -> Option<Release> {
    let can_lack = from.field.presence == Presence::Optional
        && !from.side.parent.schema_type.requires_now(&from.field.wire);
    let is_asked =
        is_required_later(to.field, to.side.parent) && to.field.property.default.is_none();
    to.field.property.required_in.first().filter(|_| can_lack && is_asked)
}

/// Returns `true` if servers of the newest release require a custom field, and servers of earlier releases do not.
pub(super) fn is_required_later(field: &Field, of: &Struct) -> bool {
    let is_optional = field.is_custom && field.presence == Presence::Optional;
    is_optional && of.schema_type.requires_now(&field.wire)
}
