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

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use file::Output;

use crate::conversion::KindConversion;
use crate::plan::{Package, Plan, Struct};
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
    let package = Output::new(options).package;
    let mut parts: Vec<Part<'_>> = Vec::new();
    // The largest first, so that no thread waits long for another at the end.
    for module in plan.modules.iter().filter(|module| module.package == package) {
        parts.push(Box::new(move |output| json_schemas::emit(plan, module, output)));
    }
    parts.push(Box::new(move |output| modules::emit(plan, !conversions.is_empty(), output)));
    parts.push(Box::new(move |output| protobuf::emit(plan, output)));
    if package == Package::Generated {
        parts.push(Box::new(move |output| registry::emit(plan, output)));
        parts.push(Box::new(move |output| resources::definitions(plan, output)));
        parts.push(Box::new(move |output| conversions::emit(conversions, plan, output)));
    }
    let own = plan.structs().chain(plan.applied()).filter(|it| it.path.package == package);
    for planned in own.filter(|it| it.list_item().is_none()) {
        parts.push(Box::new(move |output| emit_struct(planned, plan, output)));
    }
    for vocabulary in plan.vocabularies.iter().filter(|it| it.path.package == package) {
        parts.push(Box::new(move |output| {
            let mut file = output.file_of(&vocabulary.path);
            vocabularies::emit(vocabulary, &mut file);
            output.add(&types::file_of(&vocabulary.path), file);
        }));
    }
    emit_parts(&parts, options).finish()
}

/// Emits the files of a part of a plan.
type Part<'p> = Box<dyn Fn(&mut Output<'_>) + Sync + 'p>;

/// The fewest parts for which another thread is worth its time.
const FEW: usize = 50;

/// Emits all parts, on all processors: no part needs the files of another.
fn emit_parts<'o>(parts: &[Part<'_>], options: &'o Options) -> Output<'o> {
    let next = AtomicUsize::new(0);
    let emit = || {
        let mut output = Output::new(options);
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            part(&mut output);
        }
        output
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let others = 1..threads.min(parts.len() / FEW);
        let others: Vec<_> = others.map(|_| scope.spawn(emit)).collect();
        let mut output = emit();
        for other in others {
            match other.join() {
                Ok(other) => output.append(other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        output
    })
}

fn emit_struct(planned: &Struct, plan: &Plan, output: &mut Output<'_>) {
    let mut file = output.file_of(&planned.path);
    file.source(&planned.schema);
    structs::emit(planned, &mut file);
    constructors::emit_with_name(planned, plan, &mut file);
    constructors::emit(planned, &mut file);
    resources::emit(planned, plan, &mut file);
    output.add(&types::file_of(&planned.path), file);
}
