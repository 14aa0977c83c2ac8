//! Completions and man pages, which are made from the command line.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, Subcommand};
use clap_complete::Shell;

/// The subcommands that write files about the command.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Pages {
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write a man page for each subcommand into a folder.
    Man {
        /// The folder. It is created if it does not exist.
        folder: PathBuf,
    },
}

impl Pages {
    /// Writes the completions to the output, or the pages into the folder.
    ///
    /// # Errors
    /// [`PagesError::Folder`] if a page cannot be written, [`PagesError::Output`] if the completions cannot.
    pub fn write(&self, mut command: Command, out: &mut dyn Write) -> Result<(), PagesError> {
        match self {
            Self::Completions { shell } => {
                // The generator panics if it cannot write.
                let mut script = Vec::new();
                let name = command.get_name().to_owned();
                clap_complete::generate(*shell, &mut command, name, &mut script);
                out.write_all(&script).and_then(|()| out.flush()).map_err(PagesError::Output)
            }
            Self::Man { folder } => fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder))
                .map_err(|reason| PagesError::Folder(folder.clone(), reason)),
        }
    }
}

/// The reason why completions or pages cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// A page cannot be written into the folder.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Folder(PathBuf, io::Error),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(io::Error),
}
