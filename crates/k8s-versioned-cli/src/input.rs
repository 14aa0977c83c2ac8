//! The files that arguments name, and the documents in them.

pub(crate) mod unrendered;

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use k8s_versioned_codegen::Files;
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_source::{Content, Errors, ReadLimits};
use k8s_versioned_terminal::InputPlace;
use k8s_versioned_terminal::input::{Document, Input, STDIN, Unreadable, files_in, name_of};
use memchr::{memchr, memmem};
use serde_json::Value;

use crate::Error;
use crate::error::SourceFolder;
use crate::project::tree::LIMIT;
use crate::text::finding_kinds::NOT_TEXT;
use unrendered::Unrendered;

/// The files that arguments name.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub(crate) files: Vec<PathBuf>,
    /// The folders of which files are left out.
    pub(crate) unrendered: Vec<Unrendered>,
}

impl Named {
    /// A note for each folder of which files are left out.
    pub(crate) fn notes(&self) -> impl Iterator<Item = Finding> {
        self.unrendered.iter().map(Unrendered::finding)
    }
}

/// The files that arguments name: files, and the files of YAML and JSON in folders at any depth. Of charts and kustomizations in folders,
/// what is not an object before it is rendered is left out.
pub(crate) fn files(paths: &[PathBuf]) -> Result<Named, Error> {
    let mut named = Named::default();
    for path in paths {
        if path == Path::new(STDIN) || !path.is_dir() {
            named.files.push(path.clone());
            continue;
        }
        let inside = files_in(path, &["json", "yaml", "yml"], true);
        let mut inside = inside.map_err(|source| unreadable(path, source))?;
        if inside.is_empty() {
            let message = format!("{} has no file in YAML or JSON", path.display());
            return Err(Error::Refusal(message));
        }
        named.unrendered.extend(unrendered::take(&mut inside));
        named.files.append(&mut inside);
    }
    Ok(named)
}

/// Refuses arguments that name the standard input twice: the second reader would find it empty.
///
/// # Errors
/// They do.
pub(crate) fn check_stdin<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<(), Error> {
    if paths.filter(|path| *path == Path::new(STDIN)).nth(1).is_none() {
        return Ok(());
    }
    Err(Error::Usage("`-` is named twice, and the standard input can be read only once".to_owned()))
}

pub(crate) fn unreadable(path: &Path, source: io::Error) -> Error {
    Error::Argument { path: path.to_path_buf(), source }
}

