//! Field numbers from upstream's `generated.proto`. Nothing else of it is kept, and no comments.

use std::collections::BTreeMap;
use std::ops::Range;

use k8s_versioned_source::Cause as SourceCause;

use crate::model::Model;
use crate::problem::{FileCause, Place, RuleCause};
use crate::rules::{self, NUMBERS, ProtobufRules};
use crate::text::has_extension;
use crate::{Files, Problems};

/// The numbers of fields, by schema and name.
type Numbers = BTreeMap<String, BTreeMap<String, u32>>;

/// Returns `true` if the file has protobuf messages.
pub(crate) fn is_proto(file: &str) -> bool {
    has_extension(file, &["proto"])
}

/// Adds the numbers of the messages in `from` to `specs`. Messages and fields that no document has are left out, and schemas that
/// are not the package's own.
///
/// # Errors
/// A line that is not understood, and a number that differs from the one in `specs`.
pub(crate) fn merge(
    specs: &mut Files,
    model: &Model,
    from: &Files,
    is_own: &dyn Fn(&str) -> bool,
) -> Result<(), Problems> {
    let mut problems = Problems::new();
    let known = rules::read_protobuf(specs)?.unwrap_or_default();
    let mut numbers = numbers(&known);
    for (file, text) in from.iter().filter(|(file, _)| is_proto(file)) {
        let fields = read(file, text, &mut problems);
        for field in fields.into_iter().filter(|field| is_own(&field.schema)) {
            merge_field(&field, model, &mut numbers, &mut problems);
        }
    }
    problems.or(())?;
    // The file switches the code for protobuf on: a package whose types have no numbers here keeps none.
    if !numbers.is_empty() {
        specs.insert(NUMBERS.to_owned(), rules::write_numbers(&numbers).into_bytes());
    }
    Ok(())
}

fn numbers(known: &ProtobufRules) -> Numbers {
    let fields = |fields: &BTreeMap<rules::Text, toml::Spanned<u32>>| {
        let fields = fields.iter();
        fields.map(|(name, number)| (name.get_ref().clone(), *number.get_ref())).collect()
    };
    let known = known.numbers.iter();
    known.map(|(schema, of)| (schema.get_ref().clone(), fields(of))).collect()
}

fn merge_field(
    field: &MessageField,
    model: &Model,
    numbers: &mut Numbers,
    problems: &mut Problems,
) {
    let Some(found) = model.types.get(&field.schema) else { return };
    // In rare cases the name in the message differs in case: `uID`.
    let mut names = found.properties().map(|(name, _)| name);
    let is = |name: &&str| name.eq_ignore_ascii_case(&field.name);
    let Some(name) = names.find(is) else { return };
    let is_list = found.property("items").is_some() && !found.kinds.is_empty();
    let was = match (is_list, name) {
        // The generic list has its numbers.
        (true, "metadata") => Some(1),
        (true, _) => Some(2),
        _ => numbers.get(&field.schema).and_then(|fields| fields.get(name)).copied(),
    };
    if let Some(was) = was.filter(|was| *was != field.number) {
        let cause = RuleCause::FieldNumberChanged {
            field: format!("{}.{name}", field.schema),
            was,
            now: field.number,
        };
        problems.push(&field.place, cause);
    }
    if !is_list {
        numbers.entry(field.schema.clone()).or_default().insert(name.to_owned(), field.number);
    }
}

/// A field of a message.
struct MessageField {
    place: Place,
    schema: String,
    name: String,
    number: u32,
}

/// The fields of all messages of a file, as go-to-protobuf writes them: each on a line, and no message in another.
fn read(file: &str, text: &[u8], problems: &mut Problems) -> Vec<MessageField> {
    let Ok(text) = str::from_utf8(text) else {
        problems.push(&Place::file(file), SourceCause::NotUtf8);
        return Vec::new();
    };
    let (mut package, mut message, mut fields, mut at) = (String::new(), None, Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let place = Place { span: Some(span(line, at)), ..Place::file(file) };
        at += line.len();
        let code = line.split_once("//").map_or(line, |(code, _)| code).trim();
        match (code.split_whitespace().collect::<Vec<_>>().as_slice(), &message) {
            ([] | ["syntax" | "import" | "option", ..], None) | ([], Some(_)) => {}
            (["package", name], None) => package = schema_prefix(name.trim_end_matches(';')),
            (["message", name, "{"], None) => message = Some(format!("{package}.{name}")),
            (["}"], Some(_)) => message = None,
            ([.., name, "=", number], Some(schema)) => match number.trim_end_matches(';').parse() {
                Ok(number) => {
                    let (schema, name) = (schema.clone(), (*name).to_owned());
                    fields.push(MessageField { place, schema, name, number });
                }
                Err(_) => problems.push(&place, FileCause::Proto(code.to_owned())),
            },
            _ => problems.push(&place, FileCause::Proto(code.to_owned())),
        }
    }
    fields
}

/// The part of a line without white space around it.
fn span(line: &str, at: usize) -> Range<usize> {
    let indent = line.len() - line.trim_start().len();
    at + indent..at + line.trim_end().len().max(indent)
}

/// The prefix of the schemas of a package. The first two parts are the host, which schemas have in reverse:
/// `k8s.io.api.apps.v1` is `io.k8s.api.apps.v1`.
fn schema_prefix(package: &str) -> String {
    let parts: Vec<&str> = package.split('.').collect();
    match parts.as_slice() {
        [name, domain, rest @ ..] => [&[*domain, *name], rest].concat().join("."),
        _ => package.to_owned(),
    }
}
