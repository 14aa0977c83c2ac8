//! The serde attributes of fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::imports::Imports;
use crate::plan::{Field, Presence, RustType};

/// The attribute of a field in a struct with `rename_all = "camelCase"`.
pub(super) fn attribute(field: &Field, imports: &mut Imports) -> TokenStream {
    if field.presence == Presence::Rest {
        return quote!(#[serde(flatten)]);
    }
    let mut parts = Vec::new();
    if camel_case(&field.ident) != field.wire {
        let wire = &field.wire;
        parts.push(quote!(rename = #wire));
    }
    parts.extend(reading(&field.rust_type, imports));
    let leaving_out = leaving_out(field, imports);
    parts.extend(leaving_out.map(|predicate| quote!(skip_serializing_if = #predicate)));
    parts.extend(writing(field, imports).map(|with| quote!(serialize_with = #with)));
    quote!(#[serde(#(#parts),*)])
}

/// The attributes that read absent and null values.
fn reading(rust_type: &RustType, imports: &mut Imports) -> Vec<TokenStream> {
    let with = match rust_type {
        // `null` is a value of its own.
        RustType::Option(inner) if matches!(**inner, RustType::Option(_)) => {
            imports.library("k8s_versioned", "wire");
            return vec![quote!(default), quote!(deserialize_with = "wire::present")];
        }
        RustType::Option(_) => return vec![quote!(default)],
        RustType::List(_) => "wire::list",
        RustType::Map(_) => "wire::map",
        _ => "wire::null_is_zero",
    };
    imports.library("k8s_versioned", "wire");
    let default =
        if with == "wire::null_is_zero" { quote!(default = "wire::zero") } else { quote!(default) };
    vec![default, quote!(deserialize_with = #with)]
}

/// The function that writes a field in another way than serde does.
fn writing(field: &Field, imports: &mut Imports) -> Option<&'static str> {
    let with = match (field.presence, &field.rust_type) {
        (Presence::NullIfEmpty, RustType::List(_)) => "wire::list_or_null",
        (Presence::NullIfEmpty, RustType::Map(_)) => "wire::map_or_null",
        (_, RustType::F64) => "wire::number",
        (_, RustType::Option(inner)) if **inner == RustType::F64 => "wire::number_option",
        (_, other) if holds_numbers(other) => "wire::numbers",
        _ => return None,
    };
    imports.library("k8s_versioned", "wire");
    Some(with)
}

/// Returns `true` if a type has numbers with fractions in lists, maps or options.
fn holds_numbers(rust_type: &RustType) -> bool {
    match rust_type {
        RustType::Option(inner) | RustType::List(inner) | RustType::Map(inner) => {
            **inner == RustType::F64 || holds_numbers(inner)
        }
        _ => false,
    }
}

/// The function that tells if a field is left out.
fn leaving_out(field: &Field, imports: &mut Imports) -> Option<String> {
    let name = match (&field.presence, &field.rust_type) {
        (Presence::Always | Presence::NullIfEmpty | Presence::Rest, _) => return None,
        (Presence::Optional, _) => imports.prelude("Option"),
        (Presence::UnlessEmpty, RustType::List(_)) => imports.prelude("Vec"),
        (Presence::UnlessEmpty, RustType::Map(_)) => imports.map(),
        (Presence::UnlessEmpty, RustType::Vocabulary(path)) => imports.name(path),
        (Presence::UnlessEmpty, RustType::String) => imports.prelude("String"),
        (Presence::UnlessEmpty, _) => {
            imports.library("k8s_versioned", "wire");
            return Some("wire::is_zero".to_owned());
        }
    };
    let question = if field.presence == Presence::Optional { "is_none" } else { "is_empty" };
    Some(format!("{name}::{question}").replace(' ', ""))
}

/// The name that serde's `camelCase` gives a field.
fn camel_case(ident: &str) -> String {
    let mut parts = ident.trim_start_matches("r#").split('_');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// The name of the function that sets a field.
pub(super) fn setter(field: &Field) -> proc_macro2::Ident {
    format_ident!("with_{}", field.ident.trim_start_matches("r#"))
}
