//! Open enums: enums of known words that also hold any other word.

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::SourceFile;
use super::types::docs;
use crate::plan::OpenEnum;

/// The note in the rustdoc of each.
const OPEN: &str = "The enum is open: it holds any other word as it is. `From` and `FromStr` make it from text.\n\
    A release can add words, so a program that looks for a word compares the text: with `==`, or with `as_str`.";

/// Emits the enum. A macro of `k8s-versioned` implements its conversions from and to text.
pub(super) fn emit(open_enum: &OpenEnum, file: &mut SourceFile) {
    file.item(declaration(open_enum, &format!("{}\n\n{OPEN}", open_enum.docs)));
    let name = &open_enum.path.name;
    let summary = &open_enum.summary;
    let mut text = format!("k8s_versioned::open_enum! {{\n    {name}, {summary:?};\n");
    for variant in &open_enum.variants {
        let _ = writeln!(text, "    {} = {:?};", variant.ident, variant.word);
    }
    file.text_item(text + "}\n");
}

/// The declaration of the enum, with these docs.
pub(super) fn declaration(open_enum: &OpenEnum, enum_docs: &str) -> TokenStream {
    let (name, enum_docs) = (format_ident!("{}", open_enum.path.name), docs(enum_docs));
    let variants = open_enum.variants.iter().map(|variant| {
        let (docs, ident) = (docs(&variant.docs), format_ident!("{}", variant.ident));
        quote!(#docs #ident)
    });
    quote! {
        #enum_docs
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants,)*
            /// Any other text.
            Other(k8s_versioned::Other<Self>),
        }
    }
}
