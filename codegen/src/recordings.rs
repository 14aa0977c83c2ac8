//! Recordings of servers, as far as the generator needs them: the case, the request and the response. The kit
//! `k8s-versioned-conformance` checks that they are well-formed.

use k8s_versioned_names::Release;
use serde::Deserialize;
use serde_json::Value;

use crate::Files;

/// One recorded case.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The file, relative to the folder of recordings.
    pub path: String,
    /// The release of the server.
    pub release: Release,
    /// The folder below the group's: an API version, or a word for recordings across several.
    pub version: String,
    /// The set that the case belongs to.
    pub set: String,
    /// The name of the case; the same in every release.
    pub name: String,
    /// The stored object before the request.
    pub before: Option<Value>,
    /// The request; scenarios have none.
    pub request: Option<Request>,
    /// The response.
    pub response: Option<Response>,
}

/// A request.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The body, if it is JSON.
    pub json: Option<Value>,
}

/// The response.
#[derive(Clone, Debug, Deserialize)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers.
    #[serde(default)]
    pub headers: serde_json::Map<String, Value>,
    /// The body, if it is JSON.
    pub json: Option<Value>,
}

impl Response {
    /// The field and the reason of each cause of a refusal; empty where the server gives none.
    pub fn causes(&self) -> Vec<(String, String)> {
        let causes = self.json.as_ref().and_then(|it| it.pointer("/details/causes")?.as_array());
        let text = |cause: &Value, name| {
            cause.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let causes = causes.into_iter().flatten();
        causes.map(|cause| (text(cause, "field"), text(cause, "reason"))).collect()
    }
}

#[derive(Deserialize)]
struct File {
    name: String,
    before: Option<Value>,
    request: Option<Request>,
    response: Option<Response>,
}

/// The recordings of `group` in a folder of `<release>/<group>/<version>/<set>/<file>.json`, in the order
/// of their paths. Other files are skipped.
pub fn read(group: &str, files: &Files) -> Vec<Recording> {
    let recording = |(path, bytes): (&String, &Vec<u8>)| {
        let [release, of, version, set, _] = path.split('/').collect::<Vec<_>>().try_into().ok()?;
        let release = release.parse().ok().filter(|_| of == group)?;
        let file: File = serde_json::from_slice(bytes).ok()?;
        Some(Recording {
            path: path.clone(),
            release,
            version: version.to_owned(),
            set: set.to_owned(),
            name: file.name,
            before: file.before,
            request: file.request,
            response: file.response,
        })
    };
    files.iter().filter_map(recording).collect()
}
