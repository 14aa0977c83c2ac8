//! A recording: its name, its content, and the bodies in it.

use std::collections::BTreeMap;

use k8s_versioned_core::json::StrictValue;
use k8s_versioned_core::nearest::nearest;
use k8s_versioned_core::pointer;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Deserializer, Error, Value};
use thiserror::Error as ThisError;

use super::{Exchange, ReadError, RecordedBody, RecordedRequest, RecordedResponse, RecordingPath};

/// One recording and where it was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recording {
    /// The path of the recording.
    pub path: RecordingPath,
    /// The name of the case.
    pub name: String,
    /// An exchange or a scenario.
    pub content: RecordingContent,
}

/// The content of a recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecordingContent {
    /// One request and its response.
    Exchange(Exchange),
    /// Objects that belong together.
    Scenario(Scenario),
}

/// Objects that belong together, each under a name that the check of the set knows: for example the candidates of an
/// election, and the `Lease` that the server wrote.
///
/// Members that are objects, or lists of objects, are objects of the API. They may leave out `apiVersion` and `kind`;
/// then they have the scenario's `apiVersion`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scenario {
    /// The `apiVersion` of the objects that have none.
    pub api_version: Option<String>,
    /// All members, except the name and the `apiVersion`.
    pub members: BTreeMap<String, Value>,
}

/// A body in a recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Subject<'a> {
    /// The position in the recording: a JSON pointer.
    pub pointer: String,
    /// The origin of the body.
    pub kind: SubjectKind<'a>,
    /// The body that checks examine.
    pub body: SubjectBody<'a>,
}

/// The origin of a body in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubjectKind<'a> {
    /// A client sent it.
    Request,
    /// A server sent it.
    Response,
    /// A server sent it in an event of a watch.
    Event {
        /// The type of the event, such as `ADDED`.
        kind: &'a str,
    },
    /// A server had stored it before the request.
    Stored,
    /// It is an object of a scenario. It may leave out its `apiVersion` and `kind`.
    Scenario,
}

/// The form of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SubjectBody<'a> {
    /// JSON.
    Json(&'a Value),
    /// Text that may or may not be valid in its format.
    Text(&'a str),
    /// Bytes, such as protobuf.
    Binary(&'a [u8]),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a recording: an object")]
struct File {
    name: String,
    api_version: Option<String>,
    before: Option<Value>,
    request: Option<RecordedRequest>,
    response: Option<RecordedResponse>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// An exchange as a file has it.
#[derive(Serialize)]
struct NamedExchange<'a> {
    name: &'a str,
    #[serde(flatten)]
    exchange: &'a Exchange,
}

impl Recording {
    /// Reads the text of a file that was found at a path.
    ///
    /// # Errors
    /// The text is not a recording.
    pub fn parse(path: RecordingPath, text: &str) -> Result<Self, RejectReason> {
        // serde keeps the last of two members with one name, so they are refused first; and so is what nests too deep.
        let value = StrictValue::from_slice(text.as_bytes()).map_err(RejectReason::Syntax)?;
        let value = value.into_inner();
        refuse_lists(&value).map_err(RejectReason::Syntax)?;
        // Only an error of the text has a line.
        let file = File::deserialize(value).or_else(|_| read_file(text));
        let file = file.map_err(RejectReason::Syntax)?;
        let name = file.name.clone();
        let content = RecordingContent::from_file(file)?;
        Ok(Self { path, name, content })
    }

    /// Returns `true` if a body is a request that the server could not decode.
    pub fn refuses(&self, subject: &Subject<'_>) -> bool {
        subject.kind == SubjectKind::Request && self.exchange().is_some_and(Exchange::refuses_body)
    }

    /// The exchange; `None` if the recording is a scenario.
    pub fn exchange(&self) -> Option<&Exchange> {
        match &self.content {
            RecordingContent::Exchange(exchange) => Some(exchange),
            RecordingContent::Scenario(_) => None,
        }
    }

    /// The scenario; `None` if the recording is an exchange.
    pub fn scenario(&self) -> Option<&Scenario> {
        match &self.content {
            RecordingContent::Exchange(_) => None,
            RecordingContent::Scenario(scenario) => Some(scenario),
        }
    }

    /// All bodies that were sent or stored, and the objects of a scenario.
    pub fn subjects(&self) -> Vec<Subject<'_>> {
        match &self.content {
            RecordingContent::Exchange(exchange) => exchange.subjects(),
            RecordingContent::Scenario(scenario) => scenario.subjects(),
        }
    }
}

fn read_file(text: &str) -> Result<File, Error> {
    let mut deserializer = Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    File::deserialize(&mut deserializer)
}

/// Derived code would read a list as the members of an object in their order.
fn refuse_lists(file: &Value) -> Result<(), Error> {
    let events = file.pointer("/response/events").and_then(Value::as_array);
    let event = events.into_iter().flatten().map(|event| ("event", event));
    let message = ["request", "response"].map(|name| Some((name, file.get(name)?)));
    match message.into_iter().flatten().chain(event).find(|(_, value)| value.is_array()) {
        Some((name, _)) => Err(Error::custom(format_args!("a list instead of the {name}"))),
        None => Ok(()),
    }
}

/// The members that a recording can have, other than the objects of a scenario.
const MEMBERS: [&str; 4] = ["apiVersion", "before", "request", "response"];

impl RecordingContent {
    fn from_file(file: File) -> Result<Self, RejectReason> {
        let File { api_version, before, request, response, rest: mut members, .. } = file;
        let near = |name| nearest(name, MEMBERS.into_iter());
        if let Some((member, near)) = members.keys().find_map(|name| Some((name, near(name)?))) {
            return Err(RejectReason::Misspelled { member: member.clone(), near });
        }
        match (request, response) {
            (Some(request), Some(response)) => {
                let surplus = members.into_keys().next();
                match surplus.or(api_version.map(|_| "apiVersion".to_owned())) {
                    Some(member) => Err(RejectReason::Surplus { member }),
                    None => Ok(Self::Exchange(Exchange { before, request, response })),
                }
            }
            (None, None) if members.is_empty() => Err(RejectReason::Nothing),
            (None, None) => {
                members.extend(before.map(|before| ("before".to_owned(), before)));
                Ok(Self::Scenario(Scenario { api_version, members }))
            }
            (Some(_), None) => Err(RejectReason::Half { missing: "response" }),
            (None, Some(_)) => Err(RejectReason::Half { missing: "request" }),
        }
    }
}

impl Exchange {
    /// The text of the file for a case.
    pub(crate) fn to_text(&self, name: &str) -> Result<String, Error> {
        Ok(serde_json::to_string_pretty(&NamedExchange { name, exchange: self })? + "\n")
    }

    fn subjects(&self) -> Vec<Subject<'_>> {
        let mut subjects = Vec::new();
        if let Some(before) = &self.before {
            let body = SubjectBody::Json(before);
            subjects.push(Subject::new("/before", SubjectKind::Stored, body));
        }
        if let Some(body) = &self.request.body {
            body.add_to(&mut subjects, "/request", SubjectKind::Request);
        }
        if let Some(body) = &self.response.body {
            body.add_to(&mut subjects, "/response", SubjectKind::Response);
        }
        subjects
    }
}

impl RecordedBody {
    fn add_to<'a>(&'a self, subjects: &mut Vec<Subject<'a>>, of: &str, kind: SubjectKind<'a>) {
        let (name, body) = match self {
            Self::Json(json) => ("json", SubjectBody::Json(json)),
            Self::Text(text) => ("text", SubjectBody::Text(text)),
            Self::Binary(bytes) => ("base64", SubjectBody::Binary(bytes)),
            Self::Events(events) => {
                subjects.extend(events.iter().enumerate().map(|(index, event)| {
                    let kind = SubjectKind::Event { kind: &event.kind };
                    let pointer = format!("{of}/events/{index}/object");
                    Subject::new(pointer, kind, SubjectBody::Json(&event.object))
                }));
                return;
            }
        };
        subjects.push(Subject::new(format!("{of}/{name}"), kind, body));
    }
}

