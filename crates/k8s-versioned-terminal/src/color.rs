//! `--color`, and the output with or without colours.

use std::io::{self, StderrLock, StdoutLock};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

/// The option `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct ColorArgs {
    /// Colours: `auto` (on a terminal, unless `NO_COLOR` is set), `always` or `never`.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub color: Color,
}

/// When the output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    fn choice(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
    }

    /// Returns `true` if the standard output has colours.
    pub fn is_on_stdout(self) -> bool {
        self.stdout().current_choice() != ColorChoice::Never
    }

    /// The standard output, which removes colours that are not wanted.
    pub fn stdout(self) -> AutoStream<StdoutLock<'static>> {
        AutoStream::new(io::stdout().lock(), self.choice())
    }

    /// The standard error, which removes colours that are not wanted.
    pub fn stderr(self) -> AutoStream<StderrLock<'static>> {
        AutoStream::new(io::stderr().lock(), self.choice())
    }
}
