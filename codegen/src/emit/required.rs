//! The required fields of structs, by their names: the form of a constructor whose arguments cannot be exchanged.

use super::file::{Output, SourceFile};
use super::format::fits;
use super::imports::is_in_prelude;
use super::types::{file_of_module, rust_type};
use crate::plan::{Field, ItemPath, Module, RustType, Struct};
use crate::text::join;

/// Emits the file of a module, if a constructor there takes two arguments that could be exchanged.
pub(super) fn emit(module: &Module, output: &mut Output<'_>) {
    let mut structs = module.structs.iter().filter(|planned| has_names(planned)).peekable();
    if structs.peek().is_none() {
        return;
    }
    let mut file = output.file_of(&own_path(module));
    file.docs(
        "Required fields by their names, for constructors that take several arguments of one type.\n\n\
         Each type has the name of the type that it becomes with `From`.",
    );
    let structs: Vec<&Struct> = structs.collect();
    for planned in &structs {
        file.imports.define(&planned.path.name);
    }
    for planned in structs {
        required(planned, &mut file);
    }
    output.add(&file_of_module(&module.path, "required"), file);
}

fn own_path(module: &Module) -> ItemPath {
    let path = format!("{}::required", module.path);
    ItemPath::new(module.package.clone(), path.trim_start_matches("::"), "")
}

/// Returns `true` if the constructor of a struct takes two arguments for which programs can give the same value.
pub(super) fn has_names(planned: &Struct) -> bool {
    let needed: Vec<&Field> = planned.fields.iter().filter(|field| field.needed).collect();
    let is_shadow = is_in_prelude(&planned.path.name);
    !is_shadow
        && needed.iter().enumerate().any(|(at, field)| {
            needed.iter().skip(at + 1).any(|other| is_alike(&field.rust_type, &other.rust_type))
        })
}

/// Returns `true` if arguments of these types can be exchanged. Open enums are made from any text.
fn is_alike(one: &RustType, other: &RustType) -> bool {
    let is_text = |of: &RustType| matches!(of, RustType::String | RustType::OpenEnum(_));
    match (one, other) {
        (RustType::List(one), RustType::List(other))
        | (RustType::Map(one), RustType::Map(other))
        | (RustType::Option(one), RustType::Option(other)) => is_alike(one, other),
        _ => one == other || is_text(one) && is_text(other),
    }
}

fn required(planned: &Struct, file: &mut SourceFile) {
    let fields = planned.in_order().into_iter().filter(|field| field.needed);
    let fields: Vec<String> = fields
        .map(|field| format!("{}: {}", field.ident, rust_type(&field.rust_type, &mut file.imports)))
        .collect();
    let name = &planned.path.name;
    let line = format!("k8s_versioned::required!({name} {{ {} }});\n", fields.join(", "));
    if fits(&line) {
        return file.text_item(line);
    }
    let fields = join(fields.iter().map(|field| format!("    {field},\n")), "");
    file.text_item(format!("k8s_versioned::required!({name} {{\n{fields}}});\n"));
}
