//! Conversions between types of equal shape: the kinds, and all pairs of versions, share them.

use litemap::LiteMap;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::body::{literal, parameter};
use crate::conversion::{KindConversion, StructPair};
use crate::emit::file::{Output, SourceFile};
use crate::emit::types::{module_ident, stem};
use crate::plan::ItemPath;
use crate::text::join;

/// The module that they are in.
const MODULE: &str = "equal";

/// The types of the source and the target.
type Types<'a> = (&'a ItemPath, &'a ItemPath);

/// The conversions of types of equal shape that the conversions of these kinds call, by the name of their module.
type Modules<'a> = LiteMap<String, LiteMap<Types<'a>, &'a StructPair>>;

/// Emits the module, if there are such types.
pub(super) fn emit(kinds: &[KindConversion], output: &mut Output<'_>) -> bool {
    let mut modules = Modules::new();
    for kind in kinds {
        for pair in kind.pairs.iter().filter(|pair| kind.hops(pair).len() == 1) {
            let inner = pair.object.inner().into_iter().map(|(_, inner)| inner);
            let all = inner.chain([&pair.object]).filter(|pair| pair.is_equal_shape());
            for equal in all {
                let types = (&equal.from, &equal.to);
                modules.entry(module(types)).or_default().insert(types, equal);
            }
        }
    }
    for (name, pairs) in &modules {
        let mut file = output.file();
        for (types, pair) in pairs {
            let (from, to) = (&types.0.module, &types.1.module);
            file.docs(&format!("Types of `{from}` that have equal fields in `{to}`."));
            let item = item(*types, pair, &mut file);
            file.item(item);
        }
        output.add(&format!("{}/{MODULE}/{name}.rs", super::MODULE), file);
    }
    if !modules.is_empty() {
        let mut file = output.file();
        file.docs("Conversions between types of equal shape: each field is the same in both.");
        let names = modules.keys().map(|name| format_ident!("{name}"));
        file.item(quote!(#(pub(super) mod #names;)*));
        output.add(&format!("{}/{MODULE}/mod.rs", super::MODULE), file);
    }
    !modules.is_empty()
}

fn item(types: Types<'_>, pair: &StructPair, file: &mut SourceFile) -> TokenStream {
    let name = format_ident!("{}", name(types));
    let (source, target) = super::types(pair, file);
    let result = literal(pair, &target, &quote!(source), file);
    let parameter = parameter(pair);
    quote! {
        pub(in super::super) fn #name(#parameter: #source) -> #target {
            #result
        }
    }
}

/// The function that converts between two types of equal shape.
pub(super) fn function(types: Types<'_>, file: &mut SourceFile) -> TokenStream {
    file.imports.library("super::super", MODULE);
    let (module, name) = (format_ident!("{}", module(types)), format_ident!("{}", name(types)));
    quote!(equal::#module::#name)
}

/// The name of a module without the `_` at the end of names that would be taken: with it, `__` would be in the middle.
fn module((from, to): Types<'_>) -> String {
    let name = |path: &ItemPath| {
        join(path.module.split("::").map(|part| part.strip_suffix('_').unwrap_or(part)), "_")
    };
    format!("{}_to_{}", name(from), name(to))
}

fn name((from, to): Types<'_>) -> String {
    let (from, to) = (stem(&from.name), stem(&to.name));
    if from == to { module_ident(&from) } else { format!("{from}_to_{to}") }
}
