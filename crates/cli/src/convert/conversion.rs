//! The way through documents and lists.

use std::collections::BTreeSet;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidatePolicies};
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::migration;
use k8s_versioned::GroupVersion;
use k8s_versioned::conversion::{self, AnyVersion, JsonError, Options, convert_value};
use serde_json::{Map, Value};

use super::Args;
use super::entry::Note;
use super::report::Report;
use crate::input::{Content, Document, List, Place};

/// The annotation in which `kubectl apply` remembers what it has sent.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The conversion of an input.
pub(super) struct Conversion<'a> {
    args: &'a Args,
    options: Options<LeaseCandidatePolicies>,
    report: Report,
}

/// What a conversion of the library comes to.
type Converted = Result<(Value, conversion::Report), JsonError>;

impl<'a> Conversion<'a> {
    pub(super) fn new(args: &'a Args) -> Self {
        let binary_version = args.binary_version.as_ref().map(Into::into);
        let policies = LeaseCandidatePolicies {
            binary_version: binary_version.unwrap_or_default(),
        };
        let strict = args.strict;
        Self {
            args,
            options: Options { policies, strict },
            report: Report::new(args.to),
        }
    }

    pub(super) fn finish(self) -> Report {
        self.report
    }

    /// Converts a document. `None`: it cannot be, and the report says why.
    pub(super) fn document(&mut self, document: Document) -> Option<Value> {
        let Document { place, value } = document;
        match value {
            Ok(value) => self.content(&place, value),
            Err(reason) => self.report.not_understood(&place, reason),
        }
    }

    fn content(&mut self, place: &Place, value: Value) -> Option<Value> {
        match Content::of(value) {
            Ok(Content::Object(object)) => self.object(place, &object),
            Ok(Content::List(list)) => self.list(place, list),
            Err(reason) => self.report.not_understood(place, reason),
        }
    }

    fn object(&mut self, place: &Place, value: &Value) -> Option<Value> {
        let converted = self.convert(place, value);
        if converted.is_ok() {
            self.report.count_object();
        }
        self.reported(place, converted)
    }

    fn convert(&mut self, place: &Place, value: &Value) -> Converted {
        let mut report = conversion::Report::new();
        let mut candidate = AnyLeaseCandidate::from_value(value, &mut report)?;
        if self.args.migrate {
            self.remove_server_fields(place, candidate.metadata_mut());
        }
        let policies = &self.options.policies;
        let converted = candidate.convert_to_reporting(self.args.to, policies, &mut report);
        let report = self.options.accept(report)?;
        let converted = serde_json::to_value(&converted).map_err(JsonError::Syntax)?;
        Ok((converted, report))
    }

    fn remove_server_fields(&mut self, place: &Place, metadata: &mut ObjectMeta) {
        let before = names(metadata);
        migration::remove_server_fields(metadata);
        let after = names(metadata);
        let fields: Vec<_> = before.difference(&after).cloned().collect();
        if !fields.is_empty() {
            let note = Note::ServerFieldsRemoved { fields };
            self.report.note(place, "metadata", note);
        }
        self.warn_of_what_stays(place, metadata);
    }

    /// Tells what a server elsewhere may take in another way.
    fn warn_of_what_stays(&mut self, place: &Place, metadata: &ObjectMeta) {
        let annotation = format!("metadata.annotations[{LAST_APPLIED}]");
        let kept = [
            (
                !metadata.owner_references.is_empty(),
                "metadata.ownerReferences",
                Note::OwnersKept,
            ),
            (
                !metadata.finalizers.is_empty(),
                "metadata.finalizers",
                Note::FinalizersKept,
            ),
            (
                metadata.annotations.contains_key(LAST_APPLIED),
                annotation.as_str(),
                Note::LastAppliedKept,
            ),
        ];
        for (_, path, note) in kept.into_iter().filter(|(there, ..)| *there) {
            self.report.note(place, path, note);
        }
    }

