//! Names in Rust.

use heck::{ToSnakeCase, ToUpperCamelCase};

use super::Field;
use crate::Problems;
use crate::problem::{Place, PlanCause};

/// The type of the registry. It is at the root, as the vocabularies without a module are.
pub(super) const REGISTRY: &str = "Kinds";

/// The name of a field in Rust: snake case, raw if it is a keyword. `None` if there is none.
pub(crate) fn field_ident(wire: &str) -> Option<String> {
    let snake = snake_case(wire);
    if is_name(&snake) {
        return Some(snake);
    }
    let raw = format!("r#{snake}");
    syn::parse_str::<syn::Ident>(&raw).is_ok().then_some(raw)
}

/// Returns `true` if this is a name and no keyword. The parser does not know `gen`, which is a keyword since the edition
/// 2024.
pub(crate) fn is_name(text: &str) -> bool {
    text != "gen" && syn::parse_str::<syn::Ident>(text).is_ok()
}

/// Snake case that takes `CIDRs` for one word.
pub(crate) fn snake_case(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut capitals = 0;
    let mut rest = name.chars().peekable();
    while let Some(letter) = rest.next() {
        let ends_word = rest.peek().is_none_or(|next| !next.is_ascii_lowercase());
        if letter == 's' && capitals > 1 && ends_word {
            text.push('S');
            // The plural ends the word, whatever follows.
            text.push('_');
        } else {
            text.push(letter);
        }
        capitals = if letter.is_ascii_uppercase() { capitals + 1 } else { 0 };
    }
    text.to_snake_case()
}

/// The name of a vocabulary's variant. `None` if there is none.
pub(super) fn variant_ident(word: &str) -> Option<String> {
    let ident = word.to_upper_camel_case();
    is_name(&ident).then_some(ident)
}

/// Reports a type name that cannot be one in Rust.
pub(super) fn check_type_name(name: &str, place: &Place, problems: &mut Problems) {
    if !is_name(name) {
        problems.push(place, PlanCause::NotAnIdentifier(name.to_owned()));
    }
}

/// Reports fields that would have the same name.
pub(super) fn check_clashes(fields: &[Field], problems: &mut Problems) {
    for (index, field) in fields.iter().enumerate() {
        if let Some(other) = fields.iter().take(index).find(|other| other.ident == field.ident) {
            let (first, second) = (other.wire.clone(), field.wire.clone());
            let cause = PlanCause::NameClash { first, second, rust: field.ident.clone() };
            problems.push(&field.of.place, cause);
        }
    }
}
