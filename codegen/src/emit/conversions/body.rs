//! The bodies of conversions: struct literals, field by field.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::calls::{Argument, Call, Lent};
use super::names::{equal_function, pair_module, places, runtime_step};
use super::patterns::constant;
use crate::conversion::{
    Action, Effect, FieldRef, Filled, ItemNames, KeptForm, Mapping, MovedObject, Naming,
    ObjectField, Paths, Pattern, RuleStep, Step, StructPair,
};
use crate::emit::file::SourceFile;
use crate::gather::Gather;
use crate::plan::{RustType, Wrapper};

/// The name of the function for an object or a part of one.
pub(super) fn function(of: &StructPair) -> Ident {
    format_ident!("{}", of.function)
}

/// The statements before the struct literal: they move fields between parts, keep the fields without a counterpart, and
/// take sub-objects apart.
pub(super) fn statements(
    pair: &StructPair,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let mut statements: Vec<TokenStream> = Vec::new();
    for (index, step) in pair.objects_around_moves.iter().enumerate() {
        statements.extend(state(&before(index), step, source, file));
    }
    for (index, from) in
        (0..).zip(pair.emptied_by_moves.iter().filter_map(|step| step.from.as_ref()))
    {
        runtime_step("moved", file);
        let (before, object) = (before_nested(index), lend(source, from));
        statements.push(quote!(let #before = moved::Before::of(#object);));
    }
    for (index, from) in (0..).zip(pair.moves.iter().filter_map(|step| step.from.as_ref())) {
        file.imports.library("k8s_versioned", "wire");
        statements.extend(emptied(pair, Some(index), source));
        let notes = pair.moves.get(index).and_then(Step::notes_of_source);
        let (moved, value) = (moved(index), take(source, from, notes));
        statements.push(quote!(let #moved = #value;));
    }
    statements.extend(emptied(pair, None, source));
    for step in &pair.patterns {
        statements.extend(by_pattern(step, source, file));
    }
    for step in &pair.steps {
        match (&step.how, &step.from) {
            (Mapping::Rule(by_rule), Some(from)) if step.to.is_none() => {
                let call = call(by_rule, step, &member(source, from), source, file);
                statements.push(quote!(#call;));
            }
            (Mapping::Nest(_, inner), _) => {
                statements.extend(self::statements(inner, source, file));
            }
            (Mapping::Flatten(by_rule, inner), Some(from)) => {
                statements.extend(flattened(step, (by_rule.as_ref(), inner), from, source, file));
            }
            _ => {}
        }
    }
    statements
}

/// The statement that finds the state of an object of the source before fields move out of it.
fn state(
    before: &Ident,
    step: &Step,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Option<TokenStream> {
    let Action::Move(MovedObject { noted: (noted, _), filled: (filled, _), .. }) =
        &step.by_rule()?.action
    else {
        return None;
    };
    runtime_step("moved", file);
    let object = lend(source, step.from.as_ref()?);
    let filled_places = filled.iter().flat_map(|filled| &filled.fields);
    let all: Vec<Paths> =
        noted.iter().chain(filled_places.map(|(_, places)| places)).cloned().collect();
    let notes = path_lists(&all);
    Some(match filled {
        None if noted.is_empty() => quote!(let #before = moved::Before::of(#object);),
        None => quote!(let #before = moved::Before::of_noted(#object, #notes, context);),
        Some(Filled { values, .. }) => {
            quote!(let #before = moved::Before::of_filled(#object, #values, #notes, context);)
        }
    })
}

/// The statements that empty sub-objects out of which fields have moved: those inside the object that moves next, which takes them along,
/// or those inside no such object.
fn emptied(pair: &StructPair, next: Option<usize>, source: &TokenStream) -> Vec<TokenStream> {
    let is_around = |step: &Step, object: &FieldRef| {
        let from = step.from.as_ref();
        from.is_some_and(|from| object.path.inside(&from.path).is_some())
    };
    let objects = pair.emptied_by_moves.iter().enumerate();
    let objects = objects.filter_map(|(index, step)| Some((index, step, step.from.as_ref()?)));
    let objects = objects.filter(|(_, _, object)| {
        pair.moves.iter().position(|step| is_around(step, object)) == next
    });
    let statements = objects.map(|(index, step, from)| {
        let (before, object) = (before_nested(index), lend_mut(source, from));
        let places = places(&step.places);
        quote!(#before.empty(#places, #object, context);)
    });
    statements.collect()
}

/// The statements that take a sub-object apart. Its required fields are kept if it is there.
fn flattened(
    step: &Step,
    (by_rule, inner): (Option<&RuleStep>, &StructPair),
    from: &FieldRef,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let (value, flat) = (member(source, from), flat(from));
    let Some(by_rule) = by_rule else {
        let mut all = vec![quote!(let #flat = #value;)];
        all.extend(statements(inner, &quote!(#flat), file));
        return all;
    };
    let is_required =
        |step: &&Step| step.to.is_none() && step.from.as_ref().is_some_and(|from| from.required);
    let (required, others): (Vec<&Step>, Vec<&Step>) = inner.steps.iter().partition(is_required);
    let part = |steps: Vec<&Step>| StructPair {
        steps: steps.into_iter().cloned().collect(),
        ..inner.clone()
    };
    let flattened = call(by_rule, step, &value, source, file);
    let others = statements(&part(others), &quote!(#flat), file);
    let is_used = inner.uses_source();
    let flattened = if is_used { quote!(let #flat = #flattened;) } else { quote!(#flattened;) };
    if required.is_empty() {
        return [flattened].into_iter().chain(others).collect();
    }
    let is_there = format_ident!("has_{}", from.joined());
    let required = StructPair {
        patterns: Vec::new(),
        moves: Vec::new(),
        objects_around_moves: Vec::new(),
        emptied_by_moves: Vec::new(),
        ..part(required)
    };
    let required = statements(&required, &quote!(#flat), file);
    let first = [quote!(let #is_there = #value.is_some();), flattened];
    let last = quote!(if #is_there { #(#required)* });
    first.into_iter().chain(others).chain([last]).collect()
}

/// The statement that makes members of the target by patterns.
fn by_pattern(step: &Step, source: &TokenStream, file: &mut SourceFile) -> Option<TokenStream> {
    let (Mapping::Rule(by_rule), Action::Pattern(pattern)) = (&step.how, &step.by_rule()?.action)
    else {
        return None;
    };
    let call = call(by_rule, step, &TokenStream::new(), source, file);
    file.imports.library("super", &constant(pattern));
    let of = file.imports.versioned(&pattern.objects.1);
    let name = if pattern.fields(&pattern.versions.1).is_empty() {
        quote!(_)
    } else {
        variable(pattern).into_token_stream()
    };
    Some(quote!(let #name: #of = #call;))
}

/// The statements after the struct literal `converted`: they put the moved fields into it.
pub(super) fn moves(
    pair: &StructPair,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let mut statements = Vec::new();
    let in_moved = |object: &FieldRef| pair.moves.iter().position(|step| is_at(step, object));
    statements.extend(restored(pair, &|object| in_moved(object).is_none(), file));
    // An object moves before the fields in it.
    let depth = |step: &Step| step.to.as_ref().map(|to| to.idents.len());
    for (index, step) in pair.moves.iter().enumerate().sorted_by_key(|(_, step)| depth(step)) {
        if let Some(to) = &step.to {
            let moved = moved(index).into_token_stream();
            let mut value = converted(step, &moved, source, file);
            if let Mapping::Rule(_) = step.how {
                // A rule can restore a value where none moves.
                statements.push(quote!(let #moved = #value;));
                value = moved.clone();
            }
            statements.push(put(to, &moved, &value, step.notes_of_target()));
            statements.extend(restored(pair, &|object| in_moved(object) == Some(index), file));
        }
    }
    for (index, step) in pair.objects_around_moves.iter().enumerate() {
        if let (Mapping::Rule(by_rule), Some(to)) = (&step.how, &step.to) {
            let before = before(index);
            let object = lend_mut(&quote!(converted), to);
            let call = Call::of(by_rule);
            let arguments = call.arguments.iter().map(|argument| match argument {
                Argument::Context => quote!(#object, context),
                other => self::argument(other, step, &object, source, file),
            });
            let settle = format_ident!("{}", call.function);
            statements.push(quote!(#before.#settle(#(#arguments),*);));
        }
    }
    statements
        .extend(pair.nested_around_moves.iter().filter_map(|step| nested(step, source, file)));
    statements
}

/// The statements that note which of these objects of the target have a restored value, before fields move into them.
fn restored(
    pair: &StructPair,
    is_one: &dyn Fn(&FieldRef) -> bool,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let around = pair.objects_around_moves.iter();
    let objects = (0..).zip(around.filter_map(|step| Some((step, step.to.as_ref()?))));
    let restored = objects.filter(|(_, (_, to))| is_one(to)).map(|(index, (step, to))| {
        runtime_step("moved", file);
        let (before, object) = (before(index), lend(&quote!(converted), to));
        if let Some(Filled { values, .. }) = step.by_rule().and_then(RuleStep::filled) {
            quote!(let #before = #before.or_restored_beside(#values, #object);)
        } else {
            quote!(let #before = #before.or_restored(#object);)
        }
    });
    restored.collect()
}

/// Whether a step moves an object, or one around it.
fn is_at(step: &Step, object: &FieldRef) -> bool {
    step.to
        .as_ref()
        .is_some_and(|to| to.path == object.path || object.path.inside(&to.path).is_some())
}

/// The statement that decides whether a sub-object of `nest` is there.
fn nested(step: &Step, source: &TokenStream, file: &mut SourceFile) -> Option<TokenStream> {
    let (Mapping::Rule(by_rule), Some(to)) = (&step.how, &step.to) else {
        return None;
    };
    file.imports.library("k8s_versioned", "wire");
    let decided = |object: &TokenStream, file: &mut SourceFile| {
        let fields = quote!(#object.take().unwrap_or_else(wire::zero));
        let decided = call(by_rule, step, &fields, source, file);
        quote!(#object = #decided;)
    };
    Some(match around(&quote!(converted), to, &quote!(as_mut)) {
        (None, path) => decided(&quote!(converted.#path), file),
        (Some(around), path) => {
            let decided = decided(&quote!(object.#path), file);
            quote!(if let Some(object) = #around { #decided })
        }
    })
}

/// The path to a field, cut after each optional object.
fn cut(field: &FieldRef) -> Vec<Vec<Ident>> {
    let mut parts = vec![Vec::new()];
    let mut names = field.idents.iter().zip(&field.options).peekable();
    while let Some((ident, is_optional)) = names.next() {
        parts.last_mut().into_iter().for_each(|part| part.push(format_ident!("{ident}")));
        if *is_optional && names.peek().is_some() {
            parts.push(Vec::new());
        }
    }
    parts
}

/// The struct that has the field, in an `Option` if an object around it is optional, and the rest of the path.
fn around(
    root: &TokenStream,
    field: &FieldRef,
    method: &TokenStream,
) -> (Option<TokenStream>, TokenStream) {
    let parts = cut(field);
    let Some((last, outer)) = parts.split_last() else {
        return (None, TokenStream::new());
    };
    let lent = outer.iter().fold(None, |around: Option<TokenStream>, part| {
        Some(match around {
            None => quote!(#root.#(#part).*.#method()),
            Some(around) => quote!(#around.and_then(|object| object.#(#part).*.#method())),
        })
    });
    (lent, quote!(#(#last).*))
}

/// Takes a field out of the source. Its step looks for a note among `notes` if it has to know that an object around the field is absent.
fn take(source: &TokenStream, field: &FieldRef, notes: Option<&Paths>) -> TokenStream {
    let (around, path) = match around(source, field, &quote!(as_mut)) {
        (None, path) => return quote!(std::mem::replace(&mut #source.#path, wire::zero())),
        (Some(around), path) => (around, path),
    };
    let absent = match notes.map(|notes| places(notes)) {
        None => quote!(wire::zero),
        Some(notes) => quote!(|| { context.note_absent(&[#notes]); wire::zero() }),
    };
    quote!(#around.map_or_else(#absent, |object| std::mem::replace(&mut object.#path, wire::zero())))
}

/// Puts the value of a field into the target. Objects around it are made, unless it is zero: with `notes`, unless its step has noted
/// that it is made up or filled.
fn put(
    field: &FieldRef,
    moved: &TokenStream,
    value: &TokenStream,
    notes: Option<&Paths>,
) -> TokenStream {
    let parts = cut(field);
    let mut parts = parts.iter().map(|part| quote!(#(#part).*));
    let first = parts.next().unwrap_or_default();
    let made =
        parts.fold(first, |around, part| quote!(#around.get_or_insert_with(wire::zero).#part));
    if cut(field).len() == 1 {
        return quote!(converted.#made = #value;);
    }
    let Some(notes) = notes.map(|notes| places(notes)) else {
        return quote! {
            if !wire::is_zero(&#moved) {
                converted.#made = #value;
            }
        };
    };
    let (Some(object), path) = around(&quote!(converted), field, &quote!(as_mut)) else {
        return TokenStream::new();
    };
    quote! {
        if !context.makes_up_all(&[#notes]) {
            converted.#made = #value;
        } else if let Some(object) = #object {
            object.#path = #value;
        } else {
            context.forget_filled(&[#notes]);
        }
    }
}

/// An optional object, borrowed.
fn lend(root: &TokenStream, object: &FieldRef) -> TokenStream {
    match around(root, object, &quote!(as_ref)) {
        (None, path) => quote!(#root.#path.as_ref()),
        (Some(around), path) => quote!(#around.and_then(|object| object.#path.as_ref())),
    }
}

/// An optional object, borrowed as mutable: in an `Option`, in which it is absent if an object around it is.
fn lend_mut(root: &TokenStream, object: &FieldRef) -> TokenStream {
    match around(root, object, &quote!(as_mut)) {
        (None, path) => quote!(Some(&mut #root.#path)),
        (Some(around), path) => quote!(#around.map(|object| &mut object.#path)),
    }
}

/// The name of the state of an object before its fields move.
fn before(index: usize) -> Ident {
    format_ident!("before_{index}")
}

/// The name of the state of a sub-object of `nest` before its fields move.
fn before_nested(index: usize) -> Ident {
    format_ident!("before_nested_{index}")
}

/// The name of a value that moves. The names of fields in different parts can look alike: `bell.ropeEnd` and `bellRope.end`.
fn moved(index: usize) -> Ident {
    format_ident!("moved_{index}")
}

/// The name of a sub-object whose fields become fields of the target: a name of its own, as the field can be called `source`.
fn flat(from: &FieldRef) -> Ident {
    format_ident!("flat_{}", from.joined())
}

fn member(source: &TokenStream, field: &FieldRef) -> TokenStream {
    let ident = format_ident!("{}", field.ident());
    quote!(#source.#ident)
}

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

/// The variable of the members that patterns make.
fn variable(pattern: &Pattern) -> Ident {
    format_ident!("by_pattern_{}", pattern.name)
}

/// The variable that has a member of the target by patterns.
fn variable_of(pair: &StructPair, to: &FieldRef) -> Option<Ident> {
    pair.patterns.iter().find_map(|step| match &step.by_rule()?.action {
        Action::Pattern(pattern) if pattern.fields(&pattern.versions.1).contains(to) => {
            Some(variable(pattern))
        }
        _ => None,
    })
}

fn borrows(step: &Step) -> bool {
    step.by_rule().and_then(RuleStep::other).is_some()
}

fn value(step: &Step, source: &TokenStream, file: &mut SourceFile) -> TokenStream {
    let value = step.from.as_ref().map(|from| member(source, from)).unwrap_or_default();
    converted(step, &value, source, file)
}

/// The value of a target field, made from this value of the source.
fn converted(
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

/// The call of a step's function.
fn call(
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
    let call = function_call(&Call::of(by_rule), step, &inner, source, file);
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

/// The paths of several fields.
fn path_lists(lists: &[Paths]) -> TokenStream {
    let lists = lists.iter().map(|paths| places(paths));
    quote!(&[#(#lists),*])
}

/// An argument of a step's function.
fn argument(
    argument: &Argument<'_>,
    step: &Step,
    value: &TokenStream,
    source: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    match argument {
        Argument::Places => places(&step.places),
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
        Argument::Members(fields, of) => {
            let member = |field: &FieldRef| {
                let value = member(source, field);
                if field.required {
                    quote!(pattern::required(&#value))
                } else {
                    quote!(pattern::optional(&#value))
                }
            };
            let (members, of) = (fields.iter().map(member), file.imports.versioned(of));
            quote!((&[#(#members),*], pattern::decoded::<#of>))
        }
        Argument::Types(types) => {
            let [from, to] = types.each_ref().map(|path| file.imports.versioned(path));
            file.imports.library("std::marker", "PhantomData");
            quote!(PhantomData::<(#from, #to)>)
        }
        Argument::Context => quote!(context),
    }
}

/// The function from an object to its field.
fn to_field(field: &ObjectField, file: &mut SourceFile) -> TokenStream {
    let (of, ident) =
        (file.imports.versioned(&field.object_type), format_ident!("{}", field.ident));
    quote!(|object: &mut #of| &mut object.#ident)
}

/// A value in the form in which it is kept, or from it. The file of that pair of versions has the function.
fn in_kept_form(
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

/// The function that converts the other items of a list into the form that is kept, or from it.
fn rest(step: &Step, file: &mut SourceFile) -> TokenStream {
    let Some(form) = &step.kept_form else {
        runtime_step("first_of_list", file);
        return quote!(first_of_list::rest);
    };
    let converted = in_kept_form(form, step, &quote!(rest), file);
    quote!(|rest, context| #converted)
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
    let rust_type = match from.rust_type.present() {
        RustType::List(item) | RustType::Map(item) if is_item => item,
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

fn other_value(other: Option<&FieldRef>, source: &TokenStream) -> TokenStream {
    let Some(other) = other else {
        return quote!(None);
    };
    let value = member(source, other);
    if other.rust_type.is_option() { quote!(#value.as_ref()) } else { quote!(Some(&#value)) }
}

/// A value whose innermost values go through a function that keeps or restores values, inside lists, maps and options.
fn each(
    rust_type: &RustType,
    value: &TokenStream,
    (function, names): (&TokenStream, &ItemNames),
    file: &mut SourceFile,
) -> TokenStream {
    let inner = |inner: &RustType, file: &mut SourceFile| {
        each(inner, &quote!(value), (function, names), file)
    };
    match rust_type {
        RustType::Option(item) => {
            let inner = inner(item, file);
            quote!(#value.map(|value| #inner))
        }
        RustType::List(item) => {
            runtime_step("items", file);
            let convert = convert(&inner(item, file), item, function);
            let by = match names.by {
                Naming::Keys => quote!(by_key),
                Naming::Position => quote!(by_position),
                Naming::First => quote!(by_first),
                Naming::AfterFirst => quote!(after_first),
                Naming::Occurrence => quote!(by_occurrence),
                Naming::AfterOccurrence => quote!(after_occurrence),
            };
            let add: Vec<TokenStream> = names.fields.iter().map(add_to_name).collect();
            let name = match (add.as_slice(), &**item) {
                ([only], RustType::Struct(_)) => quote!(|item, name| #only),
                ([_, ..], RustType::Struct(_)) => quote!(|item, name| { #(#add;)* }),
                _ => quote!(|_, _| ()),
            };
            quote!(items::#by(#value, #name, context, #convert))
        }
        RustType::Map(item) => {
            runtime_step("items", file);
            let convert = convert(&inner(item, file), item, function);
            quote!(items::by_name(#value, context, #convert))
        }
        _ if names.by == Naming::First => {
            runtime_step("items", file);
            quote!(items::first(#value, context, #function))
        }
        _ => quote!(#function(#value, context)),
    }
}

/// Adds a field of an item to the name of the item.
fn add_to_name(field: &FieldRef) -> TokenStream {
    let ident = format_ident!("{}", field.ident());
    if let Some(default) = &field.default {
        quote!(name.add_or(&item.#ident, #default))
    } else if field.rust_type == RustType::String {
        quote!(name.add_text(&item.#ident))
    } else {
        quote!(name.add(&item.#ident))
    }
}

/// The conversion of an item: only the name of a function where that is possible.
fn convert(inner: &TokenStream, item: &RustType, function: &TokenStream) -> TokenStream {
    if let RustType::Struct(_) = item { quote!(#function) } else { quote!(|value, context| #inner) }
}

/// A value whose innermost values go through a function, inside lists, maps and options.
fn mapped(
    rust_type: &RustType,
    value: &TokenStream,
    function: &TokenStream,
    file: &mut SourceFile,
) -> TokenStream {
    let inner = |inner: &RustType, file: &mut SourceFile| match inner {
        RustType::Struct(_) => quote!(#function),
        nested => {
            let value = mapped(nested, &quote!(value), function, file);
            quote!(|value| #value)
        }
    };
    match rust_type {
        RustType::Option(item) => {
            let inner = inner(item, file);
            quote!(#value.map(#inner))
        }
        RustType::List(item) => {
            runtime_step("items", file);
            let inner = inner(item, file);
            quote!(items::of_list(#value, #inner))
        }
        RustType::Map(item) => {
            runtime_step("items", file);
            let inner = inner(item, file);
            quote!(items::of_map(#value, #inner))
        }
        RustType::Wrapped(Wrapper::Box, _) => quote!(Box::new(#function(*#value))),
        RustType::Wrapped(Wrapper::Embedded, _) => quote! {
            k8s_versioned::Embedded { object: #function(#value.object), typed: #value.typed }
        },
        RustType::Wrapped(Wrapper::BoxEmbedded, _) => quote! {
            Box::new(k8s_versioned::Embedded { object: #function(#value.object), typed: #value.typed })
        },
        _ => quote!(#function(#value)),
    }
}
