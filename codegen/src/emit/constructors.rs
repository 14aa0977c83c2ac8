//! Constructors, setters and zero values.

use super::file::SourceFile;
use super::format::{LITERAL, fits};
use super::imports::Imports;
use super::required;
use super::structs::idents;
use super::types::{docs_text, rust_type};
use crate::plan::{Field, Plan, RustType, Struct, code, filled_in};
use crate::text::join;

/// The number of arguments that Clippy allows. More are allowed here, if the API requires them.
const MANY: usize = 7;

/// Emits a constructor that takes what is required, and setters for the rest.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    if planned.fields.iter().any(|field| field.needed) {
        let function = constructor(planned, &mut file.imports);
        file.implementation(&format!("impl {}", planned.path.name), vec![function]);
    }
    let setters = planned.in_order().into_iter().filter(|field| !field.needed);
    let setters: String = setters.map(|field| setter(field, &mut file.imports)).collect();
    if !setters.is_empty() {
        let name = &planned.path.name;
        file.text_item(format!("k8s_versioned::setters!({name} {{\n{setters}}});\n"));
    }
}

fn constructor(planned: &Struct, imports: &mut Imports) -> String {
    let (mut arguments, mut values, mut is_generic) = (Vec::new(), Vec::new(), false);
    for field in planned.in_order().into_iter().filter(|field| field.needed) {
        let ident = &field.ident;
        let (argument, value) = argument(field, &field.rust_type, imports);
        arguments.push(format!("{ident}: {argument}"));
        is_generic |= takes_any_type(&field.rust_type);
        values.push(if value == *ident { value } else { format!("{ident}: {value}") });
    }
    if idents(planned).count() > values.len() {
        imports.library("k8s_versioned", "wire");
        values.push("..wire::zero()".to_owned());
    }
    let many = arguments.len() > MANY;
    let many = if many { "    #[allow(clippy::too_many_arguments)]\n" } else { "" };
    let docs = docs_text("    ", &constructor_doc(planned));
    // A function with a parameter of any type needs no attribute: it is compiled where it is called.
    let inline = if is_generic { "" } else { "    #[inline]\n" };
    let mut head = format!("    pub fn new({}) -> Self {{", arguments.join(", "));
    if !fits(&head) {
        let arguments = join(arguments.iter().map(|argument| format!("        {argument},\n")), "");
        head = format!("    pub fn new(\n{arguments}    ) -> Self {{");
    }
    format!("{docs}{many}{inline}{head}\n{}    }}\n", literal(values))
}

/// A struct with these values, as the last expression of a function.
fn literal(values: Vec<String>) -> String {
    let line = format!("Self {{ {} ", values.join(", "));
    if line.len() <= LITERAL {
        return format!("        {line}}}\n");
    }
    let comma = |value: &str| if value.starts_with("..") { "" } else { "," };
    let value = |value: String| format!("            {value}{}\n", comma(&value));
    let values: String = values.into_iter().map(value).collect();
    format!("        Self {{\n{values}        }}\n")
}

fn constructor_doc(planned: &Struct) -> String {
    let doc = fields_doc(planned);
    if !required::has_names(planned) {
        return doc;
    }
    let name = &planned.path.name;
    format!("{doc}\n\nTo pass them by name: [`required::{name}`](super::required::{name}).")
}

fn fields_doc(planned: &Struct) -> String {
    if planned.fields.iter().all(|field| field.needed) {
        return "From all fields.".to_owned();
    }
    let others = planned.fields.iter().filter(|field| !field.needed);
    let filled_in = others.filter(|field| filled_in(&field.property).is_some());
    let filled_in = join(filled_in.map(|field| code(&field.wire)), ", ");
    let doc = "From the required fields; the optional fields are unset.";
    if filled_in.is_empty() {
        doc.to_owned()
    } else {
        format!("{doc} Servers fill in the defaults of {filled_in}.")
    }
}

