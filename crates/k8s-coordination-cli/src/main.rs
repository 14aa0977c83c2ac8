//! The command `coordination`.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use k8s_coordination_cli::{Cli, Command};
use k8s_versioned_terminal::{Outcome, Progress, answer_shell};

fn main() -> ExitCode {
    answer_shell(Cli::command);
    let cli = Cli::parse();
    let color = cli.color.color;
    // The texts of objects may contain the characters of colours.
    let mut out: Box<dyn Write> = match &cli.command {
        Command::Convert(_) | Command::HelpFiles(_) => Box::new(io::stdout().lock()),
        _ => Box::new(color.stdout()),
    };
    let progress = if cli.command.reads_files() { Progress::start() } else { Progress::hidden() };
    let result = k8s_coordination_cli::run(&cli, &progress, &mut out, &mut color.stderr());
    progress.end();
    match result {
        Ok(outcome) => outcome.into(),
        // The reader of the output, such as `head`, has closed it.
        Err(error) if error.is_io(ErrorKind::BrokenPipe) => Outcome::Failure.into(),
        Err(error) => {
            // If the standard error cannot be written, the exit code remains.
            let _ = writeln!(color.stderr(), "error: {error}");
            error.outcome().into()
        }
    }
}
