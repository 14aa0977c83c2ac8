//! The struct literal of the target, field by field.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::arguments::call;
use super::field_access::member;
use super::innermost_values::{each, mapped};
use super::names::{equal_function, runtime_step};
use super::variables::{flat, function, variable};
use crate::conversion::{Effect, FieldRef, Mapping, RuleStep, Step, StructPair};
use crate::emit::file::SourceFile;
use crate::gather::Gather;
use crate::plan::RustType;

/// The struct literal of the target. A shared type is of another crate, which can add fields, so it is made from its default.
pub(super) fn literal(
    pair: &StructPair,
    target: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let (mut names, mut values): (Vec<Ident>, Vec<TokenStream>) =
        fields(pair, source, file).into_iter().unzip();
    if pair.to.is_shared() {
        return quote!({
            let mut converted = #target::default();
            #(converted.#names = #values;)*
            converted
        });
    }
    if pair.is_object {
        file.imports.library("k8s_versioned", "wire");
        for name in ["api_version", "kind"] {
            names.push(format_ident!("{name}"));
            values.push(quote!(wire::zero()));
        }
    }
    quote!(#target { #(#names: #values),* })
}

/// The name of the parameter for the source; `_` if no field of it is used.
pub(super) fn parameter(pair: &StructPair) -> TokenStream {
    if pair.uses_source() { quote!(source) } else { quote!(_) }
}

/// The fields of the target, and what their values are made of.
fn fields(
    pair: &StructPair,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Vec<(Ident, TokenStream)> {
    let mut fields = Vec::new();
    // A fill borrows another field, so it comes before the move of that field.
    for step in pair.steps.iter().sorted_by_key(|step| !borrows(step)) {
        if let (Mapping::Flatten(_, inner), Some(from)) = (&step.how, &step.from) {
            let flat = flat(from);
            fields.extend(self::fields(inner, &quote!(#flat), file));
        } else if let Some(to) = &step.to {
            let ident = format_ident!("{}", to.ident());
            let value = match (&step.how, variable_of(pair, to)) {
                (Mapping::ByPattern, Some(variable)) => quote!(#variable.#ident),
                _ => value(step, source, file),
            };
            fields.push((ident, value));
        }
    }
    fields
}

/// The variable that has a member of the target by patterns.
fn variable_of(pair: &StructPair, to: &FieldRef) -> Option<Ident> {
    let mut patterns = pair.patterns.iter().filter_map(|step| step.by_rule()?.pattern());
    let pattern = patterns.find(|pattern| pattern.fields(&pattern.versions.1).contains(to))?;
    Some(variable(pattern))
}

fn borrows(step: &Step) -> bool {
    step.by_rule().and_then(RuleStep::other).is_some()
}

fn value(step: &Step, source: &TokenStream, file: &mut SourceFile) -> TokenStream {
    let value = step.from.as_ref().map(|from| member(source, from)).unwrap_or_default();
    converted(step, &value, source, file)
}

/// The value of a target field, made from this value of the source.
pub(super) fn converted(
    step: &Step,
    value: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    match (&step.how, &step.from) {
        (Mapping::Moved | Mapping::ByPattern | Mapping::Key, _) => {
            file.imports.library("k8s_versioned", "wire");
            quote!(wire::zero())
        }
        (Mapping::Nest(by_rule, inner), _) => {
            let target = file.imports.versioned(&inner.to);
            let literal = literal(inner, &target, source, file);
            match by_rule {
                Some(_) if step.is_decided_last => quote!(Some(#literal)),
                Some(by_rule) => call(by_rule, step, &literal, source, file),
                None => literal,
            }
        }
        (Mapping::Part { rule: Some(by_rule), .. }, Some(from)) if by_rule.is_of_items() => {
            items(by_rule, (step, &from.rust_type), value, source, file)
        }
        (Mapping::Rule(by_rule) | Mapping::Part { rule: Some(by_rule), .. }, _) => {
            call(by_rule, step, value, source, file)
        }
        (Mapping::Items(by_rule), Some(from)) => {
            items(by_rule, (step, &from.rust_type), value, source, file)
        }
        (Mapping::Into(part), Some(from)) => {
            let function = equal_function((&part.from, &part.to), file);
            mapped(&from.rust_type, value, &function, file)
        }
        (Mapping::Recursive { from: source, to }, Some(from)) => {
            let function = equal_function((source, to), file);
            mapped(&from.rust_type, value, &function, file)
        }
        (Mapping::Part { pair, items, .. }, Some(from)) => {
            let function = function(pair);
            if pair.has_effect() {
                each(&from.rust_type, value, (&quote!(#function), items), file)
            } else {
                mapped(&from.rust_type, value, &quote!(#function), file)
            }
        }
        _ => value.clone(),
    }
}

/// The conversion of each item of a list or map.
fn items(
    by_rule: &RuleStep,
    (step, of): (&Step, &RustType),
    all: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let inner = call(by_rule, step, &quote!(value), source, file);
    runtime_step("items", file);
    let is_optional = of.is_option();
    let present = if is_optional { quote!(value) } else { all.clone() };
    let converted = match (of.present(), step.wrapped()) {
        (RustType::Map(_), _) => {
            quote!(items::by_name(#present, context, |value, context| #inner))
        }
        (_, None) => {
            quote!(items::by_position(#present, |_, _| (), context, |value, context| #inner))
        }
        // The value names the item, in both forms.
        (_, Some(field)) => {
            let field = format_ident!("{field}");
            let is_object = by_rule.effect == Effect::Keeps;
            let value = if is_object { quote!(&item.#field) } else { quote!(item) };
            let name = quote!(|item, name| name.add(#value));
            quote!(items::by_key(#present, #name, context, |value, context| #inner))
        }
    };
    if is_optional { quote!(#all.map(|value| #converted)) } else { converted }
}
