//! From planned items to Rust text, one file per type.
//!
//! Each emitter makes the tokens of one concern; [`file`] puts them together and formats them.

mod constructors;
mod fields;
mod file;
mod imports;
mod json_schemas;
mod modules;
mod objects;
mod registry;
mod resources;
mod structs;
mod types;
mod vocabularies;

use crate::plan::{Plan, Struct};
use crate::{Files, Options, Problems};
use file::{Output, SourceFile};

/// Emits the files of a plan, relative to the folder of the generated module.
///
/// # Errors
/// Text that is not Rust, which would be a mistake of this generator.
pub fn emit(plan: &Plan, options: &Options) -> Result<Files, Problems> {
    let mut output = Output::new(options);
    for planned in plan.structs() {
        let mut file = SourceFile::new(options, &planned.path);
        file.source(&planned.schema);
        emit_struct(planned, &mut file);
        output.add(&types::file_of(&planned.path), file);
    }
    for vocabulary in &plan.vocabularies {
        let mut file = SourceFile::new(options, &vocabulary.path);
        vocabularies::emit(vocabulary, &mut file);
        output.add(&types::file_of(&vocabulary.path), file);
    }
    for module in &plan.modules {
        json_schemas::emit(module, options, &mut output);
    }
    registry::emit(plan, options, &mut output);
    modules::emit(plan, options, &mut output);
    output.finish()
}

fn emit_struct(planned: &Struct, file: &mut SourceFile) {
    structs::emit(planned, file);
    constructors::emit(planned, file);
    resources::emit(planned, file);
    objects::emit(planned, file);
}
