//! Names in Rust.

use std::collections::HashMap;

use heck::ToUpperCamelCase;

use super::Field;
use crate::Problems;
use crate::ident::{is_name, raw, snake_case};
use crate::problem::{Place, PlanCause};
use crate::spec::version_of;
use crate::text::capital;

/// The type of the registry. It is at the root, as the open enums without a module are.
pub(super) const REGISTRY: &str = "Kinds";

/// The name of a field in Rust: snake case, raw if it is a keyword. `None` if no name is possible.
pub(crate) fn field_ident(wire: &str) -> Option<String> {
    raw(snake_case(wire))
}

/// The name of a field of a custom resource, which can be any text. It has only ASCII letters, because Rust takes
/// some different texts of other letters for one name.
pub(super) fn any_field_ident(wire: &str) -> String {
    let name = snake_case(&ascii(wire));
    match raw(name.clone()) {
        Some(ident) => ident,
        None if name.is_empty() => "field".to_owned(),
        // Digits, and `self`, `super` and `crate`.
        None => format!("field_{name}"),
    }
}

/// A text with only ASCII letters, digits and spaces. Other ASCII characters become spaces, all others their numbers.
pub(super) fn ascii(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => written.push(letter),
            letter if letter.is_ascii() => written.push(' '),
            letter => written.extend([format!(" u{:04x} ", u32::from(letter))]),
        }
    }
    written
}

/// The most letters of a name that no document states.
pub(super) const LONGEST: usize = 40;

/// The ends of a name that have at most [`LONGEST`] letters together with a suffix, the longest first: the first words of
/// a name say the least.
pub(super) fn ends<'a>(name: &'a str, suffix: &str) -> impl Iterator<Item = String> + use<'a> {
    let most = LONGEST - suffix.len();
    let suffix = suffix.to_owned();
    let begins = |(at, pair): (usize, &[u8])| match pair {
        [before, letter] if letter.is_ascii_uppercase() && !before.is_ascii_uppercase() => {
            Some(at + 1)
        }
        _ => None,
    };
    let words = name.as_bytes().windows(2).enumerate().filter_map(begins);
    let ends = std::iter::once(0).chain(words.collect::<Vec<_>>()).filter_map(|at| name.get(at..));
    ends.filter(move |end| end.len() <= most).map(move |end| format!("{end}{suffix}"))
}

/// The key of what belongs to the type of a schema, in a table of `names.toml`: `<table>.apply Widget#spec`.
pub(super) fn key(table: &str, before: &str, schema: &str, after: &[&str]) -> String {
    let own = schema.get(version_of(schema).len() + 1..).unwrap_or(schema);
    let parts = [before, own].into_iter().chain(after.iter().copied());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    format!("{table}.{}", parts.join(" "))
}

/// The Rust name of the kind of a custom resource: `Widget` for `widget`, and `FooBar` for `foo-bar`.
pub(crate) fn kind_name(kind: &str) -> String {
    kind.split('-').map(capital).collect()
}

/// The name of a variant of an open enum. `None` if no name is possible.
pub(super) fn variant_ident(word: &str) -> Option<String> {
    let ident = word.to_upper_camel_case();
    is_name(&ident).then_some(ident)
}

/// The file of a type, by its module. Two names of a module that differ only in capitals have the same file.
pub(super) fn file(module: &str, name: &str) -> (String, String) {
    (module.to_owned(), snake_case(name))
}

/// Reports a type name that cannot be one in Rust.
pub(super) fn check_type_name(name: &str, place: &Place, problems: &mut Problems) {
    if !is_name(name) {
        problems.push(place, PlanCause::NotAnIdentifier(name.to_owned()));
    }
}

/// Reports fields that would have the same name.
pub(super) fn check_clashes(fields: &[Field], problems: &mut Problems) {
    let mut known: HashMap<&str, &Field> = HashMap::new();
    for field in fields {
        let other = *known.entry(&field.ident).or_insert(field);
        if !std::ptr::eq(other, field) {
            let (first, second) = (other.wire.clone(), field.wire.clone());
            let cause = PlanCause::NameClash { first, second, rust: field.ident.clone() };
            problems.push(&field.property.place, cause);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn ends_of_names() {
        let table: [(&str, &str, &[&str]); 4] = [
            ("FooBar", "Apply", &["FooBarApply", "BarApply"]),
            (
                "ResourceInterpreterWebhookConfiguration",
                "Apply",
                &[
                    "InterpreterWebhookConfigurationApply",
                    "WebhookConfigurationApply",
                    "ConfigurationApply",
                ],
            ),
            (
                "ResourceInterpreterWebhookConfigurationList",
                "",
                &[
                    "InterpreterWebhookConfigurationList",
                    "WebhookConfigurationList",
                    "ConfigurationList",
                    "List",
                ],
            ),
            ("Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "", &[]),
        ];
        for (name, suffix, expected) in table {
            assert_eq!(super::ends(name, suffix).collect::<Vec<_>>(), expected, "{name}");
        }
    }
}
