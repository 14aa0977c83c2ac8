//! Values in the form in which annotations keep them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::innermost_values::{each, mapped};
use super::names::{pair_module, runtime_step};
use super::variables::function;
use crate::conversion::{KeptForm, Mapping, Step};
use crate::emit::file::SourceFile;
use crate::plan::RustType;

/// A value in the form in which it is kept, or from it. The file of that pair of versions has the function.
pub(super) fn in_kept_form(
    form: &KeptForm,
    step: &Step,
    value: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let (from, to) = (&form.from, &form.to);
    let (module, function) = (format_ident!("{}", pair_module(from, to)), function(&form.pair));
    let function = quote!(super::#module::#function);
    let item = matches!(step.how, Mapping::Items(_)).then(|| form.field.item()).flatten();
    let rust_type = &item.as_ref().unwrap_or(&form.field).rust_type;
    let in_option = step.by_rule().is_some_and(|step| step.in_option)
        || matches!(step.how, Mapping::Part { .. });
    let rust_type = if in_option { rust_type.present() } else { rust_type };
    runtime_step("convert_kept", file);
    if form.pair.has_effect() && matches!(rust_type, RustType::Struct(_)) {
        return quote!(convert_kept(#value, context, (#from, #to), #function));
    }
    let inner = quote!(value);
    let (name, converted) = if form.pair.has_effect() {
        let names = (&function, &form.items);
        (quote!(context), each(rust_type, &inner, names, file))
    } else {
        (quote!(_), mapped(rust_type, &inner, &function, file))
    };
    let holder = holder(rust_type, file);
    // What is only kept has no other type that it must have.
    quote!(convert_kept(#value, context, (#from, #to), |value: #holder, #name| -> #holder { #converted }))
}

/// The lists, maps and options of a type, around any other.
fn holder(rust_type: &RustType, file: &mut SourceFile) -> TokenStream {
    match rust_type {
        RustType::Option(item) => {
            let item = holder(item, file);
            quote!(Option<#item>)
        }
        RustType::List(item) => {
            let item = holder(item, file);
            quote!(Vec<#item>)
        }
        RustType::Map(item) => {
            file.imports.library("std::collections", "BTreeMap");
            let item = holder(item, file);
            quote!(BTreeMap<_, #item>)
        }
        _ => quote!(_),
    }
}
