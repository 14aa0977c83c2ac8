//! The commands of this workspace.

use std::env;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use clap::Parser as _;
use xtask::args::Cli;
use xtask::render;

fn main() -> ExitCode {
    match xtask::run(&Cli::parse()) {
        Ok(text) => print(&mut io::stdout(), &text, ExitCode::SUCCESS),
        Err(error) => {
            let text = render::error(&error, colour());
            print(&mut io::stderr(), &text, ExitCode::FAILURE)
        }
    }
}

/// Tells if the output has colour: on a terminal, unless <https://no-color.org> switches it off.
fn colour() -> bool {
    io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints a text. Unlike `println!`, it does not panic when the output is closed.
fn print(to: &mut impl io::Write, text: &str, code: ExitCode) -> ExitCode {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}
