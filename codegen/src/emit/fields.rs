//! How the fields of structs are read and written.

use proc_macro2::Literal;

use super::file::{SourceFile, filled, fits};
use super::imports::Imports;
use super::types::rust_type;
use crate::plan::{Field, Presence, RustType, Struct};
use crate::text::join;

/// Emits `wire::Fields`, by which a macro implements `Serialize` and `Deserialize`.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    file.imports.library("k8s_versioned", "wire");
    let name = &planned.path.name;
    let [option, result] = ["Option", "Result"].map(|name| file.imports.prelude_path(name));
    let fields = members(planned);
    let (field, to) = if fields.is_empty() { ("_", "_") } else { ("field", "to") };
    let read = fields.iter().enumerate();
    let read: String = read.map(|(index, field)| reading_arm(index, &field.read)).collect();
    let read = if fields.is_empty() {
        "        from.skip()\n".to_owned()
    } else {
        format!("        match field {{\n{read}            _ => from.skip(),\n        }}\n")
    };
    let write =
        fields.iter().flat_map(|field| ["        ", &field.write, "\n"]).collect::<String>();
    let rest = planned.fields.iter().find(|field| field.presence == Presence::Rest);
    let mut parts = vec![
        constants(planned, &fields, &option),
        format!(
            "    fn read_field<'de, R: wire::Reader<'de>>(\n        &mut self,\n        {field}: usize,\n        \
             from: &mut R,\n    ) -> {result}<(), R::Error> {{\n{read}    }}\n"
        ),
        format!(
            "    fn write_fields<W: wire::Writer>(&self, {to}: &mut W) -> {result}<(), W::Error> {{\n{write}        \
             Ok(())\n    }}\n"
        ),
    ];
    parts.extend(rest.map(|field| rest_function(field, &option, &mut file.imports)));
    file.implementation(&format!("impl wire::Fields for {name}"), parts);
    let rest = rest.map(|field| format!(", {}", field.ident)).unwrap_or_default();
    file.text_item(format!("k8s_versioned::fields!({name}{rest});\n"));
}

/// The names of a struct and of its fields.
fn constants(planned: &Struct, fields: &[FieldCode], option: &str) -> String {
    let expected = planned.object.as_ref().map(|object| {
        let expected = Literal::string(&format!("an object of kind `{}`", object.of.kind));
        format!("    const EXPECTED: {option}<&'static str> = Some({expected});\n")
    });
    let wires = || fields.iter().map(|field| &field.wire);
    let list = "    const FIELDS: &'static [&'static str] = &[";
    let mut names = format!("{list}{}];\n", join(wires(), ", "));
    if !fits(&names) {
        let wires: Vec<String> = wires().map(|wire| format!("{wire},")).collect();
        names = format!("{list}{}\n    ];\n", filled(wires.iter().map(String::as_str)));
    }
    let (name, expected) = (&planned.path.name, expected.unwrap_or_default());
    format!("    const NAME: &'static str = \"{name}\";\n{expected}{names}")
}

/// A field in JSON: its name as a literal, the call that reads it, and the statement that writes it.
struct FieldCode {
    wire: String,
    read: String,
    write: String,
}

/// All fields. An object begins with `apiVersion` and `kind`.
fn members(planned: &Struct) -> Vec<FieldCode> {
    let type_meta = [("apiVersion", "api_version"), ("kind", "kind")];
    let type_meta = planned.object.iter().flat_map(|_| type_meta).map(|(wire, ident)| FieldCode {
        wire: format!("\"{wire}\""),
        read: format!("value(&mut self.{ident})"),
        write: format!("to.value(\"{wire}\", &self.{ident})?;"),
    });
    let fields = planned.fields.iter().filter(|field| field.presence != Presence::Rest);
    let fields = fields.map(|field| {
        let wire = literal(&field.wire);
        let read = reading(field);
        let write = writing(field, &wire);
        FieldCode { wire, read, write }
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

/// The call that reads a field.
fn reading(field: &Field) -> String {
    let Field { ident, rust_type, is_custom, .. } = field;
    // `null` is a value of its own.
    let nullable = match rust_type {
        RustType::Option(inner) if inner.is_option() => Some(&**inner),
        _ => None,
    };
    if let Some(shape) = shape(nullable.unwrap_or(rust_type)).filter(|_| *is_custom) {
        let function = if nullable.is_some() { "stored_nullable" } else { "stored" };
        return format!("{function}(&mut self.{ident}, {shape})");
    }
    let function = match rust_type {
        _ if nullable.is_some() => "nullable",
        RustType::Option(_) => "option",
        RustType::List(_) => "list",
        RustType::Map(_) => "map",
        _ => "value",
    };
    [function, "(&mut self.", ident, ")"].concat()
}

/// The shape of a value of a custom resource that contains integers, or maps whose members are not `null`. Other values are
/// read without one.
fn shape(rust_type: &RustType) -> Option<String> {
    match rust_type {
        RustType::I32 | RustType::I64 => Some("wire::Whole".to_owned()),
        RustType::Option(inner) => shape(inner).map(|inner| format!("wire::Maybe({inner})")),
        RustType::List(inner) => shape(inner).map(|inner| format!("wire::Each({inner})")),
        RustType::Map(inner) => {
            let can_be_null = match &**inner {
                RustType::External(path, _) => path.name == "Json",
                inner => inner.is_option(),
            };
            let plain = || (!can_be_null).then(|| "wire::Plain".to_owned());
            shape(inner).or_else(plain).map(|inner| format!("wire::Members({inner})"))
        }
        _ => None,
    }
}

/// The arm that reads the field with this index.
fn reading_arm(index: usize, read: &str) -> String {
    let arm = format!("            {index} => from.{read}");
    if fits(&arm) {
        return arm + ",\n";
    }
    format!("            {index} => {{\n                from.{read}\n            }}\n")
}

/// The statement that writes a field, whose name in JSON is the literal `wire`.
fn writing(field: &Field, wire: &str) -> String {
    let (ident, numbers) = (&field.ident, *field.rust_type.innermost() == RustType::F64);
    let value = match field.presence {
        _ if !numbers => ["&self.", ident].concat(),
        Presence::Optional => format!("&self.{ident}.as_ref().map(wire::AsServers)"),
        _ => format!("&wire::AsServers(&self.{ident})"),
    };
    let function = match field.presence {
        Presence::Optional => "option",
        Presence::UnlessEmpty if numbers => {
            return format!(
                "if !wire::is_zero(&self.{ident}) {{\n            to.value({wire}, {value})?;\n        }}"
            );
        }
        Presence::UnlessEmpty if matches!(field.rust_type, RustType::Map(_)) => "map",
        Presence::UnlessEmpty => "unless_zero",
        Presence::NullIfEmpty if !numbers && !field.rust_type.is_option() => "or_null",
        Presence::NullIfEmpty | Presence::Always | Presence::Rest => "value",
    };
    call(function, wire, &value)
}

/// A call that writes a field.
fn call(function: &str, wire: &str, value: &str) -> String {
    let line = ["to.", function, "(", wire, ", ", value, ")?;"].concat();
    if fits(&["        ", &line].concat()) {
        return line;
    }
    format!("to.{function}(\n            {wire},\n            {value},\n        )?;")
}

/// The function that returns where unknown members are kept.
fn rest_function(field: &Field, option: &str, imports: &mut Imports) -> String {
    let (ident, of) = (&field.ident, rust_type(&field.rust_type, imports));
    format!(
        "    fn rest(&mut self) -> {option}<&mut {of}> {{\n        Some(&mut self.{ident})\n    }}\n"
    )
}
