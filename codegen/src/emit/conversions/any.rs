//! The enums over the versions of a kind, and over its objects.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Emitter, accessors, required, runtime, variant};
use crate::conversion::{KindConversion, KindVersion};
use crate::emit::file::SourceFile;
use crate::emit::types::docs;
use crate::plan::{ItemPath, RustType};

/// The name of the type of objects.
pub(super) fn name(kind: &KindConversion) -> Ident {
    format_ident!("Any{}", kind.kind)
}

/// The name of the type of borrowed objects.
pub(super) fn reference_name(kind: &KindConversion) -> Ident {
    format_ident!("Any{}Ref", kind.kind)
}

/// The name of the type of versions.
pub(super) fn version_name(kind: &KindConversion) -> Ident {
    format_ident!("{}Version", kind.kind)
}

pub(super) fn emit(emitter: &Emitter<'_>, targets: &BTreeSet<ItemPath>, file: &mut SourceFile) {
    let kind = emitter.kind;
    // First: types of the group can have the same names, and then they keep their paths.
    for name in ["ConversionReport", "ConvertObject", "Options"] {
        runtime(name, file);
    }
    for item in declarations(emitter, file) {
        file.item(item);
    }
    accessors::emit(emitter, file);
    for version in &kind.versions {
        let item = to_itself(emitter, version, file);
        file.item(item);
    }
    let implementation = implementation(emitter, targets, file);
    file.text_item(implementation);
}

fn declarations(emitter: &Emitter<'_>, file: &mut SourceFile) -> [TokenStream; 4] {
    file.imports.library("k8s_versioned::wire", "serde");
    let KindConversion { kind, versions, .. } = emitter.kind;
    let types = versions.iter().map(|version| file.imports.versioned(&version.object));
    let types: Vec<TokenStream> = types.collect();
    let variants: Vec<Ident> = versions.iter().map(|it| variant(&it.name)).collect();
    let version_docs = docs(&format!("A version of `{kind}`, lowest first."));
    let each_version = versions.iter().map(|version| docs(&format!("`{}`.", version.name)));
    let any_docs = docs(&format!(
        "A `{kind}` of any version.\n\n\
         Read by its `apiVersion`, and written as an object of its version."
    ));
    let each_object = versions.iter().map(|version| docs(&format!("Of `{}`.", version.name)));
    let each_object: Vec<TokenStream> = each_object.collect();
    let objects = versions.iter().map(|version| RustType::Struct(version.object.clone()));
    let objects: Vec<RustType> = objects.collect();
    let eq = emitter.eq(objects.iter()).map(|eq| quote!(#eq,));
    let (any, version) = (name(emitter.kind), version_name(emitter.kind));
    let reference = reference_name(emitter.kind);
    let reference_docs = docs(&format!("A `{kind}` of any version, borrowed."));
    [
        quote! {
            #version_docs
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[non_exhaustive]
            pub enum #version {
                #(#each_version #variants,)*
            }
        },
        quote! {
            #any_docs
            #[derive(Clone, Debug, PartialEq, #eq)]
            #[non_exhaustive]
            pub enum #any {
                #(#each_object #variants(#types),)*
            }
        },
        quote! {
            impl serde::Serialize for #any {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    match self {
                        #(Self::#variants(object) => serde::Serialize::serialize(object, serializer),)*
                    }
                }
            }
        },
        quote! {
            #reference_docs
            #[derive(Clone, Copy, Debug, PartialEq, #eq)]
            #[non_exhaustive]
            pub enum #reference<'a> {
                #(#each_object #variants(&'a #types),)*
            }
        },
    ]
}

/// The conversion of an object to its own version, which reports missing fields like every conversion.
fn to_itself(emitter: &Emitter<'_>, version: &KindVersion, file: &mut SourceFile) -> TokenStream {
    let policies = emitter.policies(file);
    let path = file.imports.versioned(&version.object);
    let checks = required::of_object(version, &quote!(self));
    let report = if checks.is_empty() { quote!(_) } else { quote!(report) };
    quote! {
        /// The object stays as it is; the report names the required fields that it lacks.
        impl ConvertObject<Self> for #path {
            type Policies = #policies;

            fn convert_reporting(self, _: &Options<Self::Policies>, #report: &mut ConversionReport) -> Self {
                #(#checks)*
                self
            }
        }
    }
}

/// The call of the macro that implements the rest.
fn implementation(
    emitter: &Emitter<'_>,
    targets: &BTreeSet<ItemPath>,
    file: &mut SourceFile,
) -> String {
    let KindConversion { group, kind, list_kind, annotation, has_spec, versions, .. } =
        emitter.kind;
    let (any, reference, version) =
        (name(emitter.kind), reference_name(emitter.kind), version_name(emitter.kind));
    let policies = emitter.policies(file);
    let mut key = "None";
    if annotation.is_some() {
        file.imports.library("super", "ANNOTATION_KEY");
        key = "Some(ANNOTATION_KEY)";
    }
    let mut path = |of: &ItemPath| file.imports.versioned(of).to_string().replace(' ', "");
    let newest = versions
        .last()
        .map(|newest| format!("{}, {}", variant(&newest.name), path(&newest.object)));
    let newest = newest.unwrap_or_default();
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    for version in versions {
        let (variant, object) = (variant(&version.name), path(&version.object));
        rows.push(format!("    {variant} = {:?}, {object};\n", version.name));
        objects.push(format!("    {variant} = {object};\n"));
    }
    let (rows, objects) = (rows.concat(), objects.concat());
    let targets = targets.iter().map(|of| format!("        {},\n", path(of)));
    let targets: String = targets.collect();
    let protobuf = emitter.plan.messages.as_ref().map(|_| {
        format!(
            "#[cfg(feature = \"protobuf\")]\nk8s_versioned_conversion::any_message! {{\n    {any}, {version};\n{objects}}}\n"
        )
    });
    let protobuf = protobuf.unwrap_or_default();
    format!(
        "k8s_versioned_conversion::any_version! {{\n    {any}, {reference}, {version}, {policies}; NEWEST = {newest};\n    \
         GROUP = {group:?}; KIND = {kind:?}; LIST_KIND = {list_kind:?};\n    \
         ANNOTATION_KEY = {key}; HAS_SPEC = {has_spec};\n    FROM = [\n{targets}    ];\n{rows}}}\n{protobuf}"
    )
}
