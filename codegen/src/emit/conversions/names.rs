//! The names of modules, functions and types, and their imports.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::conversion::{KindConversion, Pair, Paths, StructPair};
use crate::emit::file::SourceFile;
use crate::emit::types::{module_ident, stem};
use crate::ident;
use crate::plan::ItemPath;
use crate::rules::paths::FieldPath;
use crate::text::join;

/// The module that the conversions are in.
pub(in crate::emit) const MODULE: &str = "conversion";

/// The module of the conversions between types of equal shape.
pub(super) const EQUAL: &str = "equal";

/// The module of the traits and reports of conversions.
const RUNTIME: &str = "k8s_versioned::conversion";

/// The module of the steps of conversions.
const STEPS: &str = "k8s_versioned::conversion::steps";

/// The types of the source and the target.
pub(super) fn types(pair: &StructPair, file: &mut SourceFile) -> (TokenStream, TokenStream) {
    let from = file.imports.versioned(&pair.from);
    (from, file.imports.versioned(&pair.to))
}

/// Imports `name` from the runtime.
pub(super) fn runtime(name: &str, file: &mut SourceFile) {
    file.imports.library(RUNTIME, name);
}

/// Imports a step.
pub(super) fn runtime_step(name: &str, file: &mut SourceFile) {
    file.imports.library(STEPS, name);
}

/// The module of the conversions of a pair of versions.
pub(super) fn pair_module(from: &str, to: &str) -> String {
    between(&ident::of_version(from), &ident::of_version(to))
}

/// The name of what is between two names. Names of versions can have `to` in them: `a` to `b-to-c`, and `a-to-b` to `c`.
fn between(from: &str, to: &str) -> String {
    let name = format!("{from}_to_{to}");
    let before = name.match_indices('_').filter(|(at, _)| {
        *at < from.len() && name.get(*at..).is_some_and(|rest| rest.starts_with("_to_"))
    });
    let marks = "_".repeat(before.count());
    name + &marks
}

pub(super) fn file_of(pair: &Pair) -> String {
    pair_module(&pair.from, &pair.to)
}

/// The types of a kind: a borrowed object of any version, an object, the versions, and the policies.
pub(super) fn idents(kind: &KindConversion) -> [Ident; 4] {
    KindConversion::types(&kind.name).map(|name| format_ident!("{name}"))
}

/// The variant of a version.
pub(super) fn variant(version: &str) -> Ident {
    format_ident!("{}", ident::version_variant(version))
}

/// The types of the source and the target.
pub(super) type Types<'a> = (&'a ItemPath, &'a ItemPath);

/// The function that converts between two types of equal shape.
pub(super) fn equal_function(types: Types<'_>, file: &mut SourceFile) -> TokenStream {
    file.imports.library("super::super", EQUAL);
    let module = format_ident!("{}", equal_module(types));
    let name = format_ident!("{}", equal_name(types));
    quote!(equal::#module::#name)
}

/// The module with the conversions between types of equal shape. It joins the names of their modules, without the `_` that ends a name that would be taken: `__` would be in the middle.
pub(super) fn equal_module((from, to): Types<'_>) -> String {
    let name = |path: &ItemPath| {
        join(path.module.split("::").map(|part| part.strip_suffix('_').unwrap_or(part)), "_")
    };
    between(&name(from), &name(to))
}

/// The name of the function that converts between two types of equal shape.
pub(super) fn equal_name((from, to): Types<'_>) -> String {
    let (from, to) = (stem(&from.name), stem(&to.name));
    if from == to { module_ident(&from) } else { format!("{from}_to_{to}") }
}

/// The versions under which the field can be kept, each with its path there.
pub(super) fn places(places: &[(String, FieldPath)]) -> TokenStream {
    let places = places.iter().map(|(version, path)| {
        let path = path.as_str();
        quote!((#version, #path))
    });
    quote!(&[#(#places),*])
}

/// The paths of several fields.
pub(super) fn path_lists(lists: &[Paths]) -> TokenStream {
    let lists = lists.iter().map(|paths| places(paths));
    quote!(&[#(#lists),*])
}
