//! The commands of this workspace.

use std::io;
use std::process::ExitCode;

use clap::Parser as _;
use k8s_versioned_cli::text::errors;
use xtask::args::Cli;

fn main() -> ExitCode {
    match xtask::run(&Cli::parse()) {
        Ok(text) => errors::print(&mut io::stdout(), &text, ExitCode::SUCCESS),
        Err(error) => {
            let text = errors::error(&error, errors::colour());
            errors::print(&mut io::stderr(), &text, ExitCode::FAILURE)
        }
    }
}
