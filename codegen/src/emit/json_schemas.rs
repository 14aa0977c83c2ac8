//! JSON Schemas, behind the feature `schemars`: what the newest release states, with our descriptions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::imports::Imports;
use super::types::file_of_module;
use crate::Options;
use crate::plan::{Field, Module, RustType, Stated, Struct, Vocabulary};
use crate::spec::{Default, GroupVersionKind, ListType, MapType, Merge};

/// Emits `json_schemas.rs` of a module.
pub(super) fn emit(module: &Module, options: &Options, output: &mut Output) {
    let mut file = SourceFile::of(options, &module.origin);
    file.docs("The JSON Schemas of this module's types.");
    file.imports.library("std::borrow", "Cow");
    for name in ["self", "JsonSchema", "Schema", "SchemaGenerator"] {
        file.imports.library("k8s_versioned::schema", name);
    }
    for planned in module.structs.iter().filter(|it| it.list_item().is_none()) {
        let item = of_struct(planned, &mut file.imports);
        file.item(item);
    }
    output.add(&file_of_module(&module.path, "json_schemas"), file);
}

fn of_struct(planned: &Struct, imports: &mut Imports) -> TokenStream {
    let stated = &planned.stated;
    let (summary, schema) = (&stated.summary, &planned.schema);
    let type_meta = planned.object.as_ref().map(|_| quote!(.type_meta()));
    let fields: Vec<_> = planned
        .fields
        .iter()
        .map(|field| of_field(field, imports))
        .collect();
    let required = (!stated.required.is_empty()).then(|| {
        let names = &stated.required;
        quote!(.required(&[#(#names),*]))
    });
    let merge = of_merge(&stated.merge);
    let kinds = (!stated.kinds.is_empty()).then(|| {
        let kinds = stated.kinds.iter().map(
            |GroupVersionKind {
                 group,
                 version,
                 kind,
             }| { quote!((#group, #version, #kind)) },
        );
        quote!(.kinds(&[#(#kinds),*]))
    });
    let build =
        quote!(schema::object(#summary) #type_meta #(#fields)* #required #merge #kinds .build());
    let name = imports.name(&planned.path);
    let generator = if refers(planned) {
        format_ident!("generator")
    } else {
        format_ident!("_")
    };
    implementation(&name, schema, &generator, &build)
}

/// Emits the schema of a vocabulary: plain text, wherever it is used.
pub(super) fn of_vocabulary(vocabulary: &Vocabulary) -> TokenStream {
    let (name, summary) = (
        format_ident!("{}", vocabulary.path.name),
        &vocabulary.summary,
    );
    let text = &vocabulary.path.name;
    quote! {
        #[cfg(feature = "schemars")]
        impl k8s_versioned::schema::JsonSchema for #name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                #text.into()
            }

            fn json_schema(_: &mut k8s_versioned::schema::SchemaGenerator) -> k8s_versioned::schema::Schema {
                k8s_versioned::schema::string().described(#summary).build()
            }
        }
    }
}

fn implementation(
    name: &TokenStream,
    schema: &str,
    generator: &proc_macro2::Ident,
    build: &TokenStream,
) -> TokenStream {
    let generator = if generator == "_" {
        quote!(_)
    } else {
        quote!(#generator)
    };
    quote! {
        impl JsonSchema for #name {
            fn schema_name() -> Cow<'static, str> {
                Cow::Borrowed(#schema)
            }

            fn json_schema(#generator: &mut SchemaGenerator) -> Schema {
                #build
            }
        }
    }
}

/// Whether a schema refers to others, for which it needs the generator.
fn refers(planned: &Struct) -> bool {
    fn named(of: &RustType) -> bool {
        match of {
            RustType::External(..) | RustType::Struct(_) => true,
            RustType::List(inner) | RustType::Map(inner) | RustType::Option(inner) => named(inner),
            _ => false,
        }
    }
    planned.fields.iter().any(|field| named(&field.rust_type))
}

fn of_field(field: &Field, imports: &mut Imports) -> TokenStream {
    let Stated {
        summary,
        default,
        item_default,
        merge,
    } = &field.stated;
    let schema = of_type(&field.rust_type, *item_default, imports);
    let (wire, default, merge) = (&field.wire, of_default(*default), of_merge(merge));
    quote!(.field(#wire, #schema.described(#summary) #default #merge))
}

fn of_type(of: &RustType, item_default: Option<Default>, imports: &mut Imports) -> TokenStream {
    match of {
        RustType::Bool => quote!(schema::boolean()),
        RustType::I32 => quote!(schema::int32()),
        RustType::I64 => quote!(schema::int64()),
        RustType::F64 => quote!(schema::double()),
        RustType::String | RustType::Vocabulary(_) => quote!(schema::string()),
        RustType::External(path, _) | RustType::Struct(path) => {
            let name = imports.name(path);
            quote!(schema::reference::<#name>(generator))
        }
        RustType::List(item) => {
            let (item, default) = (of_type(item, None, imports), of_default(item_default));
            quote!(schema::list(#item #default))
        }
        RustType::Map(value) => {
            let (value, default) = (of_type(value, None, imports), of_default(item_default));
            quote!(schema::map(#value #default))
        }
        RustType::Option(inner) => of_type(inner, item_default, imports),
    }
}

fn of_default(default: Option<Default>) -> Option<TokenStream> {
    Some(match default? {
        Default::EmptyObject => quote!(.default_object()),
        Default::EmptyString => quote!(.default_string()),
        Default::False => quote!(.default_false()),
        Default::Zero => quote!(.default_zero()),
    })
}

fn of_merge(merge: &Merge) -> TokenStream {
    let list_type = merge.list_type.map(|list_type| match list_type {
        ListType::Atomic => quote!(.list_type("atomic")),
        ListType::Map => quote!(.list_type("map")),
        ListType::Set => quote!(.list_type("set")),
    });
    let keys = (!merge.list_map_keys.is_empty()).then(|| {
        let keys = &merge.list_map_keys;
        quote!(.list_map_keys(&[#(#keys),*]))
    });
    let map_type = merge.map_type.map(|map_type| match map_type {
        MapType::Atomic => quote!(.map_type("atomic")),
        MapType::Granular => quote!(.map_type("granular")),
    });
    let strategy = merge
        .patch_strategy
        .as_ref()
        .map(|strategy| quote!(.patch_strategy(#strategy)));
    let key = merge
        .patch_merge_key
        .as_ref()
        .map(|key| quote!(.patch_merge_key(#key)));
    quote!(#list_type #keys #map_type #strategy #key)
}
