//! The conversion of documents and lists.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use k8s_coordination::conversion::{
    AnyLeaseCandidate, LeaseCandidatePolicies, LeaseCandidateVersion,
};
use k8s_coordination::migration::SERVER_FIELDS;
use k8s_versioned::conversion::{
    AnyVersion, ConversionFinding, ConversionReport, JsonError, Options,
};
use k8s_versioned::field::join;
use k8s_versioned::{KindEntry, Part, for_each_object};
use k8s_versioned_names::findings::Severity;
use k8s_versioned_names::json::LARGEST_EXACT;
use k8s_versioned_source::{Limits, json_values};
use k8s_versioned_terminal::input::{STDIN, Syntax as Form, name_of};
use k8s_versioned_terminal::{Place, Progress};
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use super::Args;
use crate::Error;
use crate::input::{self, InputDocument, Syntax, encode};
use crate::object::{self, is_list};
use crate::report::{Note, ObjectReport};

/// The conversion of all inputs.
pub(super) struct Conversion<'a> {
    args: &'a Args,
    options: Options<LeaseCandidatePolicies>,
    pub(super) report: ObjectReport<'a>,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(args: &'a Args, progress: &'a Progress) -> Self {
        let mut options = args.annotation_key.clone().unwrap_or_default();
        options.policies = args.filling.policies();
        options.strict = args.strict;
        let report = ObjectReport::new(args.format, args.quiet.quiet, progress);
        Self { args, options, report: report.with_hint(args.filling.hint()) }
    }

    /// Converts the documents of a file. Those that cannot be converted are in the report. The second value is `false` if the file
    /// is empty.
    pub(super) fn file(&mut self, file: &Path) -> Result<(Output, bool), Error> {
        let mut output = Output::new(file);
        let has_text = input::read(file, false, |mut document| {
            let place = document.place.clone();
            match std::mem::replace(&mut document.value, Ok(Value::Null)) {
                Ok(before) => {
                    let mut after = before.clone();
                    for_each_object(&mut after, &is_list, &mut |mut part| {
                        self.part(&place, &mut part);
                    });
                    output.add(&document, &before, &after)?;
                }
                Err(errors) => {
                    for (place, note) in errors {
                        self.report.note(&place, "", note);
                    }
                }
            }
            self.report.write_next()
        })?;
        Ok((output, has_text))
    }

    /// Converts an object of a document, or a list without its items. If that fails, the report has the reason.
    fn part(&mut self, document: &Place<'_>, part: &mut Part<'_>) {
        let place = &document.object(part.position, part.value);
        if let (Ok(of), true) = (&part.type_meta, part.is_list) {
            if of.kind == AnyLeaseCandidate::LIST_KIND {
                let (to, options) = (self.args.to, &self.options);
                let converted = AnyLeaseCandidate::convert_value(part.value, to, options);
                self.replace(place, None, part.value, converted);
            }
            return;
        }
        match self.args.files.kind(part, not_converted) {
            Ok(entry) => self.object(place, entry, part.value),
            Err((path, note)) => self.carry_over(place, part.value, path, note),
        }
    }

    fn object(&mut self, place: &Place<'_>, entry: &KindEntry, value: &mut Value) {
        self.report.count_object();
        if self.args.migrate {
            remove_server_fields(value, place, &mut self.report);
        }
        if entry.kind() == AnyLeaseCandidate::KIND {
            self.candidate(place, entry, value);
        } else {
            self.carry_over(place, value, "", not_converted(&entry.type_meta()));
        }
    }

    /// Keeps the values of an object that is not converted, unless the note about it is an error.
    fn carry_over(&mut self, place: &Place<'_>, value: &Value, path: &str, note: Note) {
        match inexact(value).filter(|_| !note.is_error()) {
            Some(path) => {
                let note = Note::not_understood("the number has too many digits: it would change");
                self.report.note(place, &path, note);
            }
            None => self.report.note(place, path, note),
        }
    }

    fn candidate(&mut self, place: &Place<'_>, entry: &KindEntry, value: &mut Value) {
        let mut report = ConversionReport::new();
        let candidate = AnyLeaseCandidate::from_value(value, &mut report);
        let replaces = self.args.in_place || self.args.check;
        if replaces && !self.args.drop_unknown && self.loses(place, entry, &report) {
            return;
        }
        let converted = candidate.and_then(|candidate| {
            let converted =
                candidate.convert_to_reporting(self.args.to, &self.options, &mut report);
            let report = self.options.accept(report)?;
            let converted = serde_json::to_value(&converted).map_err(JsonError::Encode)?;
            Ok((converted, report))
        });
        let undecodable = matches!(converted, Err(JsonError::Undecodable(_)));
        if !(undecodable && object::undecodable(entry, value, place, &mut self.report)) {
            self.replace(place, Some(entry), value, converted);
        }
    }

    /// Reports the fields that a file would lose because the version does not have them.
    fn loses(&mut self, place: &Place<'_>, entry: &KindEntry, report: &ConversionReport) -> bool {
        let unknown =
            report.iter().filter(|(_, it)| matches!(it, ConversionFinding::UnknownField { .. }));
        let mut loses = false;
        for (path, _) in unknown {
            let message = "not a field of this version: the file would lose it";
            let note = Note::new(Severity::Error, "would-be-lost", message);
            let instead = object::field_instead(entry, path.as_str());
            let instead = instead.unwrap_or_else(|| "is its name correct?".to_owned());
            let hint = format!("{instead} (`--drop-unknown` drops it)");
            self.report.note(place, path.as_ref(), note.with_hint(hint));
            loses = true;
        }
        loses
    }

    fn replace(
        &mut self,
        place: &Place<'_>,
        entry: Option<&KindEntry>,
        value: &mut Value,
        converted: Result<(Value, ConversionReport), JsonError>,
    ) {
        match converted {
            Ok((converted, report)) => {
                self.report.converted(place, entry, &report);
                *value = converted;
            }
            Err(JsonError::Refused(refused)) => {
                self.report.refused(place, entry, refused.reasons());
            }
            Err(JsonError::Undecodable(error)) => {
                let note = Note::undecodable(place, &error.reason.to_string());
                self.report.note(place, &error.path, note);
            }
            Err(error) => self.report.note(place, "", Note::not_understood(&error.to_string())),
        }
    }
}

