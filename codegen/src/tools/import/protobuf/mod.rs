//! The facts about protobuf in a checkout of Kubernetes: the numbers of fields from `generated.proto`, and from `types.go` which
//! of them are pointers. Nothing else of these files is kept, and no comments.

mod go_types;
mod proto;

use std::collections::{BTreeMap, BTreeSet};

use crate::gather::Gather;
use crate::input;
use crate::model::Model;
use crate::problem::RuleCause;
use crate::rules::{self, FieldNumber, MOST_EMBEDDED, NUMBERS, PRESENCE, Presence, ProtobufRules};
use crate::spec::{Type, TypeBody};
use crate::text::has_extension;
use crate::{Files, Problems};

/// The numbers of fields, by schema and name.
type Numbers = BTreeMap<String, BTreeMap<String, FieldNumber>>;

/// Returns `true` if the file has protobuf messages, or the Go types that are these messages.
pub(super) fn is_source(file: &str) -> bool {
    has_extension(file, &["proto", "go"])
}

/// Adds the numbers of the messages in `from` to `specs`, and how Go holds their fields. Schemas that are not the package's own
/// are left out, and messages and fields that no type has; the latter are returned, for messages beside the package's kinds.
///
/// # Errors
/// Text that is not understood, and a number that differs from the one in `specs`.
pub(super) fn merge(
    specs: &mut Files,
    model: &Model,
    from: &Files,
    is_own: &dyn Fn(&str) -> bool,
) -> Result<BTreeSet<String>, Problems> {
    let mut problems = Problems::new();
    let known = rules::read_protobuf(specs)?.unwrap_or_default();
    let intrinsics = rules::read(specs, input::read_group(specs))?.intrinsics;
    let by_hand: BTreeSet<&str> = intrinsics.iter().map(|rule| rule.schema.value.as_str()).gather();
    let mut messages = BTreeMap::<String, Message>::new();
    for (file, text) in from.iter().filter(|(file, _)| has_extension(file, &["proto"])) {
        for field in proto::read(file, text, &mut problems) {
            let message = messages.entry(field.schema.clone());
            let message =
                message.or_insert_with(|| Message { file: file.clone(), fields: Vec::new() });
            message.fields.push(field);
        }
    }
    let mut merger =
        Merger { messages: &messages, numbers: numbers(&known), left_out: BTreeSet::new() };
    for schema in messages.keys().filter(|schema| is_own(schema)) {
        let ty = model.types.get(schema).filter(|ty| {
            matches!(ty.body, TypeBody::Struct(_)) && !by_hand.contains(schema.as_str())
        });
        match ty {
            Some(ty) => merger.merge(schema, ty, &mut problems),
            None => drop(merger.left_out.insert(schema.clone())),
        }
    }
    let Merger { numbers, left_out, .. } = merger;
    problems.or(())?;
    // The file switches the code for protobuf on: a package whose types have no numbers here keeps none.
    if !numbers.is_empty() {
        let presence = presence(&known, model, &numbers, &messages, from);
        specs.insert(NUMBERS.to_owned(), rules::write_numbers(&numbers).into_bytes());
        if let Some(presence) = presence {
            let now = specs.get(PRESENCE).and_then(|text| str::from_utf8(text).ok());
            let text = rules::write_presence(&presence, now);
            specs.insert(PRESENCE.to_owned(), text.into_bytes());
        }
    }
    Ok(left_out.into_iter().filter(|name| is_beside_kinds(model, name)).gather())
}

/// A message of a file.
struct Message {
    file: String,
    fields: Vec<proto::Field>,
}

fn numbers(known: &ProtobufRules) -> Numbers {
    let fields = |fields: &BTreeMap<toml::Spanned<String>, toml::Spanned<FieldNumber>>| {
        let fields = fields.iter();
        fields.map(|(name, number)| (name.get_ref().clone(), number.get_ref().clone())).gather()
    };
    let known = known.numbers.iter();
    known.map(|(schema, of)| (schema.get_ref().clone(), fields(of))).gather()
}

/// Returns `true` if a message, or the message of a field, is in the package of kinds of the model.
fn is_beside_kinds(model: &Model, name: &str) -> bool {
    let mut kinds = model.types.iter().filter(|(_, ty)| !ty.kinds.is_empty());
    kinds.any(|(schema, _)| {
        let package = schema.rsplit_once('.').map_or("", |(package, _)| package);
        name.strip_prefix(package).is_some_and(|rest| rest.starts_with('.'))
    })
}

