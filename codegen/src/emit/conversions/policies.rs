//! The policies of a kind.

use std::fmt::Write as _;

use proc_macro2::Ident;
use quote::{format_ident, quote};

use super::{Emitter, runtime};
use crate::conversion::KindConversion;
use crate::emit::file::SourceFile;
use crate::emit::types::{docs, rust_type};

/// The name of the type.
pub(super) fn name(kind: &KindConversion) -> Ident {
    format_ident!("{}Policies", kind.kind)
}

pub(super) fn emit(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    runtime("Absent", file);
    let mut fields = Vec::new();
    for policy in &kind.policies {
        let (path, ident) = (&policy.path, format_ident!("{}", policy.name));
        let mut text = format!("What to do when `{path}` is absent or empty.");
        if let Some(other) = &policy.other {
            let _ = write!(
                text,
                "\n\n[`Absent::UseOther`] uses the value of `{other}`."
            );
        }
        let (docs, value) = (docs(&text), rust_type(&policy.value, &mut file.imports));
        fields.push(quote!(#docs pub #ident: Absent<#value>));
    }
    let name = name(kind);
    let doc = docs(&format!(
        "What can be chosen when a `{}` is converted to a version that requires more.",
        kind.kind
    ));
    file.item(quote! {
        #doc
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct #name { #(#fields),* }
    });
}
