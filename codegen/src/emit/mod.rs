//! From planned items to Rust text, one file per type.
//!
//! Each emitter makes the tokens of one concern; [`file`] puts them together and formats them.

mod apply;
mod constructors;
mod conversions;
mod fields;
mod file;
mod imports;
mod json_schemas;
mod modules;
mod protobuf;
mod registry;
mod resources;
mod structs;
mod types;
mod vocabularies;

use crate::conversion::KindConversion;
use crate::plan::{Plan, Struct};
use crate::{Options, Problems};
pub use file::Emitted;
use file::{Output, SourceFile};

/// Emits the files of a plan, relative to the folder of the generated module: those of the group, and those that all
/// groups share, by their crate.
///
/// # Errors
/// Text that is not Rust, which would be a mistake of this generator.
pub fn emit(
    plan: &Plan,
    conversions: &[KindConversion],
    options: &Options,
) -> Result<Emitted, Problems> {
    let mut output = Output::default();
    for planned in plan.structs().filter(|it| it.list_item().is_none()) {
        let mut file = SourceFile::new(options, &planned.path);
        file.source(&planned.schema);
        emit_struct(planned, plan, &mut file);
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
    if let Some(messages) = &plan.messages {
        protobuf::emit(plan, messages, options, &mut output);
    }
    registry::emit(plan, options, &mut output);
    conversions::emit(conversions, plan, options, &mut output);
    if let Some(planned) = &plan.operations {
        apply::emit(planned, plan, options, &mut output);
    }
    modules::emit(plan, !conversions.is_empty(), options, &mut output);
    output.finish()
}

fn emit_struct(planned: &Struct, plan: &Plan, file: &mut SourceFile) {
    structs::emit(planned, file);
    constructors::emit(planned, file);
    resources::emit(planned, plan, file);
}
