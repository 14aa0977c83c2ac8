//! The output of converted documents.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write};
use std::path::{Path, PathBuf};

use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_versioned_core::findings::Severity;
use k8s_versioned_source::{ListPiece, ReadLimits, json_contents};
use k8s_versioned_terminal::InputPlace;
use k8s_versioned_terminal::input::{DocumentSyntax, STDIN, name_of, write_like};
use k8s_versioned_terminal::lock::Lock;
use k8s_versioned_terminal::temporary;
use serde_json::Value;
use tempfile::{NamedTempFile, SpooledTempFile};

use crate::input::{InputDocument, InputSyntax, encode};
use crate::note::Note;
use crate::object_report::ObjectReport;

/// The most bytes of an output that are in memory. Nothing is written before all objects are converted, so a longer output is in a
/// temporary file.
const IN_MEMORY: usize = 16 << 20;

/// A converted input.
pub(super) struct Output {
    path: Option<PathBuf>,
    place: InputPlace<'static>,
    syntax: InputSyntax,
    /// The documents one after the other: in YAML, or in JSON, from which protobuf is made.
    texts: BufWriter<SpooledTempFile>,
    /// The bytes of each document.
    lengths: Vec<u64>,
    /// The bytes of the document whose last piece is not known yet.
    begun: u64,
    /// The bytes of the document's text that are as they would be written. In JSON, all documents are one text.
    same: usize,
    /// Whether a conversion changed anything.
    changed: bool,
    /// Whether the text has more than its values, such as comments.
    styled: bool,
}

impl Output {
    /// The output for a file, without documents.
    pub(super) fn new(file: &Path) -> Self {
        Self {
            path: (file != Path::new(STDIN)).then(|| file.to_owned()),
            place: InputPlace::input(name_of(file)),
            syntax: InputSyntax::Text(DocumentSyntax::Json),
            texts: BufWriter::new(SpooledTempFile::new(IN_MEMORY)),
            lengths: Vec::new(),
            begun: 0,
            same: 0,
            changed: false,
            styled: false,
        }
    }

    /// Adds a document, or the next piece of one, whose value was another before.
    pub(super) fn add(
        &mut self,
        document: &InputDocument<'_>,
        before: &Value,
        after: &Value,
    ) -> io::Result<()> {
        self.syntax = document.syntax;
        let (form, piece) = (self.syntax.form(), document.piece);
        let plain = text_of(form, before, piece)?;
        self.styled = self.styled || !self.is_written_alike(document, before, &plain)?;
        self.changed |= before != after;
        let text = if before == after { plain } else { text_of(form, after, piece)? };
        self.texts.write_all(text.as_bytes())?;
        self.begun += text.len() as u64;
        if piece.is_last {
            self.lengths.push(std::mem::take(&mut self.begun));
        }
        Ok(())
    }

    /// Returns `true` if the text of a document is what would be written for its value.
    fn is_written_alike(
        &mut self,
        document: &InputDocument<'_>,
        value: &Value,
        plain: &str,
    ) -> io::Result<bool> {
        let (own, is_first) = (document.text, self.lengths.is_empty());
        Ok(match self.syntax {
            InputSyntax::Protobuf => own == encode(value).map_err(io::Error::other)?,
            InputSyntax::Text(DocumentSyntax::Yaml) => {
                let begin: &[u8] = if is_first { b"" } else { b"---\n" };
                let rest = own.strip_prefix(begin).and_then(|own| own.get(self.same..));
                if document.piece.is_last {
                    self.same = 0;
                    let rest = rest.map(<[u8]>::trim_ascii_end);
                    rest == Some(plain.trim_ascii_end().as_bytes())
                } else {
                    self.same += plain.len();
                    rest.is_some_and(|rest| rest.starts_with(plain.as_bytes()))
                }
            }
            InputSyntax::Text(DocumentSyntax::Json) => {
                let rest = own.get(self.same..).unwrap_or_default();
                self.same += plain.len();
                rest.starts_with(plain.as_bytes()) || rest == plain.trim_ascii_end().as_bytes()
            }
        })
    }

    /// Returns `true` if the conversion changes the input.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Writes the documents. All but the first of the stream begin with what separates them.
    fn write(
        &mut self,
        syntax: InputSyntax,
        is_first: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.texts.flush()?;
        let texts = self.texts.get_mut();
        texts.rewind()?;
        let mut texts = BufReader::new(texts);
        for (index, length) in self.lengths.iter().enumerate() {
            if syntax == InputSyntax::Text(DocumentSyntax::Yaml) && !(is_first && index == 0) {
                out.write_all(b"---\n")?;
            }
            let mut text = texts.by_ref().take(*length);
            match syntax {
                InputSyntax::Text(form) if form == self.syntax.form() => {
                    io::copy(&mut text, out)?;
                }
                InputSyntax::Text(form) => {
                    out.write_all(form.text(&in_json(&io::read_to_string(text)?))?.as_bytes())?;
                }
                InputSyntax::Protobuf => {
                    let object = in_json(&io::read_to_string(text)?);
                    out.write_all(&encode(&object).map_err(io::Error::other)?)?;
                }
            }
        }
        Ok(())
    }

