//! Constructors, setters and zero values.

use super::file::{SourceFile, fits};
use super::imports::Imports;
use super::structs::idents;
use super::types::{docs_text, rust_type};
use crate::plan::{Field, Plan, Presence, RustType, Struct, code, filled_in};
use crate::text::join;

/// The number of arguments that Clippy allows. More are allowed here, if the API requires them.
const MANY: usize = 7;

/// Emits a constructor that takes what is required, setters for the rest, and the zero value of a struct
/// without a default.
pub(super) fn emit(planned: &Struct, file: &mut SourceFile) {
    let mut functions = Vec::new();
    if planned.fields.iter().any(|field| field.needed) {
        functions.push(constructor(planned, &mut file.imports));
    }
    for field in planned.fields.iter().filter(|field| !field.needed) {
        functions.push(setter_function(field, &mut file.imports));
    }
    file.implementation(&format!("impl {}", planned.path.name), functions);
    if !planned.traits.default {
        file.imports.library("k8s_versioned", "wire");
        let values = idents(planned).map(|field| format!("{field}: wire::zero()")).collect();
        let function = format!("    fn zero_value() -> Self {{\n{}    }}\n", literal(values));
        file.implementation(
            &format!("impl wire::ZeroValue for {}", planned.path.name),
            vec![function],
        );
    }
}

fn constructor(planned: &Struct, imports: &mut Imports) -> String {
    let mut arguments = Vec::new();
    let mut values = Vec::new();
    for field in planned.fields.iter().filter(|field| field.needed) {
        let ident = &field.ident;
        let (argument, value) = argument(field, &field.rust_type, imports);
        arguments.push((field.of.rank, format!("{ident}: {argument}")));
        values.push(if value == *ident { value } else { format!("{ident}: {value}") });
    }
    if idents(planned).count() > values.len() {
        imports.library("k8s_versioned", "wire");
        values.push("..wire::zero()".to_owned());
    }
    arguments.sort_by_key(|(rank, _)| *rank);
    let many = arguments.len() > MANY;
    let many = if many { "    #[allow(clippy::too_many_arguments)]\n" } else { "" };
    let docs = docs_text("    ", &constructor_doc(planned));
    let arguments = || arguments.iter().map(|(_, argument)| argument);
    let mut head = format!("    pub fn new({}) -> Self {{", join(arguments(), ", "));
    if !fits(&head) {
        let arguments = join(arguments().map(|it| format!("        {it},\n")), "");
        head = format!("    pub fn new(\n{arguments}    ) -> Self {{");
    }
    format!("{docs}{many}{head}\n{}    }}\n", literal(values))
}

/// The most letters of a struct in one line, without the last brace.
const LONGEST_LITERAL: usize = 34;

/// A struct with these values, as the last expression of a function.
fn literal(values: Vec<String>) -> String {
    let line = format!("Self {{ {} ", values.join(", "));
    if line.len() <= LONGEST_LITERAL {
        return format!("        {line}}}\n");
    }
    let comma = |value: &str| if value.starts_with("..") { "" } else { "," };
    let value = |value: String| in_lines(format!("            {value}{}\n", comma(&value)));
    let values: String = values.into_iter().map(value).collect();
    format!("        Self {{\n{values}        }}\n")
}

fn constructor_doc(planned: &Struct) -> String {
    if planned.fields.iter().all(|field| field.needed) {
        return "From all fields.".to_owned();
    }
    let others = planned.fields.iter().filter(|field| !field.needed);
    let filled_in = others.filter(|field| filled_in(&field.of).is_some());
    let filled_in = join(filled_in.map(|field| code(&field.wire)), ", ");
    let doc = "From the required fields; all others are empty.";
    if filled_in.is_empty() {
        doc.to_owned()
    } else {
        format!("{doc} Servers fill in the defaults of {filled_in}.")
    }
}

fn setter_function(field: &Field, imports: &mut Imports) -> String {
    let ident = field.ident.as_str();
    let doc = match field.presence {
        Presence::Rest => "Sets the members that are not fields.".to_owned(),
        _ => ["Sets ", &code(&field.wire), "."].concat(),
    };
    let default = filled_in(&field.of).map(|note| format!(" {note}")).unwrap_or_default();
    let docs = docs_text("    ", &(doc + &default));
    let (argument, value) = match &field.rust_type {
        RustType::Option(inner) => {
            let (argument, value) = argument(field, inner, imports);
            let short = ["Some(", &value, ")"].concat();
            let is_short = fits(&["        self.", ident, " = ", &short, ";"].concat());
            let long =
                || format!("Some(\n{}        )", in_lines(format!("            {value},\n")));
            (argument, if is_short { short } else { long() })
        }
        plain => argument(field, plain, imports),
    };
    let setter = ["    pub fn with_", ident.trim_start_matches("r#")].concat();
    let mut head = [&setter, "(mut self, ", ident, ": ", &argument, ") -> Self {"].concat();
    if !fits(&head) {
        head =
            format!("{setter}(\n        mut self,\n        {ident}: {argument},\n    ) -> Self {{");
    }
    let set = ["        self.", ident, " = ", &value, ";\n        self\n    }\n"].concat();
    [&docs, "    #[must_use]\n", &head, "\n", &set].concat()
}

/// A line with the value of a field. If it is too long, each call has a line of its own, as the formatter breaks a chain.
fn in_lines(line: String) -> String {
    if fits(line.trim_end_matches([',', '\n'])) {
        return line;
    }
    let calls = [".into_iter()", ".map(", ".collect()"].into_iter();
    calls.fold(line, |line, call| line.replacen(call, &format!("\n                {call}"), 1))
}

/// The type of an argument for a field, and the field's value made from it.
fn argument(field: &Field, of: &RustType, imports: &mut Imports) -> (String, String) {
    let ident = &field.ident;
    let [items, into, string] =
        ["IntoIterator", "Into", "String"].map(|name| imports.prelude_path(name));
    match of {
        RustType::List(item) => {
            let (item, convert) = part(item, imports);
            let map = convert.map(|_| format!(".map({into}::into)")).unwrap_or_default();
            (format!("impl {items}<Item = {item}>"), format!("{ident}.into_iter(){map}.collect()"))
        }
        RustType::Map(value) => {
            let (value, convert) = part(value, imports);
            let convert = convert.unwrap_or_default();
            (
                format!("impl {items}<Item = (impl {into}<{string}>, {value})>"),
                format!(
                    "{ident}.into_iter().map(|(key, value)| (key.into(), value{convert})).collect()"
                ),
            )
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
        RustType::String | RustType::Vocabulary(_) => {
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
    let has_name = |it: &Struct| it.fields.iter().any(|field| field.wire == "name");
    let is_metadata =
        |it: &Struct| matches!(&**metadata, RustType::Struct(path) if *path == it.path);
    if !plan.applied().any(|it| is_metadata(it) && has_name(it)) {
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