impl Scenario {
    /// A member by its name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    fn subjects(&self) -> Vec<Subject<'_>> {
        let subject = |pointer, object| {
            Subject::new(pointer, SubjectKind::Scenario, SubjectBody::Json(object))
        };
        let mut subjects = Vec::new();
        for (name, member) in &self.members {
            let at = pointer::child("", name);
            match member {
                Value::Object(_) => subjects.push(subject(at, member)),
                Value::Array(items) => {
                    let objects = items.iter().enumerate().filter(|(_, item)| item.is_object());
                    subjects.extend(
                        objects.map(|(index, item)| subject(pointer::child(&at, index), item)),
                    );
                }
                _ => {}
            }
        }
        subjects
    }
}

impl<'a> Subject<'a> {
    fn new(pointer: impl Into<String>, kind: SubjectKind<'a>, body: SubjectBody<'a>) -> Self {
        Self { pointer: pointer.into(), kind, body }
    }
}

/// The reason why a file is not a recording.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum RejectReason {
    /// The file or folder cannot be walked into.
    #[error("cannot be reached: {0}")]
    Unreachable(#[source] walkdir::Error),
    /// It is a device, a socket or another special file.
    #[error("not a regular file")]
    NotRegular,
    /// The path is not one of the layout.
    #[error(
        "not a recording: recordings are at `<release>/<group>/<version>/<set>/<file>.json`, \
         with a release such as `v1.36`"
    )]
    Misplaced,
    /// It cannot be read as text.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not JSON, has a key twice, is nested too deep, or a member is missing or of the wrong type.
    #[error("not a recording: {0}")]
    Syntax(serde_json::Error),
    /// It has a request or a response, but not both.
    #[error("not an exchange: `{missing}` is missing")]
    Half {
        /// The member that is missing.
        missing: &'static str,
    },
    /// It has a request, a response, and an unknown member.
    #[error("not an exchange: `{member}` is unknown")]
    Surplus {
        /// The name of the unknown member.
        member: String,
    },
    /// It has an unknown member whose name is almost the name of a known one.
    #[error("not a recording: `{member}` is unknown; did you mean `{near}`?")]
    Misspelled {
        /// The name of the unknown member.
        member: String,
        /// The name of the known member.
        near: &'static str,
    },
    /// It has a name and no other member.
    #[error("not a recording: neither an exchange nor a scenario with objects")]
    Nothing,
}
