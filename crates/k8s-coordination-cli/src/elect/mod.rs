//! `coordination elect`: the leader of each `Lease`, and the reasons.

mod args;
mod contest;
mod outcomes;

use std::io::Write;

use k8s_versioned::MicroTime;
use k8s_versioned_terminal::{Outcome, Progress};

use crate::Error;
use crate::object_report::ObjectReport;

pub use args::ElectArgs;
#[cfg(not(feature = "cluster"))]
pub use args::NotBuilt;
#[cfg(feature = "cluster")]
pub use args::SourceArgs;
pub(crate) use outcomes::write_outcomes;

pub(crate) use contest::Contests;
#[cfg(feature = "cluster")]
pub(crate) use contest::complete;

/// Runs the elections and writes the outcomes.
///
/// # Errors
///
/// A file cannot be read, or there is no such `Lease`.
pub fn run(
    args: &ElectArgs,
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
