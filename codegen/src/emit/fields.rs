//! How the fields of structs are read and written.

use proc_macro2::Literal;
use serde_json::Value;

use super::file::SourceFile;
use super::format::fits;
use super::imports::Imports;
use crate::plan::{Field, Presence, RustType, Struct};
use crate::spec::{is_empty_object, is_zero};

/// Emits the table of fields, by which a macro implements the form on the wire, and the zero value of a struct without a default.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let fields = members(planned, &mut file.imports);
    let mut rows: String =
        fields.iter().enumerate().map(|(index, field)| field.row(index)).collect();
    if let Some(rest) = planned.fields.iter().find(|field| field.presence == Presence::Rest) {
        rows.extend(["    .. ", &rest.ident, ";\n"]);
    }
    let zero = if planned.traits.default { "" } else { ": ZeroValue" };
    let expected = planned.object.as_ref().map(|object| {
        let expected = Literal::string(&format!("an object of kind `{}`", object.gvk.kind));
        format!(", {expected}")
    });
    let (name, expected) = (&planned.path.name, expected.unwrap_or_default());
    if !rows.is_empty() {
        rows.insert(0, '\n');
    }
    file.text_item(format!("k8s_versioned::fields!({name}{zero}{expected} {{{rows}}});\n"));
}

/// A field in JSON: its name as a literal, its name in Rust, how it is read, how it is written, and the value of an absent one
/// that is not zero.
struct FieldCode<'p> {
    wire: String,
    ident: &'p str,
    read: String,
    write: &'static str,
    default: Option<String>,
}

impl FieldCode<'_> {
    fn row(&self, index: usize) -> String {
        let Self { wire, ident, read, write, default } = self;
        let default: String = default.iter().flat_map(|default| [" = ", default]).collect();
        let row = format!("    {index} {wire} => {ident}: {read}, {write}{default};\n");
        if fits(&row) {
            return row;
        }
        format!("    {index} {wire}\n        => {ident}: {read}, {write}{default};\n")
    }
}

/// All fields. An object begins with `apiVersion` and `kind`.
fn members<'p>(planned: &'p Struct, imports: &mut Imports) -> Vec<FieldCode<'p>> {
    let type_meta = [("apiVersion", "api_version"), ("kind", "kind")];
    let type_meta = planned.object.iter().flat_map(|_| type_meta).map(|(wire, ident)| FieldCode {
        wire: format!("\"{wire}\""),
        ident,
        read: "value".to_owned(),
        write: "value",
        default: None,
    });
    let fields = planned.fields.iter().filter(|field| field.presence != Presence::Rest);
    let fields = fields.map(|field| FieldCode {
        wire: literal(&field.wire),
        ident: &field.ident,
        read: reading(field, imports),
        write: writing(field),
        default: default(field, imports),
    });
    type_meta.chain(fields).collect()
}

/// A text as a literal of Rust.
fn literal(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return ["\"", text, "\""].concat();
    }
    Literal::string(text).to_string()
}

/// The function that reads a field.
fn reading(field: &Field, imports: &mut Imports) -> String {
    let Field { rust_type, is_custom, .. } = field;
    // `null` is a value of its own.
    let nullable = match rust_type {
        RustType::Option(inner) if inner.is_option() => Some(&**inner),
        _ => None,
    };
    if let Some(shape) = shape(nullable.unwrap_or(rust_type)).filter(|_| *is_custom) {
        imports.library("k8s_versioned", "wire");
        let function = if nullable.is_some() { "stored_nullable" } else { "stored" };
        return format!("{function}({shape})");
    }
    let function = match rust_type {
        _ if nullable.is_some() => "nullable",
        RustType::Option(inner) if *is_custom && inner.is_json() => "any",
        RustType::Option(_) => "option",
        RustType::List(_) => "list",
        RustType::Map(_) => "map",
        _ => "value",
    };
    function.to_owned()
}

/// The value of a required field that servers fill in where an object lacks it. Clients of built-in kinds fill in nothing.
fn default(field: &Field, imports: &mut Imports) -> Option<String> {
    let is_filled_in = field.is_custom && field.presence == Presence::Always;
    let stated = field.property.default.as_ref().filter(|_| is_filled_in)?;
    let mut of_wire = |call: String| {
        imports.library("k8s_versioned", "wire");
        ["wire::", &call].concat()
    };
    match (&field.rust_type, stated) {
        (RustType::Option(_), _) => None,
        (RustType::Struct(_), stated) if is_empty_object(stated) => {
            Some(of_wire("Fields::with_defaults()".to_owned()))
        }
        (_, stated) if is_zero(stated) || is_empty_object(stated) => None,
        (RustType::String | RustType::OpenEnum(_), Value::String(text)) => {
            Some(format!("{}.into()", literal(text)))
        }
        (RustType::Bool | RustType::I32 | RustType::I64, stated) => Some(stated.to_string()),
        (_, stated) => Some(of_wire(format!("value_of({})", literal(&stated.to_string())))),
    }
}

/// The shape of a value of a custom resource that contains integers, or maps whose members are not `null`. Other values are
/// read without one.
fn shape(rust_type: &RustType) -> Option<String> {
    match rust_type {
        RustType::I32 | RustType::I64 => Some("wire::Integer".to_owned()),
        RustType::Option(inner) => shape(inner).map(|inner| format!("wire::NullOr({inner})")),
        RustType::List(inner) => shape(inner).map(|inner| format!("wire::ListOf({inner})")),
        RustType::Map(inner) => {
            let can_be_null = inner.is_json() || inner.is_option();
            let plain = || (!can_be_null).then(|| "wire::AsIs".to_owned());
            shape(inner).or_else(plain).map(|inner| format!("wire::MapOf({inner})"))
        }
        _ => None,
    }
}

/// The function that writes a field.
fn writing(field: &Field) -> &'static str {
    let is_number = *field.rust_type.innermost() == RustType::F64;
    match field.presence {
        Presence::Optional if is_number => "number_option",
        Presence::Optional => "option",
        Presence::UnlessEmpty if is_number => "number_unless_zero",
        Presence::UnlessEmpty if matches!(field.rust_type, RustType::Map(_)) => "map",
        Presence::UnlessEmpty => "unless_zero",
        _ if is_number => "number",
        Presence::NullIfEmpty if !field.rust_type.is_option() => "or_null",
        Presence::NullIfEmpty | Presence::Always | Presence::Rest => "value",
    }
}