/// The line of a setter, after what servers fill in without it.
fn setter(field: &Field, imports: &mut Imports) -> String {
    let ident = field.ident.as_str();
    let default =
        filled_in(&field.property).map(|note| docs_text("    ", &note)).unwrap_or_default();
    let (argument, value) = match &field.rust_type {
        RustType::Option(inner) if inner.is_option() => {
            let (into, inner) = (imports.prelude_path("Into"), rust_type(inner, imports));
            (format!("impl {into}<{inner}>"), format!("Some({ident}.into())"))
        }
        RustType::Option(inner) => {
            let (argument, value) = argument(field, inner, imports);
            (argument, format!("Some({value})"))
        }
        plain => argument(field, plain, imports),
    };
    let name = ident.trim_start_matches("r#");
    let line = format!("    with_{name}({ident}: {argument}) = {value};\n");
    let line = if fits(&line) { line } else { line.replacen(") = ", ")\n        = ", 1) };
    default + &line
}

/// Returns `true` if [`argument`] gives the argument a type that begins with `impl`.
fn takes_any_type(of: &RustType) -> bool {
    of.is_text() || matches!(of, RustType::List(_) | RustType::Map(_))
}

/// The type of an argument for a field, and the field's value made from it.
fn argument(field: &Field, of: &RustType, imports: &mut Imports) -> (String, String) {
    let ident = &field.ident;
    let [items, into, string] =
        ["IntoIterator", "Into", "String"].map(|name| imports.prelude_path(name));
    match of {
        RustType::List(item) => {
            imports.library("k8s_versioned", "wire");
            let (item, _) = part(item, imports);
            (format!("impl {items}<Item = {item}>"), format!("wire::list({ident})"))
        }
        RustType::Map(value) => {
            imports.library("k8s_versioned", "wire");
            let (value, _) = part(value, imports);
            let member = format!("(impl {into}<{string}>, {value})");
            (format!("impl {items}<Item = {member}>"), format!("wire::map({ident})"))
        }
        plain => {
            let (argument, convert) = part(plain, imports);
            (argument, [ident, convert.unwrap_or_default()].concat())
        }
    }
}

/// The type in which an argument or its parts are given, and the call that converts them, if one does.
fn part(of: &RustType, imports: &mut Imports) -> (String, Option<&'static str>) {
    let plain = rust_type(of, imports);
    match of {
        RustType::String | RustType::OpenEnum(_) => {
            let into = imports.prelude_path("Into");
            (["impl ", &into, "<", &plain, ">"].concat(), Some(".into()"))
        }
        _ => (plain, None),
    }
}

/// Emits the constructor of an apply type of objects, which takes the name: an apply needs it.
pub(super) fn emit_with_name(planned: &Struct, plan: &Plan, file: &mut SourceFile) {
    let mut metadata = planned.fields.iter().filter(|field| field.wire == "metadata");
    let metadata = metadata.next().filter(|_| planned.object.is_some());
    let Some(RustType::Option(metadata)) = metadata.map(|field| &field.rust_type) else {
        return;
    };
    let has_name = |object: &Struct| object.fields.iter().any(|field| field.wire == "name");
    let is_metadata =
        |object: &Struct| matches!(&**metadata, RustType::Struct(path) if *path == object.path);
    if !plan.applied().any(|applied| is_metadata(applied) && has_name(applied)) {
        return;
    }
    let [into, text] = ["Into", "String"].map(|name| file.imports.prelude_path(name));
    let metadata = rust_type(metadata, &mut file.imports);
    let function = format!(
        "    /// The object with this name. The request has the same name in its path.\n    \
         pub fn new(name: impl {into}<{text}>) -> Self {{\n        \
         Self::default().with_metadata({metadata}::default().with_name(name))\n    }}\n"
    );
    file.implementation(&format!("impl {}", planned.path.name), vec![function]);
}
