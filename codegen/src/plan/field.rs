//! From a field of the model to a field of a struct.

use std::sync::Arc;

use super::planner::Planner;
use super::rust_items::{Field, ItemPath, Package, Presence, RustType, Wrapper};
use super::rustdoc_text::summary;
use super::{names, object_role, open_enum};
use crate::problem::PlanCause;
use crate::rules::Empty;
use crate::spec::{Dialect, Facts, Property, Type, TypeBody, ValueType, Width, shown};

impl Planner<'_> {
    /// Plans the field `wire` of `schema`; `None` if there is a problem, which is then reported. Its docs are its description: the
    /// notes follow when the names of all fields are known.
    pub(super) fn plan_field(
        &mut self,
        schema: &str,
        path: &ItemPath,
        of: &Type,
        wire: &str,
        property: &Property,
    ) -> Option<Field> {
        let name = format!("{schema}.{wire}");
        let ident = match of.dialect {
            Dialect::Custom => Some(names::any_field_ident(wire)),
            Dialect::BuiltIn => names::field_ident(wire),
        };
        if ident.is_none() {
            self.problems.push(&property.place, PlanCause::NotAnIdentifier(wire.to_owned()));
        }
        let description = self.describe_field(path, of, wire, property);
        let facts = &property.facts;
        let lowered = Lowered { schema, name: &name, path, wire, property, facts, aliases: 0 };
        let rust_type = self.lower(lowered, &property.value);
        let (rust_type, presence) = self.presence(&name, of, wire, property, rust_type?);
        Some(Field {
            ident: ident?,
            wire: wire.to_owned(),
            rust_type,
            presence,
            is_custom: of.dialect == Dialect::Custom,
            needed: required_at_first(of, property),
            summary: summary(&description),
            docs: description,
            protobuf: None,
            property: property.clone().into(),
        })
    }

    /// The Rust type of a value of the field.
    fn lower(&mut self, of: Lowered<'_>, value: &ValueType) -> Option<RustType> {
        Some(match value {
            ValueType::String => self.text(of),
            ValueType::Boolean => RustType::Bool,
            ValueType::Integer(Width::I32) => RustType::I32,
            ValueType::Integer(Width::I64) => RustType::I64,
            ValueType::Number => RustType::F64,
            ValueType::Bytes => library("Bytes", true),
            ValueType::IntOrString if is_quantity(of.facts) => library("Quantity", true),
            ValueType::IntOrString => library("IntOrString", true),
            ValueType::Any | ValueType::Opaque => library("Json", true),
            ValueType::DateTime => library("DateTime", false),
            ValueType::Nullable(value) => RustType::Option(Box::new(self.lower(of, value)?)),
            ValueType::List(item) => RustType::List(Box::new(self.item(of, item)?)),
            ValueType::Map(value) => RustType::Map(Box::new(self.item(of, value)?)),
            ValueType::Reference(schema) => return self.reference(of, schema),
        })
    }

    /// An item of a list or a map. An item whose type has no zero value may be `null`.
    fn item(&mut self, of: Lowered<'_>, value: &ValueType) -> Option<RustType> {
        let item = self.lower(Lowered { facts: &of.property.items.facts, ..of }, value)?;
        let optional = matches!(item, RustType::External(_, false));
        Some(if optional { RustType::Option(Box::new(item)) } else { item })
    }

    /// A text, or known words that the rules or the documents state.
    fn text(&mut self, of: Lowered<'_>) -> RustType {
        let Lowered { schema, name, path, wire, property, .. } = of;
        if let Some(words) = self.words.get(name) {
            return RustType::OpenEnum(words.clone());
        }
        let variants = self.names.variants(schema, path, wire, property, &mut self.problems);
        let open_enum = open_enum::plan(path, wire, property, variants);
        match open_enum.and_then(|open_enum| self.names.name_words(open_enum, schema, wire)) {
            Some(open_enum) => {
                let path = open_enum.path.clone();
                self.open_enums.push(open_enum);
                RustType::OpenEnum(path)
            }
            None => RustType::String,
        }
    }

    fn reference(&mut self, of: Lowered<'_>, schema: &str) -> Option<RustType> {
        let property = of.property;
        if self.placements.is_body_only(schema) {
            self.problems.push(&property.place, PlanCause::NoShape(shown(schema)));
            return None;
        }
        let Some(ty) = self.model.types.get(schema) else {
            // No field is left out without a problem.
            if self.problems.is_empty() {
                self.problems.push(&property.place, PlanCause::NoShape(shown(schema)));
            }
            return None;
        };
        match &ty.body {
            TypeBody::Value(value) if !self.placements.is_placed(schema) => {
                if of.aliases > MOST_ALIASES {
                    self.problems.push(&ty.place, PlanCause::Endless(shown(schema)));
                    return None;
                }
                self.lower(Lowered { aliases: of.aliases + 1, ..of }, value)
            }
            // A schema without a placement has a problem already.
            _ => match self.placements.rust_type(schema)? {
                RustType::Struct(path) if object_role::is_object(ty) => {
                    Some(RustType::Wrapped(Wrapper::Embedded, path))
                }
                other => Some(other),
            },
        }
    }

    /// The presence of the field; the type becomes an `Option` if it needs one.
    fn presence(
        &self,
        name: &str,
        of: &Type,
        wire: &str,
        property: &Property,
        rust_type: RustType,
    ) -> (RustType, Presence) {
        let required = property.required();
        if of.dialect == Dialect::Custom {
            // A server gives every object metadata.
            let metadata = object_role::is_object(of) && wire == "metadata";
            return of_custom(
                metadata || required_at_first(of, property),
                property.nullable,
                rust_type,
            );
        }
        let rule = self.fields.get(name).copied();
        if matches!(rust_type, RustType::List(_) | RustType::Map(_)) {
            return match (required, rule) {
                (true, Some(Empty::Omitted)) | (false, None) => (rust_type, Presence::UnlessEmpty),
                (false, Some(Empty::Kept)) => optional(rust_type),
                (_, Some(Empty::Null)) => (rust_type, Presence::NullIfEmpty),
                _ => (rust_type, Presence::Always),
            };
        }
        let came_later = property.releases.first() != of.releases.first();
        let planned = of_value(required_at_first(of, property), came_later, property, rust_type);
        match (rule, planned) {
            (Some(Empty::Omitted), (plain, Presence::Always)) => (plain, Presence::UnlessEmpty),
            (Some(Empty::Kept), (plain, Presence::UnlessEmpty)) => (plain, Presence::Always),
            (Some(Empty::Kept), (plain, Presence::Always)) => optional(plain),
            (Some(Empty::Null), (option, Presence::Optional)) => (option, Presence::NullIfEmpty),
            (_, planned) => planned,
        }
    }
}

