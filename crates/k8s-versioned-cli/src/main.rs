//! The command `k8s-versioned`.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use k8s_versioned_cli::Error;
use k8s_versioned_cli::args::{Cli, Command};
use k8s_versioned_cli::text::{errors, findings};
use k8s_versioned_terminal::{Progress, ReportFormat, answer_shell};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    answer_shell(Cli::command);
    let cli = Cli::parse();
    let color = cli.color.color;
    // Colours are for reports and types: other texts have none of their own. To look for colours that are not there takes long.
    let mut out: Box<dyn Write> = match &cli.command {
        Command::Show { .. } if color.is_on_stdout() => Box::new(color.stdout()),
        Command::Validate { .. } => Box::new(color.stdout()),
        _ => Box::new(io::stdout().lock()),
    };
    let progress = if cli.command.is_server() { Progress::hidden() } else { Progress::start() };
    let result = k8s_versioned_cli::run(&cli, &progress, &mut out);
    progress.end();
    let Err(error) = result else { return ExitCode::SUCCESS };
    let code = ExitCode::from(error.exit_code());
    let is_reported = matches!(error, Error::Invalid(_) | Error::Differs { .. });
    // If the output cannot be written, the exit code remains.
    let _ = match (cli.command.format(), &error) {
        // The reader of the output, such as `head`, has closed it.
        (_, Error::Output(reason)) if reason.kind() == ErrorKind::BrokenPipe => Ok(()),
        (ReportFormat::Json, _) if !is_reported => {
            out.write_all(findings::error(&error, &cli).as_bytes()).and_then(|()| out.flush())
        }
        (format, _) if format.needs_files() && !is_reported => {
            let text = findings::annotations_of(&error, &cli, format);
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        }
        (ReportFormat::Text, _) => color.stderr().write_all(errors::error(&error, true).as_bytes()),
        _ if is_reported => Ok(()),
        _ => color.stderr().write_all(errors::error(&error, true).as_bytes()),
    };
    code
}
