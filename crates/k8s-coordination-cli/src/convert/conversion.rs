//! The conversion of documents and lists.

use std::io;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidatePolicies};
use k8s_versioned::KindEntry;
use k8s_versioned_conversion::{AnyVersion, ConversionReport, Finding, JsonError, Options};
use serde_json::{Map, Value};

use super::Args;
use super::migrate::remove_server_fields;
use super::output::Output;
use crate::input::{Content, Document, Input, List, Place};
use crate::object::{ObjectKind, TypeMeta, undecodable};
use crate::report::{Note, ObjectReport};

/// The conversion of all inputs.
pub(super) struct Conversion<'a> {
    args: &'a Args,
    options: Options<LeaseCandidatePolicies>,
    pub(super) report: ObjectReport,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(args: &'a Args) -> Self {
        let binary_version = args.binary_version.clone().unwrap_or_default();
        let policies = LeaseCandidatePolicies::default().with_binary_version(binary_version);
        let mut options = args.annotation_key.clone().unwrap_or_default();
        options.policies = policies;
        options.strict = args.strict;
        Self { args, options, report: ObjectReport::default() }
    }

    /// Converts all documents of an input. Those that cannot be converted are in the report.
    pub(super) fn input(&mut self, mut input: Input) -> io::Result<Output> {
        let documents = std::mem::take(&mut input.documents);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for Document { place, value } in documents {
            before.extend(value.as_ref().ok().cloned());
            after.extend(self.document(&place, value));
        }
        Output::new(&input, &before, after)
    }

    /// Converts a document. `None` if that fails; the report has the reason.
    fn document(&mut self, place: &Place, document: Result<Value, Note>) -> Option<Value> {
        let content = document.and_then(|value| Content::of(place, value));
        match content {
            Ok(Content::Object(object)) => self.object(place, object),
            Ok(Content::List(list)) => self.list(place, list),
            Err(note) => self.refuse(place, note),
        }
    }

    fn refuse<T>(&mut self, place: &Place, note: Note) -> Option<T> {
        self.report.note(place, "", note);
        None
    }

    fn object(&mut self, place: &Place, mut value: Value) -> Option<Value> {
        let entry = match ObjectKind::of(&value) {
            Err(note) => return self.refuse(place, note),
            Ok(ObjectKind::OtherGroup(of)) => {
                let note = self.args.files.other_group(of, Note::NotConverted);
                return self.carry_over(place, value, note);
            }
            Ok(ObjectKind::Known(entry)) => entry,
        };
        self.report.count_object();
        if self.args.migrate {
            remove_server_fields(&mut value, place, &mut self.report);
        }
        if entry.kind() == AnyLeaseCandidate::KIND {
            self.candidate(place, entry, &value)
        } else {
            self.carry_over(place, value, Note::NotConverted(entry.into()))
        }
    }

    /// Keeps an object that is not converted as it is.
    fn carry_over(&mut self, place: &Place, value: Value, note: Note) -> Option<Value> {
        if !is_exact(&value) {
            let reason = "a number in it has too many digits: it would change";
            return self.refuse(place, Note::not_understood(reason));
        }
        self.report.note(place, "", note);
        Some(value)
    }

    fn candidate(&mut self, place: &Place, entry: &KindEntry, value: &Value) -> Option<Value> {
        let mut report = ConversionReport::new();
        let candidate = AnyLeaseCandidate::from_value(value, &mut report);
        let replaces = self.args.in_place || self.args.check;
        if replaces && !self.args.drop_unknown && self.loses(place, &report) {
            return None;
        }
        let converted = candidate.and_then(|candidate| {
            let converted =
                candidate.convert_to_reporting(self.args.to, &self.options, &mut report);
            let report = self.options.accept(report)?;
            let converted = serde_json::to_value(&converted).map_err(JsonError::Syntax)?;
            Ok((converted, report))
        });
        if let Err(JsonError::Undecodable { .. }) = converted
            && undecodable(entry, value, place, &mut self.report)
        {
            return None;
        }
        self.reported(place, converted)
    }

    /// Reports the fields that a file would lose because the version does not have them.
    fn loses(&mut self, place: &Place, report: &ConversionReport) -> bool {
        let unknown = report.iter().filter(|(_, it)| matches!(it, Finding::UnknownField { .. }));
        let mut loses = false;
        for (path, _) in unknown {
            self.report.note(place, path.as_ref(), Note::WouldBeLost);
            loses = true;
        }
        loses
    }

    fn list(&mut self, place: &Place, list: List) -> Option<Value> {
        let List { envelope, inherited, items } = list;
        let envelope = self.envelope(place, envelope);
        let items = items.into_iter().enumerate();
        let items = items.map(|(index, item)| self.item(&place.item(index), &inherited, item));
        // All are converted, so that all errors are reported.
        let items: Vec<Option<Value>> = items.collect();
        let items = items.into_iter().collect::<Option<Vec<_>>>()?;
        match envelope? {
            Value::Object(mut members) => {
                members.insert("items".to_owned(), items.into());
                Some(members.into())
            }
            _ => Some(items.into()),
        }
    }

    /// The list without its items.
    fn envelope(&mut self, place: &Place, envelope: Value) -> Option<Value> {
        match TypeMeta::of(&envelope) {
            Ok(of) if of.kind == AnyLeaseCandidate::LIST_KIND => {
                let (to, options) = (self.args.to, &self.options);
                let converted = AnyLeaseCandidate::convert_value(&envelope, to, options);
                self.reported(place, converted)
            }
            _ => Some(envelope),
        }
    }

    /// Converts an item. It leaves out the `apiVersion` and `kind` that it left out before.
    fn item(
        &mut self,
        place: &Place,
        inherited: &Map<String, Value>,
        item: Value,
    ) -> Option<Value> {
        let left_out = inherited.keys().filter(|name| item.get(name).is_none());
        let left_out: Vec<&String> = left_out.collect();
        let mut converted = self.document(place, List::named(inherited, item))?;
        if let Some(members) = converted.as_object_mut() {
            members.retain(|name, _| !left_out.contains(&name));
        }
        Some(converted)
    }

    fn reported(
        &mut self,
        place: &Place,
        converted: Result<(Value, ConversionReport), JsonError>,
    ) -> Option<Value> {
        match converted {
            Ok((value, report)) => {
                self.report.converted(place, &report);
                return Some(value);
            }
            Err(JsonError::Refused(refused)) => self.report.refused(place, refused.reasons()),
            Err(JsonError::Undecodable { path, reason }) => {
                let reason = reason.to_string();
                self.report.note(place, &path, Note::Undecodable { reason });
            }
            Err(error) => self.report.note(place, "", Note::not_understood(error.to_string())),
        }
        None
    }
}

/// False if the value may have an integer of more than 64 bits, which was read as the nearest float.
fn is_exact(value: &Value) -> bool {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            number.as_f64().is_some_and(|float| float.abs() < LIMIT)
        }
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(members) => members.values().all(is_exact),
        _ => true,
    }
}
