//! Vocabularies: enums of known words that also hold any other word.

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::SourceFile;
use super::types::docs;
use crate::plan::Vocabulary;

/// The note in the rustdoc of each.
const OPEN: &str = "The enum is open: it holds any other word as it is. `From` and `FromStr` make it from text.\n\
    A release can add words, so a program that looks for a word compares the text: with `==`, or with `as_str`.";

/// Emits the enum. A macro of `k8s-versioned` implements its conversions from and to text.
pub(super) fn emit(vocabulary: &Vocabulary, file: &mut SourceFile) {
    file.item(declaration(vocabulary, &format!("{}\n\n{OPEN}", vocabulary.docs)));
    let name = &vocabulary.path.name;
    let summary = &vocabulary.summary;
    let mut text = format!("k8s_versioned::open_enum! {{\n    {name}, {summary:?};\n");
    for variant in &vocabulary.variants {
        let _ = writeln!(text, "    {} = {:?};", variant.ident, variant.word);
    }
    file.text_item(text + "}\n");
}

/// The declaration of the enum, with these docs.
pub(super) fn declaration(vocabulary: &Vocabulary, enum_docs: &str) -> TokenStream {
    let (name, enum_docs) = (format_ident!("{}", vocabulary.path.name), docs(enum_docs));
    let variants = vocabulary.variants.iter().map(|variant| {
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
