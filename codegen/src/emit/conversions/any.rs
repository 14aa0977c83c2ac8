//! The enums over the versions of a kind, and over its objects.

use std::collections::BTreeSet;

use litemap::LiteMap;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::emitter::Emitter;
use super::names::{idents, runtime, variant};
use super::pair;
use crate::conversion::{Accessor, FieldRef, KindConversion, KindVersion, Policy};
use crate::emit::file::SourceFile;
use crate::emit::types::{docs, type_tokens};
use crate::plan::{ItemPath, RustType, code};
use crate::text::join;

pub(super) fn emit(emitter: &Emitter<'_>, targets: &BTreeSet<ItemPath>, file: &mut SourceFile) {
    let kind = emitter.kind;
    // First: types of the group can have the same names, and then they keep their paths.
    for name in ["ConversionReport", "ConvertObject", "Options"] {
        runtime(name, file);
    }
    for item in declarations(emitter, file) {
        file.item(item);
    }
    emit_accessors(emitter, file);
    for version in &kind.versions {
        let item = to_itself(emitter, version, file);
        file.item(item);
    }
    let implementation = implementation(emitter, targets, file);
    file.text_item(implementation);
}

/// Writes an object of any version as one of its version.
fn serialize(any: &Ident, variants: &[Ident]) -> TokenStream {
    quote! {
        impl serde::Serialize for #any {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    #(Self::#variants(object) => serde::Serialize::serialize(object, serializer),)*
                }
            }
        }
    }
}

fn declarations(emitter: &Emitter<'_>, file: &mut SourceFile) -> [TokenStream; 4] {
    file.imports.library("k8s_versioned::wire", "serde");
    let KindConversion { kind, versions, .. } = emitter.kind;
    let types = versions.iter().map(|version| file.imports.versioned(&version.object));
    let types: Vec<TokenStream> = types.collect();
    let variants: Vec<Ident> = versions.iter().map(|version| variant(&version.name)).collect();
    let version_docs = docs(&format!("A version of `{kind}`, lowest first."));
    let each_version = versions.iter().map(|version| docs(&format!("`{}`.", version.name)));
    let any_docs = docs(&format!(
        "A `{kind}` of any version.\n\n\
         Read by its `apiVersion`, and written as an object of its version."
    ));
    let each_object = versions.iter().map(|version| docs(&format!("Of `{}`.", version.name)));
    let each_object: Vec<TokenStream> = each_object.collect();
    let objects = versions.iter().map(|version| RustType::Struct(version.object.clone()));
    let objects: Vec<RustType> = objects.collect();
    let eq = emitter.eq(objects.iter()).map(|eq| quote!(#eq,));
    let [reference, any, version, _] = idents(emitter.kind);
    let reference_docs = docs(&format!("A `{kind}` of any version, borrowed."));
    [
        quote! {
            #version_docs
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[non_exhaustive]
            pub enum #version {
                #(#each_version #variants,)*
            }
        },
        quote! {
            #any_docs
            #[derive(Clone, Debug, PartialEq, #eq)]
            #[non_exhaustive]
            pub enum #any {
                #(#each_object #variants(#types),)*
            }
        },
        serialize(&any, &variants),
        quote! {
            #reference_docs
            #[derive(Clone, Copy, Debug, PartialEq, #eq)]
            #[non_exhaustive]
            pub enum #reference<'a> {
                #(#each_object #variants(&'a #types),)*
            }
        },
    ]
}

/// The conversion of an object to its own version, which reports missing fields like every conversion.
fn to_itself(emitter: &Emitter<'_>, version: &KindVersion, file: &mut SourceFile) -> TokenStream {
    let policies = emitter.policies(file);
    let path = file.imports.versioned(&version.object);
    let checks = pair::of_object(version, &quote!(self));
    let report = if checks.is_empty() { quote!(_) } else { quote!(report) };
    quote! {
        /// The object stays as it is; the report names the required fields that it lacks.
        impl ConvertObject<Self> for #path {
            type Policies = #policies;

            fn convert_reporting(self, _: &Options<Self::Policies>, #report: &mut ConversionReport) -> Self {
                #(#checks)*
                self
            }
        }
    }
}

