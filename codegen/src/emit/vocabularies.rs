//! Vocabularies: enums of known words that hold any other word, too.

use std::fmt::Write;

use quote::{format_ident, quote};

use super::file::SourceFile;
use super::types::docs;
use crate::plan::Vocabulary;

/// The note in the rustdoc of each.
const OPEN: &str = "The enum is open: it holds any other word as it is. `From` and `FromStr` make it from text.\n\
    A release can add words, so a program that looks for a word compares the text: with `==`, or with `as_str`.";

/// Emits the enum. A macro of `k8s-versioned` implements its conversions from and to text.
pub(super) fn emit(vocabulary: &Vocabulary, file: &mut SourceFile) {
    let name = format_ident!("{}", vocabulary.path.name);
    let enum_docs = docs(&format!("{}\n\n{OPEN}", vocabulary.docs));
    let variants = vocabulary.variants.iter().map(|variant| {
        let (docs, ident) = (docs(&variant.docs), format_ident!("{}", variant.ident));
        quote!(#docs #ident)
    });
    file.item(quote! {
        #enum_docs
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants,)*
            /// Any other text.
            Other(k8s_versioned::Other<Self>),
        }
    });
    let summary = &vocabulary.summary;
    let mut text = format!("k8s_versioned::open_enum! {{\n    {name}, {summary:?};\n");
    for variant in &vocabulary.variants {
        let _ = writeln!(text, "    {} = {:?};", variant.ident, variant.word);
    }
    file.text_item(text + "}\n");
}
