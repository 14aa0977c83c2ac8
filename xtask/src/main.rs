//! The commands of this workspace.

use std::io;
use std::process::ExitCode;

use clap::Parser as _;
use k8s_versioned_cli::render;
use xtask::args::Cli;

fn main() -> ExitCode {
    match xtask::run(&Cli::parse()) {
        Ok(text) => render::print(&mut io::stdout(), &text, ExitCode::SUCCESS),
        Err(error) => {
            let text = render::error(&error, render::colour());
            render::print(&mut io::stderr(), &text, ExitCode::FAILURE)
        }
    }
}
