//! The enum over the versions of a kind.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Emitter, accessors, required, runtime, runtime_step, variant, version};
use crate::conversion::{KindConversion, KindVersion};
use crate::emit::file::SourceFile;
use crate::emit::types::docs;
use crate::plan::RustType;

/// The name of the type.
pub(super) fn name(kind: &KindConversion) -> Ident {
    format_ident!("Any{}", kind.kind)
}

/// The name of the type of lists.
pub(super) fn list_name(kind: &KindConversion) -> Ident {
    format_ident!("Any{}", kind.list_kind)
}

pub(super) fn emit(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    let (name, variants) = (name(kind), emitter.variants());
    import(kind, file);
    for item in declarations(emitter, &name, &variants, file) {
        file.item(item);
    }
    let accessors = accessors::emit(emitter, &name, file);
    file.item(accessors);
    for (variant, version) in variants.iter().zip(&kind.versions) {
        let path = file.imports.versioned(&version.object);
        file.item(quote! {
            impl From<#path> for #name {
                fn from(object: #path) -> Self {
                    Self::#variant(object)
                }
            }
        });
    }
    let any_version = any_version(emitter, &name, &variants, file);
    file.item(any_version);
    for target in &kind.versions {
        let convert = convert(emitter, &name, target, file);
        file.item(convert);
    }
    for item in serde(&name, &variants) {
        file.item(item);
    }
}

/// Before anything that names types of the group: these can be called the same.
fn import(kind: &KindConversion, file: &mut SourceFile) {
    let used = [
        "AnyList",
        "AnyVersion",
        "ConversionReport",
        "ConvertObject",
        "JsonError",
        "Options",
        "Value",
    ];
    for name in used {
        runtime(name, file);
    }
    runtime_step("decode", file);
    runtime("steps", file);
    if kind.annotation.is_some() {
        file.imports.library("super", "ANNOTATION_KEY");
    }
    for used in ["Deserialize", "Deserializer", "Serialize", "Serializer"] {
        file.imports.library("serde", used);
    }
    let version = version::name(kind);
    file.imports.library("super", &version.to_string());
}

fn declarations(
    emitter: &Emitter<'_>,
    name: &Ident,
    variants: &[Ident],
    file: &mut SourceFile,
) -> [TokenStream; 2] {
    let versions = &emitter.kind.versions;
    let types = versions.iter().map(|version| file.imports.versioned(&version.object));
    let types: Vec<TokenStream> = types.collect();
    let variant_docs = versions.iter().map(|version| docs(&format!("Of `{}`.", version.name)));
    let kind = &emitter.kind.kind;
    let any_docs = docs(&format!(
        "A `{kind}` in whichever of its versions.\n\n\
         Read by its `apiVersion`, and written as an object of its version."
    ));
    let list_docs = docs(&format!("A list of `{kind}` objects, each in a version of its own."));
    let (derives, list) = (derives(emitter), list_name(emitter.kind));
    [
        quote! {
            #any_docs
            #[derive(Clone, Debug, PartialEq, #derives)]
            #[non_exhaustive]
            pub enum #name {
                #(#variant_docs #variants(#types),)*
            }
        },
        quote!(#list_docs pub type #list = AnyList<#name>;),
    ]
}

fn derives(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let versions = emitter.kind.versions.iter();
    let objects = versions.map(|version| RustType::Struct(version.object.clone()));
    let objects: Vec<RustType> = objects.collect();
    emitter.eq(objects.iter())
}

fn any_version(
    emitter: &Emitter<'_>,
    name: &Ident,
    variants: &[Ident],
    file: &mut SourceFile,
) -> TokenStream {
    let version = version::name(emitter.kind);
    let items = associated(emitter, &version, file);
    quote! {
        impl AnyVersion for #name {
            #items

            fn version(&self) -> #version {
                match self {
                    #(Self::#variants(_) => #version::#variants,)*
                }
            }

            fn decode(version: #version, value: &Value, report: &mut ConversionReport) -> Result<Self, JsonError> {
                match version {
                    #(#version::#variants => decode(value, report).map(Self::#variants),)*
                }
            }

            fn deserialize_version<'de, D: Deserializer<'de>>(version: #version, deserializer: D) -> Result<Self, D::Error> {
                match version {
                    #(#version::#variants => Deserialize::deserialize(deserializer).map(Self::#variants),)*
                }
            }

            fn convert_to_reporting(self, version: #version, options: &Options<Self::Policies>, report: &mut ConversionReport) -> Self {
                match version {
                    #(#version::#variants => Self::#variants(self.convert_reporting(options, report)),)*
                }
            }
        }
    }
}

/// The associated types and constants of `AnyVersion`.
fn associated(emitter: &Emitter<'_>, version: &Ident, file: &mut SourceFile) -> TokenStream {
    let policies = emitter.policies(file);
    let annotation =
        if emitter.kind.annotation.is_some() { quote!(Some(ANNOTATION_KEY)) } else { quote!(None) };
    let KindConversion { group, kind, list_kind, has_spec, .. } = emitter.kind;
    quote! {
        type Version = #version;
        type Policies = #policies;
        const GROUP: &'static str = #group;
        const KIND: &'static str = #kind;
        const LIST_KIND: &'static str = #list_kind;
        const ANNOTATION_KEY: Option<&'static str> = #annotation;
        const HAS_SPEC: bool = #has_spec;
        const VERSIONS: &'static [#version] = #version::ALL;
    }
}

fn convert(
    emitter: &Emitter<'_>,
    name: &Ident,
    target: &KindVersion,
    file: &mut SourceFile,
) -> TokenStream {
    let policies = emitter.policies(file);
    let path = file.imports.versioned(&target.object);
    let arms = emitter.kind.versions.iter().map(|version| {
        let variant = variant(&version.name);
        if version.name == target.name {
            own(target, &variant, file)
        } else {
            quote!(Self::#variant(object) => object.convert_reporting(options, report),)
        }
    });
    let arms: Vec<TokenStream> = arms.collect();
    quote! {
        impl ConvertObject<#path> for #name {
            type Policies = #policies;

            fn convert_reporting(self, options: &Options<Self::Policies>, report: &mut ConversionReport) -> #path {
                match self {
                    #(#arms)*
                }
            }
        }
    }
}

/// The object has the wanted version. It is judged like any other result.
fn own(version: &KindVersion, variant: &Ident, file: &mut SourceFile) -> TokenStream {
    let checks = required::of_object(version, &quote!(object), file);
    if checks.is_empty() {
        quote!(Self::#variant(object) => object,)
    } else {
        quote!(Self::#variant(object) => { #(#checks)* object })
    }
}

fn serde(name: &Ident, variants: &[Ident]) -> [TokenStream; 2] {
    [
        quote! {
            impl Serialize for #name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    match self {
                        #(Self::#variants(object) => object.serialize(serializer),)*
                    }
                }
            }
        },
        quote! {
            impl<'de> Deserialize<'de> for #name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    steps::deserialize(deserializer)
                }
            }
        },
    ]
}
