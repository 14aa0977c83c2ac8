//! The operations in one list, for programs that choose at run time.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::types::path_tokens;
use super::{operations, registry};
use crate::Options;
use crate::model::Releases;
use crate::plan::{Form, Function, Operation, Operations, Owner};

/// Emits `operations.rs`, with the functions of the root.
pub(super) fn emit(planned: &Operations, options: &Options, output: &mut Output) {
    let root = Owner::Module(String::new());
    let mut file = SourceFile::new(options, &root.file());
    file.docs("All operations, and the discovery of the group.");
    for name in ["AnyRequest", "OperationEntry"] {
        file.imports.library("k8s_versioned::operation", name);
    }
    file.imports.library("k8s_versioned", "operation");
    file.imports.library("k8s_versioned", "Release");
    let own = planned
        .operations
        .iter()
        .filter(|operation| operation.owner == root);
    let own: Vec<&Operation> = own.collect();
    operations::emit_functions(&root, &own, &mut file);
    let entries: Vec<TokenStream> = planned
        .operations
        .iter()
        .map(|operation| entry(operation, options, &mut file))
        .collect();
    file.item(quote! {
        /// All operations, for programs that choose among them at run time.
        #[allow(deprecated)]
        pub const OPERATIONS: &[OperationEntry] = &[#(#entries),*];
    });
    let sets: BTreeSet<&Releases> = planned.operations.iter().map(|it| &it.releases).collect();
    for set in sets {
        file.item(registry::set_constant(set));
    }
    output.add("operations.rs", file);
}

fn entry(operation: &Operation, options: &Options, file: &mut SourceFile) -> TokenStream {
    let Operation {
        id,
        path,
        responses,
        ..
    } = operation;
    let method = format_ident!("{}", operation.method.name());
    let releases = registry::set_name(&operation.releases);
    let responses = responses
        .iter()
        .map(|code| proc_macro2::Literal::u16_unsuffixed(*code));
    let parameters = operation
        .parameters
        .as_ref()
        .map(|path| file.imports.name(path));
    let names = parameters.as_ref().map_or_else(
        || quote!(&[]),
        |parameters| quote!(<#parameters as operation::Parameters>::NAMES),
    );
    let build = calls(operation, options, file);
    quote! {
        OperationEntry {
            id: #id,
            method: operation::Method::#method,
            path: #path,
            parameters: #names,
            responses: &[#(#responses),*],
            releases: #releases,
            build: |input| { #build },
        }
    }
}

/// The call of the function that the input asks for.
fn calls(operation: &Operation, options: &Options, file: &mut SourceFile) -> TokenStream {
    let owner = owner(&operation.owner, options, file);
    let call =
        |function: &Function, body: Option<TokenStream>| call(operation, function, &owner, body);
    let call = match &operation.form {
        Form::Read { function, .. } | Form::Watch { function, .. } => call(function, None),
        Form::Write { function, .. } => call(function, Some(quote!(&input.body()?))),
        Form::Delete {
            function, options, ..
        } => {
            let body = options
                .as_ref()
                .map(|_| quote!(input.optional_body()?.as_ref()));
            call(function, body)
        }
        Form::List { list, watch, .. } => {
            let (list, watch) = (call(list, None), call(watch, None));
            quote!(if input.watches() { #watch } else { #list })
        }
        Form::Patch { patch, apply, .. } => {
            let patch = call(patch, Some(quote!(&input.patch()?)));
            match apply {
                None => patch,
                Some((apply, _)) => {
                    let apply = call(apply, Some(quote!(&object)));
                    quote!(match input.apply()? { Some(object) => #apply, None => #patch })
                }
            }
        }
    };
    if operation.parameters.is_some() {
        call
    } else {
        quote!(input.parameters::<()>()?; #call)
    }
}

fn call(
    operation: &Operation,
    function: &Function,
    owner: &TokenStream,
    body: Option<TokenStream>,
) -> TokenStream {
    let function = format_ident!("{}", function.name);
    let names = operation.names.iter();
    let mut arguments: Vec<TokenStream> = names.map(|name| quote!(input.name(#name))).collect();
    arguments.extend(body);
    let parameters = operation.parameters.as_ref();
    arguments.extend(parameters.map(|_| quote!(&input.parameters()?)));
    quote!(AnyRequest::of(#owner #function(#(#arguments),*)))
}

/// What stands before the name of a function. Types are named with their modules: several versions have a kind.
fn owner(owner: &Owner, options: &Options, file: &mut SourceFile) -> TokenStream {
    let path = match owner {
        Owner::Type(path) => format!("{}::{}", path.module, path.name),
        Owner::Module(module) if module.is_empty() => return TokenStream::new(),
        Owner::Module(module) => module.clone(),
    };
    let folder = path.split("::").next().unwrap_or_default();
    file.imports.library(&options.root, folder);
    let path = path_tokens(&path);
    quote!(#path::)
}
