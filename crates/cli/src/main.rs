//! The command `coordination`.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::Parser as _;
use k8s_coordination_cli::{Cli, Outcome};

fn main() -> ExitCode {
    // Colours are for terminals. The stream takes them out where they are not wanted.
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    match k8s_coordination_cli::run(&Cli::parse(), &mut out) {
        Ok(outcome) => outcome.into(),
        // Whoever reads has seen enough.
        Err(error) if error.is_io(ErrorKind::BrokenPipe) => Outcome::Failure.into(),
        Err(error) => {
            let outcome = error.outcome();
            anstream::eprintln!("{error}");
            outcome.into()
        }
    }
}
