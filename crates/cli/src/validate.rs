//! `coordination validate`: what a server would reject, and what to write instead.

use std::io::Write;

use crate::input::{Files, Found, for_each_object};
use crate::report::{Format, Level, Note, Report, count};
use crate::{Error, Outcome, object};

const AFTER_HELP: &str = "\
Example: kubectl get leases,leasecandidates --all-namespaces --output yaml | coordination validate

A server also rejects what this command does not look at: times that do not have exactly six fractional digits, an \
outdated `resourceVersion`, and what permissions, quotas and admission plugins forbid.";

/// The arguments of `coordination validate`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// What to check.
    #[command(flatten)]
    pub files: Files,
    /// The namespace of objects that name none.
    #[arg(long, short, value_name = "NAMESPACE", default_value = "default")]
    pub namespace: String,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Checks all objects and writes what is wrong with them.
///
/// # Errors
///
/// A file cannot be read, or the output cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Error> {
    let mut report = Report::default();
    for_each_object(&args.files, &mut report, |found, report| {
        check(&found, &args.namespace, report);
    })?;
    match args.format {
        Format::Json => report.write_json(report.is_success(), (), out)?,
        Format::Text => {
            report.write_text(out)?;
            let objects = count(report.objects(), "object");
            writeln!(
                out,
                "{objects}, {}",
                count(report.count(Level::Error), "error")
            )?;
        }
    }
    out.flush()?;
    Ok(Outcome::of(report.is_success()))
}

fn check(found: &Found, namespace: &str, report: &mut Report) {
    let Found {
        place,
        value,
        entry,
    } = found;
    let (object, unknown) = match entry.decode_value_and_unknown(value) {
        Ok(decoded) => decoded,
        Err(error) => return object::undecodable(&error, place, report),
    };
    for path in unknown {
        report.note(place, path.as_str(), Note::UnknownField);
    }
    if let Some(Err(errors)) = object::verdict_on_creation(&*object, namespace) {
        for error in &errors {
            report.rejected(place, error);
        }
    }
}
