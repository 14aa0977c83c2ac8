//! The functions that build requests.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::imports::Imports;
use super::types::{docs, file_of, module_ident, stem};
use crate::Options;
use crate::plan::{
    DeletionAnswer, DeletionOptions, Form, Function, ItemPath, Operation, Operations, Owner,
    field_ident, snake_case,
};

/// Emits a file of functions for each kind and each module that has any.
pub(super) fn emit(operations: &Operations, options: &Options, output: &mut Output) {
    let mut owners: BTreeMap<&Owner, Vec<&Operation>> = BTreeMap::new();
    for operation in &operations.operations {
        owners.entry(&operation.owner).or_default().push(operation);
    }
    // The root's are in the file of the entries.
    let root = Owner::Module(String::new());
    for (owner, operations) in owners.into_iter().filter(|(owner, _)| **owner != root) {
        let path = owner.file();
        let mut file = SourceFile::new(options, &path);
        emit_functions(owner, &operations, &mut file);
        output.add(&file_of(&path), file);
    }
}

/// Emits the functions of one owner.
pub(super) fn emit_functions(owner: &Owner, operations: &[&Operation], file: &mut SourceFile) {
    file.imports.library("k8s_versioned", "operation");
    let imports = &mut file.imports;
    let functions = operations
        .iter()
        .flat_map(|operation| functions(operation, imports));
    let functions: Vec<TokenStream> = functions.collect();
    match owner {
        Owner::Module(_) => functions
            .into_iter()
            .for_each(|function| file.item(function)),
        Owner::Type(path) => {
            let name = file.imports.name(path);
            file.item(quote!(impl #name { #(#functions)* }));
        }
    }
}

/// The functions of an operation.
fn functions(operation: &Operation, imports: &mut Imports) -> Vec<TokenStream> {
    let calls = calls(&operation.form, imports);
    let calls = calls.iter();
    calls.map(|call| build(operation, call, imports)).collect()
}

/// A function, the type of its answer, and what it sends.
struct Call<'a> {
    function: &'a Function,
    answer: TokenStream,
    body: Body,
}

impl<'a> Call<'a> {
    fn new(function: &'a Function, answer: TokenStream, body: Body) -> Self {
        Self {
            function,
            answer,
            body,
        }
    }
}

fn calls<'a>(form: &'a Form, imports: &mut Imports) -> Vec<Call<'a>> {
    match form {
        Form::Read { function, answer } => {
            vec![Call::new(function, imports.name(answer), Body::none())]
        }
        Form::Watch { function, item } => vec![watch(function, item, imports)],
        Form::List {
            list,
            watch: events,
            answer,
            item,
        } => {
            let list = Call::new(list, imports.name(answer), Body::none());
            vec![list, watch(events, item, imports)]
        }
        Form::Write {
            function,
            object,
            answer,
        } => {
            let body = Body::object(object, imports);
            vec![Call::new(function, imports.name(answer), body)]
        }
        Form::Patch {
            patch,
            apply,
            answer,
        } => patches(patch, apply.as_ref(), answer, imports),
        Form::Delete {
            function,
            options,
            answer,
        } => {
            let body = options.as_ref();
            let body = body.map_or_else(Body::none, |options| Body::options(options, imports));
            vec![Call::new(function, deletion(answer, imports), body)]
        }
    }
}

fn watch<'a>(function: &'a Function, item: &ItemPath, imports: &mut Imports) -> Call<'a> {
    let item = imports.name(item);
    Call::new(function, quote!(operation::Watch<#item>), Body::none())
}

fn patches<'a>(
    patch: &'a Function,
    apply: Option<&'a (Function, ItemPath)>,
    answer: &ItemPath,
    imports: &mut Imports,
) -> Vec<Call<'a>> {
    let answer = imports.name(answer);
    let mut calls = vec![Call::new(patch, answer.clone(), Body::patch())];
    calls.extend(
        apply.map(|(apply, object)| Call::new(apply, answer, Body::apply(object, imports))),
    );
    calls
}