/// The note about an object that is not converted; its values stay.
fn not_converted(of: &dyn Display) -> Note {
    Note::new(Severity::Note, "not-converted", format!("not converted: {of}"))
}

/// The path of a number that may be an integer of more than 64 bits, which was read as the nearest float.
fn inexact(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) if number.is_f64() => {
            let is_exact = number.as_f64().is_some_and(|float| float.abs() <= LARGEST_EXACT);
            (!is_exact).then(String::new)
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| Some(join(&format!("[{index}]"), &inexact(item)?))),
        Value::Object(members) => {
            members.iter().find_map(|(name, member)| Some(join(name, &inexact(member)?)))
        }
        _ => None,
    }
}

// `--migrate`: objects that are to be created in another cluster.

/// The annotation in which `kubectl apply` keeps the object that it sent.
pub(crate) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Removes the fields that only a server can set, and reports others that may not fit another cluster.
pub(super) fn remove_server_fields(
    object: &mut Value,
    place: &Place<'_>,
    report: &mut ObjectReport<'_>,
) {
    let Some(Value::Object(metadata)) = object.get_mut("metadata") else {
        return;
    };
    let found = SERVER_FIELDS.iter().filter(|field| metadata.remove(**field).is_some());
    let fields: Vec<&'static str> = found.copied().collect();
    if !fields.is_empty() {
        let message = format!("removed: {}", fields.join(", "));
        report.note(place, "metadata", Note::new(Severity::Note, "server-fields-removed", message));
    }
    warn_of_kept_fields(metadata, place, report);
}

fn warn_of_kept_fields(
    metadata: &Map<String, Value>,
    place: &Place<'_>,
    report: &mut ObjectReport<'_>,
) {
    let has = |field: &str| {
        let items = metadata.get(field).and_then(Value::as_array);
        items.is_some_and(|items| !items.is_empty())
    };
    if has("ownerReferences") {
        let note = Note::new(Severity::Warning, "owners-kept", "kept as they are").with_hint(
            "owners in another cluster have other uids: an object whose owners do not exist is garbage-collected",
        );
        report.note(place, "metadata.ownerReferences", note);
    }
    if has("finalizers") {
        let note = Note::new(Severity::Warning, "finalizers-kept", "kept as they are")
            .with_hint("if no controller removes them, the object cannot be deleted");
        report.note(place, "metadata.finalizers", note);
    }
    let annotations = metadata.get("annotations");
    if annotations.is_some_and(|annotations| annotations.get(LAST_APPLIED).is_some()) {
        warn_of_last_applied(place, report);
    }
}

/// Warns of [`LAST_APPLIED`], whose object is of the version before the conversion.
pub(crate) fn warn_of_last_applied(place: &Place<'_>, report: &mut ObjectReport<'_>) {
    let path = format!("metadata.annotations[{LAST_APPLIED}]");
    let message = "kept as it is, in the version before the conversion";
    let note = Note::new(Severity::Warning, "last-applied-kept", message);
    report.note(place, &path, note.with_hint("remove it, or apply the converted object once"));
}

// The output of converted documents.

