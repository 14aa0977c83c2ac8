//! Vocabularies: enums of known words that keep any other.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::file::SourceFile;
use super::types::docs;
use crate::plan::Vocabulary;

/// Emits the enum, the text that none of its words is, and how both become text and come from it.
pub(super) fn emit(vocabulary: &Vocabulary, file: &mut SourceFile) {
    let name = format_ident!("{}", vocabulary.path.name);
    let other = format_ident!("Other{}", vocabulary.path.name);
    file.imports.library("serde", "Deserialize");
    file.imports.library("serde", "Deserializer");
    file.imports.library("serde", "Serialize");
    file.imports.library("serde", "Serializer");
    file.imports.library("k8s_versioned", "wire");
    for item in declarations(vocabulary, &name, &other) {
        file.item(item);
    }
    for item in methods(vocabulary, &name, &other) {
        file.item(item);
    }
    for item in from_text(vocabulary, &name, &other) {
        file.item(item);
    }
    for item in as_text(&name).into_iter().chain(serde(&name)) {
        file.item(item);
    }
    file.item(super::json_schemas::of_vocabulary(vocabulary));
}

fn declarations(vocabulary: &Vocabulary, name: &Ident, other: &Ident) -> [TokenStream; 2] {
    let enum_docs = docs(&format!(
        "{}\n\nThe words are open: any other is kept as it is. Made from text with `From` or `FromStr`.",
        vocabulary.docs
    ));
    let variants = vocabulary.variants.iter().map(|variant| {
        let (docs, ident) = (docs(&variant.docs), format_ident!("{}", variant.ident));
        quote!(#docs #ident)
    });
    let other_docs = docs(&format!(
        "A text that is none of the known words of [`{name}`]; may be empty.\n\nOnly made by [`{name}`] \
         itself, so that it never holds a known word."
    ));
    [
        quote! {
            #enum_docs
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum #name {
                #(#variants,)*
                /// Any other text.
                Other(#other),
            }
        },
        quote! {
            #other_docs
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct #other(Box<str>);
        },
    ]
}

fn methods(vocabulary: &Vocabulary, name: &Ident, other: &Ident) -> [TokenStream; 2] {
    let arms = vocabulary.variants.iter().map(|variant| {
        let (ident, word) = (format_ident!("{}", variant.ident), &variant.word);
        quote!(Self::#ident => #word)
    });
    [
        quote! {
            impl #name {
                /// The text.
                pub fn as_str(&self) -> &str {
                    match self {
                        #(#arms,)*
                        Self::Other(other) => other.as_str(),
                    }
                }

                /// Whether the text is empty, as where an object says nothing.
                pub fn is_empty(&self) -> bool {
                    self.as_str().is_empty()
                }
            }
        },
        quote! {
            impl #other {
                /// The text.
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }
        },
    ]
}

/// How the enum comes from text. An owned text that is no known word is kept without a copy.
fn from_text(vocabulary: &Vocabulary, name: &Ident, other: &Ident) -> [TokenStream; 3] {
    let arms = vocabulary.variants.iter().map(|variant| {
        let (ident, word) = (format_ident!("{}", variant.ident), &variant.word);
        quote!(#word => Self::#ident)
    });
    let arms: Vec<TokenStream> = arms.collect();
    [
        quote! {
            impl From<&str> for #name {
                fn from(text: &str) -> Self {
                    match text {
                        #(#arms,)*
                        other => Self::Other(#other(other.into())),
                    }
                }
            }
        },
        quote! {
            impl From<String> for #name {
                fn from(text: String) -> Self {
                    match text.as_str() {
                        #(#arms,)*
                        _ => Self::Other(#other(text.into_boxed_str())),
                    }
                }
            }
        },
        quote! {
            impl std::str::FromStr for #name {
                type Err = std::convert::Infallible;

                fn from_str(text: &str) -> Result<Self, Self::Err> {
                    Ok(text.into())
                }
            }
        },
    ]
}

/// How the enum is used as text.
fn as_text(name: &Ident) -> [TokenStream; 3] {
    [
        quote! {
            impl std::fmt::Display for #name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(self.as_str())
                }
            }
        },
        quote! {
            impl AsRef<str> for #name {
                fn as_ref(&self) -> &str {
                    self.as_str()
                }
            }
        },
        quote! {
            impl wire::ZeroValue for #name {
                fn zero_value() -> Self {
                    Self::from("")
                }
            }
        },
    ]
}

fn serde(name: &Ident) -> [TokenStream; 2] {
    [
        quote! {
            impl Serialize for #name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }
        },
        quote! {
            impl<'de> Deserialize<'de> for #name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    String::deserialize(deserializer).map(Self::from)
                }
            }
        },
    ]
}
