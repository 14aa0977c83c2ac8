//! The answer of a server to a request.

mod cause;
mod warning;

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::go::GoQuoted;
use crate::meter::TOO_MANY_STEPS;
pub(crate) use cause::{Causes, MOST_CAUSES, Room, Shown, blocks_rules};
pub use cause::{Reason, RefusalCause};
pub use warning::ServerWarning;

/// The answer of a server to a request.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ServerAnswer {
    /// The HTTP status: 201 or 200 if the object is stored, otherwise 400, 404, 409, 422 or 500.
    pub status: u16,
    /// The reason of the `Status`, such as `Invalid`; empty if the object is stored, and for a 500.
    pub reason: &'static str,
    /// The message of the `Status`; empty if the object is stored.
    pub message: String,
    /// The path of the field that the server cannot decode. The `Status` has it only in the message, without keys and indexes.
    pub undecodable: Option<String>,
    /// The causes of a 422, in the order of the server. The order of the members of an object is alphabetical, where that
    /// of servers is random.
    pub causes: Vec<RefusalCause>,
    /// The name, the group, and the kind or resource that the details of the `Status` name.
    pub subject: Option<RefusedObject>,
    /// The warnings as they are sent, in the order of the headers: each once, and cut if they are long together.
    pub warnings: Vec<String>,
    /// What the warnings are about, whole.
    pub whole_warnings: Vec<ServerWarning>,
    /// The object as the server would store it; without a `uid`, times, managed fields and a new `resourceVersion`, which the server
    /// chooses.
    pub object: Option<Value>,
    /// What this package cannot judge. The other parts of the answer are as if these rules were fulfilled.
    pub not_judged: Vec<NotJudged>,
}

/// What an answer is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedObject {
    /// The name of the object.
    pub name: String,
    /// The group.
    pub group: String,
    /// The kind; for a conflict the resource.
    pub kind: String,
}

impl RefusedObject {
    /// The kind with the group.
    pub(crate) fn qualified_kind(&self) -> String {
        let Self { group, kind, .. } = self;
        if group.is_empty() { kind.clone() } else { format!("{kind}.{group}") }
    }
}

/// A value that the server's decoder refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Undecodable {
    /// The message of Go.
    pub(crate) message: String,
    /// The path of the value.
    pub(crate) path: String,
}

/// A rule that is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotJudged {
    /// The path of the field whose schema has the rule.
    pub field: String,
    /// The rule, or a description of what is not judged.
    pub rule: String,
}

impl NotJudged {
    /// A rule for the whole object.
    pub(crate) fn whole(rule: &str) -> Self {
        Self { field: "<nil>".to_owned(), rule: rule.to_owned() }
    }

    /// Faults beyond the causes that fit.
    pub(crate) fn more_causes() -> Self {
        Self::whole("what is wrong beyond 10,000 causes, or 16 MiB of them")
    }
}

/// What checks found.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) causes: Vec<RefusalCause>,
    pub(crate) warnings: Vec<ServerWarning>,
    pub(crate) not_judged: Vec<NotJudged>,
}

impl From<Causes> for Checked {
    fn from(Causes { all, is_cut, is_stopped, .. }: Causes) -> Self {
        let cut = is_cut.then(NotJudged::more_causes);
        let stopped = is_stopped.then(|| NotJudged::whole(TOO_MANY_STEPS));
        let not_judged = cut.into_iter().chain(stopped).collect();
        Self { causes: all, warnings: Vec::new(), not_judged }
    }
}

impl ServerAnswer {
    /// Returns `true` if the server stores the object.
    pub const fn is_accepted(&self) -> bool {
        self.status < 300
    }

    /// Returns `true` if everything was judged.
    pub const fn is_complete(&self) -> bool {
        self.not_judged.is_empty()
    }

    /// The body of the response: the object, or a `Status`.
    pub fn body(&self) -> Value {
        if let Some(object) = &self.object {
            return object.clone();
        }
        let mut status = json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "code": self.status,
        });
        let Value::Object(members) = &mut status else { return status };
        if !self.reason.is_empty() {
            members.insert("reason".to_owned(), self.reason.into());
        }
        if let Some(RefusedObject { name, group, kind }) = &self.subject {
            let mut details = Map::new();
            for (member, text) in [("name", name), ("group", group), ("kind", kind)] {
                if !text.is_empty() {
                    details.insert(member.to_owned(), text.as_str().into());
                }
            }
            if !self.causes.is_empty() {
                let cause = |cause: &RefusalCause| {
                    json!({
                        "reason": cause.reason.as_str(),
                        "message": cause.message,
                        "field": cause.field,
                    })
                };
                details.insert("causes".to_owned(), self.causes.iter().map(cause).collect());
            }
            members.insert("details".to_owned(), details.into());
        }
        status
    }

    /// The reason of a refusal by its HTTP status. A 500 has none.
    #[doc(hidden)]
    pub const REASONS: [(u16, &str); 4] =
        [(400, "BadRequest"), (404, "NotFound"), (409, "Conflict"), (422, "Invalid")];

    /// A refusal that is not about rules.
    pub(crate) fn refused(status: u16, message: impl Into<String>) -> Self {
        let reason = Self::REASONS.into_iter().find(|(of_status, _)| *of_status == status);
        let reason = reason.map_or("", |(_, reason)| reason);
        Self { status, reason, message: message.into(), ..Self::default() }
    }

    /// A refusal with 400.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::refused(400, message)
    }

    /// A refusal with 400 of a value that cannot be decoded.
    pub(crate) fn undecodable(message: String, path: String) -> Self {
        Self { undecodable: Some(path), ..Self::bad_request(message) }
    }

    /// A refusal with 422.
    pub(crate) fn invalid(subject: RefusedObject, causes: Vec<RefusalCause>) -> Self {
        let mut texts: Vec<String> = causes.iter().map(RefusalCause::to_string).collect();
        let mut seen = HashSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        let all = match texts.as_slice() {
            [one] => one.clone(),
            many => format!("[{}]", many.join(", ")),
        };
        let (kind, name) = (subject.qualified_kind(), GoQuoted(&subject.name));
        let message = format!("{kind} {name} is invalid: {all}");
        Self { causes, subject: Some(subject), ..Self::refused(422, message) }
    }
}
