//! `coordination elect`: who leads, and why.

mod contest;
mod json;

use std::io::{self, Write};

use clap::ValueEnum;
use k8s_coordination::election;
use k8s_versioned::MicroTime;

use crate::input::Files;
use crate::{Error, Outcome};

use contest::Contests;

/// The arguments of `coordination elect`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What to judge.
    #[command(flatten)]
    pub files: Files,
    /// The `Lease` to judge, whether or not it exists [default: all that have candidates].
    #[arg(long, value_name = "[NAMESPACE/]NAME")]
    pub lease: Option<String>,
    /// When it is, for example `2026-01-02T03:04:05Z` [default: now].
    #[arg(long, value_name = "TIME")]
    pub now: Option<MicroTime>,
    /// How the outcome is written.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// How an outcome is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Holds the elections and writes what comes out.
///
/// # Errors
///
/// A file or an object in it cannot be read, or there is no such `Lease`.
pub fn run(args: &Args, out: &mut impl Write) -> Result<Outcome, Error> {
    let contests = Contests::of(args.files.read()?, &args.files.namespace)?;
    let now = args.now.unwrap_or_else(MicroTime::now);
    let outcomes = contests.outcomes(args.lease.as_deref(), now)?;
    write(&outcomes, args.format, out)?;
    let failed = outcomes.iter().any(|outcome| outcome.error().is_some());
    Ok(if failed {
        Outcome::Failure
    } else {
        Outcome::Success
    })
}

fn write(outcomes: &[election::Outcome], format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Json => {
            let outcomes: Vec<_> = outcomes.iter().map(json::Outcome::of).collect();
            serde_json::to_writer_pretty(&mut *out, &outcomes)?;
            writeln!(out)?;
        }
        Format::Text if outcomes.is_empty() => writeln!(out, "There are no candidates.")?,
        Format::Text => {
            let stories: Vec<String> = outcomes.iter().map(ToString::to_string).collect();
            write!(out, "{}", stories.join("\n"))?;
        }
    }
    out.flush()
}
