//! The structs as protobuf messages. Every field needs a number and a presence.

use litemap::LiteMap;
use toml::Spanned;

use super::rust_items::{Field, FieldForm, Package, RustType, Struct};
use super::rustdoc_text::add_note;
use crate::Problems;
use crate::gather::Gather;
use crate::problem::{NoEffect, Place, RuleCause};
use crate::rules::{NUMBERS, PRESENCE, PresenceRule, ProtobufRules};

/// Plans the messages of the structs: the numbers and the forms of their fields. Lists of objects are not among them: the
/// generic list has its numbers.
pub(super) fn plan(rules: &ProtobufRules, structs: &mut [Struct], problems: &mut Problems) {
    // The package of shared types has no others; every other package refers to them, and does not state their numbers.
    let is_own = |planned: &Struct| planned.path.package == Package::Generated;
    let is_shared = !structs.iter().any(is_own);
    let is_message =
        |planned: &&mut Struct| (is_shared || is_own(planned)) && planned.list_item().is_none();
    for planned in structs.iter_mut().filter(is_message) {
        plan_message(planned, rules, problems);
    }
    let messages = structs.iter().filter(|planned| planned.is_message);
    let by_schema = messages.map(|planned| (planned.schema.as_str(), planned)).gather();
    report_unused(rules, &by_schema, problems);
}

fn plan_message(planned: &mut Struct, rules: &ProtobufRules, problems: &mut Problems) {
    planned.is_message = true;
    let numbers = rules.numbers.get(planned.schema.as_str());
    let presence = rules.presence.get(planned.schema.as_str());
    for field in &mut planned.fields {
        let (schema, name) = (&planned.schema, &field.wire);
        let number = numbers.and_then(|numbers| numbers.get(field.wire.as_str()));
        let is_unknown = is_unknown(presence, &field.wire);
        if holds_json(&field.rust_type) {
            add_note(&mut field.docs, WITHOUT_MESSAGE);
            continue;
        }
        if number.is_none() && is_unknown {
            add_note(&mut field.docs, WITHOUT_NUMBER);
            continue;
        }
        if number.is_none() {
            let cause = RuleCause::NoFieldNumber { schema: schema.clone(), field: name.clone() };
            problems.push(&field.property.place, cause);
        }
        let form = form(field, presence);
        if form.is_none() {
            let cause = RuleCause::NoPresence { schema: schema.clone(), field: name.clone() };
            problems.push(&field.property.place, cause);
        }
        field.protobuf = number.map(|number| number.get_ref().clone()).zip(form);
    }
}

/// The text in the docs of a field without a number.
pub(crate) const WITHOUT_NUMBER: &str =
    "Protobuf leaves the field out, because its number is not known.";

/// The text in the docs of a field whose value is any JSON.
const WITHOUT_MESSAGE: &str = "Protobuf leaves the field out, because its value has no one type.";

/// Returns `true` if values of a type are any JSON: for these, Go has messages that the documents do not show.
fn holds_json(rust_type: &RustType) -> bool {
    rust_type.innermost().is_json()
}

/// Returns `true` if the rules list the field among those whose number is not known.
fn is_unknown(presence: Option<&PresenceRule>, wire: &str) -> bool {
    presence.is_some_and(|rule| rule.without_number.iter().any(|name| name.get_ref() == wire))
}

/// The form of a field; `None` if no rule states it.
fn form(field: &Field, presence: Option<&PresenceRule>) -> Option<FieldForm> {
    let is_in = |list: fn(&PresenceRule) -> &Vec<Spanned<String>>| {
        presence.is_some_and(|rule| list(rule).iter().any(|name| name.get_ref() == &field.wire))
    };
    match field.rust_type.present() {
        RustType::List(_) if is_in(|rule| &rule.list_messages) => Some(FieldForm::ListMessage),
        RustType::List(_) | RustType::Map(_) => Some(FieldForm::Value),
        _ if is_in(|rule| &rule.pointers) => Some(FieldForm::Pointer),
        _ => is_in(|rule| &rule.values).then_some(FieldForm::Value),
    }
}

/// Reports the numbers and presences of fields that do not exist, that occur twice, or that need none.
fn report_unused(rules: &ProtobufRules, structs: &LiteMap<&str, &Struct>, problems: &mut Problems) {
    let find = |schema: &Spanned<String>, name: &Spanned<String>| {
        let fields = &structs.get(schema.get_ref().as_str())?.fields;
        fields.iter().find(|field| field.wire == *name.get_ref())
    };
    for (schema, fields) in &rules.numbers {
        for name in fields.keys().filter(|name| find(schema, name).is_none()) {
            let field = format!("{}.{}", schema.get_ref(), name.get_ref());
            let place = Place::of_text(NUMBERS, name);
            problems.push(&place, RuleCause::MatchesNothing(field));
        }
    }
    for (schema, rule) in &rules.presence {
        let lists = rule.list_messages.iter().map(|name| (name, true));
        let single = rule.values.iter().chain(&rule.pointers).map(|name| (name, false));
        let mut seen = Vec::new();
        for name in &rule.without_number {
            let field = format!("{}.{}", schema.get_ref(), name.get_ref());
            let is_known =
                rules.numbers.get(schema).is_some_and(|numbers| numbers.contains_key(name));
            let cause = match find(schema, name) {
                None => RuleCause::MatchesNothing(field),
                Some(_) if is_known => RuleCause::WithoutEffect(field, NoEffect::KnownNumber),
                Some(_) => continue,
            };
            problems.push(&Place::of_text(PRESENCE, name), cause);
        }
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
                    RuleCause::WithoutEffect(field, NoEffect::Items)
                }
                Some(_) if of_list => RuleCause::WithoutEffect(field, NoEffect::NoList),
                Some(_) => {
                    seen.push(name.get_ref());
                    continue;
                }
            };
            problems.push(&Place::of_text(PRESENCE, name), cause);
        }
    }
}
