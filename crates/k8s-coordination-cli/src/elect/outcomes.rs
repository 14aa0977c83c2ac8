//! The outcomes of elections, written.

use std::collections::BTreeMap;
use std::io::Write;

use k8s_coordination::election::{Decision, ElectionOutcome};
use k8s_versioned_core::findings::count;
use k8s_versioned_terminal::{Outcome, Report, ReportFormat};
use serde::Serialize;

use super::ElectArgs;
use crate::Error;

/// Writes the outcomes. It is a success if each `Lease` has a holder.
pub(crate) fn write_outcomes(
    args: &ElectArgs,
    outcomes: &[ElectionOutcome<'_>],
    report: &mut Report,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Error> {
    let success = !outcomes.is_empty() && outcomes.iter().all(has_holder);
    match args.format {
        ReportFormat::Json => {
            let explained = |outcome| Explained { outcome, story: outcome.to_string() };
            let elections: Vec<Explained<'_>> = outcomes.iter().map(explained).collect();
            report.write(success, BTreeMap::from([("elections", elections)]), out)?;
        }
        ReportFormat::Text => write_text(args, outcomes, report, out, err)?,
        // The log of a workflow has the annotations among other lines; a report of GitLab is a file.
        format => {
            report.write(success, (), out)?;
            let stories: String = outcomes.iter().map(ToString::to_string).collect();
            match format {
                ReportFormat::Github => out.write_all(stories.as_bytes())?,
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
    args: &ElectArgs,
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
