//! The command `k8s-versioned`.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use indicatif::ProgressBar;
use k8s_versioned_cli::args::Cli;
use k8s_versioned_cli::{output, render};
use k8s_versioned_codegen::diff::report::Format;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Drawn on the standard error, and only if that is a terminal.
    let bar =
        if cli.command.is_server() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    bar.enable_steady_tick(Duration::from_millis(200));
    let result = k8s_versioned_cli::run(&cli, &|what| bar.set_message(what.to_owned()));
    bar.finish_and_clear();
    match result {
        Ok(text) => render::print(&mut io::stdout(), &text, ExitCode::SUCCESS),
        Err(error) => {
            let text = output::error(&error, &cli, render::colour());
            let code = ExitCode::from(error.exit_code());
            match cli.format {
                Format::Json => render::print(&mut io::stdout(), &text, code),
                _ => render::print(&mut io::stderr(), &text, code),
            }
        }
    }
}
