//! The structs themselves.

use super::fields;
use super::file::SourceFile;
use super::imports::Imports;
use super::types::{docs_text, rust_type};
use crate::plan::Struct;

/// Emits a struct with its derives and its form on the wire. An object has two more fields without size, which write and
/// check `apiVersion` and `kind`.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let type_meta = type_meta(planned, &mut file.imports);
    let declaration = declaration(planned, type_meta, &mut file.imports);
    file.line_items(declaration);
    fields::emit(planned, file);
}

/// The declaration of a struct. `type_meta` has the lines of the fields before the planned ones.
pub(super) fn declaration(planned: &Struct, type_meta: &str, imports: &mut Imports) -> String {
    let mut derives = vec!["Clone", "Debug"];
    if planned.traits.default {
        derives.push("Default");
    }
    derives.push("PartialEq");
    if planned.traits.eq {
        derives.extend(["Eq", "Hash"]);
    }
    let (derives, name) = (derives.join(", "), &planned.path.name);
    let mut fields = type_meta.to_owned();
    for field in planned.in_order() {
        let (docs, ident) = (docs_text("    ", &field.docs), &field.ident);
        let rust_type = rust_type(&field.rust_type, imports);
        fields.extend([docs, format!("    pub {ident}: {rust_type},\n")]);
    }
    if !fields.is_empty() {
        fields.insert(0, '\n');
    }
    let docs = docs_text("", &planned.docs);
    format!("{docs}#[derive({derives})]\n#[non_exhaustive]\npub struct {name} {{{fields}}}\n")
}

/// The fields for `apiVersion` and `kind`; none for a part of an object.
fn type_meta(planned: &Struct, imports: &mut Imports) -> &'static str {
    if planned.object.is_none() {
        return "";
    }
    imports.library("k8s_versioned", "wire");
    "    pub(crate) api_version: wire::ApiVersion<Self>,\n    pub(crate) kind: wire::KindName<Self>,\n"
}

/// The names of the fields that a struct has in Rust.
pub(super) fn idents(planned: &Struct) -> impl Iterator<Item = &str> {
    let type_meta = planned.object.iter().flat_map(|_| ["api_version", "kind"]);
    type_meta.chain(planned.fields.iter().map(|field| field.ident.as_str()))
}
