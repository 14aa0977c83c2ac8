//! `coordination generate`: shell completions and man pages, for packages of the command.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{CommandFactory as _, Subcommand};
use clap_complete::Shell;

use crate::{Cli, Error, Outcome};

/// The file to write.
#[derive(Clone, Debug, Subcommand)]
pub enum Generate {
    /// Write the completions of a shell to the standard output.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write one man page for each command into a folder.
    Man {
        /// The folder. It is created if it does not exist.
        folder: PathBuf,
    },
}

/// Writes the file or files.
///
/// # Errors
///
/// The output or a file cannot be written.
pub fn run(generate: &Generate, out: &mut dyn Write) -> Result<Outcome, Error> {
    let mut command = Cli::command();
    match generate {
        Generate::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command, "coordination", &mut script);
            out.write_all(&script)?;
            out.flush()?;
        }
        Generate::Man { folder } => {
            fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder))
                .map_err(|reason| Error::write(folder, reason))?;
        }
    }
    Ok(Outcome::Success)
}
