//! Implementations of `Kind`, `Resource` and the other traits of `k8s-versioned`.

use k8s_versioned_core::Lifecycle;
use k8s_versioned_core::verb::Verb;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::{Output, SourceFile};
use super::format::WORDS;
use super::imports::Imports;
use super::modules::cfg;
use crate::input::Feature;
use crate::input::crd::{self, PackageDefinition};
use crate::model::Scope;
use crate::plan::{Field, ItemPath, Object, ObjectRole, Package, Plan, RustType, Served, Struct};
use crate::spec::GroupVersionKind;
use crate::text::{capital, json_file};

/// Emits `Kind` for an object, and the traits of a resource if it is one.
pub(super) fn emit(planned: &Struct, plan: &Plan, file: &mut SourceFile) {
    let Some(object) = &planned.object else {
        return;
    };
    let name = format_ident!("{}", planned.path.name);
    file.item(kind(&name, object, planned.lifecycle.as_ref()));
    if !matches!(object.role, ObjectRole::Resource { .. }) {
        return;
    }
    let resource = resource(planned, &object.role, plan, &mut file.imports);
    file.item(resource);
    if let Some(definition) = plan.definition(planned) {
        file.item(custom_resource(&name, &planned.path, definition));
    }
    if let Some(spec) = planned.fields.iter().find(|field| field.wire == "spec") {
        let item = has_spec(&name, spec, &mut file.imports);
        file.item(item.unwrap_or_default());
    }
    let served = plan.served(&planned.path);
    file.item(serves(&name, served));
    if let Some(served) = served {
        subresources(planned, served, file);
    }
}

/// `Resource`, for an object that is one.
fn resource(
    planned: &Struct,
    role: &ObjectRole,
    plan: &Plan,
    imports: &mut Imports,
) -> TokenStream {
    let ObjectRole::Resource { plural, scope, list_kind, .. } = role else {
        return TokenStream::new();
    };
    let name = format_ident!("{}", planned.path.name);
    let served = plan.served(&planned.path);
    let verbs = verbs(served, imports);
    let typed_items = served.is_some_and(|served| served.custom);
    let typed_items = typed_items.then(|| {
        quote!(
            const TYPED_ITEMS: bool = true;
        )
    });
    let apply = apply_type(planned, plan, imports);
    let metadata = imports.name(&object_meta());
    let scope = match scope {
        Scope::Namespaced => quote!(Namespaced),
        Scope::Cluster => quote!(ClusterScoped),
    };
    quote! {
        impl k8s_versioned::Resource for #name {
            type Scope = k8s_versioned::#scope;
            const PLURAL: &'static str = #plural;
            const LIST_KIND: &'static str = #list_kind;
            #verbs
            #typed_items
            #apply

            fn metadata(&self) -> &#metadata {
                &self.metadata
            }
            fn metadata_mut(&mut self) -> &mut #metadata {
                &mut self.metadata
            }
        }
    }
}

/// The verbs of a resource as marker traits.
fn serves(name: &Ident, served: Option<&Served>) -> TokenStream {
    // A kind without operations has the verbs of most resources, the default of `VERBS`.
    let verbs = served.map_or(&Verb::OF_RESOURCES[..], |served| &served.verbs);
    // `DeleteCollection` for `delete_collection`.
    let marker = |verb: &Verb| verb.name.split('_').map(capital).collect::<String>();
    let markers = verbs.iter().map(|verb| format_ident!("{}", marker(verb)));
    quote!(k8s_versioned::serves!(#name, #(#markers),*);)
}

/// `CustomResource`, with the file of [`definitions`].
fn custom_resource(name: &Ident, path: &ItemPath, definition: &PackageDefinition) -> TokenStream {
    let up = "../".repeat(path.module.split("::").filter(|part| !part.is_empty()).count());
    let file = format!("{up}{}", definition_file(definition));
    // The block keeps the whole text out of the page of rustdoc.
    quote! {
        impl k8s_versioned::CustomResource for #name {
            const DEFINITION: &'static str = const { include_str!(#file) };
        }
    }
}

/// The file of a definition. Its name is a subdomain of DNS.
fn definition_file(definition: &PackageDefinition) -> String {
    format!("{}{}.json", crd::FOLDER, definition.name)
}

/// Emits the definitions of custom resources.
pub(super) fn definitions(plan: &Plan, output: &mut Output<'_>) {
    for definition in &plan.definitions {
        output.add_text(&definition_file(definition), json_file(definition.value.clone()));
    }
}

fn subresources(planned: &Struct, served: &Served, file: &mut SourceFile) {
    let name = format_ident!("{}", planned.path.name);
    for (subresource, body) in &served.subresources {
        let of = format_ident!("{}", subresource.rust_name);
        let body = match body {
            None => quote!(()),
            Some(body) if *body == planned.path => quote!(Self),
            Some(body) => file.imports.name(body),
        };
        file.item(quote! {
            impl k8s_versioned::HasSubresource<k8s_versioned::subresource::#of> for #name {
                type Body = #body;
            }
        });
    }
}

