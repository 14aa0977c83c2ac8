//! `coordination convert`: converts objects of one version into another.

mod args;
mod conversion;
mod output;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

pub use args::{ConvertArgs, Filling};
use conversion::Conversion;
#[cfg(feature = "cluster")]
pub(crate) use conversion::{LAST_APPLIED, warn_of_last_applied};
use k8s_versioned_core::findings::count;
use k8s_versioned_terminal::input::{STDIN, name_of};
use k8s_versioned_terminal::{Outcome, Progress, ReportFormat};

use crate::Error;
use crate::object_report::ObjectReport;

/// Converts all documents and writes them in the format of the input. If one cannot be converted, none is written. The
/// report goes to `err`.
///
/// # Errors
///
/// A file cannot be read, or the output cannot be written.
pub fn run(
    args: &ConvertArgs,
    progress: &Progress,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Error> {
    if args.in_place {
        only_files(&args.files.paths)?;
    }
    let mut conversion = Conversion::new(args, progress);
    let mut outputs = conversion.files()?;
    progress.end();
    let mut report = conversion.report;
    let is_text = args.format == ReportFormat::Text && !args.quiet.quiet;
    if !report.is_success() {
        report.keep_errors();
        write_report(args, &mut report, err)?;
        if is_text {
            write_refusal(args, &report, err)?;
        }
        return Ok(Outcome::Failure);
    }
    let changed = outputs.iter().filter(|output| output.is_changed()).count();
    let unchanged = outputs.len() - changed;
    let done = if args.check {
        output::report_changes(&outputs, args.to, &mut report);
        Some((changed, "would change"))
    } else if args.in_place {
        Some((output::replace(&mut outputs, &mut report), "replaced"))
    } else {
        output::write(outputs, &mut report, out)?;
        None
    };
    let success = report.is_success();
    write_report(args, &mut report, err)?;
    if let (Some((files, done)), true) = (done, is_text) {
        writeln!(err, "{} {done}, {unchanged} unchanged", count(files, "file"))?;
    }
    Ok(Outcome::new(success))
}

/// The end of the report about a conversion that did not happen.
fn write_refusal(
    args: &ConvertArgs,
    report: &ObjectReport<'_>,
    err: &mut dyn Write,
) -> Result<(), Error> {
    let item = if report.has_wrong_item() {
        "; an item of a list can be taken out of the file, and the others be converted"
    } else {
        ""
    };
    // `--check` never writes.
    let start = if args.check { "" } else { "nothing is written: " };
    Ok(writeln!(err, "{start}{}{item}", count(report.errors(), "error"))?)
}

/// Checks that the arguments are files or folders. Reading reports those that do not exist.
fn only_files(paths: &[PathBuf]) -> Result<(), Error> {
    let other = paths.iter().find(|path| {
        **path == Path::new(STDIN)
            || fs::metadata(path).is_ok_and(|one| !one.is_file() && !one.is_dir())
    });
    match other {
        None => Ok(()),
        Some(path) => Err(Error::NotAFile { input: name_of(path) }),
    }
}

fn write_report(
    args: &ConvertArgs,
    report: &mut ObjectReport<'_>,
    err: &mut dyn Write,
) -> Result<(), Error> {
    let (success, to) = (report.is_success(), BTreeMap::from([("to", args.to.as_str())]));
    Ok(report.write(success, to, err)?)
}
