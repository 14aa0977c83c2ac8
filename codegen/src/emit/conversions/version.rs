//! The versions of a kind as an enum.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Emitter;
use crate::conversion::KindConversion;
use crate::emit::file::SourceFile;
use crate::emit::types::docs;

/// The name of the type.
pub(super) fn name(kind: &KindConversion) -> Ident {
    format_ident!("{}Version", kind.kind)
}

pub(super) fn emit(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    let (name, variants) = (name(kind), emitter.variants());
    let versions = kind.versions.iter();
    let versions: Vec<&str> = versions.map(|version| version.name.as_str()).collect();
    file.item(declaration(kind, &name, &variants));
    file.item(names(&kind.group, &versions, &name, &variants));
    for item in texts(kind, &versions, &name, file) {
        file.item(item);
    }
}

fn declaration(kind: &KindConversion, name: &Ident, variants: &[Ident]) -> TokenStream {
    let versions = kind.versions.iter();
    let variant_docs = versions.map(|version| docs(&format!("`{}`.", version.name)));
    let doc = docs(&format!("A version of `{}`, lowest first.", kind.kind));
    quote! {
        #doc
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#variant_docs #variants,)*
        }
    }
}

fn names(group: &str, versions: &[&str], name: &Ident, variants: &[Ident]) -> TokenStream {
    let api_versions = versions.iter().map(|version| format!("{group}/{version}"));
    quote! {
        impl #name {
            /// All versions, lowest first.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The version as it is written: the part of `apiVersion` after the group.
            pub const fn as_str(self) -> &'static str {
                match self {
                    #(Self::#variants => #versions,)*
                }
            }

            /// The `apiVersion` of objects of this version.
            pub const fn api_version(self) -> &'static str {
                match self {
                    #(Self::#variants => #api_versions,)*
                }
            }
        }
    }
}

fn texts(
    kind: &KindConversion,
    versions: &[&str],
    name: &Ident,
    file: &mut SourceFile,
) -> [TokenStream; 2] {
    let expected = format!("a version of `{}`", kind.kind);
    let known = format!("expected {}", versions.join(" or "));
    file.imports.library("k8s_versioned", "ParseError");
    file.imports.library("std", "fmt");
    file.imports.library("std::str", "FromStr");
    [
        quote! {
            impl fmt::Display for #name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(self.as_str())
                }
            }
        },
        quote! {
            /// From the version alone or the whole `apiVersion`.
            impl FromStr for #name {
                type Err = ParseError;

                fn from_str(text: &str) -> Result<Self, ParseError> {
                    let named = |version: &&Self| version.as_str() == text || version.api_version() == text;
                    let version = Self::ALL.iter().find(named).copied();
                    version.ok_or_else(|| ParseError::new(text, #expected, #known))
                }
            }
        },
    ]
}