/// The call of the macro that implements the rest.
fn implementation(
    emitter: &Emitter<'_>,
    targets: &BTreeSet<ItemPath>,
    file: &mut SourceFile,
) -> String {
    let KindConversion { group, kind, list_kind, annotation, has_spec, versions, .. } =
        emitter.kind;
    let [reference, any, version, _] = idents(emitter.kind);
    let policies = emitter.policies(file);
    let mut key = "None";
    if annotation.is_some() {
        file.imports.library("super", "ANNOTATION_KEY");
        key = "Some(ANNOTATION_KEY)";
    }
    let mut path = |of: &ItemPath| file.imports.versioned(of).to_string().replace(' ', "");
    let newest = versions
        .last()
        .map(|newest| format!("{}, {}", variant(&newest.name), path(&newest.object)));
    let newest = newest.unwrap_or_default();
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    for version in versions {
        let (variant, object) = (variant(&version.name), path(&version.object));
        let required = required(version, *has_spec);
        rows.push(format!("    {variant} = {:?}, {object}{required};\n", version.name));
        objects.push(format!("    {variant} = {object};\n"));
    }
    let (rows, objects) = (rows.concat(), objects.concat());
    let targets = targets.iter().map(|of| format!("        {},\n", path(of)));
    let targets: String = targets.collect();
    let protobuf = emitter.plan.protobuf.then(|| {
        format!(
            "#[cfg(feature = \"protobuf\")]\nk8s_versioned::any_message! {{\n    {any}, {version};\n{objects}}}\n"
        )
    });
    let protobuf = protobuf.unwrap_or_default();
    format!(
        "k8s_versioned::any_version! {{\n    {any}, {reference}, {version}, {policies}; NEWEST = {newest};\n    \
         GROUP = {group:?}; KIND = {kind:?}; LIST_KIND = {list_kind:?};\n    \
         ANNOTATION_KEY = {key}; HAS_SPEC = {has_spec};\n    FROM = [\n{targets}    ];\n{rows}}}\n{protobuf}"
    )
}

/// The required members of a version, after its type. Every object is checked for its `spec`.
fn required(version: &KindVersion, has_spec: bool) -> String {
    let members = version.members.iter().filter(|names| !has_spec || **names != ["spec"]);
    let path = |names: &Vec<String>| {
        let names = names.iter().map(|name| format!("{name:?}"));
        format!("        [{}],\n", join(names, ", "))
    };
    let paths: String = members.map(path).collect();
    if paths.is_empty() { paths } else { format!(", [\n{paths}    ]") }
}

// Accessors of the enums over the versions of a kind.

