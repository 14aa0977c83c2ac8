//! Conversions between types of equal shape: the kinds, and all pairs of versions, share them.

use litemap::LiteMap;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{self, EQUAL, Types, equal_module, equal_name};
use super::struct_literal::{literal, parameter};
use crate::conversion::{KindConversion, StructPair};
use crate::emit::file::{Output, SourceFile};
use crate::emit::modules::cfg_of_groups;
use crate::plan::Plan;

/// The conversions between types of equal shape that these kinds call, by module.
type Modules<'a> = LiteMap<String, LiteMap<Types<'a>, &'a StructPair>>;

/// Emits the module, if there are such types.
pub(super) fn emit(kinds: &[KindConversion], plan: &Plan, output: &mut Output<'_>) -> bool {
    let mut modules = Modules::new();
    for kind in kinds {
        for pair in kind.pairs.iter().filter(|pair| kind.hops(pair).len() == 1) {
            let inner = pair.object.inner().into_iter().map(|(_, inner)| inner);
            let all = inner.chain([&pair.object]).filter(|pair| pair.is_equal_shape());
            for equal in all {
                let types = (&equal.from, &equal.to);
                modules.entry(equal_module(types)).or_default().insert(types, equal);
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
        output.add(&format!("{}/{EQUAL}/{name}.rs", names::MODULE), file);
    }
    if !modules.is_empty() {
        let mut file = output.file();
        file.docs("Conversions between types of equal shape: each field is the same in both.");
        let modules = modules.iter().map(|(name, pairs)| {
            let types = pairs.keys().flat_map(|(from, to)| [*from, *to]);
            let (groups, name) = (cfg_of_groups(plan, types), format_ident!("{name}"));
            quote!(#groups pub(super) mod #name;)
        });
        file.item(quote!(#(#modules)*));
        output.add(&format!("{}/{EQUAL}/mod.rs", names::MODULE), file);
    }
    !modules.is_empty()
}

fn item(types: Types<'_>, pair: &StructPair, file: &mut SourceFile) -> TokenStream {
    let name = format_ident!("{}", equal_name(types));
    let (source, target) = names::types(pair, file);
    let result = literal(pair, &target, &quote!(source), file);
    let parameter = parameter(pair);
    quote! {
        pub(in super::super) fn #name(#parameter: #source) -> #target {
            #result
        }
    }
}
