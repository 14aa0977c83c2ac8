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
        // Whoever reads has seen enough.
        Err(error) if error.is_io(ErrorKind::BrokenPipe) => Outcome::Failure.into(),
        Err(error) => {
            let outcome = error.outcome();
            drop(err);
            // Where the standard error cannot be written, there is nobody to tell.
            let _ = writeln!(anstream::stderr(), "{error}");
            outcome.into()
        }
    }
}

/// Colours are for terminals: the stream takes them out where they are not wanted. With them it would take
/// characters out of objects, which have to arrive as they are.
fn stdout(command: &Command) -> AutoStream<StdoutLock<'static>> {
    let stdout = io::stdout().lock();
    match command {
        Command::Convert(_) | Command::Generate(_) => AutoStream::always_ansi(stdout),
        Command::Conform(_) | Command::Elect(_) | Command::Validate(_) => AutoStream::auto(stdout),
    }
}
