//! The fields that servers of each version require.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Emitter, runtime};
use crate::conversion::{FieldRef, KindVersion, unraw};
use crate::emit::file::SourceFile;
use crate::emit::types::docs;
use crate::plan::{ItemPath, RustType};

/// The required fields of a version, by the part of the object that they are in; the object itself has an
/// empty name.
fn parts(version: &KindVersion) -> BTreeMap<&str, Vec<&FieldRef>> {
    let mut parts: BTreeMap<&str, Vec<&FieldRef>> = BTreeMap::new();
    for field in &version.required {
        let part = match field.idents.as_slice() {
            [part, _] => part.as_str(),
            _ => "",
        };
        parts.entry(part).or_default().push(field);
    }
    parts
}

fn function(version: &KindVersion, part: &str) -> Ident {
    let part = if part.is_empty() { "object" } else { unraw(part) };
    format_ident!("{}_{part}", version.name)
}

/// The calls that report what is empty in an object.
pub(super) fn of_object(
    version: &KindVersion,
    object: &TokenStream,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let calls = parts(version).into_keys().map(|part| {
        file.imports.library("super", "required");
        let function = function(version, part);
        if part.is_empty() {
            quote!(required::#function(&#object, report);)
        } else {
            let ident = format_ident!("{part}");
            quote!(required::#function(&#object.#ident, report);)
        }
    });
    calls.collect()
}

/// The call that reports what is empty in a part, if anything can be.
pub(super) fn of_part(
    version: &KindVersion,
    part: &ItemPath,
    file: &mut SourceFile,
) -> Option<TokenStream> {
    let (name, _) = parts(version)
        .into_iter()
        .find(|(_, fields)| fields.iter().any(|field| field.of == *part))?;
    file.imports.library("super", "required");
    let function = function(version, name);
    Some(quote!(required::#function(&converted, &mut report);))
}

pub(super) fn emit(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = &emitter.kind.kind;
    file.docs(&format!("Required fields of a `{kind}`."));
    for version in &emitter.kind.versions {
        for (part, fields) in parts(version) {
            let Some(first) = fields.first() else {
                continue;
            };
            runtime("ConversionReport", file);
            let function = function(version, part);
            let of = file.imports.versioned(&first.of);
            let doc = docs(&format!(
                "Reports the empty fields that servers of `{}` require.",
                version.name
            ));
            let checks = fields.iter().map(|field| {
                let (path, there) = (&field.path, there(field));
                quote!(report.require(#path, #there);)
            });
            file.item(quote! {
                #doc
                pub(super) fn #function(part: &#of, report: &mut ConversionReport) {
                    #(#checks)*
                }
            });
        }
    }
}

fn there(field: &FieldRef) -> TokenStream {
    let ident = format_ident!("{}", field.ident());
    let counts = |inner: &RustType| {
        matches!(
            inner,
            RustType::String | RustType::Vocabulary(_) | RustType::List(_) | RustType::Map(_)
        )
    };
    match &field.rust_type {
        RustType::Option(inner) if counts(inner) => {
            quote!(part.#ident.as_ref().is_some_and(|value| !value.is_empty()))
        }
        RustType::Option(_) => quote!(part.#ident.is_some()),
        _ => quote!(!part.#ident.is_empty()),
    }
}