/// Emits the accessors of the fields that all versions share: of the borrowed enum, and of the enum itself.
pub(super) fn emit_accessors(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    let variants: Vec<Ident> = kind.versions.iter().map(|version| variant(&version.name)).collect();
    let accessors = kind.accessors.iter();
    let functions = accessors.filter_map(|accessor| functions(accessor, &variants, file));
    let (borrowed, owned): (Vec<_>, Vec<_>) = functions.unzip();
    if borrowed.is_empty() {
        return;
    }
    let [reference, any, ..] = idents(kind);
    file.item(quote!(impl<'a> #reference<'a> { #(#borrowed)* }));
    file.item(quote!(impl #any { #(#owned)* }));
}

/// The function of the borrowed enum, and the function of the enum, which calls it.
fn functions(
    accessor: &Accessor,
    variants: &[Ident],
    file: &mut SourceFile,
) -> Option<(TokenStream, TokenStream)> {
    let Accessor { name, fields } = accessor;
    let form = Form::of(fields)?;
    let optional = fields.iter().filter(|field| field.rust_type.is_option()).count();
    let is_mixed = (1..fields.len()).contains(&optional);
    let arms = fields.iter().zip(variants).map(|(field, variant)| {
        let idents = field.idents.iter().map(|ident| format_ident!("{ident}"));
        let value = form.lend(&quote!(object.#(#idents).*), &field.rust_type, is_mixed);
        quote!(Self::#variant(object) => #value)
    });
    let mut paths: Vec<String> = fields.iter().map(|field| code(&field.path)).collect();
    paths.dedup();
    let is_filtered = is_mixed && matches!(form, Form::Text);
    let note = if is_filtered { "; an empty one counts as absent" } else { "" };
    let doc = docs(&format!("The field {}{note}.", join(paths, " or ")));
    let name = format_ident!("{name}");
    let [borrowed, owned] = [Some(quote!('a)), None].map(|lifetime| {
        let lent = form.lent(lifetime, file);
        if optional > 0 { quote!(Option<#lent>) } else { lent }
    });
    Some((
        quote! {
            #doc
            pub fn #name(self) -> #borrowed {
                match self {
                    #(#arms,)*
                }
            }
        },
        quote! {
            #doc
            pub fn #name(&self) -> #owned {
                self.by_ref().#name()
            }
        },
    ))
}

/// The form in which an accessor lends a value.
enum Form<'a> {
    Text,
    /// A list of these items.
    List(&'a RustType),
    /// A list in some versions, and its first item, of this type, in others.
    ListOrFirst(&'a RustType),
    Copy(&'a RustType),
    Other(&'a RustType),
}

impl<'a> Form<'a> {
    fn of(fields: &'a [FieldRef]) -> Option<Self> {
        let types = || fields.iter().map(|field| field.rust_type.present());
        let value = types().next()?;
        if types().any(|other| other != value) {
            let mut items = types().filter(|other| !matches!(other, RustType::List(_)));
            return items.next().map(Self::ListOrFirst);
        }
        Some(match value {
            RustType::String => Self::Text,
            RustType::List(item) => Self::List(item),
            RustType::Bool | RustType::I32 | RustType::I64 | RustType::F64 => Self::Copy(value),
            _ => Self::Other(value),
        })
    }

    /// The type of a value that is there.
    fn lent(&self, lifetime: Option<TokenStream>, file: &mut SourceFile) -> TokenStream {
        match self {
            Self::Text => quote!(&#lifetime str),
            Self::List(item) => {
                let item = type_tokens(item, &mut file.imports);
                quote!(&#lifetime [#item])
            }
            Self::ListOrFirst(item) => {
                runtime("ListOrFirst", file);
                let item = type_tokens(item, &mut file.imports);
                let lifetime = lifetime.unwrap_or_else(|| quote!('_));
                quote!(ListOrFirst<#lifetime, #item>)
            }
            Self::Copy(value) => type_tokens(value, &mut file.imports),
            Self::Other(value) => {
                let value = type_tokens(value, &mut file.imports);
                quote!(&#lifetime #value)
            }
        }
    }

    /// The value of a field of this type. `is_mixed`: other versions have an optional one, or a plain one.
    fn lend(&self, field: &TokenStream, of: &RustType, is_mixed: bool) -> TokenStream {
        let not_empty = quote!(filter(|text| !text.is_empty()));
        match (self, of.is_option(), is_mixed) {
            (Self::ListOrFirst(_), ..) if matches!(of, RustType::List(_)) => {
                quote!(ListOrFirst::List(&#field))
            }
            (Self::ListOrFirst(_), ..) => quote!(ListOrFirst::First(&#field)),
            (Self::Text, true, true) => quote!(#field.as_deref().#not_empty),
            (Self::Text, false, true) => quote!(Some(#field.as_str()).#not_empty),
            (Self::Text | Self::List(_), true, _) => quote!(#field.as_deref()),
            (Self::Copy(_), false, true) => quote!(Some(#field)),
            (Self::Copy(_), ..) => quote!(#field),
            (_, true, _) => quote!(#field.as_ref()),
            (_, false, true) => quote!(Some(&#field)),
            (_, false, false) => quote!(&#field),
        }
    }
}

// The policies of a kind.

pub(super) fn emit_policies(emitter: &Emitter<'_>, file: &mut SourceFile) {
    let kind = emitter.kind;
    runtime("Absent", file);
    let fields = kind.policies.iter().map(|policy| field(kind, policy, file));
    let fields: Vec<TokenStream> = fields.collect();
    let eq = emitter.eq(kind.policies.iter().map(|policy| &policy.value));
    let [.., name] = idents(kind);
    let doc = docs(&format!(
        "The choices for a `{}` that is converted to a version that requires more fields.\n\n\
         The conversion back needs no policy: it removes a filled-in value, unless it was edited.",
        kind.kind
    ));
    file.item(quote! {
        #doc
        #[derive(Clone, Debug, Default, PartialEq, #eq)]
        #[non_exhaustive]
        pub struct #name { #(#fields),* }
    });
    let setters = kind.policies.iter().map(|policy| setter(policy, file));
    let setters: Vec<TokenStream> = setters.collect();
    file.item(quote!(impl #name { #(#setters)* }));
}

fn field(kind: &KindConversion, policy: &Policy, file: &mut SourceFile) -> TokenStream {
    let (path, ident) = (code(&policy.path), format_ident!("{}", policy.name));
    let other = match &policy.other {
        Some(other) => {
            format!("For {path}, [`Absent::UseOther`] uses the value of {}.", code(other))
        }
        None => {
            format!("No other field can replace {path}: [`Absent::UseOther`] leaves it empty.")
        }
    };
    let docs = docs(&format!(
        "The policy for an absent or empty {path} in a conversion {}.\n\n{other}",
        directions(kind, policy)
    ));
    let value = type_tokens(&policy.value, &mut file.imports);
    quote!(#docs pub #ident: Absent<#value>)
}

fn setter(policy: &Policy, file: &mut SourceFile) -> TokenStream {
    let ident = format_ident!("{}", policy.name);
    let setter = format_ident!("with_{}", policy.name.trim_start_matches("r#"));
    let docs = docs(&format!("Sets the policy for {}.", code(&policy.path)));
    let value = type_tokens(&policy.value, &mut file.imports);
    quote! {
        #docs
        #[must_use]
        pub fn #setter(mut self, #ident: Absent<#value>) -> Self {
            self.#ident = #ident;
            self
        }
    }
}

/// The directions in which a conversion applies a policy.
fn directions(kind: &KindConversion, policy: &Policy) -> String {
    let mut by_source: LiteMap<&str, Vec<String>> = LiteMap::new();
    for pair in kind.asking(policy) {
        let targets = by_source.entry(&pair.from).or_default();
        targets.push(format!("`{}`", pair.to));
    }
    let directions = by_source.into_iter();
    let shown = |(from, targets): (_, Vec<_>)| format!("from `{from}` to {}", targets.join(" or "));
    join(directions.map(shown), ", ")
}
