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

use file::{Output, SourceFile};

use crate::conversion::KindConversion;
use crate::plan::{Origin, Plan, Struct};
use crate::{Files, Options, Problems};

/// Emits the files of one package of a plan, relative to the folder of the generated module.
///
/// # Errors
/// Text that is not Rust, which would be a mistake of this generator.
pub fn emit(
    plan: &Plan,
    conversions: &[KindConversion],
    options: &Options,
) -> Result<Files, Problems> {
    let origin = options.shared.clone().map_or(Origin::Generated, Origin::Shared);
    let mut output = Output::default();
    for planned in of_origin(plan.structs(), &origin).filter(|it| it.list_item().is_none()) {
        let mut file = SourceFile::new(options, &planned.path);
        file.source(&planned.schema);
        emit_struct(planned, plan, &mut file);
        output.add(&types::file_of(&planned.path), file);
    }
    for vocabulary in plan.vocabularies.iter().filter(|it| it.path.origin == origin) {
        let mut file = SourceFile::new(options, &vocabulary.path);
        vocabularies::emit(vocabulary, &mut file);
        output.add(&types::file_of(&vocabulary.path), file);
    }
    for module in plan.modules.iter().filter(|module| module.origin == origin) {
        json_schemas::emit(plan, module, options, &mut output);
    }
    if let Some(messages) = &plan.messages {
        protobuf::emit(plan, messages, &origin, options, &mut output);
    }
    if origin == Origin::Generated {
        registry::emit(plan, options, &mut output);
        resources::definitions(plan, &mut output);
        conversions::emit(conversions, plan, options, &mut output);
    }
    if let Some(planned) = &plan.operations {
        let types = of_origin(planned.apply.iter(), &origin);
        apply::emit(types, planned, plan, options, &mut output);
    }
    modules::emit(plan, &origin, !conversions.is_empty(), options, &mut output);
    output.finish()
}

/// The structs of one package.
fn of_origin<'a>(
    structs: impl Iterator<Item = &'a Struct>,
    origin: &Origin,
) -> impl Iterator<Item = &'a Struct> {
    structs.filter(move |planned| planned.path.origin == *origin)
}

fn emit_struct(planned: &Struct, plan: &Plan, file: &mut SourceFile) {
    structs::emit(planned, file);
    constructors::emit(planned, file);
    resources::emit(planned, plan, file);
}
