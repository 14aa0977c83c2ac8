//! `coordination conform`: checks the types against recordings.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use k8s_versioned::Release;
use k8s_versioned_conformance::recordings::KNOWN_FAILURES_FILE;
use k8s_versioned_conformance::{
    Documents, Finding, KnownFailures, RecordedSide, Recordings, SuiteReport, compare,
};
use k8s_versioned_core::findings::count;
use k8s_versioned_terminal::{
    self as terminal, Outcome, ReportFormat, candidates, value_of_option, write_json,
};

use crate::Error;
use crate::conformance::{operations, suite};

const AFTER_HELP: &str = "\
Example: coordination conform --fixtures fixtures --release v1.36 --only decode --only round-trip

Exit codes: 0 if all checks pass, and for a comparison; 1 if a check fails, or there are no recordings; 2 for wrong usage.";

/// The folder of the recordings, if `--fixtures` names no other.
const FIXTURES: &str = "fixtures";

/// The arguments of `coordination conform`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct ConformArgs {
    /// The folder of the recordings.
    #[arg(long, value_name = "DIR", default_value = FIXTURES)]
    pub fixtures: PathBuf,
    /// The folder of the `OpenAPI` documents; checks that need documents do not apply without it
    /// [default: specs, if there is such a folder].
    #[arg(long, value_name = "DIR")]
    pub specs: Option<PathBuf>,
    /// The file of the known failures [default: known-failures.toml among the recordings].
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// The format of the report.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::FINDINGS), default_value = "text")]
    pub format: ReportFormat,
    /// Run only this check; can be given several times.
    #[arg(long, value_name = "CHECK", add = candidates(names_of_checks))]
    pub only: Vec<String>,
    /// Read only recordings of this release, for example `v1.36`.
    #[arg(long, value_name = "RELEASE", add = candidates(recorded_releases))]
    pub release: Option<Release>,
    /// Run no checks; compare the answers of two servers in the same cases. A side is a release, or an API version in
    /// it: `v1.35 v1.36`, or `v1.31/v1alpha1 v1.36/v1beta1`.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], add = candidates(recorded_releases), conflicts_with_all = ["only", "release", "specs", "known"])]
    pub compare: Option<Vec<RecordedSide>>,
}

/// The names of the checks, for completions.
fn names_of_checks() -> Vec<String> {
    let (documents, operations) = (Documents::default(), operations());
    suite(&documents, &operations).names().map(str::to_owned).collect()
}

/// The releases that have recordings, for completions.
fn recorded_releases() -> Vec<String> {
    let fixtures = value_of_option("--fixtures").unwrap_or_else(|| FIXTURES.into());
    let names =
        fs::read_dir(fixtures).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let releases: BTreeSet<Release> =
        names.filter_map(|name| name.to_str()?.parse().ok()).collect();
    releases.iter().map(Release::to_string).collect()
}

/// Runs the checks and writes the report.
///
/// # Errors
///
/// There are no recordings, no such check, or a file beside the recordings cannot be read.
pub fn run(args: &ConformArgs, out: &mut dyn Write) -> Result<Outcome, Error> {
    let recordings = recordings(args)?;
    if let Some([old, new]) = args.compare.as_deref() {
        let known = releases(&recordings);
        if let Some(side) = [old, new].into_iter().find(|side| !known.contains(&side.release)) {
            return Err(not_recorded(side.release, &known, args));
        }
        write_findings(&compare(&recordings, old, new), args.format, out)?;
        return Ok(Outcome::new(true));
    }
    let documents = documents(args.specs.as_deref())?;
    let operations = operations();
    let mut suite = suite(&documents, &operations).with_known_failures(known_failures(args)?);
    if !args.only.is_empty() {
        suite = suite.only(&args.only)?;
    }
    let report = suite.run(&recordings);
    write(&report, args.format, out)?;
    Ok(Outcome::new(report.is_success()))
}

fn documents(folder: Option<&Path>) -> Result<Documents, Error> {
    let default = Some(Path::new("specs")).filter(|folder| folder.is_dir());
    Ok(folder.or(default).map(Documents::load).transpose()?.unwrap_or_default())
}

/// The known failures of the file `--known`, or of the file beside the recordings if there is one.
fn known_failures(args: &ConformArgs) -> Result<KnownFailures, Error> {
    let beside = Some(args.fixtures.join(KNOWN_FAILURES_FILE)).filter(|file| file.is_file());
    let file = args.known.clone().or(beside);
    Ok(file.map(KnownFailures::load).transpose()?.unwrap_or_default())
}

fn recordings(args: &ConformArgs) -> Result<Recordings, Error> {
    let recordings = Recordings::load(&args.fixtures)?;
    let Some(release) = args.release else {
        return Ok(recordings);
    };
    let known = releases(&recordings);
    let recordings = recordings.of_release(release);
    if recordings.is_empty() && recordings.rejected().is_empty() {
        return Err(not_recorded(release, &known, args));
    }
    Ok(recordings)
}

fn releases(recordings: &Recordings) -> BTreeSet<Release> {
    recordings.iter().map(|one| one.path.release).collect()
}

fn not_recorded(release: Release, known: &BTreeSet<Release>, args: &ConformArgs) -> Error {
    let known = known.iter().map(Release::to_string).collect();
    Error::Release { release, folder: args.fixtures.clone(), known }
}

fn write(report: &SuiteReport, format: ReportFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ReportFormat::Markdown => write!(out, "{}", report.markdown())?,
        ReportFormat::Json => write_json(report, out)?,
        ReportFormat::Text => write!(out, "{report:#}")?,
        ReportFormat::Github | ReportFormat::Gitlab => write_places(&report.findings, format, out)?,
    }
    out.flush()
}

/// Writes the differences of two servers: each as text, or all as a list of JSON.
fn write_findings(
    findings: &[Finding],
    format: ReportFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ReportFormat::Json => write_json(findings, out)?,
        ReportFormat::Text => {
            findings.iter().try_for_each(|finding| write!(out, "{finding:#}"))?;
            writeln!(out, "{}", count(findings.len(), "difference"))?;
        }
        format => write_places(findings, format, out)?,
    }
    out.flush()
}

/// Writes findings with the places of their recordings.
fn write_places(findings: &[Finding], format: ReportFormat, out: &mut dyn Write) -> io::Result<()> {
    let mut report = terminal::Report::new(format, false);
    for finding in findings.iter().cloned() {
        report.add(finding);
    }
    report.write(report.is_success(), (), out)
}
