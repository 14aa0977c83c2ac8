//! From a field of the model to a field of a struct.

use super::rust_items::{Field, ItemPath, Presence, RustType};
use super::{Planner, docs, names, vocabulary};
use crate::problem::PlanCause;
use crate::rules::{Empty, Vocabulary};
use crate::spec::{self, Type, Value, Width};

impl Planner<'_> {
    /// Plans the field `wire` of `schema`; `None` if there is a problem, which is then reported.
    pub(super) fn plan_field(
        &mut self,
        schema: &str,
        path: &ItemPath,
        of: &Type,
        wire: &str,
        field: &spec::Field,
    ) -> Option<Field> {
        let name = format!("{schema}.{wire}");
        let ident = names::field_ident(wire);
        if ident.is_none() {
            self.problems.push(&field.place, PlanCause::NotAnIdentifier(wire.to_owned()));
        }
        let description = docs::describe_field(self.rules, path, (wire, field), &mut self.problems);
        let rust_type = self.lower(&name, &field.value, field);
        let (rust_type, presence) = self.presence(&name, of, field, rust_type?);
        Some(Field {
            ident: ident?,
            wire: wire.to_owned(),
            rust_type,
            presence,
            needed: required_at_first(of, field),
            summary: docs::summary(&description),
            docs: docs::of_field(&description, field, of),
            of: field.clone(),
        })
    }

    fn lower(&mut self, name: &str, value: &Value, field: &spec::Field) -> Option<RustType> {
        Some(match value {
            Value::String => {
                let of_field = |it: &&Vocabulary| it.fields.iter().any(|of| of.value == name);
                match self.rules.vocabularies.iter().find(of_field) {
                    Some(words) => {
                        RustType::Vocabulary(vocabulary::path(words, &self.rules.modules))
                    }
                    None => RustType::String,
                }
            }
            Value::Boolean => RustType::Bool,
            Value::Integer(Width::I32) => RustType::I32,
            Value::Integer(Width::I64) => RustType::I64,
            Value::Number => RustType::F64,
            Value::List(item) => RustType::List(Box::new(self.lower(name, item, field)?)),
            Value::Map(value) => RustType::Map(Box::new(self.lower(name, value, field)?)),
            Value::Reference(schema) if self.placements.is_body_only(schema) => {
                self.problems.push(&field.place, PlanCause::NoShape(schema.clone()));
                return None;
            }
            // A schema without a placement has a problem already.
            Value::Reference(schema) => self.placements.rust_type(schema)?,
            Value::DateTime | Value::Opaque => {
                let cause =
                    PlanCause::NamelessValue { field: name.to_owned(), value: value.to_string() };
                self.problems.push(&field.place, cause);
                return None;
            }
        })
    }

    /// The presence of the field; the type becomes an `Option` if it needs one.
    fn presence(
        &self,
        name: &str,
        of: &Type,
        field: &spec::Field,
        rust_type: RustType,
    ) -> (RustType, Presence) {
        if matches!(rust_type, RustType::List(_) | RustType::Map(_)) {
            let mut rules = self.rules.fields.iter();
            let rule = rules.find(|rule| rule.field.value == name).map(|rule| rule.empty);
            return match (field.required(), rule) {
                (true, Some(Empty::Omitted)) | (false, None) => (rust_type, Presence::UnlessEmpty),
                (false, Some(Empty::Kept)) => {
                    (RustType::Option(Box::new(rust_type)), Presence::Optional)
                }
                _ => (rust_type, Presence::Always),
            };
        }
        let came_later = field.releases.first() != of.releases.first();
        of_value(required_at_first(of, field), came_later, field, rust_type)
    }
}

/// Tells if the first release that has the type requires the field. The requirements of later releases change neither
/// the arguments of a constructor nor the type of a field: programs that compiled before still compile.
fn required_at_first(of: &Type, field: &spec::Field) -> bool {
    let first = of.releases.first();
    first.is_some_and(|first| field.required_in.contains(first))
}

/// The type and the presence of a value. A field that came later than its struct is an `Option` if its type may have no
/// `Default`: so the struct keeps its `Default`, and its constructor keeps its arguments.
fn of_value(
    required: bool,
    came_later: bool,
    field: &spec::Field,
    rust_type: RustType,
) -> (RustType, Presence) {
    let text = matches!(rust_type, RustType::String | RustType::Vocabulary(_));
    let nested = matches!(rust_type, RustType::Struct(_) | RustType::Vocabulary(_));
    match (required, field.default.is_some() && !(came_later && nested)) {
        // Go's `omitempty`: a required string without a default is left out when it is empty.
        (true, false) if text => (rust_type, Presence::UnlessEmpty),
        (false, false) => (RustType::Option(Box::new(rust_type)), Presence::Optional),
        _ => (rust_type, Presence::Always),
    }
}
