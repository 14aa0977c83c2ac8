//! The proxy between the client and the server.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{ACCEPT_ENCODING, CONNECTION, HOST, HeaderName, TRANSFER_ENCODING, UPGRADE};
use hyper::http::request;
use hyper::http::uri::Authority;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use k8s_versioned_conformance::recordings::{RecordedRequest, RecordingPath, Sets, is_case_name};
use k8s_versioned_core::resource_path::ResourcePath;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::sleep;

use super::tee::{Pending, Tee};
use super::upstream::Upstream;
use super::{RecordArgs, from_http, limits};

/// The header by which a client names a case. It is not forwarded.
const NAME: HeaderName = HeaderName::from_static("x-recording-name");

type Answer = Response<UnsyncBoxBody<Bytes, kube::Error>>;

/// What all connections share.
struct Recorder {
    options: RecordArgs,
    upstream: Upstream,
    sets: Arc<Sets>,
}

/// After a connection could not be accepted, as with too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Passes requests on and records them, without an end. A connection that cannot be accepted is told on standard error, and the
/// next one is accepted.
///
/// # Errors
///
/// The kubeconfig does not have the context, or the name of the group or the set cannot be one.
pub async fn serve(listener: TcpListener, options: RecordArgs) -> io::Result<()> {
    let names = options.check_names();
    names.map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, reason))?;
    let upstream = Upstream::new(&options).await.map_err(io::Error::other)?;
    let recorder = Arc::new(Recorder { options, upstream, sets: Arc::default() });
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                let _ = writeln!(io::stderr(), "warning: a connection was not accepted: {error}");
                sleep(PAUSE).await;
                continue;
            }
        };
        let recorder = Arc::clone(&recorder);
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let recorder = Arc::clone(&recorder);
                async move { Ok::<_, Infallible>(handle(request, &recorder).await) }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service);
            // A client that disconnects is not a failure of the recorder.
            let _ = connection.await;
        });
    }
}

async fn handle(request: Request<Incoming>, recorder: &Recorder) -> Answer {
    pass(request, recorder).await.unwrap_or_else(|refused| {
        refused.map(|body| body.map_err(|never| match never {}).boxed_unsync())
    })
}

/// The answer of the server, or a refusal by the recorder.
async fn pass(request: Request<Incoming>, recorder: &Recorder) -> Result<Answer, Refusal> {
    let Recorder { options, upstream, sets } = recorder;
    if !is_called_by_own_name(&request, options) {
        let message = "it is called by a name that is not its own; `--accept-host` allows one";
        return Err(refusal(StatusCode::FORBIDDEN, "Forbidden", message));
    }
    if request.method() != Method::GET && !options.allow_writes {
        let message = "only GET passes; start it with --allow-writes to pass other methods";
        return Err(refusal(StatusCode::FORBIDDEN, "Forbidden", message));
    }
    let (mut head, body) = request.into_parts();
    let body = Limited::new(body, limits::REQUEST).collect().await;
    let body = body.map_err(|error| {
        let code = StatusCode::PAYLOAD_TOO_LARGE;
        refusal(code, "RequestEntityTooLarge", &error.to_string())
    })?;
    let body = body.to_bytes();
    let pending = pending(&mut head, &body, recorder)?;
    // Headers of the connection are not forwarded. A compressed answer could not be recorded.
    for header in [CONNECTION, TRANSFER_ENCODING, UPGRADE, ACCEPT_ENCODING] {
        head.headers.remove(header);
    }
    let response = upstream.send(head, body).await.map_err(|error| {
        let message = format!("the server cannot be reached: {error}");
        refusal(StatusCode::BAD_GATEWAY, "ServiceUnavailable", &message)
    })?;
    let (head, body) = response.into_parts();
    let pending = pending.map(|(folder, name, request)| Pending {
        sets: Arc::clone(sets),
        folder,
        name,
        request,
        head: head.clone(),
    });
    Ok(Response::from_parts(head, Tee::new(body, pending).boxed_unsync()))
}

/// Returns `true` if the client names the recorder as its users do. A page of a foreign site can make its own name lead here, and the
/// browser would send requests with the credentials of the context.
fn is_called_by_own_name(request: &Request<Incoming>, options: &RecordArgs) -> bool {
    let header = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let uri = request.uri().authority().map(Authority::as_str);
    header.is_some_and(|host| options.accepts_host(host))
        && uri.is_none_or(|host| options.accepts_host(host))
}

/// The folder and the name of a recording, and its request; `None` for a request about another group.
fn pending(
    head: &mut request::Parts,
    body: &[u8],
    recorder: &Recorder,
) -> Result<Option<(PathBuf, String, RecordedRequest)>, Refusal> {
    let bad = |message: &str| refusal(StatusCode::BAD_REQUEST, "BadRequest", message);
    let name = head.headers.remove(NAME);
    let Some(folder) = folder(&recorder.options, head.uri.path()) else {
        return Ok(None);
    };
    let name = match name.as_ref().map(|name| name.to_str()) {
        None => head.method.as_str().to_lowercase(),
        Some(Ok(name)) if is_case_name(name) && recorder.sets.has(&folder, name) => {
            let message = format!(
                "the name `{name}` is used in this set; choose another name, or remove its file"
            );
            return Err(bad(&message));
        }
        Some(Ok(name)) if is_case_name(name) => name.to_owned(),
        Some(_) => {
            return Err(bad("x-recording-name has lower-case letters, digits and `-` only"));
        }
    };
    let request = from_http::request(head, body).map_err(|reason| bad(&reason.to_string()))?;
    Ok(Some((folder, name, request)))
}

/// The folder for a request; `None` for a path of another group.
fn folder(options: &RecordArgs, path: &str) -> Option<PathBuf> {
    let RecordArgs { to, release, group, set, .. } = options;
    let path = ResourcePath::parse(path)?;
    let of_group = path.group == group && !path.version.is_empty();
    of_group.then(|| RecordingPath::folder(to, *release, group, path.version, set))?
}

// Refusals by the recorder.

/// An answer of the recorder instead of the server.
pub(crate) type Refusal = Box<Response<Full<Bytes>>>;

/// A refusal as a `Status` of Kubernetes, which clients can show.
pub(crate) fn refusal(code: StatusCode, reason: &str, message: &str) -> Refusal {
    let status = json!({
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "reason": reason,
        "message": format!("the recorder: {message}"),
        "code": code.as_u16(),
    });
    let mut response = Response::new(Full::from(status.to_string()));
    *response.status_mut() = code;
    let json = hyper::header::HeaderValue::from_static("application/json");
    let headers = response.headers_mut();
    headers.insert(hyper::header::CONTENT_TYPE, json);
    Box::new(response)
}
