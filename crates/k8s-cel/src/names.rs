//! Rules for names in the words of servers.

use k8s_versioned_core::syntax::{self, SyntaxRule, SyntaxViolation, TextPart};

/// Servers call a qualified name without a prefix a "name part".
pub fn qualified(mut violations: Vec<SyntaxViolation>) -> Vec<SyntaxViolation> {
    for violation in &mut violations {
        if violation.part == TextPart::Whole && violation.rule != SyntaxRule::OneSlash {
            violation.part = TextPart::Name;
        }
    }
    violations
}

/// A violation in the words of servers. Newer ones write "label key" where older ones write "qualified name".
pub fn words(violation: SyntaxViolation, value: &str, calls_keys_so: bool) -> String {
    let part = match violation.part {
        TextPart::Prefix => "prefix part ",
        TextPart::Name => "name part ",
        _ => "",
    };
    let rule = match violation.rule {
        SyntaxRule::NotEmpty => "must be non-empty".to_owned(),
        SyntaxRule::Length(most) => {
            let unit = if calls_keys_so && most < 253 { "bytes" } else { "characters" };
            format!("must be no more than {most} {unit}")
        }
        SyntaxRule::OneSlash => {
            one_slash(if calls_keys_so { "valid label key" } else { "qualified name" })
        }
        SyntaxRule::NotDots => format!("may not be '{value}'"),
        SyntaxRule::Without(character) => format!("may not contain '{character}'"),
        SyntaxRule::Dns1123Label if is_subdomain(value) => "must not contain dots".to_owned(),
        other => form(other).unwrap_or_else(|| other.to_string()),
    };
    format!("{part}{rule}")
}

/// Returns `true` if a text has the form of a subdomain, of any length.
fn is_subdomain(text: &str) -> bool {
    syntax::dns1123_subdomain(text)
        .iter()
        .all(|violation| violation.rule != SyntaxRule::Dns1123Subdomain)
}

/// What is wrong with a label of DNS that begins with a letter.
pub fn dns1035_label(text: &str) -> Vec<String> {
    let inside = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = text.starts_with(|first: char| first.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.bytes().all(inside);
    let rule = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
                character, and end with an alphanumeric character";
    let faults = [
        (text.len() > 63, "must be no more than 63 characters".to_owned()),
        (!is_label, pattern(rule, &["my-name", "abc-123"], "[a-z]([-a-z0-9]*[a-z0-9])?")),
    ];
    faults.into_iter().filter(|(is_broken, _)| *is_broken).map(|(_, fault)| fault).collect()
}

/// The rule for a name with a prefix.
fn one_slash(subject: &str) -> String {
    let name = form(SyntaxRule::QualifiedName).unwrap_or_default();
    let prefix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    format!("a {subject} {name} {prefix}")
}

/// The rules that are patterns, with examples.
fn form(rule: SyntaxRule) -> Option<String> {
    let (rule, examples, expression): (_, &[&str], _) = match rule {
        SyntaxRule::Dns1123Label => (
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and \
             end with an alphanumeric character",
            &["my-name", "123-abc"],
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
        ),
        SyntaxRule::Dns1123Subdomain => (
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
             start and end with an alphanumeric character",
            &["example.com"],
            r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
        ),
        SyntaxRule::QualifiedName => (
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
             character",
            &["MyName", "my.name", "123-abc"],
            "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
        ),
        SyntaxRule::LabelValue => (
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
             start and end with an alphanumeric character",
            &["MyValue", "my_value", "12345"],
            "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
        ),
        _ => return None,
    };
    Some(pattern(rule, examples, expression))
}

/// A rule with examples and the pattern that checks it.
fn pattern(rule: &str, examples: &[&str], pattern: &str) -> String {
    let examples: Vec<_> = examples.iter().map(|example| format!("'{example}'")).collect();
    let examples = examples.join(",  or ");
    format!("{rule} (e.g. {examples}, regex used for validation is '{pattern}')")
}
