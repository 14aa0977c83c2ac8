//! The check of the answers to requests for custom resources.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use k8s_versioned::Release;
use k8s_versioned::resource_path::ResourcePath;
use k8s_versioned_admission::{
    Definition, FieldValidation, NEWEST, NotJudged, OLDEST, ServerAnswer, WriteRequest,
};
use serde_json::{Value, json};

use super::Check;
use crate::differences::{differences, show};
use crate::documents::{DefinitionKey, Documents};
use crate::examination::{Examined, Inapplicable, Mismatch};
use crate::recordings::{Exchange, RecordedResponse, Recording};

/// The answer to a custom resource that is created or replaced is predicted from its definition: the status, the causes,
/// the warnings and the stored object.
///
/// The order of the causes does not count, because servers visit the members of an object in random order. What a server
/// generates does not count either: `uid`, `creationTimestamp`, `resourceVersion`, `managedFields`, and the name after a
/// `generateName`.
///
/// Recordings in the folder of a Kubernetes release, such as `v1.36`, are of its servers. `servers` is the release of the
/// servers in all other recordings.
pub fn admit(documents: &Documents, servers: Release) -> Check<'_> {
    let rule = "the answer to a custom resource is predicted from its definition: the status, the causes, the warnings \
                and the stored object";
    let compiled = Compiled::default();
    Check::of_exchanges("admit", rule, move |recording, exchange| {
        let sent = Sent::read(exchange)?;
        let (key, source) = documents
            .definition(recording.path.release, sent.path.group, sent.path.plural)
            .ok_or("no definition of the resource")?;
        let server = server_of(recording, servers);
        match &*compiled.get(key, source, server) {
            Ok(definition) => sent.examine(definition, exchange),
            Err(reason) => {
                let (expected, hint) =
                    ("a definition that a server serves", "correct the definition");
                Ok(vec![Mismatch::new("/request/path", expected, reason.as_str(), hint)])
            }
        }
    })
}

/// The release of the server that answered.
fn server_of(recording: &Recording, servers: Release) -> Release {
    let release = recording.path.release;
    let is_known = release.form() == NEWEST.form() && (OLDEST..=NEWEST).contains(&release);
    if is_known { release } else { servers }
}

/// The definitions that recordings asked for, each compiled once for each release of servers.
#[derive(Default)]
struct Compiled(RefCell<HashMap<(DefinitionKey, Release), CompiledDefinition>>);

/// A definition, or the reason why it cannot be compiled.
type CompiledDefinition = Rc<Result<Definition, String>>;

impl Compiled {
    fn get(&self, key: &DefinitionKey, source: &Value, server: Release) -> CompiledDefinition {
        let mut compiled = self.0.borrow_mut();
        let entry = compiled.entry((key.clone(), server)).or_insert_with(|| {
            let definition = Definition::compile_for(source, server);
            Rc::new(definition.map_err(|error| error.to_string()))
        });
        Rc::clone(entry)
    }
}

/// A request whose answer can be predicted.
struct Sent<'a> {
    path: ResourcePath<'a>,
    body: Vec<u8>,
    field_validation: &'static FieldValidation,
    /// The object that is replaced; `None` for an object that is created.
    stored: Option<&'a Value>,
}

impl<'a> Sent<'a> {
    fn read(exchange: &'a Exchange) -> Result<Self, Inapplicable> {
        let request = &exchange.request;
        let path = ResourcePath::parse(&request.path).ok_or("not a path of an API")?;
        let stored = match (request.method.as_str(), path.subresource.as_deref()) {
            ("POST", None) => None,
            ("PUT", None | Some("status")) => {
                let before = exchange.before.as_ref().filter(|before| before.is_object());
                Some(before.ok_or("no stored object before the request")?)
            }
            ("POST" | "PUT", _) => return Err("a subresource other than status".into()),
            _ => return Err("not a request that creates or replaces an object".into()),
        };
        if request.media_type().is_some_and(|media_type| media_type != "application/json") {
            return Err("a body that is not JSON".into());
        }
        let status = exchange.response.status;
        let is_conflict = status == 409 && stored.is_some();
        if !matches!(status, 200 | 201 | 400 | 404 | 422 | 500) && !is_conflict {
            return Err("an answer that does not follow from the definition and the object".into());
        }
        let field_validation = match request.query.get("fieldValidation").map(String::as_str) {
            Some("Strict") => &FieldValidation::Strict,
            Some("Ignore") => &FieldValidation::Ignore,
            _ => &FieldValidation::Warn,
        };
        Ok(Self { path, body: request.bytes(), field_validation, stored })
    }

