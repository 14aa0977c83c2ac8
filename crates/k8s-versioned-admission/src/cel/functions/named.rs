//! `format.named("dns1123Label")` and the functions of the same names.

use k8s_versioned_names::rules::{self, Part, Rule, Violation};

use super::super::value::{Evaluated, Fault, Value};
use crate::formats::Format;
use crate::metadata;

/// The formats that rules can name.
pub(in super::super) const NAMES: [&str; 14] = [
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "portName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
];

/// The format of a name, or none.
pub(super) fn named<'v>(name: &str) -> Value<'v> {
    let format = NAMES.iter().find(|own| **own == name);
    format.map_or(Value::Optional(None), |own| Value::some(Value::Format(own)))
}

/// `format.validate(text)`: none if the text is valid, else what is wrong with it.
pub(super) fn validate<'v>(format: &str, text: &str) -> Evaluated<Value<'v>> {
    let errors = errors(format, text)?;
    if errors.is_empty() {
        return Ok(Value::Optional(None));
    }
    Ok(Value::some(Value::list(errors.into_iter().map(Value::text).collect())))
}

fn errors(format: &str, text: &str) -> Evaluated<Vec<String>> {
    let names = |violations: Vec<Violation>| violations.iter().map(server_words).collect();
    let known =
        |valid: bool, message: &str| if valid { Vec::new() } else { vec![message.to_owned()] };
    Ok(match format {
        "dns1123Label" => names(rules::dns1123_label(text)),
        // A prefix may end in a dash.
        "dns1123LabelPrefix" => names(rules::dns1123_label(&without_dash(text))),
        "dns1123Subdomain" => names(rules::dns1123_subdomain(text)),
        "dns1123SubdomainPrefix" => names(rules::dns1123_subdomain(&without_dash(text))),
        "dns1035Label" => dns1035_label(text),
        "dns1035LabelPrefix" => dns1035_label(&without_dash(text)),
        "qualifiedName" => names(rules::qualified_name(text)),
        "labelValue" => names(rules::label_value(text)),
        "portName" => port_name(text),
        "uri" => super::url::check(text).err().into_iter().collect(),
        "uuid" => known(Format::Uuid.check(text), "does not match the UUID format"),
        "byte" => known(Format::Byte.check(text), "invalid base64"),
        "date" => known(Format::Date.check(text), "invalid date"),
        "datetime" => known(Format::DateTime.check(text), "invalid datetime"),
        _ => return Err(Fault::not_judged(format!("the format {format} is not known here"))),
    })
}

/// What servers say of a name.
fn server_words(violation: &Violation) -> String {
    let part = match violation.part {
        Part::Prefix => "prefix part ",
        Part::Name => "name part ",
        _ if violation.rule == Rule::QualifiedName => "name part ",
        _ => "",
    };
    let rule = match violation.rule {
        Rule::NotEmpty => "must be non-empty".to_owned(),
        Rule::Length(most) => format!("must be no more than {most} bytes"),
        Rule::OneSlash => metadata::one_slash("qualified name"),
        other => metadata::form(other).unwrap_or_else(|| other.to_string()),
    };
    format!("{part}{rule}")
}

/// A letter in place of a dash at the end.
fn without_dash(text: &str) -> String {
    match text.strip_suffix('-') {
        Some(before) if !before.is_empty() => format!("{before}a"),
        _ => text.to_owned(),
    }
}

fn dns1035_label(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 63 {
        errors.push("must be no more than 63 bytes".to_owned());
    }
    let inside = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let valid = text.starts_with(|first: char| first.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.bytes().all(inside);
    if !valid {
        errors.push(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
             character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for \
             validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
                .to_owned(),
        );
    }
    errors
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
