//! The objects that the arguments of a command name: in YAML, JSON or protobuf, in many documents, in lists.

mod protobuf;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use k8s_coordination::protobuf::Envelope;
use k8s_coordination::v1::Lease;
use k8s_versioned::{DocumentPart, Kind as _, KindEntry, TypeMeta, for_each_object};
use k8s_versioned_source::{Content, Error as SourceError, ListPiece, ReadCause, ReadLimits};
use k8s_versioned_terminal::InputPlace;
use k8s_versioned_terminal::input::{self, Document, Input, NotText, STDIN, Unreadable, files_in};
use serde_json::Value;

use crate::Error;
use crate::note::Note;
use crate::object::{self, is_list};
use crate::object_report::ObjectReport;

pub(crate) use protobuf::encode;

/// The extensions of files with objects.
const EXTENSIONS: [&str; 4] = ["json", "pb", "yaml", "yml"];

/// The arguments of commands that read objects.
#[derive(Clone, Debug, clap::Args)]
pub struct FilesArgs {
    /// Files or folders with objects in YAML, JSON or protobuf; `-` is the standard input. In a folder, the files `*.json`,
    /// `*.pb`, `*.yaml` and `*.yml` are read.
    #[arg(value_name = "FILE", default_value = STDIN)]
    pub paths: Vec<PathBuf>,
    /// Read folders recursively.
    #[arg(long, short = 'R')]
    pub recursive: bool,
    /// Skip kinds of other API groups, and objects without `kind`; without it they are errors. `convert` writes them
    /// unchanged.
    #[arg(long)]
    pub skip_unknown: bool,
}

/// The files that one argument names; a folder can have many.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) files: Vec<PathBuf>,
}

/// The syntax of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputSyntax {
    /// Text.
    Text(input::DocumentSyntax),
    /// One object, with the first bytes `k8s\0`.
    Protobuf,
}

impl InputSyntax {
    /// The text that has the same values.
    pub(crate) fn form(self) -> input::DocumentSyntax {
        match self {
            Self::Text(form) => form,
            Self::Protobuf => input::DocumentSyntax::Json,
        }
    }
}

/// A document of an input.
pub(crate) struct InputDocument<'t> {
    pub(crate) place: InputPlace<'t>,
    pub(crate) syntax: InputSyntax,
    /// The bytes of the part of the input that has it: of JSON the whole input.
    pub(crate) text: &'t [u8],
    /// The value, or the reasons why there is none.
    pub(crate) value: Result<Value, Vec<(InputPlace<'t>, Note)>>,
    /// The type of a protobuf object that no reader here knows.
    other: Option<TypeMeta<'static>>,
    /// Which part of a list it is.
    pub(crate) piece: ListPiece,
}

/// An object of the group.
pub(crate) struct InputObject<'t> {
    pub(crate) place: InputPlace<'t>,
    pub(crate) value: Value,
    pub(crate) entry: &'static KindEntry,
}

impl FilesArgs {
    /// The files that each argument names.
    ///
    /// # Errors
    ///
    /// A folder cannot be read.
    pub(crate) fn sources(&self) -> Result<Vec<Source>, Error> {
        let source = |path: &PathBuf| {
            let files = if path != Path::new(STDIN) && path.is_dir() {
                let files = files_in(path, &EXTENSIONS, self.recursive);
                files.map_err(|reason| Error::input(path, reason))?
            } else {
                vec![path.clone()]
            };
            Ok(Source { path: path.clone(), files })
        };
        let mut sources = self.paths.iter().map(source).collect::<Result<Vec<_>, Error>>()?;
        // A file that is named twice is read once.
        let mut seen = BTreeSet::new();
        sources.retain_mut(|source| {
            let is_empty = source.files.is_empty();
            source.files.retain(|file| seen.insert(file.clone()));
            is_empty || !source.files.is_empty()
        });
        Ok(sources)
    }