    /// Reports what the text loses when it is written again.
    fn report_loss(&self, report: &mut ObjectReport<'_>) {
        if self.styled {
            let message = match self.syntax {
                InputSyntax::Text(DocumentSyntax::Json) => {
                    "order and style of the JSON are not kept"
                }
                InputSyntax::Text(DocumentSyntax::Yaml) => {
                    "comments, order and style of the YAML are not kept"
                }
                InputSyntax::Protobuf => {
                    "the order of the fields, and fields of unknown numbers, are not kept"
                }
            };
            report.note(&self.place, "", Note::new(Severity::Note, "style-lost", message));
        }
    }
}

/// The text of a value. A piece of a list is a part of the list's text.
fn text_of(form: DocumentSyntax, value: &Value, piece: ListPiece) -> io::Result<String> {
    let text = form.text(value)?;
    if piece == ListPiece::WHOLE {
        return Ok(text);
    }
    let (begin, end) = items_in(form, value, &text);
    let head = match (piece.first_item, form) {
        (0, _) => text.get(..begin),
        (_, DocumentSyntax::Json) => Some(",\n"),
        (_, DocumentSyntax::Yaml) => None,
    };
    let tail = text.get(end..).filter(|_| piece.is_last);
    let parts = [head, text.get(begin..end), tail];
    Ok(parts.map(Option::unwrap_or_default).concat())
}

/// The place of the items in the text of a list.
fn items_in(form: DocumentSyntax, value: &Value, text: &str) -> (usize, usize) {
    // No text of an object has a line break in JSON, and none has a line without indentation in YAML. So a line with this indentation
    // is of the list itself.
    let begin = match form {
        DocumentSyntax::Json if value.is_array() => "[\n",
        DocumentSyntax::Json => "\n  \"items\": [\n",
        DocumentSyntax::Yaml => "items:\n",
    };
    let is_line = |at: &usize| {
        form == DocumentSyntax::Json
            || *at == 0
            || text.get(..*at).is_some_and(|it| it.ends_with('\n'))
    };
    let mut places = text.match_indices(begin).map(|(at, _)| at);
    let begin = places.find(is_line).map_or(0, |at| at + begin.len());
    let items = text.get(begin..).unwrap_or_default();
    let length = match form {
        DocumentSyntax::Json if value.is_array() => items.find("\n]"),
        DocumentSyntax::Json => items.find("\n  ]"),
        DocumentSyntax::Yaml => {
            let is_after = |line: &str| !line.starts_with(['-', ' ', '\n']);
            let lines = items.split_inclusive('\n').take_while(|line| !is_after(line));
            Some(lines.map(str::len).sum())
        }
    };
    (begin, begin + length.unwrap_or(items.len()))
}

/// The value of a document that was written as JSON.
fn in_json(text: &str) -> Value {
    let content = json_contents("", text, &ReadLimits::OBJECTS, usize::MAX).next();
    content.and_then(Result::ok).map_or(Value::Null, |mut content| content.take_json())
}

/// Reports each input that a conversion would change.
pub(super) fn report_changes(
    outputs: &[Output],
    to: LeaseCandidateVersion,
    report: &mut ObjectReport<'_>,
) {
    for output in outputs.iter().filter(|output| output.is_changed()) {
        let message = format!("the conversion to {to} would change it");
        report.note(&output.place, "", Note::new(Severity::Error, "would-change", message));
    }
}

/// Writes all documents in one stream, in the format of the inputs, or as YAML if they have several formats. Protobuf has
/// one object: several are written as YAML.
pub(super) fn write(
    mut outputs: Vec<Output>,
    report: &mut ObjectReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = |syntax| outputs.iter().all(|output| output.syntax == syntax);
    let syntax = match outputs.as_slice() {
        [Output { syntax: InputSyntax::Protobuf, .. }] => InputSyntax::Protobuf,
        _ if all(InputSyntax::Text(DocumentSyntax::Json)) => {
            InputSyntax::Text(DocumentSyntax::Json)
        }
        _ => InputSyntax::Text(DocumentSyntax::Yaml),
    };
    for output in &outputs {
        output.report_loss(report);
    }
    // The standard output is flushed at each line.
    let mut out = BufWriter::new(out);
    let mut is_first = true;
    for output in &mut outputs {
        output.write(syntax, is_first, &mut out)?;
        is_first &= output.lengths.is_empty();
    }
    out.flush()
}

