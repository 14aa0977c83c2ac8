//! The rules by which an API server judges the answer of a conversion webhook.

use std::fmt;

use serde_json::{Map, Value};

use super::ANNOTATIONS_LIMIT;
use crate::Quoted;
use crate::field::FieldPath;
use crate::syntax::{annotation_key, label_value, qualified_name};

/// A reason why an API server refuses a webhook's response, with the field of the response.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AnswerError {
    /// The field of the answer.
    pub path: FieldPath,
    /// The rule that it breaks.
    pub message: String,
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The metadata that a conversion must not change.
const FIXED: [&str; 3] = ["name", "namespace", "uid"];

/// Checks a conversion webhook's response to a request. Both are whole `ConversionReview`s.
///
/// The result is empty if an API server accepts the answer. Servers ignore changes in `metadata` outside `labels` and
/// `annotations`, except in the name, namespace and uid, which are errors.
///
/// The rules come from `k8s.io/apiextensions-apiserver` in 1.36. Servers stop at the first error; this reports all.
///
/// ```
/// use k8s_versioned::conversion::review::check;
/// use serde_json::json;
///
/// let request = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": {
///     "uid": "7", "desiredAPIVersion": "example.com/v1", "objects": [
///         {"apiVersion": "example.com/v1beta1", "kind": "Kite", "metadata": {"name": "a"}},
///     ],
/// }});
/// let answer = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": {
///     "uid": "7", "result": {"status": "Success"}, "convertedObjects": [
///         {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": "b"}},
///     ],
/// }});
/// let errors: Vec<String> = check(&request, &answer).iter().map(ToString::to_string).collect();
/// assert_eq!(errors, ["response.convertedObjects[0].metadata.name: changed from `a` to `b`"]);
/// ```
pub fn check(request: &Value, answer: &Value) -> Vec<AnswerError> {
    let mut found = Found(Vec::new());
    found.envelope(request, answer);
    let Some(response) = answer.get("response").filter(|response| response.is_object()) else {
        found.add("response", "absent");
        return found.0;
    };
    let result = response.pointer("/result/status").and_then(Value::as_str);
    if result != Some("Success") {
        let message = response.pointer("/result/message").and_then(Value::as_str);
        let reason = message.map(|message| format!(": {}", Quoted(message))).unwrap_or_default();
        found.add("response.result.status", format!("not `Success`{reason}"));
        return found.0;
    }
    let list = |of: &Value, name: &str| of.get(name).and_then(Value::as_array).cloned();
    let sent = request.get("request").and_then(|request| list(request, "objects"));
    let (sent, received) =
        (sent.unwrap_or_default(), list(response, "convertedObjects").unwrap_or_default());
    if sent.len() != received.len() {
        let (sent, received) = (sent.len(), received.len());
        found.add(OBJECTS, format!("{received} objects where {sent} were requested"));
        return found.0;
    }
    let desired = request.pointer("/request/desiredAPIVersion").unwrap_or(&Value::Null);
    for (index, (before, after)) in sent.iter().zip(&received).enumerate() {
        found.object(&FieldPath::new(OBJECTS).index(index), desired, (before, after));
    }
    found.0
}

const OBJECTS: &str = "response.convertedObjects";

/// Checks the labels or the annotations at a path.
type Check = fn(&mut Found, &FieldPath, &Map<String, Value>);

struct Found(Vec<AnswerError>);

impl Found {
    fn add(&mut self, path: impl Into<FieldPath>, message: impl Into<String>) {
        self.0.push(AnswerError { path: path.into(), message: message.into() });
    }

    fn envelope(&mut self, request: &Value, answer: &Value) {
        let version = request.get("apiVersion");
        if answer.get("apiVersion") != version {
            let expected = quoted(version.unwrap_or(&Value::Null));
            self.add("apiVersion", format!("not {expected}, which the request has"));
        }
        if version.and_then(Value::as_str) == Some("apiextensions.k8s.io/v1beta1") {
            // These servers check neither labels nor annotations.
            return;
        }
        if answer.get("kind").and_then(Value::as_str) != Some("ConversionReview") {
            self.add("kind", "not `ConversionReview`");
        }
        if answer.pointer("/response/uid") != request.pointer("/request/uid") {
            self.add("response.uid", "not the UID of the request");
        }
    }

    fn object(&mut self, path: &FieldPath, desired: &Value, (before, after): (&Value, &Value)) {
        if !after.is_object() {
            self.add(path.clone(), "not an object");
            return;
        }
        let nothing = Value::Null;
        let member = |object: &Value, name: &str| object.get(name).cloned().unwrap_or_default();
        if member(after, "apiVersion") != *desired {
            let (found, expected) = (quoted(&member(after, "apiVersion")), quoted(desired));
            self.add(path.child("apiVersion"), format!("{found}, expected {expected}"));
        }
        if member(after, "kind") != member(before, "kind") {
            let (from, to) = (quoted(&member(before, "kind")), quoted(&member(after, "kind")));
            self.add(path.child("kind"), format!("changed from {from} to {to}"));
        }
        let path = path.child("metadata");
        let Some(metadata) = after.get("metadata").and_then(Value::as_object) else {
            self.add(path, "absent, or not an object");
            return;
        };
        let old = before.get("metadata").unwrap_or(&nothing);
        for name in FIXED {
            let (from, to) = (member(old, name), metadata.get(name).cloned().unwrap_or_default());
            if text(&from) != text(&to) {
                let (from, to) = (quoted(&from), quoted(&to));
                self.add(path.child(name), format!("changed from {from} to {to}"));
            }
        }
        let checks: [(_, Check); 2] =
            [("labels", Self::labels), ("annotations", Self::annotations)];
        for (name, check) in checks {
            self.texts(&path.child(name), (old.get(name), metadata.get(name)), check);
        }
    }

    /// Checks labels or annotations. Those that did not change are not checked.
    fn texts(
        &mut self,
        path: &FieldPath,
        (before, after): (Option<&Value>, Option<&Value>),
        check: Check,
    ) {
        let after = match after {
            None | Some(Value::Null) => return,
            Some(Value::Object(members)) if members.values().all(Value::is_string) => members,
            Some(_) => return self.add(path.clone(), "not an object of texts"),
        };
        if before.and_then(Value::as_object) == Some(after) {
            return;
        }
        check(self, path, after);
    }

    fn labels(&mut self, path: &FieldPath, labels: &Map<String, Value>) {
        for (key, value) in labels {
            let broken = qualified_name(key).into_iter().chain(label_value(text(value)));
            for violation in broken {
                self.add(path.clone(), format!("{}: {violation}", Quoted(key)));
            }
        }
    }

    fn annotations(&mut self, path: &FieldPath, annotations: &Map<String, Value>) {
        for key in annotations.keys() {
            for violation in annotation_key(key) {
                self.add(path.clone(), format!("{}: {violation}", Quoted(key)));
            }
        }
        let sizes = annotations.iter().map(|(key, value)| key.len() + text(value).len());
        let size: usize = sizes.sum();
        if size > ANNOTATIONS_LIMIT {
            let message = format!("{size} bytes, more than {ANNOTATIONS_LIMIT}");
            self.add(path.clone(), message);
        }
    }
}

/// The text of a value; an absent one is empty.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A value as messages show it.
fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => Quoted(text).to_string(),
        Value::Null => "nothing".to_owned(),
        other => Quoted(&other.to_string()).to_string(),
    }
}
