//! `format.named("dns1123Label")` and the functions of the same names.

use k8s_versioned_names::rules::{self, Violation};

use super::Native;
use crate::eval::Meter;
use crate::eval::value::{Evaluated, Fault, Value};
use crate::formats::Format;
use crate::names;
use crate::values::url;

macro_rules! formats {
    ($($name:literal)*) => {
        /// The formats that rules can name, and the functions of these names.
        pub(crate) const FORMATS: &[(&str, Native)] =
            &[$(($name, |_, _| Ok(Value::Format($name)))),*];
    };
}

formats! {
    "dns1123Label"
    "dns1123Subdomain"
    "dns1035Label"
    "qualifiedName"
    "portName"
    "dns1123LabelPrefix"
    "dns1123SubdomainPrefix"
    "dns1035LabelPrefix"
    "labelValue"
    "uri"
    "uuid"
    "byte"
    "date"
    "datetime"
}

/// The format of a name, or none.
pub(crate) fn named<'v>(name: &str) -> Value<'v> {
    let format = FORMATS.iter().find(|(own, _)| *own == name);
    format.map_or(Value::Optional(None), |(own, _)| Value::some(Value::Format(own)))
}

/// `format.validate(text)`: none if the text is valid, else what is wrong with it.
pub(super) fn validate<'v>(format: &Value<'v>, text: &str, meter: &Meter) -> Evaluated<Value<'v>> {
    let Value::Format(format) = format else { return Err(Fault::no_overload()) };
    meter.read(text.len())?;
    let errors = errors(format, text)?;
    if errors.is_empty() {
        return Ok(Value::Optional(None));
    }
    Ok(Value::some(Value::list(errors.into_iter().map(Value::text).collect())))
}

fn errors(format: &str, text: &str) -> Evaluated<Vec<String>> {
    let in_words = |violations| server_words(violations, text);
    let known =
        |valid: bool, message: &str| if valid { Vec::new() } else { vec![message.to_owned()] };
    Ok(match format {
        "dns1123Label" => in_words(rules::dns1123_label(text)),
        // A prefix may end in a dash.
        "dns1123LabelPrefix" => in_words(rules::dns1123_label(&without_dash(text))),
        "dns1123Subdomain" => in_words(rules::dns1123_subdomain(text)),
        "dns1123SubdomainPrefix" => in_words(rules::dns1123_subdomain(&without_dash(text))),
        "dns1035Label" => names::dns1035_label(text),
        "dns1035LabelPrefix" => names::dns1035_label(&without_dash(text)),
        "qualifiedName" => in_words(names::qualified(rules::qualified_name(text))),
        "labelValue" => in_words(rules::label_value(text)),
        "portName" => port_name(text),
        "uri" => url::check(text).err().into_iter().collect(),
        "uuid" => known(Format::Uuid.check(text), "does not match the UUID format"),
        "byte" => known(Format::Byte.check(text), "invalid base64"),
        "date" => known(Format::Date.check(text), "invalid date"),
        "datetime" => known(Format::DateTime.check(text), "invalid datetime"),
        _ => return Err(Fault::not_judged(format!("the format {format} is not known here"))),
    })
}

/// What servers say of a name.
fn server_words(violations: Vec<Violation>, text: &str) -> Vec<String> {
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

fn port_name(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let mut require = |holds: bool, message: &str| {
        if !holds {
            errors.push(message.to_owned());
        }
    };
    require(text.len() <= 15, "must be no more than 15 characters long");
    let inside = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    require(
        !text.is_empty() && text.bytes().all(inside),
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    );
    require(
        text.bytes().any(|byte| byte.is_ascii_lowercase()),
        "must contain at least one letter (a-z)",
    );
    require(!text.contains("--"), "must not contain consecutive hyphens");
    require(!(text.starts_with('-') || text.ends_with('-')), "must not begin or end with a hyphen");
    errors
}
