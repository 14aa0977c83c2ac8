//! Implementations of the traits of `k8s-versioned`, by which objects name their kinds.

use k8s_versioned::Lifecycle;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::file::SourceFile;
use super::imports::Imports;
use crate::model::Scope;
use crate::plan::{Field, ItemPath, Object, ObjectRole, Origin, Plan, RustType, Served, Struct};
use crate::spec::GroupVersionKind;

/// Emits `Kind` for an object, and what it is as a resource if it is one.
pub(super) fn emit(planned: &Struct, plan: &Plan, file: &mut SourceFile) {
    let Some(object) = &planned.object else {
        return;
    };
    let name = format_ident!("{}", planned.path.name);
    file.item(kind(&name, object, planned.lifecycle.as_ref()));
    if let ObjectRole::Resource { plural, scope, list_kind, .. } = &object.role {
        let item = resource(&name, (plural, *scope), list_kind, &mut file.imports);
        file.item(item);
        if let Some(spec) = planned.fields.iter().find(|field| field.wire == "spec") {
            let item = has_spec(&name, spec, &mut file.imports);
            if let Some(item) = item {
                file.item(item);
            }
        }
        let mut served = plan.operations.iter().filter_map(|it| it.served.get(&planned.path));
        if let Some(served) = served.next() {
            let item = serves(&name, served, &mut file.imports);
            file.item(item);
        }
        if let Some(apply) = plan.apply_type(&planned.path) {
            let apply = file.imports.name(apply);
            file.item(quote!(impl k8s_versioned::HasApply for #name { type Apply = #apply; }));
        }
    }
}

fn resource(
    name: &Ident,
    (plural, scope): (&str, Scope),
    list_kind: &str,
    imports: &mut Imports,
) -> TokenStream {
    let metadata = imports.name(&object_meta());
    let (scope, lives) = match scope {
        Scope::Namespaced => (quote!(k8s_versioned::Scope::Namespaced), quote!(Namespaced)),
        Scope::Cluster => (quote!(k8s_versioned::Scope::Cluster), quote!(ClusterScoped)),
    };
    quote! {
        impl k8s_versioned::Resource for #name {
            const PLURAL: &'static str = #plural;
            const SCOPE: k8s_versioned::Scope = #scope;
            const LIST_KIND: &'static str = #list_kind;

            fn metadata(&self) -> &#metadata {
                &self.metadata
            }
            fn metadata_mut(&mut self) -> &mut #metadata {
                &mut self.metadata
            }
        }

        impl k8s_versioned::verb::#lives for #name {}
    }
}

/// The verbs that servers have for a resource.
fn serves(name: &Ident, served: &Served, imports: &mut Imports) -> TokenStream {
    imports.library("k8s_versioned", "verb");
    let verbs = served.verbs.iter().map(|verb| format_ident!("{verb}"));
    quote!(#(impl verb::Serves<verb::#verbs> for #name {})*)
}

/// A `spec` that is always there.
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
    let Object { of: GroupVersionKind { group, version, kind }, accepted, .. } = object;
    let api_version = accepted.first();
    let accepted = (accepted.len() > 1).then(|| {
        let accepted = words(accepted);
        quote!(const ACCEPTED_API_VERSIONS: &'static str = #accepted;)
    });
    let lifecycle = lifecycle.map(|it| {
        let lifecycle = self::lifecycle(it);
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

/// A lifecycle, by full paths: types of the group are called by name here.
fn lifecycle(lifecycle: &Lifecycle) -> TokenStream {
    let released = |release| {
        let release = super::types::release(release);
        quote!(k8s_versioned::#release)
    };
    let introduced = released(lifecycle.introduced_in());
    let deprecated = lifecycle.deprecated_in().map(released);
    let deprecated = deprecated.map(|it| quote!(.deprecated(#it)));
    let removed = lifecycle.removed_in().map(released).map(|it| quote!(.removed(#it)));
    quote!(k8s_versioned::Lifecycle::introduced(#introduced) #deprecated #removed)
}

/// The words in one literal that goes on over several lines.
fn words(words: &[String]) -> Option<Literal> {
    const WIDTH: usize = 100;
    let (mut text, mut line) = (String::from("\""), 0);
    for (position, word) in words.iter().enumerate() {
        if position == 0 || line + word.len() > WIDTH {
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
fn object_meta() -> ItemPath {
    ItemPath {
        origin: Origin::Shared("k8s_versioned".to_owned()),
        module: "meta::v1".to_owned(),
        name: "ObjectMeta".to_owned(),
    }
}
