//! The policies of a kind.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Emitter, runtime};
use crate::conversion::{KindConversion, Policy};
use crate::emit::file::SourceFile;
use crate::emit::types::{docs, rust_type};
use crate::text::join;

/// The name of the type.
pub(super) fn name(kind: &KindConversion) -> Ident {
    format_ident!("{}Policies", kind.kind)
}

pub(super) fn emit(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    runtime("Absent", file);
    let fields = kind.policies.iter().map(|policy| field(kind, policy, file));
    let fields: Vec<TokenStream> = fields.collect();
    let eq = emitter.eq(kind.policies.iter().map(|policy| &policy.value));
    let name = name(kind);
    let doc = docs(&format!(
        "The choices for a `{}` that is converted to a version that requires more fields.\n\n\
         The conversion back needs no policy: it removes a filled-in value, unless it was edited.",
        kind.kind
    ));
    file.item(quote! {
        #doc
        #[derive(Clone, Debug, Default, PartialEq, #eq)]
        #[non_exhaustive]
        pub struct #name { #(#fields),* }
    });
    let setters = kind.policies.iter().map(|policy| setter(policy, file));
    let setters: Vec<TokenStream> = setters.collect();
    file.item(quote!(impl #name { #(#setters)* }));
}

fn field(kind: &KindConversion, policy: &Policy, file: &mut SourceFile) -> TokenStream {
    let (path, ident) = (&policy.path, format_ident!("{}", policy.name));
    let other = match &policy.other {
        Some(other) => format!("For `{path}`, [`Absent::UseOther`] uses the value of `{other}`."),
        None => {
            format!("No other field can replace `{path}`: [`Absent::UseOther`] leaves it empty.")
        }
    };
    let docs = docs(&format!(
        "The policy for an absent or empty `{path}` in a conversion {}.\n\n{other}",
        directions(kind, policy)
    ));
    let value = rust_type(&policy.value, &mut file.imports);
    quote!(#docs pub #ident: Absent<#value>)
}

fn setter(policy: &Policy, file: &mut SourceFile) -> TokenStream {
    let ident = format_ident!("{}", policy.name);
    let setter = format_ident!("with_{}", policy.name.trim_start_matches("r#"));
    let docs = docs(&format!("Sets the policy for `{}`.", policy.path));
    let value = rust_type(&policy.value, &mut file.imports);
    quote! {
        #docs
        #[must_use]
        pub fn #setter(mut self, #ident: Absent<#value>) -> Self {
            self.#ident = #ident;
            self
        }
    }
}

/// The directions in which a conversion applies a policy.
fn directions(kind: &KindConversion, policy: &Policy) -> String {
    let mut by_source: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for pair in kind.asking(policy) {
        let targets = by_source.entry(&pair.from).or_default();
        targets.push(format!("`{}`", pair.to));
    }
    let directions = by_source.into_iter();
    let shown = |(from, targets): (_, Vec<_>)| format!("from `{from}` to {}", targets.join(" or "));
    join(directions.map(shown), ", ")
}