    fn examine(&self, definition: &Definition, exchange: &Exchange) -> Examined {
        let Self { path, body, field_validation, stored } = self;
        let namespace = path.namespace.as_deref().unwrap_or_default();
        let request = match (stored, &path.subresource) {
            (None, _) => WriteRequest::create(path.version, namespace, body),
            (Some(stored), None) => WriteRequest::update(path.version, stored, body),
            (Some(stored), Some(_)) => WriteRequest::update_status(path.version, stored, body),
        };
        let answer = definition.admit(&request.with_field_validation(field_validation));
        let response = &exchange.response;
        if answer.is_complete() {
            return Ok(compare(response, &answer));
        }
        // What is not judged can only add refusals.
        if answer.is_accepted() || response.status >= 300 {
            let rules = answer
                .not_judged
                .iter()
                .map(|NotJudged { field, rule, .. }| format!("{rule} at {field}"));
            return Err(format!("not judged: {}", rules.collect::<Vec<_>>().join("; ")).into());
        }
        Ok(compare_status(response, &answer).into_iter().collect())
    }
}

const HINT: &str = "does the definition in `specs` equal the one of the server? if it does, the prediction is wrong";

fn compare(response: &RecordedResponse, answer: &ServerAnswer) -> Vec<Mismatch> {
    if let Some(mismatch) = compare_status(response, answer) {
        return vec![mismatch];
    }
    let body = response.json().unwrap_or(&Value::Null);
    let mut mismatches: Vec<_> = compare_warnings(response, answer).into_iter().collect();
    match &answer.object {
        Some(object) => mismatches.extend(compare_objects(body, object)),
        None => mismatches.extend(compare_refusals(body, &answer.body())),
    }
    mismatches
}

fn compare_status(response: &RecordedResponse, answer: &ServerAnswer) -> Option<Mismatch> {
    if response.status == answer.status {
        return None;
    }
    let message = response.json().and_then(|body| body.get("message")).and_then(Value::as_str);
    let expected = format!("{} {}", response.status, message.unwrap_or_default());
    let found = format!("{} {}", answer.status, answer.message);
    Some(Mismatch::new("/response/status", expected.trim_end(), found.trim_end(), HINT))
}

/// The texts of the headers, in their order.
fn compare_warnings(response: &RecordedResponse, answer: &ServerAnswer) -> Option<Mismatch> {
    let escaped = |text: &String| text.replace('\\', "\\\\").replace('"', "\\\"");
    let header = |text: &String| format!("299 - \"{}\"", escaped(text));
    let predicted: Vec<_> = answer.warnings.iter().map(header).collect();
    let recorded = response.headers.get("warning").map(Vec::as_slice).unwrap_or_default();
    let shown = |warnings: &[String]| show(Some(&json!(warnings)));
    (recorded != predicted).then(|| {
        Mismatch::new("/response/headers/warning", shown(recorded), shown(&predicted), HINT)
    })
}

fn compare_objects(recorded: &Value, predicted: &Value) -> Vec<Mismatch> {
    let [recorded, predicted] = [recorded, predicted].map(without_generated);
    compare_values("/response/json", &recorded, &predicted)
}

/// The object without what a server chooses.
fn without_generated(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        for field in ["uid", "creationTimestamp", "resourceVersion", "managedFields"] {
            metadata.remove(field);
        }
        if let Some(prefix) = metadata.get("generateName").cloned() {
            metadata.insert("name".to_owned(), prefix);
        }
    }
    object
}

/// Compares the bodies of two refusals. The message of the whole lists the causes, so it depends on their order.
fn compare_refusals(recorded: &Value, predicted: &Value) -> Vec<Mismatch> {
    const CAUSES: &str = "/details/causes";
    let causes = |body: &Value| body.pointer(CAUSES).cloned().unwrap_or_default();
    let [theirs, ours] = [recorded, predicted].map(causes);
    let is_reordered = theirs != ours;
    let [theirs, ours] = [theirs, ours].map(sorted);
    match theirs == ours {
        false => compare_values("/response/json/details/causes", &theirs, &ours),
        true if is_reordered => Vec::new(),
        true => compare_values("/response/json", recorded, predicted),
    }
}

fn sorted(mut causes: Value) -> Value {
    if let Some(causes) = causes.as_array_mut() {
        causes.sort_by_cached_key(|cause| {
            ["field", "reason", "message"].map(|member| cause.get(member).map(Value::to_string))
        });
    }
    causes
}

/// The differences, with a hint of this check. Unlike elsewhere, `null` does not equal absent.
fn compare_values(pointer: &str, recorded: &Value, predicted: &Value) -> Vec<Mismatch> {
    if recorded == predicted {
        return Vec::new();
    }
    let mut mismatches = differences(pointer, recorded, predicted);
    if mismatches.is_empty() {
        mismatches.push(Mismatch::new(pointer, show(Some(recorded)), show(Some(predicted)), HINT));
    }
    for mismatch in &mut mismatches {
        mismatch.hint = HINT.into();
    }
    mismatches
}
