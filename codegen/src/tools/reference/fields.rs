//! The fields of a kind, with everything below them.

use std::fmt::Write as _;

use super::input::Input;
use super::recorded::Recorded;
use crate::model::facts;
use crate::plan::{WITHOUT_NUMBER, code, rustdoc};
use crate::spec::{Type, ValueType};
use crate::text::{cell, in_cell, join};

/// The number of fields from which on a page describes no more types: a type can hold many others, each by many paths.
const MANY: usize = 5_000;

/// The most fields on a page: a type can have any number of its own.
const MOST: usize = 10_000;

/// The text of a page about one field.
struct Field {
    /// The path from the object, with `[]` for the items of a list or map.
    path: String,
    /// Type, default, releases and so on, in one line.
    facts: String,
    /// What the field is for.
    description: Option<String>,
    /// How protobuf and servers treat the field, a sentence each.
    notes: Vec<String>,
}

/// Writes the fields of an object: a section for each if there are descriptions, else a table.
pub(super) fn write(
    text: &mut String,
    input: &Input<'_>,
    recorded: &Recorded<'_>,
    name: &str,
    object: &Type,
) {
    let mut reader = Reader { input, fields: Vec::new(), left_out: 0 };
    reader.read(&mut vec![name], object, "");
    let Reader { mut fields, left_out, .. } = reader;
    for (path, sentence) in recorded.refusals() {
        // A server can name a part of a value that the documents do not have.
        let above = fields.iter_mut().filter(|field| is_at_or_below(&path, &field.path));
        if let Some(field) = above.max_by_key(|field| field.path.len()) {
            field.notes.push(sentence);
        }
    }
    text.push_str("\n## Fields\n");
    if fields.iter().any(|field| field.description.is_some()) {
        for Field { path, facts, description, notes } in &fields {
            let _ = write!(text, "\n### {}\n\n{facts}.\n", code(path));
            for paragraph in description.iter().chain(notes) {
                let _ = write!(text, "\n{paragraph}\n");
            }
        }
    } else {
        text.push_str("\n| field | type and facts |\n|---|---|\n");
        for Field { path, facts, notes, .. } in &fields {
            let facts = join([facts].into_iter().chain(notes), ". ");
            let _ = writeln!(text, "| {} | {} |", in_cell(&code(path)), cell(&facts));
        }
    }
    if left_out > 0 {
        let _ = write!(text, "\n{left_out} more fields are not listed: the page is too long.\n");
    }
}

/// Reads the fields of a type, and of the group's types below it.
struct Reader<'a> {
    input: &'a Input<'a>,
    fields: Vec<Field>,
    /// The number of fields of these types for which the page has no room.
    left_out: usize,
}

impl<'a> Reader<'a> {
    /// `types` are the type and the types around it: the fields of a type inside of itself are not read again. The fields of
    /// shared types, such as `metadata`, are left out.
    fn read(&mut self, types: &mut Vec<&'a str>, fields_of: &'a Type, prefix: &str) {
        let model = &self.input.plans.model;
        let type_name = types.last().copied().unwrap_or_default();
        for (name, property) in fields_of.in_order() {
            if self.fields.len() >= MOST {
                self.left_out += 1;
                continue;
            }
            let path = format!("{prefix}{name}");
            let facts = facts(fields_of, property, &model.releases);
            let stated = property.description.as_deref();
            let description = description(self.input, type_name, Some(name), stated);
            let without_number = is_without_number(self.input, type_name, name);
            let notes = without_number.then(|| WITHOUT_NUMBER.to_owned()).into_iter().collect();
            self.fields.push(Field { path: path.clone(), facts, description, notes });
            if let Some(inner) = property.value.reference()
                && is_own(self.input, inner)
                && !types.contains(&inner)
                && let Some(below) = model.types.get(inner)
            {
                if self.fields.len() < MANY {
                    types.push(inner);
                    self.read(types, below, &format!("{path}{}.", items(&property.value)));
                    types.pop();
                } else if let Some(field) = self.fields.last_mut() {
                    field.notes.push("Its fields are not listed: the page is too long.".to_owned());
                }
            }
        }
    }
}

fn is_at_or_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The end of a path that leads to the items of a value.
fn items(value: &ValueType) -> String {
    match value {
        ValueType::List(inner) | ValueType::Map(inner) => format!("[]{}", items(inner)),
        ValueType::Nullable(inner) => items(inner),
        _ => String::new(),
    }
}

/// Returns `true` if the number of a field in protobuf is not known.
fn is_without_number(input: &Input<'_>, type_name: &str, field: &str) -> bool {
    let rules = input.plans.rules.protobuf.as_ref();
    let rule = rules.and_then(|rules| rules.presence.get(type_name));
    rule.is_some_and(|rule| rule.without_number.iter().any(|name| name.get_ref() == field))
}

/// Returns `true` if the type is the group's and not shared by all groups.
fn is_own(input: &Input<'_>, type_name: &str) -> bool {
    let mut modules = input.plans.rules.group.modules.iter();
    let module = modules.find(|module| module.apply(type_name).is_some());
    // No rule places the types of definitions in modules.
    module.is_none_or(|module| module.shared.is_none())
}

/// The description of a type or of one of its fields: the one in the rules, otherwise the one in the documents (`stated`), if
/// `group.toml` asks for descriptions of the documents.
pub(super) fn description(
    input: &Input<'_>,
    type_name: &str,
    field: Option<&str>,
    stated: Option<&str>,
) -> Option<String> {
    let rules = &input.plans.rules;
    let path = rules.group.modules.iter().find_map(|module| module.apply(type_name));
    let of_type = path.and_then(|(module, name)| rules.description(&module, &name));
    let own = of_type.and_then(|of_type| match field {
        None => Some(&of_type.description),
        Some(field) => of_type.fields.get(field),
    });
    let own = own.map(|text| text.trim().to_owned());
    let takes_stated = rules.group.keeps_descriptions();
    let stated = stated.filter(|_| takes_stated).map(rustdoc);
    [own, stated].into_iter().flatten().find(|text| !text.is_empty())
}
