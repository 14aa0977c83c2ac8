//! The files that the arguments of a command name.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

use k8s_coordination::v1::Lease;
use k8s_versioned::{Kind as _, KindEntry, Part, TypeMeta, for_each_object};
use k8s_versioned_names::findings::Severity;
use serde_json::Value;

use super::{Document, Input, InputPosition, STDIN};
use crate::Error;
use crate::object::{self, is_list};
use crate::report::{Note, ObjectReport};

/// The extensions of files with objects.
const EXTENSIONS: [&str; 4] = ["json", "pb", "yaml", "yml"];

/// The arguments of commands that read objects.
#[derive(Clone, Debug, clap::Args)]
pub struct Files {
    /// Files or folders with objects in YAML, JSON or protobuf; `-` is the standard input. In a folder, the files `*.json`,
    /// `*.pb`, `*.yaml` and `*.yml` are read.
    #[arg(value_name = "FILE", default_value = STDIN)]
    pub paths: Vec<PathBuf>,
    /// Read folders in folders, too.
    #[arg(long, short = 'R')]
    pub recursive: bool,
    /// Skip kinds of other API groups, and objects without `kind`; without it they are errors. `convert` writes them
    /// unchanged.
    #[arg(long)]
    pub skip_unknown: bool,
}

/// The files that one argument names.
pub(crate) struct Source {
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

// The objects of the group in the input of a command.

/// An object of the group.
pub(crate) struct Found {
    pub(crate) place: InputPosition,
    pub(crate) value: Value,
    pub(crate) entry: &'static KindEntry,
}

impl Files {
    /// Reads all objects of the group, also those in lists, and calls `work` with each. Other objects and errors go into
    /// the report.
    ///
    /// # Errors
    ///
    /// A file or folder cannot be read.
    pub(crate) fn for_each(
        &self,
        report: &mut ObjectReport,
        mut work: impl FnMut(Found, &mut ObjectReport),
    ) -> Result<(), Error> {
        for source in self.read()? {
            let begun = report.begin(&source);
            let inputs = source.inputs.into_iter();
            for Document { place, value, other } in inputs.flat_map(|input| input.documents) {
                match value {
                    Ok(mut value) => for_each_object(&mut value, &is_list, &mut |mut part| {
                        if let Some(found) = self.identify(&place, &mut part, report) {
                            work(found, report);
                        }
                    }),
                    Err(note) => {
                        let other = other.filter(|of| self.skips(of));
                        let note = other.as_ref().map_or(note, |of| skipped(of));
                        report.note(&place, "", note);
                    }
                }
            }
            report.end(begun, self);
        }
        report.end_all();
        Ok(())
    }

    /// The part of a document as an object of the group. `None` if it is not one; the report has the reason.
    fn identify(
        &self,
        document: &InputPosition,
        part: &mut Part<'_>,
        report: &mut ObjectReport,
    ) -> Option<Found> {
        if part.is_list && part.type_meta.is_ok() {
            return None;
        }
        let place = document.object(part);
        match self.kind(part, skipped) {
            Ok(entry) => {
                report.count_object();
                Some(Found { place, value: part.value.take(), entry })
            }
            Err((path, note)) => {
                report.note(&place, path, note);
                None
            }
        }
    }

    /// The kind of an object. `skipped` makes the note about one that `--skip-unknown` skips.
    ///
    /// # Errors
    ///
    /// The group does not have the kind, or the object does not name it: the field, and the note about it.
    pub(crate) fn kind(
        &self,
        part: &Part<'_>,
        skipped: fn(&dyn Display) -> Note,
    ) -> Result<&'static KindEntry, (&'static str, Note)> {
        let of = match &part.type_meta {
            Ok(of) => of,
            Err(_) if self.skip_unknown && object::is_untyped(part.value) => {
                return Err(("", skipped(&"an object without `kind`")));
            }
            Err(error) => return Err((error.field(), Note::type_error(error))),
        };
        let other = || if self.skips(of) { skipped(of) } else { object::wrong(of) };
        object::resource(of).ok_or_else(|| ("", other()))
    }

    /// Returns `true` if objects of this type are skipped. One that is almost a type of the group has a typing error.
    fn skips(&self, of: &TypeMeta<'_>) -> bool {
        let other = of.group() != Some(Lease::GROUP) && of.api_version != Lease::GROUP;
        self.skip_unknown && other && object::nearest(of).is_none()
    }
}

/// The note about an object that a command does not read.
pub(crate) fn skipped(of: &dyn Display) -> Note {
    Note::new(Severity::Note, "skipped", format!("skipped: {of}"))
}
