//! The conversion of documents and lists.

use std::fmt::Display;
use std::path::Path;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidatePolicies};
use k8s_coordination::migration::SERVER_FIELDS;
use k8s_versioned::conversion::{
    AnyVersion, ConversionFinding, ConversionReport, JsonError, Options,
};
use k8s_versioned::field::join;
use k8s_versioned::{DocumentPart, KindEntry, for_each_object};
use k8s_versioned_core::findings::Severity;
use k8s_versioned_core::json::LARGEST_EXACT;
use k8s_versioned_terminal::{InputPlace, Progress};
use serde_json::{Map, Value};

use super::args::ConvertArgs;
use super::output::Output;
use crate::Error;
use crate::input;
use crate::note::Note;
use crate::object::{self, is_list};
use crate::object_report::ObjectReport;

/// The conversion of all inputs.
pub(super) struct Conversion<'a> {
    args: &'a ConvertArgs,
    options: Options<LeaseCandidatePolicies>,
    pub(super) report: ObjectReport<'a>,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(args: &'a ConvertArgs, progress: &'a Progress) -> Self {
        let mut options = args.annotation_key.clone().unwrap_or_default();
        options.policies = args.filling.policies();
        options.strict = args.strict;
        let report = ObjectReport::new(args.format, args.quiet.quiet, progress);
        Self { args, options, report: report.with_hint(args.filling.hint()) }
    }

    /// Converts all inputs. Documents that cannot be converted are in the report.
    pub(super) fn files(&mut self) -> Result<Vec<Output>, Error> {
        let args = self.args;
        let mut outputs = Vec::new();
        for source in args.files.sources()? {
            let begun = self.report.begin(&source.path, source.files.len());
            let mut has_text = false;
            for file in &source.files {
                let (output, with_text) = self.file(file)?;
                outputs.push(output);
                has_text |= with_text;
            }
            self.report.end(begun, has_text, args.files.skip_unknown);
        }
        self.report.end_all();
        Ok(outputs)
    }

    /// Converts the documents of a file. The second value is `false` if the file is empty.
    fn file(&mut self, file: &Path) -> Result<(Output, bool), Error> {
        let mut output = Output::new(file);
        let has_text = input::read(file, |mut document| {
            let place = document.place.clone();
            match std::mem::replace(&mut document.value, Ok(Value::Null)) {
                Ok(before) => {
                    let mut after = before.clone();
                    let is_first = document.piece.first_item == 0;
                    for_each_object(&mut after, &is_list, &mut |mut part| {
                        let is_seen = !is_first && part.position.is_empty();
                        self.part(&place, &mut part, is_seen);
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

    /// Converts an object of a document, or a list without its items. If that fails, the report has the reason. A list that was
    /// seen has its findings already.
    fn part(&mut self, document: &InputPlace<'_>, part: &mut DocumentPart<'_>, is_seen: bool) {
        let place = &document.object(part.position, part.value);
        if let (Ok(type_meta), true) = (&part.type_meta, part.is_list) {
            if type_meta.kind == AnyLeaseCandidate::LIST_KIND {
                let (to, options) = (self.args.to, &self.options);
                match AnyLeaseCandidate::convert_value(part.value, to, options) {
                    Ok((converted, _)) if is_seen => *part.value = converted,
                    Err(_) if is_seen => {}
                    converted => self.replace(place, None, part.value, converted),
                }
            }
            return;
        }
        match self.args.files.kind(part, not_converted) {
            _ if is_seen => {}
            Ok(entry) => self.object(place, entry, part.value),
            Err((path, note)) => self.carry_over(place, part.value, path, note),
        }
    }

    fn object(&mut self, place: &InputPlace<'_>, entry: &KindEntry, value: &mut Value) {
        self.report.count_objects(1);
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
    fn carry_over(&mut self, place: &InputPlace<'_>, value: &Value, path: &str, note: Note) {
        match inexact(value).filter(|_| !note.is_error()) {
            Some(path) => {
                let note = Note::not_understood(
                    "a number above 2^53 can lose digits when the object is written",
                );
                self.report.note(place, &path, note);
            }
            None => self.report.note(place, path, note),
        }
    }

    fn candidate(&mut self, place: &InputPlace<'_>, entry: &KindEntry, value: &mut Value) {
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
        if !(undecodable && self.report.undecodable(place, entry, value)) {
            self.replace(place, Some(entry), value, converted);
        }
    }

    /// Reports the fields that a file would lose because the version does not have them.
    fn loses(
        &mut self,
        place: &InputPlace<'_>,
        entry: &KindEntry,
        report: &ConversionReport,
    ) -> bool {
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
        place: &InputPlace<'_>,
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
fn not_converted(object: &dyn Display) -> Note {
    Note::of_object("not-converted", object)
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
    place: &InputPlace<'_>,
    report: &mut ObjectReport<'_>,
) {
    let Some(Value::Object(metadata)) = object.get_mut("metadata") else {
        return;
    };
    let removed = SERVER_FIELDS.iter().filter(|field| metadata.remove(**field).is_some());
    let fields: Vec<&'static str> = removed.copied().collect();
    if !fields.is_empty() {
        let message = format!("removed: {}", fields.join(", "));
        report.note(place, "metadata", Note::new(Severity::Note, "server-fields-removed", message));
    }
    warn_of_kept_fields(metadata, place, report);
}

fn warn_of_kept_fields(
    metadata: &Map<String, Value>,
    place: &InputPlace<'_>,
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
pub(crate) fn warn_of_last_applied(place: &InputPlace<'_>, report: &mut ObjectReport<'_>) {
    let path = format!("metadata.annotations[{LAST_APPLIED}]");
    let message = "kept as it is, in the version before the conversion";
    let note = Note::new(Severity::Warning, "last-applied-kept", message);
    report.note(place, &path, note.with_hint("remove it, or apply the converted object once"));
}
