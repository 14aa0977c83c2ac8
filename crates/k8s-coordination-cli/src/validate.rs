//! `coordination validate`: reports what a server would reject, and what to write instead.

use std::io::Write;

use clap::ValueEnum;
use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion as _, LeaseCandidateVersion};
use k8s_coordination::validation::{BodyProblem, Submission, Suggestion, Verdict, suggestion};
use k8s_versioned::{KindEntry, Short};
use k8s_versioned_core::findings::{Severity, count};
use k8s_versioned_terminal::{Outcome, Progress, QuietArgs, ReportFormat};

use crate::Error;
use crate::input::{FilesArgs, InputObject};
use crate::note::Note;
use crate::object_report::ObjectReport;

const AFTER_HELP: &str = "\
Example: kubectl get leases,leasecandidates --all-namespaces --output yaml | coordination validate

A server has more reasons to refuse an object, which this command does not check: a `resourceVersion` on creation, \
permissions, quotas and admission plugins.

Exit codes: 0 if no object has an error; 1 if one has, cannot be read, or there are no objects; 2 for wrong usage, or if a file \
cannot be read.";

/// The arguments of `coordination validate`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct ValidateArgs {
    /// The objects to check.
    #[command(flatten)]
    pub files: FilesArgs,
    /// The namespace for objects without one.
    #[arg(long, short, value_name = "NAMESPACE", default_value = "default")]
    pub namespace: String,
    /// How unknown fields are treated; `kubectl` uses `strict`.
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub field_validation: FieldValidation,
    /// The format of the report.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::FINDINGS), default_value = "text")]
    pub format: ReportFormat,
    /// What the report leaves out.
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// The treatment of fields that the server does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FieldValidation {
    /// It refuses the object.
    #[default]
    Strict,
    /// It drops them, and warns.
    Warn,
    /// It drops them.
    Ignore,
}

/// Checks all objects and writes their errors.
///
/// # Errors
///
/// A file cannot be read, or the output cannot be written.
pub fn run(
    args: &ValidateArgs,
    progress: &Progress,
    out: &mut dyn Write,
) -> Result<Outcome, Error> {
    let report = ObjectReport::new(args.format, args.quiet.quiet, progress);
    let mut report = report.with_output(out);
    args.files.for_each(&mut report, |object, report| {
        check(object, args, report);
        Ok(())
    })?;
    progress.end();
    let mut report = report.into_report();
    let success = report.is_success();
    report.write(success, (), out)?;
    if args.format == ReportFormat::Text && !args.quiet.quiet {
        let objects = count(report.objects(), "object");
        writeln!(out, "{objects}, {}", count(report.errors(), "error"))?;
    }
    out.flush()?;
    Ok(Outcome::new(success))
}

fn check(object: InputObject<'_>, args: &ValidateArgs, report: &mut ObjectReport<'_>) {
    let InputObject { place, value, entry } = object;
    let place = &place;
    let own = value.get("metadata").and_then(|value| value.get("namespace")?.as_str());
    let namespace = own.filter(|own| !own.is_empty()).unwrap_or(&args.namespace).to_owned();
    let request = Submission::create(entry, &namespace);
    if let Some(note) = deprecation(entry) {
        report.note(place, "", note);
    }
    let verdict = request.judge(value);
    for warning in verdict.warnings() {
        if let Some(mut note) = args.field_validation.note(warning) {
            if let BodyProblem::UnknownField(path) = warning
                && let Some(instead) = suggestion(entry, path)
            {
                note = note.with_hint(hint(instead, entry));
            }
            report.note(place, warning.path(), note);
        }
    }
    match verdict {
        Verdict::Invalid { errors, .. } => {
            for error in &errors {
                report.rejected(place, error);
            }
        }
        Verdict::Unreadable { errors } => {
            for error in &errors {
                let reason = match error {
                    BodyProblem::Decode(error) => error.reason().to_string(),
                    other => other.to_string(),
                };
                report.note(place, error.path(), Note::undecodable(place, &reason));
            }
        }
        _ => {}
    }
}

/// The note about a version that a release removes, if there is a newer one.
fn deprecation(entry: &KindEntry) -> Option<Note> {
    let newest = LeaseCandidateVersion::NEWEST;
    if entry.kind() != AnyLeaseCandidate::KIND || entry.version() == newest.as_str() {
        return None;
    }
    let warning = entry.deprecation_warning(entry.lifecycle()?.deprecated_in()?)?;
    let note = Note::new(Severity::Warning, "deprecated", format!("a server warns: {warning}"));
    Some(note.with_hint(format!("`coordination convert --to {newest}` converts the object")))
}

/// What to write instead of an unknown field.
fn hint(instead: Suggestion, entry: &KindEntry) -> String {
    match instead {
        Suggestion::Version(_) => format!(
            "{instead}: with that `apiVersion`, `coordination convert --to {}` converts the object",
            entry.version()
        ),
        _ => instead.to_string(),
    }
}

impl FieldValidation {
    /// The note for a warning of a server.
    fn note(self, warning: &BodyProblem) -> Option<Note> {
        match warning {
            BodyProblem::UnknownField(_)
            | BodyProblem::MoreUnknownFields(_)
            | BodyProblem::DuplicateField(_)
                if self == Self::Ignore =>
            {
                None
            }
            BodyProblem::UnknownField(_) if self == Self::Strict => {
                let message = "not a field of this version: a server refuses the object";
                Some(Note::new(Severity::Error, "unknown-field", message))
            }
            BodyProblem::UnknownField(_) => {
                let message = "not a field of this version: a server drops it";
                Some(Note::new(Severity::Warning, "unknown-field", message))
            }
            BodyProblem::MoreUnknownFields(_) => {
                let severity =
                    if self == Self::Strict { Severity::Error } else { Severity::Warning };
                Some(Note::new(severity, "unknown-field", warning.to_string()))
            }
            other => {
                let message = format!("a server warns: {}", Short(&other.to_string()));
                Some(Note::new(Severity::Warning, "warning", message))
            }
        }
    }
}