/// The type that a server-side apply takes; the resource itself if there is none.
fn apply_type(planned: &Struct, plan: &Plan, imports: &mut Imports) -> TokenStream {
    let Some(apply) = plan.apply_type(&planned.path) else {
        return quote!(
            type Apply = Self;
        );
    };
    let Some(cfg) = cfg(plan, Feature::Apply, "apply") else {
        let apply = imports.name(apply);
        return quote!(type Apply = #apply;);
    };
    let apply = imports.absolute(apply);
    quote! {
        #cfg
        type Apply = #apply;
        #[cfg(not(feature = "apply"))]
        type Apply = Self;
    }
}

/// The constant `VERBS` of a resource; `None` if it has the verbs of most resources.
fn verbs(served: Option<&Served>, imports: &mut Imports) -> Option<TokenStream> {
    let verbs = served.map_or(&[][..], |served| &served.verbs);
    let all = verbs == Verb::OF_RESOURCES;
    if all && !served.is_some_and(|served| served.custom) {
        return None;
    }
    imports.library("k8s_versioned", "verb");
    if all {
        return Some(quote!(
            const VERBS: &'static [verb::Verb] = &verb::Verb::OF_CUSTOM_RESOURCES;
        ));
    }
    let names = verbs.iter().map(|verb| format_ident!("{}", verb.name.to_ascii_uppercase()));
    Some(quote!(const VERBS: &'static [verb::Verb] = &[#(verb::Verb::#names),*];))
}

/// `HasSpec`, for a `spec` that is always present.
fn has_spec(name: &Ident, spec: &Field, imports: &mut Imports) -> Option<TokenStream> {
    let RustType::Struct(path) = &spec.rust_type else {
        return None;
    };
    let metadata = imports.name(&object_meta());
    let spec = imports.name(path);
    imports.library("k8s_versioned", "wire");
    Some(quote! {
        impl k8s_versioned::HasSpec for #name {
            type Spec = #spec;

            #[inline]
            fn from_parts(metadata: #metadata, spec: #spec) -> Self {
                Self { metadata, spec, ..wire::zero() }
            }
            fn spec(&self) -> &#spec {
                &self.spec
            }
            fn spec_mut(&mut self) -> &mut #spec {
                &mut self.spec
            }
        }
    })
}

fn kind(name: &Ident, object: &Object, lifecycle: Option<&Lifecycle>) -> TokenStream {
    let Object { gvk: GroupVersionKind { group, version, kind }, accepted, .. } = object;
    let api_version = accepted.first();
    let accepted = (accepted.len() > 1).then(|| {
        let accepted = words(accepted);
        quote!(const ACCEPTED_API_VERSIONS: &'static str = #accepted;)
    });
    let lifecycle = lifecycle.map(|stated| {
        let lifecycle = self::lifecycle(stated);
        quote!(const LIFECYCLE: Option<k8s_versioned::Lifecycle> = Some(#lifecycle);)
    });
    quote! {
        impl k8s_versioned::Kind for #name {
            const GROUP: &'static str = #group;
            const VERSION: &'static str = #version;
            const KIND: &'static str = #kind;
            const API_VERSION: &'static str = #api_version;
            #accepted
            #lifecycle
        }
    }
}

/// A lifecycle, with full paths: types of the group can have the same names.
fn lifecycle(lifecycle: &Lifecycle) -> TokenStream {
    let released = |release| {
        let release = super::types::release(release);
        quote!(k8s_versioned::#release)
    };
    let introduced = released(lifecycle.introduced_in());
    let deprecated = lifecycle.deprecated_in().map(released);
    let deprecated = deprecated.map(|deprecated| quote!(.deprecated(#deprecated)));
    let removed =
        lifecycle.removed_in().map(released).map(|removed_in| quote!(.removed(#removed_in)));
    quote!(k8s_versioned::Lifecycle::introduced(#introduced) #deprecated #removed)
}

/// The words in one literal of several lines.
fn words(words: &[String]) -> Option<Literal> {
    let (mut text, mut line) = (String::from("\""), 0);
    for (position, word) in words.iter().enumerate() {
        if position == 0 || line + word.len() > WORDS {
            text.push_str("\\\n        ");
            line = 0;
        }
        text.push_str(word);
        text.push(' ');
        line += word.len() + 1;
    }
    format!("{}\"", text.trim_end()).parse().ok()
}

/// The metadata of every resource.
pub(super) fn object_meta() -> ItemPath {
    ItemPath::new(Package::Shared("k8s_versioned".to_owned()), "meta::v1", "ObjectMeta")
}
