//! Completions and man pages, which are made from the command line.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, Subcommand};

use crate::complete::{Shell, VARIABLE};

const COMPLETIONS: &str = "\
To switch completions on, add one of these lines to the file of your shell. COMMAND is the name of the command:
  .bashrc      source <(COMMAND completions bash)
  .zshrc       source <(COMMAND completions zsh)
  config.fish  COMMAND completions fish | source
  rc.elv       eval (COMMAND completions elvish | slurp)
  $PROFILE     COMMAND completions powershell | Out-String | Invoke-Expression

The script runs the command, which must be in the PATH. Do not save the script: another version of the command may need another one.

Exit codes: 0 for success; 1 if the output cannot be written; 2 for wrong usage.";

const MAN: &str = "\
The pages are COMMAND.1 and COMMAND-SUBCOMMAND.1: `man -l FOLDER/COMMAND.1` shows one. To install them for all users, copy them into \
a folder `man1`, such as /usr/local/share/man/man1.

Exit codes: 0 for success; 1 if a page cannot be written; 2 for wrong usage.";

/// The subcommands that write files about the command.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum HelpFiles {
    /// Print a script that switches completions on in a shell.
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write a man page for each subcommand into a folder.
    #[command(after_help = MAN)]
    Man {
        /// The folder. It is created if it does not exist.
        folder: PathBuf,
    },
}

impl HelpFiles {
    /// Writes the completions to the output, or the pages into the folder.
    ///
    /// # Errors
    /// [`PagesError::Folder`] if a page cannot be written, [`PagesError::Output`] if the completions cannot.
    pub fn write(&self, command: Command, out: &mut dyn Write) -> Result<(), PagesError> {
        match self {
            Self::Completions { shell } => {
                let name = command.get_name();
                let written = shell.completer().write_registration(VARIABLE, name, name, name, out);
                written.and_then(|()| out.flush()).map_err(PagesError::Output)
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
    Folder(PathBuf, #[source] io::Error),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
}
