//! The structs as protobuf messages. Every field needs a number and a presence.

use std::collections::BTreeMap;

use super::rust_items::{Field, ItemPath, Origin, RustType, Struct};
use crate::Problems;
use crate::problem::RuleCause;
use crate::rules::{PresenceRule, ProtobufRules, Text};

/// A struct as a message.
#[derive(Clone, Debug)]
pub struct Message {
    /// The path of the struct.
    pub path: ItemPath,
    /// Its fields, by number.
    pub fields: Vec<MessageField>,
}

/// A field of a message.
#[derive(Clone, Debug)]
pub struct MessageField {
    /// The number of the field in the message.
    pub number: u32,
    /// Its name in Rust.
    pub ident: String,
    /// Its name in JSON.
    pub wire: String,
    /// How it is held and written.
    pub form: Form,
}

/// How a field is held in Rust, and written by Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Plain, and always written.
    Value,
    /// An `Option`, and always written: an absent value as the zero value.
    OrZero,
    /// An `Option`, and written if it is set.
    Pointer,
    /// A list: a field for each item.
    List,
    /// A map: a field for each entry.
    Map,
    /// A list in a message of its own.
    ListMessage,
}

/// Plans the messages of the structs; none if no rules state numbers. Lists are not among the messages: the generic list
/// has its numbers.
pub(super) fn plan(
    rules: Option<&ProtobufRules>,
    structs: &[Struct],
    problems: &mut Problems,
) -> Option<Vec<Message>> {
    let rules = rules?;
    // The package of shared types has no others; every other package refers to them, and does not state their numbers.
    let is_own = |planned: &&Struct| planned.path.origin == Origin::Generated;
    let is_shared = !structs.iter().any(|planned| is_own(&planned));
    let structs = || {
        let own = structs.iter().filter(move |planned| is_shared || is_own(planned));
        own.filter(|planned| planned.list_item().is_none())
    };
    let messages = structs().map(|planned| message(planned, rules, problems)).collect();
    let by_schema: BTreeMap<&str, &Struct> =
        structs().map(|planned| (planned.schema.as_str(), planned)).collect();
    report_unused(rules, &by_schema, problems);
    Some(messages)
}

fn message(planned: &Struct, rules: &ProtobufRules, problems: &mut Problems) -> Message {
    let numbers = rules.numbers.get(planned.schema.as_str());
    let presence = rules.presence.get(planned.schema.as_str());
    let mut fields = Vec::new();
    for field in &planned.fields {
        let name = || format!("{}.{}", planned.schema, field.wire);
        let number = numbers.and_then(|numbers| numbers.get(field.wire.as_str()));
        if number.is_none() {
            problems.push(&field.of.place, RuleCause::NoFieldNumber(name()));
        }
        let form = form(field, presence);
        if form.is_none() {
            problems.push(&field.of.place, RuleCause::NoPresence(name()));
        }
        if let (Some(number), Some(form)) = (number, form) {
            let (ident, wire) = (field.ident.clone(), field.wire.clone());
            fields.push(MessageField { number: *number.get_ref(), ident, wire, form });
        }
    }
    fields.sort_by_key(|field| field.number);
    Message { path: planned.path.clone(), fields }
}

/// The form of a field; `None` if no rule states it.
fn form(field: &Field, presence: Option<&PresenceRule>) -> Option<Form> {
    let is_in = |list: fn(&PresenceRule) -> &Vec<Text>| {
        presence.is_some_and(|rule| list(rule).iter().any(|name| name.get_ref() == &field.wire))
    };
    let optional = matches!(field.rust_type, RustType::Option(_));
    match field.rust_type.present() {
        RustType::List(_) if is_in(|rule| &rule.list_messages) => Some(Form::ListMessage),
        RustType::List(_) => Some(Form::List),
        RustType::Map(_) => Some(Form::Map),
        _ if is_in(|rule| &rule.pointers) => {
            Some(if optional { Form::Pointer } else { Form::Value })
        }
        _ if is_in(|rule| &rule.values) => Some(if optional { Form::OrZero } else { Form::Value }),
        _ => None,
    }
}

/// Reports the numbers and presences of fields that do not exist, that occur twice, or that need none.
fn report_unused(
    rules: &ProtobufRules,
    structs: &BTreeMap<&str, &Struct>,
    problems: &mut Problems,
) {
    let find = |schema: &Text, name: &Text| {
        let fields = &structs.get(schema.get_ref().as_str())?.fields;
        fields.iter().find(|field| field.wire == *name.get_ref())
    };
    for (schema, fields) in &rules.numbers {
        for name in fields.keys().filter(|name| find(schema, name).is_none()) {
            let field = format!("{}.{}", schema.get_ref(), name.get_ref());
            let place = ProtobufRules::number_place(name);
            problems.push(&place, RuleCause::MatchesNothing(field));
        }
    }
    for (schema, rule) in &rules.presence {
        let lists = rule.list_messages.iter().map(|name| (name, true));
        let single = rule.values.iter().chain(&rule.pointers).map(|name| (name, false));
        let mut seen = Vec::new();
        for (name, of_list) in single.chain(lists) {
            let field = format!("{}.{}", schema.get_ref(), name.get_ref());
            let cause = match find(schema, name).map(|field| field.rust_type.present()) {
                None => RuleCause::MatchesNothing(field),
                Some(_) if seen.contains(&name.get_ref()) => RuleCause::Twice(field),
                Some(RustType::List(_)) if of_list => {
                    seen.push(name.get_ref());
                    continue;
                }
                Some(RustType::List(_) | RustType::Map(_)) => {
                    RuleCause::WithoutEffect(field, "each item or entry is a field of its own")
                }
                Some(_) if of_list => RuleCause::WithoutEffect(field, "it is not a list"),
                Some(_) => {
                    seen.push(name.get_ref());
                    continue;
                }
            };
            problems.push(&ProtobufRules::presence_place(name), cause);
        }
    }
}
