//! The bodies of conversions: struct literals, field by field.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::runtime_step;
use crate::conversion::{FieldRef, How, Step, StructPair};
use crate::emit::file::SourceFile;
use crate::plan::RustType;

/// How a body gets at what it needs.
pub(super) struct Scope {
    /// The value to convert.
    pub(super) source: TokenStream,
    /// Before `aside` and `kept`: `&mut` where the body owns them.
    pub(super) borrow: TokenStream,
}

/// What a function for a part needs besides the part.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    pub(super) policies: bool,
    pub(super) aside: bool,
    pub(super) kept: bool,
}

impl Needs {
    pub(super) fn of(pair: &StructPair) -> Self {
        Self {
            policies: pair.has_policy(),
            aside: pair.can_keep(),
            kept: pair.can_restore(),
        }
    }

    /// Whether there can be something to tell.
    fn report(self) -> bool {
        self.policies || self.kept
    }

    /// Of something for policies, aside, kept and report in this order, what is needed.
    pub(super) fn select(self, all: [TokenStream; 4]) -> Vec<TokenStream> {
        let needed = [self.policies, self.aside, self.kept, self.report()];
        let all = all.into_iter().zip(needed);
        all.filter(|(_, needed)| *needed)
            .map(|(part, _)| part)
            .collect()
    }
}

/// The name of the function for a part.
pub(super) fn function(field: &FieldRef) -> Ident {
    format_ident!("convert_{}", field.joined())
}

/// Statements that keep what has no counterpart.
pub(super) fn keep_statements(
    pair: &StructPair,
    scope: &Scope,
    file: &mut SourceFile,
) -> Vec<TokenStream> {
    let keep = |step: &Step| match (&step.how, &step.from) {
        (How::KeepAside, Some(from)) => {
            let (path, ident) = (&from.path, format_ident!("{}", from.ident()));
            let Scope { source, borrow } = scope;
            Some(quote!(only_here::keep(#path, &#source.#ident, #borrow aside);))
        }
        _ => None,
    };
    let statements: Vec<TokenStream> = pair.steps.iter().filter_map(keep).collect();
    if !statements.is_empty() {
        runtime_step("only_here", file);
    }
    statements
}

/// The target, made of the source.
pub(super) fn literal(
    pair: &StructPair,
    target: &TokenStream,
    scope: &Scope,
    file: &mut SourceFile,
) -> TokenStream {
    let mut steps: Vec<&Step> = pair.steps.iter().filter(|step| step.to.is_some()).collect();
    // A fill looks at another field, so it comes before that is moved.
    steps.sort_by_key(|step| !matches!(step.how, How::AbsentToZero { other: Some(_), .. }));
    let fields = steps.into_iter().filter_map(|step| {
        let ident = format_ident!("{}", step.to.as_ref()?.ident());
        let value = value(step, scope, file)?;
        Some(quote!(#ident: #value))
    });
    let mut fields: Vec<TokenStream> = fields.collect();
    if pair.is_object {
        file.imports.library("k8s_versioned", "wire");
        fields.push(quote!(..wire::zero()));
    }
    quote!(#target { #(#fields),* })
}

fn value(step: &Step, scope: &Scope, file: &mut SourceFile) -> Option<TokenStream> {
    let Scope { source, borrow } = scope;
    let target = &step.to.as_ref()?.path;
    if let How::TakeBack = step.how {
        runtime_step("only_here", file);
        return Some(quote!(only_here::restore(#target, #borrow kept, report)));
    }
    let from = step.from.as_ref()?;
    let (path, ident) = (&from.path, format_ident!("{}", from.ident()));
    let field = quote!(#source.#ident);
    Some(match &step.how {
        How::Move | How::KeepAside | How::TakeBack => field,
        How::Into(_) | How::Recursive { .. } => into(&from.rust_type, &field),
        How::Part(part) => part_value(from, part, &field, borrow),
        How::FirstOfList => {
            runtime_step("first_of_list", file);
            quote!(first_of_list::first(#path, #field, #borrow aside))
        }
        How::ListOfFirst => {
            runtime_step("first_of_list", file);
            quote!(first_of_list::list(#target, #field, #borrow kept, report))
        }
        How::AbsentToZero { policy, other } => {
            runtime_step("absent_to_zero", file);
            let policy = format_ident!("{policy}");
            let other = other_value(other.as_ref(), source);
            quote!(absent_to_zero::fill(#path, #field, &policies.#policy, #other, #borrow aside, report))
        }
        How::ZeroToAbsent => {
            runtime_step("absent_to_zero", file);
            quote!(absent_to_zero::restore(#target, #field, #borrow kept, report))
        }
    })
}

/// A call of the function for a part.
fn part_value(
    from: &FieldRef,
    part: &StructPair,
    field: &TokenStream,
    borrow: &TokenStream,
) -> TokenStream {
    let function = function(from);
    let arguments = Needs::of(part).select([
        quote!(policies),
        quote!(#borrow aside),
        quote!(#borrow kept),
        quote!(report),
    ]);
    quote!(#function(#field, #(#arguments),*))
}

fn other_value(other: Option<&FieldRef>, source: &TokenStream) -> TokenStream {
    let Some(other) = other else {
        return quote!(None);
    };
    let ident = format_ident!("{}", other.ident());
    if matches!(other.rust_type, RustType::Option(_)) {
        quote!(#source.#ident.as_ref())
    } else {
        quote!(Some(&#source.#ident))
    }
}

/// A value of a type with equal fields, through lists, maps and options.
fn into(rust_type: &RustType, value: &TokenStream) -> TokenStream {
    let inner = |inner: &RustType| match inner {
        RustType::Struct(_) => quote!(Into::into),
        nested => {
            let value = into(nested, &quote!(value));
            quote!(|value| #value)
        }
    };
    match rust_type {
        RustType::Option(item) => {
            let inner = inner(item);
            quote!(#value.map(#inner))
        }
        RustType::List(item) => {
            let inner = inner(item);
            quote!(#value.into_iter().map(#inner).collect())
        }
        RustType::Map(item) => {
            let inner = into(item, &quote!(value));
            quote!(#value.into_iter().map(|(key, value)| (key, #inner)).collect())
        }
        _ => quote!(#value.into()),
    }
}
