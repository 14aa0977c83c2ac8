//! The documents of a cluster, over TLS with the credentials of a kubeconfig, or from `kubectl proxy`.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::header::ACCEPT;
use hyper::{Request, StatusCode};
use k8s_versioned_codegen::{Files, read_group};
use k8s_versioned_core::Release;
use k8s_versioned_core::nearest::nearest;
use k8s_versioned_core::quoted::OneLine;
use k8s_versioned_terminal::kubeconfig::ConfigError;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::cluster::{Distrust, Server, ServerError, is_alert, names_https};
use crate::error::SourceFolder;
use crate::project::specs::Specs;
use crate::project::tree::{LIMIT, is_below};
use crate::text::errors::with_causes;
use crate::{Error, Project};

/// The most bytes of all documents of a cluster.
const TOTAL: usize = 256 << 20;

/// The most bytes of the answers with the release and with the list of documents. Their values are read at once.
const INDEX: usize = 1 << 20;

/// The time in which an answer must be complete.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The advice for a malformed address.
const ADDRESS: &str = "write an address such as `http://127.0.0.1:8001`";

/// An API server whose documents are read, one after the other.
pub(crate) struct Cluster {
    /// The context or the address, as messages name it.
    pub(crate) name: String,
    server: Server,
    runtime: Runtime,
}

impl Cluster {
    /// The error about a server that speaks TLS although the address begins with `http://`.
    fn needs_tls(&self) -> Error {
        let name = &self.name;
        let secure = name.strip_prefix("http://").unwrap_or(name);
        Error::Refusal(format!(
            "{name}: the server speaks TLS: write `https://{secure}`, or `--context` for its credentials"
        ))
    }

    /// The cluster of a context of the kubeconfig.
    pub(crate) fn of_context(context: &str) -> Result<Self, Error> {
        Self::new(context, Server::of_context(context), |error| {
            let hint = "name a context of the kubeconfig (`$KUBECONFIG`, else `~/.kube/config`); \
                        `kubectl config get-contexts` lists them";
            match error {
                ServerError::Config(error @ ConfigError::NoContext(_)) => {
                    Error::Refusal(format!("{error}; {hint}"))
                }
                ServerError::Config(ConfigError::Scheme(_)) => failed(context, &error, ADDRESS),
                error => failed(context, &error, "correct the kubeconfig"),
            }
        })
    }

    /// The server at an address that needs no credentials, such as the address of `kubectl proxy`.
    pub(crate) fn at(address: &str) -> Result<Self, Error> {
        Self::new(address, Server::at(address), |error| match error {
            // The address has a password.
            ServerError::Config(ConfigError::UserInAddress) => failed("--server", &error, ADDRESS),
            error => failed(address, &error, ADDRESS),
        })
    }

    fn new(
        name: &str,
        server: impl Future<Output = Result<Server, ServerError>>,
        refused: impl FnOnce(ServerError) -> Error,
    ) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| failed(name, &error, ""))?;
        match runtime.block_on(server) {
            Ok(server) => Ok(Self { name: name.to_owned(), server, runtime }),
            Err(error) => {
                // A plugin that is not ready in time cannot be stopped.
                runtime.shutdown_background();
                Err(refused(error))
            }
        }
    }

    /// The body at a path, of at most `limit` bytes. It is bounded in time, and no redirect is followed.
    pub(crate) fn get(&self, path: &str, limit: usize) -> Result<Vec<u8>, Error> {
        let refused = |error: &(dyn StdError + 'static)| {
            let hint = "check that the server runs, and `kubectl proxy` if the address is its own";
            // It has a hint.
            let hint = if error.is::<Distrust>() { "" } else { hint };
            failed(&format!("{path} of {}", self.name), error, hint)
        };
        let answer = async {
            let request = Request::get(path).header(ACCEPT, "application/json");
            let request = request.body(Bytes::new()).map_err(|error| refused(&error))?;
            let response = self.server.send(request).await.map_err(|error| {
                let is_tls = self.server.is_plain() && is_alert(&*error);
                if is_tls { self.needs_tls() } else { refused(&*error) }
            })?;
            let status = response.status();
            let body = Limited::new(response.into_body(), limit).collect().await;
            let body = body.map_err(|error| refused(&*error))?.to_bytes();
            if status.is_success() {
                return Ok(body.to_vec());
            }
            if self.server.is_plain() && status == StatusCode::BAD_REQUEST && names_https(&body) {
                return Err(self.needs_tls());
            }
            let hint = refusal(status);
            let message = format!("{path} of {}: the server answers {status}{hint}", self.name);
            Err(Error::Refusal(message))
        };
        self.runtime.block_on(async {
            let answer = tokio::time::timeout(TIMEOUT, answer).await;
            answer.unwrap_or_else(|error| Err(refused(&error)))
        })
    }
}

/// The advice for a status that is not a success.
fn refusal(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 | 403 => "; the user needs permission to `get` the URLs `/version` and `/openapi/v3/*`",
        404 => "; Kubernetes publishes OpenAPI v3 since 1.24",
        _ => "",
    }
}

