//! `coordination convert`: objects of one version as objects of another.

mod advice;
mod binary_version;
mod conversion;
mod entry;
mod report;

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use k8s_coordination::conversion::LeaseCandidateVersion;

use crate::input::{Input, STDIN};
use crate::{Error, Outcome};

pub use binary_version::BinaryVersion;
use conversion::Conversion;

/// The arguments of `coordination convert`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A file with objects in YAML or JSON; `-` is the standard input.
    #[arg(value_name = "FILE", default_value = STDIN)]
    pub file: PathBuf,
    /// The version to convert into.
    #[arg(long, value_name = "VERSION", value_parser = version())]
    pub to: LeaseCandidateVersion,
    /// Refuse what loses anything, and what servers of the version would reject.
    #[arg(long)]
    pub strict: bool,
    /// Leave out what only a server can set, such as `uid` and `managedFields`, to create the objects anew.
    #[arg(long)]
    pub migrate: bool,
    /// What fills an absent `binaryVersion` where the version requires one: a version, or `emulation` for
    /// the object's own `emulationVersion` [default: nothing].
    #[arg(long, value_name = "VERSION")]
    pub binary_version: Option<BinaryVersion>,
    /// How the report is written.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub report: ReportFormat,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people; nothing if there is nothing to tell.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Reads one of the versions.
fn version() -> impl TypedValueParser<Value = LeaseCandidateVersion> {
    let names = LeaseCandidateVersion::ALL
        .iter()
        .map(|version| version.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<LeaseCandidateVersion>())
}

/// Converts all documents, and writes them in the format in which they came. If one cannot be converted,
/// none is written. The report goes to `err`.
///
/// # Errors
///
/// The file cannot be read, or the output cannot be written.
pub fn run(args: &Args, out: &mut impl Write, err: &mut impl Write) -> Result<Outcome, Error> {
    let input = Input::read(&args.file)?;
    let mut conversion = Conversion::new(args);
    let documents = input.documents.into_iter();
    let converted: Vec<_> = documents
        .map(|document| conversion.document(document))
        .collect();
    let converted: Option<Vec<_>> = converted.into_iter().collect();
    let report = conversion.finish();
    if let Some(documents) = &converted {
        input.format.write(documents, out)?;
    }
    report.write(args.report, err)?;
    Ok(match converted {
        Some(_) => Outcome::Success,
        None => Outcome::Failure,
    })
}
