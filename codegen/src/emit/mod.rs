//! From planned items to Rust text, one file per type.
//!
//! Each emitter makes the items of one concern: as tokens, which [`file`] formats, or as text in the form that the formatter gives
//! it, which costs less.

mod constructors;
mod conversions;
mod excerpts;
mod fields;
mod file;
mod format;
mod imports;
mod json_schemas;
mod modules;
mod open_enums;
mod options;
mod protobuf;
mod registry;
mod required;
mod resources;
mod structs;
mod types;

pub(crate) use excerpts::excerpts;
use file::Output;
pub use options::EmitOptions;

use crate::conversion::KindConversion;
use crate::plan::{Package, Plan, Struct};
use crate::{Files, Problems, threads};

/// Emits the files of one package of a plan, relative to the folder of the generated module.
///
/// # Errors
/// Text that is not Rust, which would be a mistake of this generator.
pub(crate) fn emit(
    plan: &Plan,
    conversions: &[KindConversion],
    options: &EmitOptions,
) -> Result<Files, Problems> {
    let package = Output::new(options).package;
    let mut parts: Vec<Part<'_>> = Vec::new();
    // The largest come first, so that no thread waits long for another at the end.
    for module in plan.modules.iter().filter(|module| module.package == package) {
        parts.push(Box::new(move |output| json_schemas::emit(plan, module, output)));
        parts.push(Box::new(move |output| required::emit(module, output)));
    }
    parts.push(Box::new(move |output| modules::emit(plan, !conversions.is_empty(), output)));
    parts.push(Box::new(move |output| protobuf::emit(plan, output)));
    if package == Package::Generated {
        parts.push(Box::new(move |output| registry::emit(plan, output)));
        parts.push(Box::new(move |output| resources::definitions(plan, output)));
        parts.push(Box::new(move |output| conversions::emit(conversions, plan, output)));
    }
    let own =
        plan.structs().chain(plan.applied()).filter(|planned| planned.path.package == package);
    for planned in own.filter(|planned| planned.list_item().is_none()) {
        parts.push(Box::new(move |output| emit_struct(planned, plan, output)));
    }
    for open_enum in plan.open_enums.iter().filter(|open_enum| open_enum.path.package == package) {
        parts.push(Box::new(move |output| {
            let mut file = output.file_of(&open_enum.path);
            open_enums::emit(open_enum, &mut file);
            output.add(&types::file_of(&open_enum.path), file);
        }));
    }
    let outputs = threads::map(&parts, |part| {
        let mut output = Output::new(options);
        part(&mut output);
        output
    });
    let mut all = Output::new(options);
    for output in outputs {
        all.append(output);
    }
    all.finish()
}

/// Emits the files of a part of a plan. No part needs the files of another.
type Part<'p> = Box<dyn Fn(&mut Output<'_>) + Sync + 'p>;

fn emit_struct(planned: &Struct, plan: &Plan, output: &mut Output<'_>) {
    let mut file = output.file_of(&planned.path);
    file.source(&planned.schema);
    structs::emit(planned, &mut file);
    constructors::emit_with_name(planned, plan, &mut file);
    constructors::emit(planned, &mut file);
    resources::emit(planned, plan, &mut file);
    output.add(&types::file_of(&planned.path), file);
}
