//! From planned items to Rust text, one file per type.
//!
//! Each emitter makes the tokens of one concern; [`file`] puts them together and formats them.

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

use file::Output;

use crate::conversion::KindConversion;
use crate::plan::{Package, Plan};
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
    let mut output = Output::new(options);
    let package = output.package.clone();
    let own = plan.structs().chain(plan.applied()).filter(|it| it.path.package == package);
    for planned in own.filter(|it| it.list_item().is_none()) {
        let mut file = output.file_of(&planned.path);
        file.source(&planned.schema);
        structs::emit(planned, &mut file);
        constructors::emit_with_name(planned, plan, &mut file);
        constructors::emit(planned, &mut file);
        resources::emit(planned, plan, &mut file);
        output.add(&types::file_of(&planned.path), file);
    }
    for vocabulary in plan.vocabularies.iter().filter(|it| it.path.package == package) {
        let mut file = output.file_of(&vocabulary.path);
        vocabularies::emit(vocabulary, &mut file);
        output.add(&types::file_of(&vocabulary.path), file);
    }
    for module in plan.modules.iter().filter(|module| module.package == package) {
        json_schemas::emit(plan, module, &mut output);
    }
    protobuf::emit(plan, &mut output);
    if package == Package::Generated {
        registry::emit(plan, &mut output);
        resources::definitions(plan, &mut output);
        conversions::emit(conversions, plan, &mut output);
    }
    modules::emit(plan, !conversions.is_empty(), &mut output);
    output.finish()
}
