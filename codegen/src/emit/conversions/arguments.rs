//! The text of the call that a step of a rule makes, and of its arguments.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::calls::{Argument, Call, Lent, thirds};
use super::field_access::member;
use super::innermost_values::{convert, each, mapped};
use super::kept_form::in_kept_form;
use super::names::{equal_function, path_lists, places, runtime_step};
use super::variables::function;
use crate::conversion::{Effect, FieldRef, ItemNames, Mapping, ObjectField, RuleStep, Step};
use crate::emit::file::SourceFile;
use crate::emit::types::type_tokens;
use crate::plan::{ItemPath, RustType};

/// The call of a step's function, or of two where the other version lacks the field and it is kept in another form.
pub(super) fn call(
    by_rule: &RuleStep,
    step: &Step,
    value: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let Some(form) = &by_rule.aside_form else {
        return one_call(by_rule, step, value, source, file);
    };
    let keeps = step.to.is_none();
    let [first, second] = if keeps { [&form.step, by_rule] } else { [by_rule, &form.step] };
    let made = one_call(first, step, value, source, file);
    let result = one_call(second, step, &quote!(kept), source, file);
    let rust_type = type_tokens(&form.rust_type, &mut file.imports);
    // What keeps a value has none itself.
    let end = keeps.then(|| quote!(;));
    quote!({ let kept: #rust_type = #made; #result #end })
}

/// The call of one function.
fn one_call(
    by_rule: &RuleStep,
    step: &Step,
    value: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let inner = if by_rule.in_option { quote!(value) } else { value.clone() };
    // The function of a list of objects converts the items itself.
    let form = step.kept_form.as_ref().filter(|_| !matches!(step.how, Mapping::Part { .. }));
    let inner = match form {
        Some(form) if by_rule.effect == Effect::Keeps => in_kept_form(form, step, &inner, file),
        _ => inner,
    };
    let call = function_call(&Call::around(by_rule), step, &inner, source, file);
    let call = match form {
        Some(form) if by_rule.effect == Effect::Restores => in_kept_form(form, step, &call, file),
        _ => call,
    };
    if by_rule.in_option { quote!(#value.map(|value| #call)) } else { call }
}

/// The call of a function of the runtime.
fn function_call(
    call: &Call<'_>,
    step: &Step,
    value: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let Call { module, function, arguments } = call;
    runtime_step(module, file);
    let (module, function) = (format_ident!("{module}"), format_ident!("{function}"));
    let arguments =
        arguments.iter().map(|argument| self::argument(argument, step, value, source, file));
    quote!(#module::#function(#(#arguments),*))
}

/// An argument of a step's function.
pub(super) fn argument(
    argument: &Argument<'_>,
    step: &Step,
    value: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    match argument {
        Argument::FieldLocations => places(&step.places),
        Argument::Paths(paths) => places(paths),
        Argument::PathLists(lists) => path_lists(lists),
        Argument::Moved(moved, noted) => {
            let (moved, noted) = (places(moved), path_lists(noted));
            quote!((#moved, #noted))
        }
        Argument::Convert => convert_part(step, false, file),
        Argument::ConvertItem => convert_part(step, true, file),
        Argument::Rest => rest(step, file),
        Argument::Value => value.clone(),
        Argument::Borrowed => quote!(&#value),
        Argument::Policy(policy) => {
            let name = format_ident!("{}", policy.policy);
            quote!(&context.policies.#name)
        }
        Argument::Other(other) => other_value(*other, source),
        Argument::Flag(flag) => quote!(#flag),
        Argument::Field(field) => to_field(field, file),
        Argument::Key(field) => {
            let (name, function) = (&field.name, to_field(field, file));
            quote!((#name, #function))
        }
        Argument::Inner(inner, lent) => {
            let call = function_call(inner, step, value, source, file);
            if *lent == Lent::Borrowed { quote!(&#call) } else { call }
        }
        Argument::Json(text) => quote!(#text),
        Argument::Names(names) => quote!(&[#(#names),*]),
        Argument::BothNames(source, target) => quote!((&[#(#source),*], &[#(#target),*])),
        Argument::Pairs(pairs) => {
            let pairs = pairs.iter().map(|(from, to)| quote!((#from, #to)));
            quote!(&[#(#pairs),*])
        }
        Argument::Stated(stated) => stated.clone(),
        Argument::Members(fields, of) => members(fields, of, source, file),
        Argument::Types(types) => phantom(types, file),
        Argument::Thirds(versions) => thirds(versions, file),
        Argument::Context => quote!(context),
    }
}

/// Fields of the source as JSON, and the function that decodes the object that has them in the target.
fn members(
    fields: &[FieldRef],
    object: &ItemPath,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let members = fields.iter().map(|field| {
        let value = member(source, field);
        if field.required {
            quote!(pattern::required(&#value))
        } else {
            quote!(pattern::optional(&#value))
        }
    });
    let object = file.imports.versioned(object);
    quote!((&[#(#members),*], pattern::decoded::<#object>))
}

/// A value of no data: its type parameters are the types of an object in the source and in the target.
fn phantom(types: &[ItemPath; 2], file: &mut SourceFile) -> TokenStream {
    let [from, to] = types.each_ref().map(|path| file.imports.versioned(path));
    file.imports.library("std::marker", "PhantomData");
    quote!(PhantomData::<(#from, #to)>)
}

/// The function from an object to its field.
fn to_field(field: &ObjectField, file: &mut SourceFile) -> TokenStream {
    let (of, ident) =
        (file.imports.versioned(&field.object_type), format_ident!("{}", field.ident));
    quote!(|object: &mut #of| &mut object.#ident)
}

/// Another field of the source, borrowed, if there is one.
fn other_value(other: Option<&FieldRef>, source: &TokenStream) -> TokenStream {
    let Some(other) = other else {
        return quote!(None);
    };
    let value = member(source, other);
    if other.rust_type.is_option() { quote!(#value.as_ref()) } else { quote!(Some(&#value)) }
}

/// The function that converts the object of a step, or the list or map of objects, or an item of it.
fn convert_part(step: &Step, is_item: bool, file: &mut SourceFile) -> TokenStream {
    let (Mapping::Part { pair, items, .. }, Some(from)) = (&step.how, &step.from) else {
        return TokenStream::new();
    };
    let function = if pair.is_equal_shape() {
        equal_function((&pair.from, &pair.to), file)
    } else {
        function(pair).into_token_stream()
    };
    let of_items = step.by_rule().is_some_and(RuleStep::is_of_items);
    let rust_type = match from.rust_type.present() {
        RustType::List(item) | RustType::Map(item) if is_item || of_items => item.present(),
        other => other,
    };
    let value = quote!(value);
    if !pair.has_effect() {
        let converted = mapped(rust_type, &value, &function, file);
        return quote!(|value, _| #converted);
    }
    // The runtime enters the item.
    let names = if is_item { &ItemNames::default() } else { items };
    let converted = each(rust_type, &value, (&function, names), file);
    convert(&converted, rust_type, &function)
}

/// The function that converts the other items of a list into the form that is kept, or from it.
fn rest(step: &Step, file: &mut SourceFile) -> TokenStream {
    let Some(form) = &step.kept_form else {
        runtime_step("first_of_list", file);
        return quote!(first_of_list::rest);
    };
    let converted = in_kept_form(form, step, &quote!(rest), file);
    quote!(|rest, context| #converted)
}
