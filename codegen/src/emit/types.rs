//! Types and paths as tokens.

use k8s_versioned_core::{Release, ReleaseForm};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::imports::Imports;
use crate::ident::{is_file, is_name, snake_case};
use crate::plan::{ItemPath, Package, RustType, Wrapper};

/// The name of the file of a type, without its folder and extension. No type has the name of another generated
/// file.
pub(super) fn stem(name: &str) -> String {
    let stem = snake_case(name);
    if is_file(&stem) || !(is_name(&stem) || is_name(&format!("r#{stem}"))) {
        format!("{stem}_")
    } else {
        stem
    }
}

/// The name of a module whose file has this stem: raw if it is a keyword.
pub(super) fn module_ident(stem: &str) -> String {
    if is_name(stem) { stem.to_owned() } else { format!("r#{stem}") }
}

/// The file of a type.
pub(super) fn file_of(path: &ItemPath) -> String {
    file_of_module(&path.module, &stem(&path.name))
}

/// A file of a module, or of the root.
pub(super) fn file_of_module(module: &str, stem: &str) -> String {
    format!("{}/{stem}.rs", module.replace("::", "/")).trim_start_matches('/').to_owned()
}

/// A type as Rust writes it in this file, imported where its name is free.
pub(super) fn rust_type(of: &RustType, imports: &mut Imports) -> String {
    let mut generic = |name, inner: &RustType| {
        let name = imports.prelude_path(name);
        [&name, "<", &rust_type(inner, imports), ">"].concat()
    };
    match of {
        RustType::Bool => "bool".to_owned(),
        RustType::I32 => "i32".to_owned(),
        RustType::I64 => "i64".to_owned(),
        RustType::F64 => "f64".to_owned(),
        RustType::String => imports.prelude_path("String").into_owned(),
        RustType::OpenEnum(path) | RustType::External(path, _) | RustType::Struct(path) => {
            imports.path(path)
        }
        RustType::Wrapped(wrapper, path) => {
            let (boxed, inner) = (imports.prelude_path("Box"), imports.path(path));
            match wrapper {
                Wrapper::Box => format!("{boxed}<{inner}>"),
                Wrapper::Embedded => format!("k8s_versioned::Embedded<{inner}>"),
                Wrapper::BoxEmbedded => format!("{boxed}<k8s_versioned::Embedded<{inner}>>"),
            }
        }
        RustType::List(item) => generic("Vec", item),
        RustType::Option(inner) => generic("Option", inner),
        RustType::Map(value) => {
            let map = ItemPath::new(Package::External, "std::collections", "BTreeMap");
            let (map, text) = (imports.path(&map), imports.prelude_path("String"));
            format!("{map}<{text}, {}>", rust_type(value, imports))
        }
    }
}

/// A type as tokens.
pub(super) fn type_tokens(of: &RustType, imports: &mut Imports) -> TokenStream {
    // All parts of a type are names.
    rust_type(of, imports).parse().unwrap_or_default()
}

/// The constructor of a release.
pub(super) fn release(release: Release) -> TokenStream {
    let [first, second, third] = release.numbers().map(Literal::u16_unsuffixed);
    match release.form() {
        ReleaseForm::Minor => quote!(Release::new(#first, #second)),
        ReleaseForm::Version => quote!(Release::version(#first, #second, #third)),
        ReleaseForm::Date => quote!(Release::date(#first, #second, #third)),
    }
}

/// The rustdoc of an item, one attribute for each line.
pub(super) fn docs(text: &str) -> TokenStream {
    let lines =
        text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote!(#(#[doc = #lines])*)
}

/// The rustdoc of an item as text, with `indent` before each line.
pub(super) fn docs_text(indent: &str, text: &str) -> String {
    let mut docs = String::with_capacity(text.len() + 16);
    for line in text.lines() {
        docs.extend([indent, "/// ", line]);
        docs.truncate(docs.trim_end_matches(' ').len());
        docs.push('\n');
    }
    docs
}
