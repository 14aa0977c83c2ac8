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
        "The choices when a `{}` is converted to a version that requires more.\n\n\
         The way back asks no policy: it takes out what one filled in, unless somebody edited it.",
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
            format!("No other field stands for `{path}`: [`Absent::UseOther`] leaves it empty.")
        }
    };
    let docs = docs(&format!(
        "The policy for an absent or empty `{path}`, on the way {}.\n\n{other}",
        ways(kind, policy)
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

/// The ways on which a policy is asked.
fn ways(kind: &KindConversion, policy: &Policy) -> String {
    let mut ways: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for pair in kind.asking(policy) {
        let targets = ways.entry(&pair.from).or_default();
        targets.push(format!("`{}`", pair.to));
    }
    let ways = ways.into_iter();
    join(ways.map(|(from, targets)| format!("from `{from}` to {}", targets.join(" or "))), ", ")
}
