//! The statements that move fields between objects, and decide whether the objects around them are there.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::arguments::{argument, call};
use super::calls::{Argument, Call};
use super::field_access::{around, lend, lend_mut, put};
use super::names::{path_lists, places, runtime_step};
use super::struct_literal::converted;
use super::variables::{before, before_nested, moved};
use crate::conversion::{
    FieldRef, Filled, LeftOut, Mapping, MovedObject, Paths, RuleStep, Step, StructPair,
};
use crate::emit::file::SourceFile;
use crate::gather::Gather;

/// The statement that finds the state of an object of the source before fields move out of it.
pub(super) fn state(
    before: &Ident,
    step: &Step,
    source: &TokenStream,
    file: &mut SourceFile,
) -> Option<TokenStream> {
    let MovedObject { noted: (noted, _), filled: (filled, _), .. } =
        step.by_rule()?.moved_object()?;
    runtime_step("moved", file);
    let object = lend(source, step.from.as_ref()?);
    let filled_places = filled.iter().flat_map(|filled| &filled.fields);
    let all: Vec<Paths> =
        noted.iter().chain(filled_places.map(|(_, places)| places)).cloned().collect();
    let all = path_lists(&all);
    Some(match filled {
        None if noted.is_empty() => quote!(let #before = moved::Before::of(#object);),
        None => quote!(let #before = moved::Before::of_noted(#object, #all, context);),
        Some(Filled { values, .. }) => {
            let values = values.to_string();
            quote!(let #before = moved::Before::of_filled(#object, #values, #all, context);)
        }
    })
}

/// The statements that empty sub-objects out of which fields have moved: those inside the object that moves next, which takes them along,
/// or those inside no such object.
pub(super) fn emptied(
    pair: &StructPair,
    next: Option<usize>,
    source: &TokenStream,
) -> Vec<TokenStream> {
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
            statements.extend(left_out(pair, index, &object));
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

/// The statements about an empty object of the target that servers of one of the versions reject, and about the objects around it, which are
/// not empty if it is restored.
fn left_out(pair: &StructPair, index: usize, object: &TokenStream) -> Vec<TokenStream> {
    let moved = |step: &Step| step.by_rule()?.moved_object()?.left_out.clone();
    let objects = &pair.objects_around_moves;
    let Some((step, LeftOut { places: empty, limited, restores })) =
        objects.get(index).and_then(|step| Some((step, moved(step)?)))
    else {
        return Vec::new();
    };
    let (own, empty, limited) = (before(index), places(&empty), places(&limited));
    if !restores {
        return vec![quote!(let #own = #own.leave_out(#empty, #limited, #object, context);)];
    }
    let is_around = |other: &Step| {
        let (inner, outer) = (step.to.as_ref(), other.to.as_ref());
        inner.zip(outer).is_some_and(|(inner, outer)| inner.path.inside(&outer.path).is_some())
    };
    let around = objects.iter().enumerate().filter(|(_, other)| is_around(other));
    let around = around.map(|(other, _)| {
        let other = before(other);
        quote!(let #other = #other.around(#own);)
    });
    let own = quote!(let #own = #own.restore_left_out(#empty, #limited, #object, context););
    [own].into_iter().chain(around).collect()
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
            let values = values.to_string();
            quote!(let #before = #before.or_restored_beside(#values, #object, context);)
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
