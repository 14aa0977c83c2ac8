//! `coordination elect`: the leader of each `Lease`, and the reasons.

mod contest;

use std::collections::BTreeMap;
use std::io::Write;

use k8s_coordination::election::{Decision, ElectionOutcome};
use k8s_versioned::MicroTime;
use k8s_versioned_names::findings::count;
use k8s_versioned_terminal::{Format, Outcome, Progress, QuietArgs, Report};
use serde::Serialize;

use crate::Error;
use crate::input::Files;
use crate::report::ObjectReport;

pub(crate) use contest::Contests;
#[cfg(feature = "cluster")]
pub(crate) use contest::complete;

const AFTER_HELP: &str = "\
Examples:
  kubectl get leases,leasecandidates --all-namespaces --output yaml | coordination elect
  coordination elect --lease kube-system/scheduler --now 2026-01-02T03:04:05Z dump.yaml

Exit codes: 0 if each Lease has a holder after the election; 1 if one has none, no candidate answers, there are no \
candidates, or an object cannot be read; 2 for wrong usage, or if a file or the cluster cannot be read, with `--watch` at \
the first attempt; 130 after Ctrl-C.";

/// The arguments of `coordination elect`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The objects that take part in the election.
    #[command(flatten)]
    pub files: Files,
    /// The namespace for objects without one
    /// [default: default]. With `--cluster`, the only namespace to read.
    #[arg(long, short, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// The cluster to read.
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub source: crate::cluster::elect::Source,
    /// The cluster of another build.
    #[cfg(not(feature = "cluster"))]
    #[command(flatten)]
    pub source: NotBuilt,
    /// The `Lease` to judge; it need not exist [default: all that have candidates].
    #[arg(long, value_name = "[NAMESPACE/]NAME")]
    pub lease: Option<String>,
    /// The time of the election, for example `2026-01-02T03:04:05Z` [default: now]. For an old dump give the time of the dump.
    #[arg(long, value_name = "TIME")]
    pub now: Option<MicroTime>,
    /// The format of the output; `github` and `gitlab` are for files.
    #[arg(long, value_parser = Format::one_of(&Format::ANSWER_ABOUT_FILES), default_value = "text")]
    pub format: Format,
    /// What the report leaves out.
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// Options of another build, which says what they need.
#[cfg(not(feature = "cluster"))]
#[derive(Clone, Debug, Default, clap::Args)]
pub struct NotBuilt {
    /// Read a cluster.
    #[arg(long, hide = true, conflicts_with_all = ["paths", "now"])]
    pub cluster: bool,
    /// The context of the kubeconfig.
    #[arg(long, hide = true, value_name = "CONTEXT", requires = "cluster")]
    pub context: Option<String>,
    /// The time for an answer.
    #[arg(long, hide = true, value_name = "SECONDS", requires = "cluster")]
    pub request_timeout: Option<u32>,
    /// Read the cluster again.
    #[arg(long, short, hide = true, requires = "cluster")]
    pub watch: bool,
}

/// Runs the elections and writes the outcomes.
///
/// # Errors
///
/// A file cannot be read, or there is no such `Lease`.
pub fn run(
    args: &Args,
    progress: &Progress,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Error> {
    #[cfg(feature = "cluster")]
    if args.source.cluster {
        if args.format.needs_files() {
            return Err(Error::NoPlace);
        }
        return crate::cluster::elect::start(args, out, err);
    }
    #[cfg(not(feature = "cluster"))]
    if args.source.cluster {
        return Err(Error::NotBuilt);
    }
    let namespace = args.namespace.as_deref().unwrap_or("default");
    let mut report = ObjectReport::new(args.format, args.quiet.quiet, progress);
    let mut contests = Contests::default();
    args.files.for_each(&mut report, |object, report| {
        contests.add(&object, namespace, report);
        Ok(())
    })?;
    progress.end();
    let mut outcomes = Vec::new();
    if report.is_success() {
        let now = args.now.unwrap_or_else(MicroTime::now);
        outcomes = contests.outcomes(args.lease.as_deref(), now)?;
        if args.now.is_none() {
            contests.point_to_now(&outcomes, &mut report);
        }
    }
    write_outcomes(args, &outcomes, &mut report, out, err)
}

/// Writes the outcomes. It is a success if each `Lease` has a holder.
pub(crate) fn write_outcomes(
    args: &Args,
    outcomes: &[ElectionOutcome<'_>],
    report: &mut Report,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Error> {
    let success = !outcomes.is_empty() && outcomes.iter().all(has_holder);
    match args.format {
        Format::Json => {
            let explained = |outcome| Explained { outcome, story: outcome.to_string() };
            let elections: Vec<Explained<'_>> = outcomes.iter().map(explained).collect();
            report.write(success, BTreeMap::from([("elections", elections)]), out)?;
        }
        Format::Text => write_text(args, outcomes, report, out, err)?,
        // The log of a workflow has the annotations among other lines; a report of GitLab is a file.
        format => {
            report.write(success, (), out)?;
            let stories: String = outcomes.iter().map(ToString::to_string).collect();
            match format {
                Format::Github => out.write_all(stories.as_bytes())?,
                _ => err.write_all(stories.as_bytes())?,
            }
            return Ok(Outcome::new(success));
        }
    }
    out.flush()?;
    Ok(Outcome::new(success))
}

/// Returns `true` if the `Lease` has a holder after the election.
fn has_holder(outcome: &ElectionOutcome<'_>) -> bool {
    let holder = match &outcome.decision {
        Decision::Failed { .. } | Decision::NoCandidates | Decision::Unanswered => None,
        Decision::Create { lease } | Decision::Update { lease, .. } => lease.spec.holder(),
        _ => outcome.holder,
    };
    holder.is_some()
}

fn write_text(
    args: &Args,
    outcomes: &[ElectionOutcome<'_>],
    report: &mut Report,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Error> {
    let stories: Vec<String> = outcomes.iter().map(ToString::to_string).collect();
    match report.errors() {
        0 if outcomes.is_empty() => writeln!(out, "There are no candidates.")?,
        0 => write!(out, "{}", stories.join("\n"))?,
        errors => {
            report.write(false, (), err)?;
            if !args.quiet.quiet {
                writeln!(err, "no election is judged: {}", count(errors, "error"))?;
            }
            return Ok(());
        }
    }
    out.flush()?;
    Ok(report.write(true, (), err)?)
}

/// The outcome of an election, and the text for people.
#[derive(Serialize)]
struct Explained<'a> {
    #[serde(flatten)]
    outcome: &'a ElectionOutcome<'a>,
    story: String,
}