/// Calls `work` with each document of a file that can be read, and its place.
///
/// # Errors
/// The file, or one of its documents, cannot be read; or an error of `work`.
pub(crate) fn for_each_document(
    path: &Path,
    mut work: impl FnMut(&InputPlace<'_>, Vec<(Vec<usize>, Value)>) -> Result<(), Error>,
) -> Result<(), Error> {
    let input = open(path)?;
    let name: Arc<str> = input.name().into();
    let read = input.for_each(&ReadLimits::OBJECTS, |mut document| {
        let objects = document.content.as_mut().ok().map(Content::take_objects);
        let place = InputPlace::document(&name, &document);
        match &document.content {
            Err(Unreadable::Source(errors)) => Err(refused(&name, &document, errors)),
            Err(Unreadable::NotText(error)) => {
                Err(Error::Project(path.to_path_buf(), error.to_string()))
            }
            Ok(_) => work(&place, objects.unwrap_or_default()),
        }
    });
    read.map_err(|stop| stop.into_error(|source| unreadable(path, source)))?;
    Ok(())
}

/// The error about a document that cannot be read, with its lines.
fn refused(file: &str, document: &Document<'_>, errors: &Errors) -> Error {
    // The documents before it are not in memory.
    let before = "\n".repeat(document.line.saturating_sub(1));
    let mut errors = errors.clone();
    for error in &mut errors.0 {
        error.span = error.span.start + before.len()..error.span.end + before.len();
    }
    let text = before + document.text;
    let files = Files::from([(file.to_owned(), text.into_bytes())]);
    Error::refused(errors.into(), vec![SourceFolder { label: String::new(), files }])
}

pub(crate) fn open(path: &Path) -> Result<Input, Error> {
    Input::open(path).map_err(|source| unreadable(path, source))
}

/// An input that can be read more than once.
pub(crate) struct Rereadable {
    path: PathBuf,
    /// What the standard input or a pipe had: it can be read only once.
    kept: Option<File>,
}

impl Rereadable {
    /// Keeps what can be read only once.
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let failed = |source| unreadable(path, source);
        let mut reader: Box<dyn Read> = if path == Path::new(STDIN) {
            Box::new(io::stdin())
        } else {
            let file = File::open(path).map_err(failed)?;
            if file.metadata().map_err(failed)?.is_file() {
                return Ok(Self { path: path.to_path_buf(), kept: None });
            }
            Box::new(file)
        };
        let mut kept = tempfile::tempfile().map_err(failed)?;
        io::copy(&mut reader, &mut kept).map_err(failed)?;
        Ok(Self { path: path.to_path_buf(), kept: Some(kept) })
    }

    /// The path, as the arguments name it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn file(&self) -> io::Result<File> {
        let Some(kept) = &self.kept else { return File::open(&self.path) };
        // Both have one position.
        let mut file = kept.try_clone()?;
        file.rewind()?;
        Ok(file)
    }

    /// The input, from its beginning.
    pub(crate) fn open(&self) -> Result<Input, Error> {
        let open = || match self.kept {
            Some(_) => Input::from_reader(&name_of(&self.path), self.file()?),
            None => Input::open(&self.path),
        };
        open().map_err(|source| unreadable(&self.path, source))
    }

    /// Returns `true` if a word may occur in the text. It is always found in UTF-8, and taken for granted in other encodings.
    pub(crate) fn mentions(&self, word: &[u8]) -> Result<bool, Error> {
        let search = || -> io::Result<bool> {
            let (mut reader, mut bytes) = (self.file()?, Vec::new());
            loop {
                let read = (&mut reader).take(PART).read_to_end(&mut bytes)?;
                if memmem::find(&bytes, word).is_some() || memchr(0, &bytes).is_some() {
                    return Ok(true);
                }
                if read == 0 {
                    return Ok(false);
                }
                // The word can begin in one part and end in the next.
                bytes.drain(..bytes.len().saturating_sub(word.len()));
            }
        };
        search().map_err(|source| unreadable(&self.path, source))
    }
}

/// The bytes in which a word is searched at once.
const PART: u64 = 1 << 20;

/// Files, the files of YAML and JSON in folders, and the standard input; and a note for each folder of which files are left out.
pub(crate) fn read_paths(paths: &[PathBuf]) -> Result<(Files, Vec<Finding>), Error> {
    check_stdin(paths.iter().map(PathBuf::as_path))?;
    let mut read = Files::new();
    let named = files(paths)?;
    if let ([], Some(first)) = (named.files.as_slice(), named.unrendered.first()) {
        let Finding { file, message, hint, .. } = first.finding();
        return Err(Error::Refusal(format!("{file}: {message}; {}", hint.unwrap_or_default())));
    }
    let notes = named.notes().collect();
    for path in named.files {
        let unreadable = |source| Error::Argument { path: path.clone(), source };
        let input = Input::open(&path).map_err(unreadable)?;
        let name = input.name().to_owned();
        let text = input.text(LIMIT).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => {
                Error::Refusal(format!("{name} is larger than {LIMIT} bytes"))
            }
            _ => unreadable(error),
        })?;
        let text = text.map_err(|error| Error::Project(path.clone(), error.to_string()))?;
        read.insert(name, text.into_bytes());
    }
    Ok((read, notes))
}

/// The errors of a document that cannot be read, and where each begins.
pub(crate) fn findings_of(error: &Unreadable) -> Vec<(Finding, Option<usize>)> {
    match error {
        Unreadable::NotText(error) => {
            vec![(Finding::new(Severity::Error, NOT_TEXT.id, "", error.to_string()), None)]
        }
        Unreadable::Source(errors) => {
            let finding = |error: &k8s_versioned_source::Error| {
                let finding =
                    Finding::new(Severity::Error, error.cause.id(), "", error.to_string());
                (finding.with_hint(error.cause.hint()), Some(error.span.start))
            };
            errors.0.iter().map(finding).collect()
        }
    }
}
