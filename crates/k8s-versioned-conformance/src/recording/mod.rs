//! Recordings: requests to a real API server, and its answers.
//!
//! A recording is one JSON file in a folder of this layout:
//!
//! ```text
//! <release>/<group>/<version>/<set>/<file>.json
//! ```
//!
//! The file holds an [`Exchange`], one request and its response, or a [`Scenario`], objects that belong
//! together. Its `name` says which case it is; the same case has the same name in every release.

mod body;
mod exchange;
mod file;
mod load;
mod place;
mod rejected;
mod scenario;

use k8s_versioned::GroupVersion;

pub use body::{Body, Subject, SubjectKind};
pub use exchange::{
    Exchange, RecordedEvent, RecordedRequest, RecordedResponse, RequestBody, ResponseBody,
};
pub use load::{LoadError, Recordings};
pub use place::Place;
pub use rejected::{RejectReason, Rejected};
pub use scenario::Scenario;

/// One recording and where it was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recording {
    /// The place of the recording.
    pub place: Place,
    /// The name of the case.
    pub name: String,
    /// The content.
    pub content: Content,
}

/// The content of a recording.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content {
    /// One request and its response.
    Exchange(Exchange),
    /// Objects that belong together.
    Scenario(Scenario),
}

impl Recording {
    /// True if a body is a request that the server could not decode (400).
    pub fn refuses(&self, subject: &Subject<'_>) -> bool {
        let status = self.exchange().map(|exchange| exchange.response.status);
        subject.kind == SubjectKind::Request && status == Some(400)
    }

    /// The exchange; `None` if the recording is a scenario.
    pub fn exchange(&self) -> Option<&Exchange> {
        match &self.content {
            Content::Exchange(exchange) => Some(exchange),
            Content::Scenario(_) => None,
        }
    }

    /// The scenario; `None` if the recording is an exchange.
    pub fn scenario(&self) -> Option<&Scenario> {
        match &self.content {
            Content::Exchange(_) => None,
            Content::Scenario(scenario) => Some(scenario),
        }
    }

    /// The API version of the request's path or of the scenario. If they name none, as a request for the list of
    /// versions, that of the folder.
    pub fn api_version(&self) -> GroupVersion<'_> {
        let named = match &self.content {
            Content::Exchange(exchange) => exchange.request.target().group_version(),
            Content::Scenario(scenario) => scenario.group_version(),
        };
        named.unwrap_or_else(|| self.place.group_version())
    }

    /// The bodies that checks examine: all that were sent or stored, and the objects of a scenario.
    pub fn subjects(&self) -> Vec<Subject<'_>> {
        match &self.content {
            Content::Exchange(exchange) => body::of_exchange(exchange),
            Content::Scenario(scenario) => body::of_scenario(scenario),
        }
    }
}