/// A field whose value gets a type in Rust.
#[derive(Clone, Copy)]
struct Lowered<'f> {
    /// The schema that has the field.
    schema: &'f str,
    /// The full name.
    name: &'f str,
    /// The path of the type that has the field.
    path: &'f ItemPath,
    /// The name in JSON.
    wire: &'f str,
    property: &'f Property,
    /// The facts in the documents about the value of the field, or about the items of its list or map.
    facts: &'f Facts,
    /// The names for values that lead to the present one.
    aliases: usize,
}

/// The most names for one value that refer to each other.
const MOST_ALIASES: usize = 8;

/// The pattern of quantities that `controller-gen` writes, and so most definitions have.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Returns `true` if a value that is a number or a text has the pattern of quantities.
fn is_quantity(facts: &Facts) -> bool {
    facts.get("pattern").is_some_and(|pattern| *pattern == QUANTITY)
}

/// A hand-written type of the foundation, and whether it has a default.
fn library(name: &str, default: bool) -> RustType {
    RustType::External(ItemPath::new(Package::External, "k8s_versioned", name), default)
}

fn optional(rust_type: RustType) -> (RustType, Presence) {
    (RustType::Option(Box::new(rust_type)), Presence::Optional)
}

/// The presence in a custom resource: a server writes a value as it was sent, also an empty one.
fn of_custom(required: bool, nullable: bool, rust_type: RustType) -> (RustType, Presence) {
    let no_zero = matches!(rust_type, RustType::External(_, false));
    match required {
        true if nullable || no_zero => (RustType::Option(Box::new(rust_type)), Presence::Always),
        true => (rust_type, Presence::Always),
        // A server keeps `null` apart from an absent value.
        false if nullable => optional(RustType::Option(Box::new(rust_type))),
        false => optional(rust_type),
    }
}

/// The field that keeps the members of an object that its schema does not name.
pub(super) fn rest(of: &Type) -> Field {
    let any = RustType::Map(Box::new(library("Json", true)));
    let summary = "All other members of the object.".to_owned();
    Field {
        ident: "rest".to_owned(),
        wire: String::new(),
        rust_type: any,
        presence: Presence::Rest,
        is_custom: of.dialect == Dialect::Custom,
        needed: false,
        docs: format!("{summary} The schema does not name them, and servers keep them."),
        summary,
        protobuf: None,
        property: Arc::new(Property {
            place: of.place.clone(),
            releases: of.keeps_unknown_in.clone(),
            value: ValueType::Map(Box::new(ValueType::Any)),
            ..Property::default()
        }),
    }
}

/// Returns `true` if the first release that has the type requires the field. The requirements of later releases change neither
/// the arguments of a constructor nor the type of a field: programs that compiled before still compile.
///
/// A custom field that a later release no longer requires becomes an `Option`, so programs have to change: objects without it
/// exist, and reading one as empty and writing it back would change it.
pub(super) fn required_at_first(of: &Type, property: &Property) -> bool {
    let first = of.releases.first();
    let stays =
        of.dialect == Dialect::BuiltIn || property.required_in.last() == property.releases.last();
    stays && first.is_some_and(|first| property.required_in.contains(first))
}

/// The type and the presence of a value. A field that came later than its struct is an `Option` if its type may have no
/// `Default`: so the struct keeps its `Default`, and its constructor keeps its arguments.
fn of_value(
    required: bool,
    came_later: bool,
    property: &Property,
    rust_type: RustType,
) -> (RustType, Presence) {
    let text = matches!(rust_type, RustType::String | RustType::OpenEnum(_));
    let nested = matches!(rust_type, RustType::Struct(_) | RustType::OpenEnum(_));
    let no_zero = matches!(rust_type, RustType::External(_, false));
    match (required, property.zero_by_default() && !(came_later && nested)) {
        // No time is `null`: there is no zero value.
        (true, _) if no_zero => (RustType::Option(Box::new(rust_type)), Presence::Always),
        (false, _) if no_zero => optional(rust_type),
        // Go's `omitempty`: a required string without a default is left out when it is empty.
        (true, false) if text => (rust_type, Presence::UnlessEmpty),
        (false, false) => optional(rust_type),
        _ => (rust_type, Presence::Always),
    }
}