fn failed(what: &str, error: &(dyn StdError + 'static), hint: &str) -> Error {
    let message = format!("{what}: {}", with_causes(error));
    Error::Refusal(if hint.is_empty() { message } else { format!("{message}; {hint}") })
}

/// Gets the body at a path of a server, of at most so many bytes.
pub(crate) type Get<'a> = dyn Fn(&str, usize) -> Result<Vec<u8>, Error> + 'a;

fn json(name: &str, path: &str, get: &Get<'_>) -> Result<Value, Error> {
    serde_json::from_slice(&get(path, INDEX)?)
        .map_err(|error| Error::Refusal(format!("{path} of {name} is not JSON: {error}")))
}

/// The release of a server.
pub(crate) fn release_of(name: &str, get: &Get<'_>) -> Result<Release, Error> {
    let version = json(name, "/version", get)?;
    let number = |key| Some(version.get(key)?.as_str()?.trim_end_matches('+'));
    let release = number("major").zip(number("minor"));
    release.and_then(|(major, minor)| format!("v{major}.{minor}").parse().ok()).ok_or_else(|| {
        Error::Refusal(format!("{name} does not say its release: name it with `--release`"))
    })
}

/// The documents of the project's groups in a cluster.
pub(crate) fn documents_of(
    project: &Project,
    get: &Get<'_>,
    name: &str,
    progress: &dyn Fn(&str),
) -> Result<SourceFolder, Error> {
    let specs = Specs::read(project)?;
    let group = read_group(&specs.files).map_err(|problems| specs.refused(problems))?;
    let groups = group.groups;
    let index = json(name, "/openapi/v3", get)?;
    // The address that the server names for a document has a hash, and could lead anywhere: the path is enough.
    let paths = index.get("paths").and_then(Value::as_object);
    let paths: Vec<&String> = paths.into_iter().flat_map(|paths| paths.keys()).collect();
    let mut files = Files::new();
    let mut total = 0;
    for path in paths.iter().filter(|path| is_of_groups(path, &groups)) {
        let Some(file) = document_name(path) else {
            // The report of the import names it.
            files.insert(format!("apis__{}.json", OneLine(path)), Vec::new());
            continue;
        };
        progress(path);
        let bytes = get(&format!("/openapi/v3/{path}"), LIMIT)?;
        total += bytes.len();
        if total > TOTAL {
            let message = format!("the documents of {name} are larger than {TOTAL} bytes");
            return Err(Error::Refusal(message));
        }
        files.insert(file, bytes);
    }
    if !files.keys().any(|file| file.ends_with("_openapi.json")) {
        return Err(Error::Usage(no_documents(name, &groups, &paths)));
    }
    Ok(SourceFolder { label: name.to_owned(), files })
}

/// The message about a cluster that has no documents of these groups, among those at the paths of its list.
fn no_documents(name: &str, groups: &BTreeSet<String>, paths: &[&String]) -> String {
    let served = paths.iter().filter_map(|path| path.strip_prefix("apis/")?.split('/').next());
    let near = groups.iter().find_map(|group| nearest(group, served.clone()));
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let groups: Vec<String> = groups.iter().map(|group| format!("`{group}`")).collect();
    let of_groups =
        if groups.is_empty() { String::new() } else { format!(" of {}", groups.join(", ")) };
    format!(
        "{name} has no documents{of_groups}{near}; `kubectl api-versions` lists what a cluster serves"
    )
}

/// Returns `true` for the path of a group that is wanted in a server's list of documents. The list has other paths, such as
/// `version`.
fn is_of_groups(path: &str, groups: &BTreeSet<String>) -> bool {
    let mut parts = path.split('/');
    let group = match parts.next() {
        Some("api") => "",
        Some("apis") => parts.next().unwrap_or_default(),
        _ => return false,
    };
    // There is a document that lists all groups.
    path != "apis" && (groups.is_empty() || groups.contains(group))
}

/// The name of the file for a path in a server's list of documents, such as `apis/batch/v1`; `None` if no group and version has
/// such a path.
fn document_name(path: &str) -> Option<String> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-./".contains(&byte);
    if !path.bytes().all(known) || !is_below(path) {
        return None;
    }
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["api"] | ["api" | "apis", _] | ["apis", _, _] => {
            Some(format!("{}_openapi.json", path.replace('/', "__")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{document_name, is_of_groups, release_of};
    use k8s_versioned_core::Release;

    #[test]
    fn names_of_a_hostile_cluster_stay_in_the_folder() {
        let groups = BTreeSet::from(["batch".to_owned(), String::new()]);
        let name = |path| document_name(path).filter(|_| is_of_groups(path, &groups));
        assert_eq!(name("apis/batch/v1").as_deref(), Some("apis__batch__v1_openapi.json"));
        assert_eq!(name("apis/batch/a-b").as_deref(), Some("apis__batch__a-b_openapi.json"));
        assert_eq!(name("apis/batch").as_deref(), Some("apis__batch_openapi.json"));
        assert_eq!(name("api").as_deref(), Some("api_openapi.json"));
        for path in [
            "apis/apps/v1",
            "../batch/v1",
            "apis/../batch",
            "/apis/batch/v1",
            "apis/batch/v1/..",
            "apis/batch/v1 HTTP/1.1",
            "",
        ] {
            assert_eq!(name(path), None, "{path}");
        }
    }

    #[test]
    fn a_server_says_its_release() {
        for (version, expected) in [
            (r#"{"major": "1", "minor": "36"}"#, Some(Release::new(1, 36))),
            (r#"{"major": "1", "minor": "36+"}"#, Some(Release::new(1, 36))),
            (r#"{"major": "1", "minor": "../36"}"#, None),
            ("{}", None),
        ] {
            let release = release_of("x", &|_: &str, _| Ok(version.as_bytes().to_vec()));
            assert_eq!(release.ok(), expected, "{version}");
        }
    }
}