struct Merger<'m> {
    messages: &'m BTreeMap<String, Message>,
    numbers: Numbers,
    left_out: BTreeSet<String>,
}

impl Merger<'_> {
    /// Adds the numbers of a message.
    fn merge(&mut self, schema: &str, ty: &Type, problems: &mut Problems) {
        let fields = self.messages.get(schema).map_or(&[][..], |message| &message.fields);
        let is_list = ty.property("items").is_some() && !ty.kinds.is_empty();
        for field in fields {
            let numbers = self.numbers_of(ty, field, MOST_EMBEDDED);
            if numbers.is_empty() {
                self.left_out.insert(format!("{schema}.{}", field.name));
            }
            for (name, number) in numbers {
                let was = match (is_list, name) {
                    // The generic list has its numbers.
                    (true, "metadata") => Some(FieldNumber(vec![1])),
                    (true, _) => Some(FieldNumber(vec![2])),
                    _ => self.numbers.get(schema).and_then(|fields| fields.get(name)).cloned(),
                };
                if let Some(was) = was.filter(|was| *was != number) {
                    let (field_name, was) = (format!("{schema}.{name}"), was.to_string());
                    let now = number.to_string();
                    let cause = RuleCause::FieldNumberChanged { field: field_name, was, now };
                    problems.push(&field.place, cause);
                }
                if !is_list {
                    let of = self.numbers.entry(schema.to_owned()).or_default();
                    of.insert(name.to_owned(), number);
                }
            }
        }
    }

    /// The numbers of the properties that a field of a message holds: one, or all of a struct that Go embeds. Such a
    /// field has no property, and each field of its message has one.
    fn numbers_of<'f>(
        &self,
        ty: &'f Type,
        field: &proto::Field,
        depth: usize,
    ) -> Vec<(&'f str, FieldNumber)> {
        // In rare cases the name in the message differs in case, or lacks signs: `uID`, `ref` of `$ref`.
        let mut names = ty.properties().map(|(name, _)| name);
        if let Some(name) = names.find(|name| letters(name).eq(letters(&field.name))) {
            return vec![(name, FieldNumber(vec![field.number]))];
        }
        let inner = self.messages.get(&field.type_schema).filter(|_| depth > 1);
        let inner = inner.map_or(&[][..], |message| &message.fields);
        let of_inner = inner.iter().map(|inner| self.numbers_of(ty, inner, depth - 1));
        let of_inner: Vec<_> = of_inner.collect();
        if of_inner.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let under = |number: FieldNumber| FieldNumber([vec![field.number], number.0].concat());
        of_inner.into_iter().flatten().map(|(name, number)| (name, under(number))).collect()
    }
}

/// The letters and digits of a name, without case.
fn letters(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

/// The presence of the fields that have numbers: as it is stated, or as the Go types beside the messages show it; `None` if
/// these show nothing new.
fn presence(
    known: &ProtobufRules,
    model: &Model,
    numbers: &Numbers,
    messages: &BTreeMap<String, Message>,
    from: &Files,
) -> Option<BTreeMap<String, Presence>> {
    let go = go_types::GoTypes::read(from);
    let before: BTreeMap<String, Presence> = known
        .presence
        .iter()
        .map(|(schema, rule)| (schema.get_ref().clone(), Presence::from(rule)))
        .gather();
    let mut all = before.clone();
    for (schema, fields) in numbers {
        let (Some(message), Some(ty)) = (messages.get(schema), model.types.get(schema)) else {
            continue;
        };
        let name = schema.rsplit_once('.').map_or("", |(_, name)| name);
        let holds = go.fields(&message.file, name);
        let of = all.entry(schema.clone()).or_default();
        for (field, holding) in holds.iter().filter(|(field, _)| fields.contains_key(**field)) {
            // A number that is known now.
            of.without_number.remove(*field);
            let is_stated = [&of.values, &of.pointers, &of.list_messages];
            if is_stated.iter().any(|names| names.contains(*field)) {
                continue;
            }
            let Some(property) = ty.property(field) else { continue };
            let names = match (property.value.item().is_some(), holding) {
                (true, go_types::Holding::NamedList) => &mut of.list_messages,
                (true, _) => continue,
                (false, go_types::Holding::Pointer) => &mut of.pointers,
                (false, _) => &mut of.values,
            };
            names.insert((*field).to_owned());
        }
    }
    all.retain(|_, of| *of != Presence::default());
    (all != before).then_some(all)
}