    /// The list is converted without its items, and then gets those.
    fn list(&mut self, place: &Place, list: List) -> Option<Value> {
        let List {
            envelope,
            inherited,
            items,
        } = list;
        let converted = convert_value::<AnyLeaseCandidate>(&envelope, self.args.to, &self.options);
        let understood = matches!(converted, Ok(_) | Err(JsonError::Refused(_)));
        let envelope = self.reported(place, converted);
        if !understood {
            return None;
        }
        let items = items.into_iter().enumerate().map(|(index, item)| {
            let place = place.item(index);
            if inherited.is_empty() {
                self.item_of_any(&place, item)
            } else {
                self.item_of_kind(&place, &inherited, item)
            }
        });
        // All are converted, so that all problems are told.
        let items: Vec<Option<Value>> = items.collect();
        let items: Vec<Value> = items.into_iter().collect::<Option<_>>()?;
        let mut list = envelope?;
        list.as_object_mut()?
            .insert("items".to_owned(), items.into());
        Some(list)
    }

    /// An item of a list of any kinds. What is no candidate stays as it is.
    fn item_of_any(&mut self, place: &Place, item: Value) -> Option<Value> {
        if let Some((api_version, kind)) = other_kind(&item) {
            if !is_exact(&item) {
                let reason =
                    "a number in it cannot be carried over as it is: it has too many digits";
                return self.report.not_understood(place, reason.to_owned());
            }
            self.report
                .note(place, "", Note::CarriedOver { api_version, kind });
            return Some(item);
        }
        self.content(place, item)
    }

    /// An item of a list of candidates. It does not say what it is, as servers write it.
    fn item_of_kind(
        &mut self,
        place: &Place,
        inherited: &Map<String, Value>,
        item: Value,
    ) -> Option<Value> {
        let found = item.get("apiVersion").and_then(Value::as_str);
        let expected = inherited.get("apiVersion").and_then(Value::as_str);
        if let (Some(found), Some(expected)) = (found, expected)
            && found != expected
        {
            let reason = format!("apiVersion is `{found}`: expected `{expected}`, as of the list");
            return self.report.not_understood(place, reason);
        }
        let mut converted = self.object(place, &List::named(inherited, item))?;
        let members = converted.as_object_mut()?;
        members.retain(|name, _| !inherited.contains_key(name));
        Some(converted)
    }

    fn reported(&mut self, place: &Place, converted: Converted) -> Option<Value> {
        match converted {
            Ok((value, report)) => {
                self.report.add(place, &report);
                Some(value)
            }
            Err(JsonError::Refused(refused)) => self.report.refused(place, refused.reasons()),
            Err(error) => self.report.not_understood(place, error.to_string()),
        }
    }
}

/// Whether all numbers are as they were in the text: an integer with more digits than 64 bits hold was read as the
/// nearest number that is a float.
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

/// The names of the fields that are there.
fn names(metadata: &ObjectMeta) -> BTreeSet<String> {
    let metadata = serde_json::to_value(metadata).unwrap_or_default();
    let names = metadata.as_object().into_iter().flat_map(Map::keys);
    names.cloned().collect()
}

/// The `apiVersion` and `kind` of an object that is neither a candidate nor a list that may hold some.
fn other_kind(item: &Value) -> Option<(String, String)> {
    type Any = AnyLeaseCandidate;
    let text = |name| item.get(name).and_then(Value::as_str);
    let (api_version, kind) = (text("apiVersion")?, text("kind")?);
    let group = GroupVersion::parse(api_version).map_or("", |parsed| parsed.group);
    let ours = match kind {
        Any::KIND | Any::LIST_KIND => group == Any::GROUP,
        "List" => api_version == "v1",
        _ => false,
    };
    let said = !api_version.is_empty() && !kind.is_empty();
    (said && !ours).then(|| (api_version.to_owned(), kind.to_owned()))
}