/// Replaces the files, and returns their number. A file without changes stays as it is.
///
/// All new files are complete before the first is replaced, and readers see the old file or the new one. The report has the
/// error that ends it.
pub(super) fn replace(outputs: &mut [Output], report: &mut ObjectReport<'_>) -> usize {
    let _locks = locks(outputs);
    let mut written = Vec::new();
    for output in outputs.iter_mut().filter(|output| output.changed) {
        let Some(path) = output.path.clone() else { continue };
        match write_beside(&path, output) {
            Ok(file) => written.push((output, file)),
            Err(reason) => {
                not_replaced(output, &reason, 0, report);
                return 0;
            }
        }
    }
    let count = written.len();
    for (index, (output, (file, target))) in written.into_iter().enumerate() {
        if let Err(failed) = file.persist(target) {
            not_replaced(output, &failed.error, index, report);
            return index;
        }
        output.report_loss(report);
    }
    count
}

/// The locks of the folders whose files change, without what runs that were killed have left there. Where a folder cannot be locked,
/// its files are replaced nevertheless.
fn locks(outputs: &[Output]) -> Vec<Lock> {
    let changed = outputs.iter().filter(|output| output.changed);
    let targets = changed.filter_map(|output| fs::canonicalize(output.path.as_ref()?).ok());
    let folders: BTreeSet<PathBuf> =
        targets.filter_map(|target| Some(target.parent()?.to_path_buf())).collect();
    folders.iter().flat_map(|folder| Lock::all([folder.as_path()]).unwrap_or_default()).collect()
}

/// Reports a file that cannot be replaced, and how many were replaced before it.
fn not_replaced(output: &Output, reason: &io::Error, before: usize, report: &mut ObjectReport<'_>) {
    let replaced = match before {
        0 => "no file is replaced".to_owned(),
        1 => "1 file before it is replaced".to_owned(),
        before => format!("{before} files before it are replaced"),
    };
    let message = format!("cannot be replaced: {reason}; {replaced}");
    report.note(&output.place, "", Note::new(Severity::Error, "not-replaced", message));
}

/// A new file with the content, in the folder of the file that it replaces, and the path of that file.
fn write_beside(path: &Path, output: &mut Output) -> io::Result<(NamedTempFile, PathBuf)> {
    let target = fs::canonicalize(path)?;
    let folder = target.parent().unwrap_or(&target);
    // The error of the library has the name of the new file, which people do not know.
    let error = |error: io::Error| {
        let reason = format!("no new file can be made beside it: {}", error.kind());
        io::Error::new(error.kind(), reason)
    };
    let mut file = temporary::builder().tempfile_in(folder).map_err(error)?;
    let mut buffered = BufWriter::new(&mut file);
    write_like(&target, &mut buffered, |out| output.write(output.syntax, true, out))?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().set_permissions(fs::metadata(&target)?.permissions())?;
    file.as_file().sync_all()?;
    Ok((file, target))
}

#[cfg(test)]
mod tests {
    use k8s_versioned_source::{Content, ReadLimits, YamlList, json_contents};
    use serde_json::json;

    use super::{DocumentSyntax, text_of};

    /// The texts of the pieces are the text of the list.
    #[test]
    fn pieces_are_written_as_the_whole() {
        let items = json!([{"items": [1]}, {"a": "\n  ]\n\nkind: b\n"}, [], 1, {"b": ["x"]}]);
        let object =
            json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"items": [1]}});
        let written = |form, content: Result<Content<'_>, _>| {
            let mut content = content.unwrap();
            let piece = content.piece();
            text_of(form, &content.take_json(), piece).unwrap()
        };
        let limits = &ReadLimits::OBJECTS;
        for most in 1..7 {
            for list in [&items, &object] {
                let whole = DocumentSyntax::Json.text(list).unwrap();
                let pieces = json_contents("", &whole, limits, most);
                assert_eq!(
                    pieces.map(|it| written(DocumentSyntax::Json, it)).collect::<String>(),
                    whole
                );
            }
            let whole = DocumentSyntax::Yaml.text(&object).unwrap();
            let pieces = YamlList::open("", &whole, limits, 0, 1, most).unwrap();
            assert_eq!(
                pieces.map(|it| written(DocumentSyntax::Yaml, it)).collect::<String>(),
                whole
            );
        }
    }
}