    /// Reads all objects of the group, also those in lists, and calls `work` with each. Other objects and errors go into
    /// the report.
    ///
    /// # Errors
    ///
    /// A file or folder cannot be read, or an error of `work`.
    pub(crate) fn for_each(
        &self,
        report: &mut ObjectReport<'_>,
        mut work: impl FnMut(InputObject<'_>, &mut ObjectReport<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for source in self.sources()? {
            let begun = report.begin(&source.path, source.files.len());
            let mut has_text = false;
            for file in &source.files {
                has_text |= read(file, |document| self.objects(document, report, &mut work))?;
            }
            report.end(begun, has_text, self.skip_unknown);
        }
        report.end_all();
        Ok(())
    }

    /// Calls `work` with each object of a document.
    fn objects(
        &self,
        document: InputDocument<'_>,
        report: &mut ObjectReport<'_>,
        work: &mut impl FnMut(InputObject<'_>, &mut ObjectReport<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let InputDocument { place, value, other, piece, .. } = document;
        let mut value = match value {
            Ok(value) => value,
            Err(errors) => {
                let other = other.filter(|type_meta| self.skips(type_meta));
                for (place, note) in errors {
                    report.note(
                        &place,
                        "",
                        other.as_ref().map_or(note, |type_meta| skipped(type_meta)),
                    );
                }
                return report.write_next();
            }
        };
        let mut result = Ok(());
        for_each_object(&mut value, &is_list, &mut |mut part| {
            // What is not a list is one object, which the first part of the document has.
            let is_seen = piece.first_item > 0 && part.position.is_empty();
            if is_seen || result.is_err() {
                return;
            }
            if let Some(object) = self.identify(&place, &mut part, report) {
                result = work(object, report);
            }
        });
        result.and_then(|()| report.write_next())
    }

    /// The part of a document as an object of the group. `None` if it is not one; the report has the reason.
    fn identify<'t>(
        &self,
        document: &InputPlace<'t>,
        part: &mut DocumentPart<'_>,
        report: &mut ObjectReport<'_>,
    ) -> Option<InputObject<'t>> {
        if part.is_list && part.type_meta.is_ok() {
            return None;
        }
        let place = document.object(part.position, part.value);
        match self.kind(part, skipped) {
            Ok(entry) => {
                report.count_objects(1);
                Some(InputObject { place, value: part.value.take(), entry })
            }
            Err((path, note)) => {
                report.note(&place, path, note);
                None
            }
        }
    }

    /// The kind of an object. `skipped` makes the note about an object that `--skip-unknown` skips.
    ///
    /// # Errors
    ///
    /// The group does not have the kind, or the object does not name it: the field, and the note about it.
    pub(crate) fn kind(
        &self,
        part: &DocumentPart<'_>,
        skipped: fn(&dyn Display) -> Note,
    ) -> Result<&'static KindEntry, (&'static str, Note)> {
        let type_meta = match &part.type_meta {
            Ok(type_meta) => type_meta,
            Err(_) if self.skip_unknown && object::is_untyped(part.value) => {
                return Err(("", skipped(&"an object without `kind`")));
            }
            Err(error) => return Err((error.field(), object::type_error(error))),
        };
        object::resource(type_meta).ok_or_else(|| {
            if self.skips(type_meta) { ("", skipped(type_meta)) } else { object::wrong(type_meta) }
        })
    }

    /// Returns `true` if objects of this type are skipped. One that is almost a type of the group has a typing error.
    fn skips(&self, type_meta: &TypeMeta<'_>) -> bool {
        let other =
            type_meta.group() != Some(Lease::GROUP) && type_meta.api_version != Lease::GROUP;
        self.skip_unknown && other && object::nearest(type_meta).is_none()
    }
}

/// The note about an object that a command does not read.
pub(crate) fn skipped(object: &dyn Display) -> Note {
    Note::of_object("skipped", object)
}