/// A converted input.
pub(super) struct Output {
    path: Option<PathBuf>,
    place: Place<'static>,
    syntax: Syntax,
    /// The texts of the documents: in YAML, or in JSON, from which protobuf is made.
    documents: Vec<String>,
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
            place: Place::input(name_of(file)),
            syntax: Syntax::Text(Form::Json),
            documents: Vec::new(),
            changed: false,
            styled: false,
        }
    }

    /// Adds a document whose value was another before.
    fn add(
        &mut self,
        document: &InputDocument<'_>,
        before: &Value,
        after: &Value,
    ) -> io::Result<()> {
        self.syntax = document.syntax;
        let form = self.syntax.form();
        let (plain, is_first) = (form.text(before)?, self.documents.is_empty());
        let between: &[u8] = match form {
            _ if is_first => b"",
            Form::Json => b"\n",
            Form::Yaml => b"---\n",
        };
        let own = document.text.strip_prefix(between).map(<[u8]>::trim_ascii_end);
        let written = match self.syntax {
            Syntax::Text(_) => plain.clone().into_bytes(),
            Syntax::Protobuf => encode(before).map_err(io::Error::other)?,
        };
        self.styled |= own != Some(written.trim_ascii_end());
        self.changed |= before != after;
        self.documents.push(if before == after { plain } else { form.text(after)? });
        Ok(())
    }

    /// Returns `true` if the conversion changes the input.
    pub(super) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Writes the documents. All but the first of the stream begin with what separates them.
    fn write(&self, syntax: Syntax, is_first: bool, out: &mut dyn Write) -> io::Result<()> {
        for (index, text) in self.documents.iter().enumerate() {
            if syntax == Syntax::Text(Form::Yaml) && !(is_first && index == 0) {
                out.write_all(b"---\n")?;
            }
            match syntax {
                Syntax::Text(form) if form == self.syntax.form() => {
                    out.write_all(text.as_bytes())?;
                }
                Syntax::Text(form) => out.write_all(form.text(&in_json(text))?.as_bytes())?,
                Syntax::Protobuf => {
                    out.write_all(&encode(&in_json(text)).map_err(io::Error::other)?)?;
                }
            }
        }
        Ok(())
    }

    /// Reports what the text loses when it is written again.
    fn report_loss(&self, report: &mut ObjectReport<'_>) {
        if self.styled {
            let message = match self.syntax {
                Syntax::Text(Form::Json) => "order and style of the JSON are not kept",
                Syntax::Text(Form::Yaml) => "comments, order and style of the YAML are not kept",
                Syntax::Protobuf => {
                    "the order of the fields, and fields of unknown numbers, are not kept"
                }
            };
            report.note(&self.place, "", Note::new(Severity::Note, "style-lost", message));
        }
    }
}

/// The value of a document that was written as JSON.
fn in_json(text: &str) -> Value {
    let value = json_values("", text, &Limits::OBJECTS).next().and_then(Result::ok);
    value.map_or(Value::Null, |tree| tree.root().to_json())
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
    outputs: Vec<Output>,
    report: &mut ObjectReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = |syntax| outputs.iter().all(|output| output.syntax == syntax);
    let syntax = match outputs.as_slice() {
        [Output { syntax: Syntax::Protobuf, .. }] => Syntax::Protobuf,
        _ if all(Syntax::Text(Form::Json)) => Syntax::Text(Form::Json),
        _ => Syntax::Text(Form::Yaml),
    };
    for output in &outputs {
        output.report_loss(report);
    }
    // The standard output is flushed at each line.
    let mut out = BufWriter::new(out);
    let mut is_first = true;
    for output in outputs {
        output.write(syntax, is_first, &mut out)?;
        is_first &= output.documents.is_empty();
    }
    out.flush()
}

/// Replaces the files, and returns their number. A file without changes stays as it is.
///
/// All new files are complete before the first is replaced, and readers see the old file or the new one. The report has the
/// error that ends it.
pub(super) fn replace(outputs: &[Output], report: &mut ObjectReport<'_>) -> usize {
    let mut written = Vec::new();
    for output in outputs.iter().filter(|output| output.changed) {
        let Some(path) = &output.path else { continue };
        match write_beside(path, output) {
            Ok(file) => written.push((output, file)),
            Err(reason) => {
                not_replaced(output, &reason, 0, report);
                return 0;
            }
        }
    }
    for (index, (output, (file, target))) in written.into_iter().enumerate() {
        if let Err(failed) = file.persist(target) {
            not_replaced(output, &failed.error, index, report);
            return index;
        }
        output.report_loss(report);
    }
    outputs.iter().filter(|output| output.changed && output.path.is_some()).count()
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
fn write_beside(path: &Path, output: &Output) -> io::Result<(NamedTempFile, PathBuf)> {
    let target = fs::canonicalize(path)?;
    let folder = target.parent().unwrap_or(&target);
    // The error of the library has the name of the new file, which nobody knows.
    let error = |error: io::Error| {
        let reason = format!("no new file can be made beside it: {}", error.kind());
        io::Error::new(error.kind(), reason)
    };
    let mut file = NamedTempFile::new_in(folder).map_err(error)?;
    let mut buffered = BufWriter::new(&mut file);
    output.write(output.syntax, true, &mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().set_permissions(fs::metadata(&target)?.permissions())?;
    file.as_file().sync_all()?;
    Ok((file, target))
}
