//! The files that the arguments of a command name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Input, STDIN};
use crate::Error;

/// The extensions of files with objects.
const EXTENSIONS: [&str; 4] = ["json", "pb", "yaml", "yml"];

/// The arguments of commands that read objects.
#[derive(Clone, Debug, clap::Args)]
pub struct Files {
    /// Files or folders with objects in YAML, JSON or protobuf; `-` is the standard input. Of a folder, the files `*.json`,
    /// `*.pb`, `*.yaml` and `*.yml` are read.
    #[arg(value_name = "FILE", default_value = STDIN)]
    pub paths: Vec<PathBuf>,
    /// Read folders in folders, too.
    #[arg(long, short = 'R')]
    pub recursive: bool,
    /// Skip kinds of other API groups; without it they are errors.
    #[arg(long)]
    pub skip_unknown: bool,
}

/// The files that one argument names.
pub(crate) struct Source {
    /// The argument.
    pub(crate) path: PathBuf,
    /// The files; a folder can have many.
    pub(crate) inputs: Vec<Input>,
}

impl Source {
    /// Returns `true` if it is one file without text.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.inputs.as_slice(), [input] if input.text.trim_ascii().is_empty())
    }
}

impl Files {
    /// Reads all files that the arguments name.
    ///
    /// # Errors
    ///
    /// A file or folder cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<Source>, Error> {
        self.paths.iter().map(|path| self.source(path)).collect()
    }

    fn source(&self, path: &Path) -> Result<Source, Error> {
        let mut files = Vec::new();
        if path != Path::new(STDIN) && path.is_dir() {
            self.folder(path, &mut files)?;
        } else {
            files.push(path.to_owned());
        }
        let inputs = files.iter().map(|file| Input::read(file));
        Ok(Source { path: path.to_owned(), inputs: inputs.collect::<Result<_, _>>()? })
    }

    /// The files in a folder, in the order of their names.
    fn folder(&self, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut paths: Vec<_> = match entries {
            Ok(entries) => entries.iter().map(fs::DirEntry::path).collect(),
            Err(reason) => return Err(Error::input(folder, reason)),
        };
        paths.sort();
        for path in paths {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                if self.recursive && !path.is_symlink() {
                    self.folder(&path, files)?;
                }
            } else if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                files.push(path);
            }
        }
        Ok(())
    }
}
