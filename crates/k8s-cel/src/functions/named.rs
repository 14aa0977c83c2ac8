//! `format.named("dns1123Label")` and the functions of the same names.

use k8s_versioned_core::syntax::{self, SyntaxViolation};

use super::Native;
use crate::eval::value::{Evaluated, Fault, Value};
use crate::formats::Format;
use crate::names;
use crate::values::url;

macro_rules! formats {
    ($($name:literal $pattern:literal)*) => {
        /// The formats that rules can name, the functions of these names, and the length of the pattern that servers count.
        pub(crate) const FORMATS: &[(&str, Native, u64)] =
            &[$(($name, |_, _| Ok(Value::Format($name)), $pattern)),*];
    };
}

formats! {
    "dns1123Label" 30
    "dns1123Subdomain" 60
    "dns1035Label" 30
    "qualifiedName" 60
    "dns1123LabelPrefix" 30
    "dns1123SubdomainPrefix" 60
    "dns1035LabelPrefix" 30
    "labelValue" 40
    "uri" 1103
    "uuid" 70
    "byte" 84
    "date" 71
    "datetime" 71
}

/// The format of a name, or none.
pub(crate) fn named<'v>(name: &str) -> Value<'v> {
    let format = FORMATS.iter().find(|(own, ..)| *own == name);
    format.map_or(Value::Optional(None), |(own, ..)| Value::some(Value::Format(own)))
}

/// The length of the pattern that servers count for a format.
pub(crate) fn pattern_length(name: &str) -> u64 {
    FORMATS.iter().find(|(own, ..)| *own == name).map_or(0, |(.., length)| *length)
}

/// `format.validate(text)`: an empty optional if the text is valid, else the errors.
pub(super) fn validate<'v>(format: &Value<'v>, text: &str) -> Evaluated<Value<'v>> {
    let Value::Format(format) = format else { return Err(Fault::no_overload()) };
    let errors = errors(format, text)?;
    if errors.is_empty() {
        return Ok(Value::Optional(None));
    }
    Ok(Value::some(Value::list(errors.into_iter().map(Value::text).collect())))
}

fn errors(format: &str, text: &str) -> Evaluated<Vec<String>> {
    let messages = |violations| server_words(violations, text);
    let known =
        |valid: bool, message: &str| if valid { Vec::new() } else { vec![message.to_owned()] };
    Ok(match format {
        "dns1123Label" => messages(syntax::dns1123_label(text)),
        // A prefix may end in a dash.
        "dns1123LabelPrefix" => messages(syntax::dns1123_label(&without_dash(text))),
        "dns1123Subdomain" => messages(syntax::dns1123_subdomain(text)),
        "dns1123SubdomainPrefix" => messages(syntax::dns1123_subdomain(&without_dash(text))),
        "dns1035Label" => names::dns1035_label(text),
        "dns1035LabelPrefix" => names::dns1035_label(&without_dash(text)),
        "qualifiedName" => messages(names::qualified(syntax::qualified_name(text))),
        "labelValue" => messages(syntax::label_value(text)),
        "uri" => url::parse_request(text).err().into_iter().collect(),
        "uuid" => known(Format::Uuid.check(text), "does not match the UUID format"),
        "byte" => known(Format::Byte.check(text), "invalid base64"),
        "date" => known(Format::Date.check(text), "invalid date"),
        "datetime" => known(Format::DateTime.check(text), "invalid datetime"),
        _ => return Err(Fault::not_judged(format!("the format {format} is not known here"))),
    })
}

/// The errors of servers for a name.
fn server_words(violations: Vec<SyntaxViolation>, text: &str) -> Vec<String> {
    let words = |violation| names::words(violation, text, true);
    violations.into_iter().map(words).collect()
}

/// A letter in place of a dash at the end and of the character before it, as servers mask prefixes of names.
fn without_dash(text: &str) -> String {
    match text.strip_suffix('-').map(|before| before.char_indices().next_back()) {
        Some(Some((at, last))) if last.is_ascii() => {
            format!("{}a", text.get(..at).unwrap_or_default())
        }
        _ => text.to_owned(),
    }
}
