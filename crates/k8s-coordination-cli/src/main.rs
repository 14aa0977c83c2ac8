//! The command `coordination`.

use std::io::{self, ErrorKind, StdoutLock, Write as _};
use std::process::ExitCode;

use anstream::AutoStream;
use clap::Parser as _;
use k8s_coordination_cli::{Cli, Command, Outcome};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let (mut out, mut err) = (stdout(&cli.command), io::stderr().lock());
    match k8s_coordination_cli::run(&cli, &mut out, &mut err) {
        Ok(outcome) => outcome.into(),
        // The reader of the output, such as `head`, has closed it.
        Err(error) if error.is_io(ErrorKind::BrokenPipe) => Outcome::Failure.into(),
        Err(error) => {
            let outcome = error.outcome();
            drop(err);
            // If the standard error cannot be written, the exit code remains.
            let _ = writeln!(anstream::stderr(), "error: {error}");
            outcome.into()
        }
    }
}

/// The standard output. It removes colours unless it is a terminal, but not from objects: their texts may contain the
/// same characters.
fn stdout(command: &Command) -> AutoStream<StdoutLock<'static>> {
    let stdout = io::stdout().lock();
    match command {
        Command::Convert(_) | Command::Generate(_) => AutoStream::always_ansi(stdout),
        _ => AutoStream::auto(stdout),
    }
}