/// Calls `work` with each document of a file, and with each piece of a long list. Returns `false` if the file is empty.
///
/// # Errors
///
/// The file cannot be read, or an error of `work`.
pub(crate) fn read(
    file: &Path,
    mut work: impl FnMut(InputDocument<'_>) -> Result<(), Error>,
) -> Result<bool, Error> {
    let unreadable = |reason| Error::input(file, reason);
    let input = Input::open(file).map_err(unreadable)?;
    let name: Arc<str> = input.name().into();
    if Envelope::begins(input.head()) {
        let bytes = input.bytes(ReadLimits::OBJECTS.bytes).map_err(unreadable)?;
        work(in_protobuf(&name, &bytes))?;
        return Ok(true);
    }
    let is_after_key = input.head().windows(5).any(|bytes| bytes == b"\nk8s\0");
    let is_json_file = file.extension().is_some_and(|extension| extension == "json");
    let read = input.for_each(&ReadLimits::OBJECTS, |mut document| {
        let value = document.content.as_mut().ok().map(Content::take_json);
        let place = InputPlace::document(&name, &document);
        let hints = Hints { is_after_key, is_json_file };
        let value = value.ok_or_else(|| hints.errors(&document, &place));
        let piece = document.content.as_ref().map_or(ListPiece::WHOLE, Content::piece);
        work(InputDocument {
            place: place.clone(),
            syntax: InputSyntax::Text(document.syntax),
            text: document.text.as_bytes(),
            value,
            other: None,
            piece,
        })
    });
    read.map_err(|stop| stop.into_error(unreadable))
}

/// The one document of a body.
fn in_protobuf<'t>(name: &Arc<str>, bytes: &'t [u8]) -> InputDocument<'t> {
    let place = InputPlace::input(Arc::clone(name)).with_document(1);
    let bodies = bytes.split(|byte| *byte == b'\n').filter(|byte| Envelope::begins(byte)).count();
    let hint = (bodies > 1).then_some("it may be several bodies: read each alone");
    let value = protobuf::decode(bytes)
        .map_err(|reason| vec![(place.clone(), Note::not_understood(&reason).with_any_hint(hint))]);
    let (syntax, other) = (InputSyntax::Protobuf, protobuf::other_type(bytes));
    InputDocument { place, syntax, text: bytes, value, other, piece: ListPiece::WHOLE }
}

/// What an input suggests about its errors.
struct Hints {
    /// The line of a key comes before protobuf: `etcdctl get` writes it.
    is_after_key: bool,
    is_json_file: bool,
}

impl Hints {
    /// The reasons why a document cannot be read.
    fn errors<'t>(
        &self,
        document: &Document<'_>,
        place: &InputPlace<'t>,
    ) -> Vec<(InputPlace<'t>, Note)> {
        match &document.content {
            Ok(_) => Vec::new(),
            Err(Unreadable::NotText(error)) => vec![(place.clone(), self.not_text(error))],
            Err(Unreadable::Source(errors)) => {
                let hint = text_hint(document, self.is_json_file);
                let error = |it: &SourceError| {
                    let place = place.at(document.position(it.span.start));
                    (place, syntax_error(&it.cause, hint))
                };
                errors.0.iter().map(error).collect()
            }
        }
    }

    fn not_text(&self, error: &NotText) -> Note {
        if self.is_after_key && matches!(error, NotText::Binary(_)) {
            return Note::not_understood(
                "it begins with a key, and protobuf follows: `--print-value-only` of `etcdctl get` leaves out the key",
            );
        }
        Note::not_understood(&error.to_string())
    }
}

/// The hint for an error of a text that is meant as something else.
fn text_hint(document: &Document<'_>, is_json_file: bool) -> Option<&'static str> {
    // Behind a document of JSON, only `---` shows that the text is meant as YAML.
    let is_json = document.number != Some(1) && !document.text.contains("\n---");
    if is_json_file {
        (!is_json).then_some("a `*.json` file must contain only JSON")
    } else {
        document.text.contains("{{").then_some("templates of charts are rendered first")
    }
}

fn syntax_error(cause: &ReadCause, hint: Option<&'static str>) -> Note {
    match cause {
        ReadCause::Json(reason) => {
            Note::not_understood(&format!("not JSON: {reason}")).with_any_hint(hint)
        }
        ReadCause::Yaml(reason) | ReadCause::Template(reason) => {
            Note::not_understood(&format!("not YAML: {reason}")).with_any_hint(hint)
        }
        ReadCause::Key(_) if hint.is_some() => {
            Note::not_understood(&format!("not YAML: {cause}")).with_any_hint(hint)
        }
        other => Note::not_understood(&other.to_string()).with_hint(other.hint()),
    }
}