/// The type of the answer to a deletion.
fn deletion(answer: &DeletionAnswer, imports: &mut Imports) -> TokenStream {
    match answer {
        DeletionAnswer::Object(object) => imports.name(object),
        DeletionAnswer::Either { object, status } => {
            let (object, status) = (imports.name(object), imports.name(status));
            quote!(operation::Deletion<#object, #status>)
        }
    }
}

/// What a function takes as the body, and the call that puts it into the request.
struct Body {
    argument: Option<TokenStream>,
    send: Option<TokenStream>,
}

impl Body {
    fn none() -> Self {
        Self {
            argument: None,
            send: None,
        }
    }

    fn object(object: &ItemPath, imports: &mut Imports) -> Self {
        let object = imports.name(object);
        Self {
            argument: Some(quote!(object: &#object)),
            send: Some(quote!(with_json(object))),
        }
    }

    fn patch() -> Self {
        Self {
            argument: Some(quote!(patch: &operation::Patch)),
            send: Some(quote!(with_patch(patch))),
        }
    }

    fn apply(object: &ItemPath, imports: &mut Imports) -> Self {
        let object = imports.name(object);
        Self {
            argument: Some(quote!(object: &#object)),
            send: Some(quote!(with_patch(&operation::Patch::apply(object)?))),
        }
    }

    fn options(options: &DeletionOptions, imports: &mut Imports) -> Self {
        let (path, ignored) = (imports.name(&options.path), &options.ignored);
        Self {
            argument: Some(quote!(options: Option<&#path>)),
            send: Some(quote!(with_options(options, &[#(#ignored),*]))),
        }
    }
}

fn build(operation: &Operation, call: &Call<'_>, imports: &mut Imports) -> TokenStream {
    let Call {
        function,
        answer,
        body,
    } = call;
    let (docs, name) = (docs(&function.docs), format_ident!("{}", function.name));
    let deprecated = function.deprecated.as_ref();
    let deprecated = deprecated.map(|note| quote!(#[deprecated(note = #note)]));
    let names = operation.names.iter().map(|name| argument(name));
    let mut arguments: Vec<TokenStream> = names.map(|name| quote!(#name: &str)).collect();
    arguments.extend(body.argument.clone());
    let parameters = operation.parameters.as_ref().map(|path| imports.name(path));
    arguments.extend(parameters.map(|path| quote!(parameters: &#path)));
    let request = request(operation, body.send.as_ref());
    quote! {
        #docs
        #deprecated
        pub fn #name(
            #(#arguments),*
        ) -> Result<operation::Request<#answer>, operation::RequestError> {
            #request
        }
    }
}

/// The body of a function.
fn request(operation: &Operation, send: Option<&TokenStream>) -> TokenStream {
    let method = format_ident!("{}", operation.method.name());
    let (path, placeholders) = (&operation.path, &operation.names);
    let names = placeholders.iter().map(|name| argument(name));
    let parameters = operation.parameters.as_ref();
    let parameters = parameters.map_or_else(|| quote!(&()), |_| quote!(parameters));
    let request = quote! {
        operation::Request::new(
            operation::Method::#method,
            #path,
            &[#((#placeholders, #names)),*],
            #parameters,
        )
    };
    match send {
        None => request,
        Some(send) => quote! {
            let request = #request?;
            request.#send
        },
    }
}

/// The argument for a name in the path.
fn argument(name: &str) -> proc_macro2::Ident {
    format_ident!("{}", field_ident(name).unwrap_or_else(|| snake_case(name)))
}

/// What the file of a module says of its operations and apply types: the modules, then what they export.
pub(super) fn exports(operations: &Operations, module: &str) -> [TokenStream; 2] {
    let (mut modules, mut uses) = (TokenStream::new(), TokenStream::new());
    if module.is_empty() {
        modules.extend(quote!(
            mod operations;
        ));
        uses.extend(quote!(
            pub use operations::OPERATIONS;
        ));
    }
    let apply = operations.apply.iter().map(|planned| &planned.path);
    for path in apply.filter(|path| path.module == module) {
        let (stem, name) = (file_ident(path), format_ident!("{}", path.name));
        modules.extend(quote!(mod #stem;));
        uses.extend(quote!(pub use #stem::#name;));
    }
    let owners: BTreeSet<&Owner> = operations.operations.iter().map(|it| &it.owner).collect();
    for owner in owners {
        let path = owner.file();
        if path.module != module {
            continue;
        }
        let stem = file_ident(&path);
        if !module.is_empty() {
            modules.extend(quote!(mod #stem;));
        }
        if let Owner::Module(_) = owner {
            let owned = operations
                .operations
                .iter()
                .filter(|operation| operation.owner == *owner);
            let names = owned.flat_map(|operation| operation.form.functions());
            let names = names.map(|function| format_ident!("{}", function.name));
            uses.extend(quote!(pub use #stem::{#(#names),*};));
        }
    }
    [modules, uses]
}

fn file_ident(path: &ItemPath) -> proc_macro2::Ident {
    format_ident!("{}", module_ident(&stem(&path.name)))
}
