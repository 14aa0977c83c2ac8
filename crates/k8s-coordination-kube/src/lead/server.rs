//! The requests of an elector, and its watches.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::requests::{self, ApiError, BodyForm, ListParameters, ResponseError, http};
use k8s_coordination::v1::Lease;
use k8s_lease_elector::{Call, CallError, CallId, ElectorAnswer, ElectorEvent, Settings};
use kube::Client;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tracing::Instrument;

use super::leadership::Shared;
use super::log::to_stderr_if_unheard;
use crate::client::{Candidates, Error, EventStream, exchange, in_form, send_watch, with_causes};

/// Sends a request. An answer that does not come in time is a failure.
pub(super) async fn call(
    client: Client,
    call: Call,
    shared: Arc<Shared>,
) -> (CallId, ElectorAnswer) {
    tracing::debug!(verb = ?call.request.verb, "sends a request");
    shared.count(|metrics| &mut metrics.requests);
    let work = async {
        let request = call.request.to_http().map_err(Error::from)?;
        let (head, body) = exchange(&client, request).await?;
        Ok::<_, Error>(call.request.decode(&http::Response::from_parts(head, body)))
    };
    let answer = match timeout(call.timeout, work).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            let mut failed = CallError::new(with_causes(&error));
            failed.hint = error.hint();
            ElectorAnswer::Failed(failed)
        }
        Err(_) => ElectorAnswer::Failed(CallError::late()),
    };
    // Where a server lacks a version of the candidate, another one is tried.
    let no_leases = matches!(answer, ElectorAnswer::NotServed) && call.request.verb.is_of_lease();
    if no_leases || matches!(answer, ElectorAnswer::Failed(_)) {
        shared.count(|metrics| &mut metrics.failures);
    }
    (call.id, answer)
}

/// The watches of an elector. Each starts again when it ends or breaks, until this value is dropped.
pub(super) struct Watches {
    events: mpsc::Receiver<ElectorEvent>,
    sender: mpsc::Sender<ElectorEvent>,
    client: Client,
    form: Arc<BodyForm>,
    settings: Settings,
    lease: JoinSet<()>,
    candidate: JoinSet<()>,
    /// The version in which the candidate is watched.
    version: Option<LeaseCandidateVersion>,
}

impl Watches {
    pub(super) fn new(client: &Client, settings: &Settings) -> Self {
        let (sender, events) = mpsc::channel(16);
        let form = if settings.protobuf { BodyForm::protobuf() } else { BodyForm::json() };
        Self {
            events,
            sender,
            client: client.clone(),
            form: Arc::new(form),
            settings: settings.clone(),
            lease: JoinSet::new(),
            candidate: JoinSet::new(),
            version: None,
        }
    }

    /// Watches the Lease.
    pub(super) fn lease(&mut self, request: requests::Request<requests::Watch<Lease>>) {
        let (client, form) = (self.client.clone(), Arc::clone(&self.form));
        let open = async move || {
            let client = &client;
            let send = |request| async move { send_watch(client, &request).await };
            in_form(&form, request.clone(), send).await
        };
        let event = |event| seen(event, ElectorEvent::Lease);
        let watch = watch(open, self.sender.clone(), self.settings.retry_period, event);
        self.lease.spawn(watch.in_current_span());
    }

    /// Watches our candidate in this version only.
    pub(super) fn candidate(&mut self, version: Option<LeaseCandidateVersion>) {
        if self.version == version {
            return;
        }
        self.version = version;
        self.candidate = JoinSet::new();
        let Some(version) = version else { return };
        let candidates = Candidates::<AnyLeaseCandidate>::new(self.client.clone(), version)
            .with_form(Arc::clone(&self.form));
        let namespace = self.settings.namespace.clone();
        let field = format!("metadata.name={}", self.settings.identity);
        let parameters = ListParameters::default().with_field_selector(field);
        let open = async move || candidates.watch(&namespace, &parameters).await;
        let event = |(event, _)| seen(event, ElectorEvent::Candidate);
        let watch = watch(open, self.sender.clone(), self.settings.retry_period, event);
        self.candidate.spawn(watch.in_current_span());
    }

    pub(super) async fn next(&mut self) -> Option<ElectorEvent> {
        self.events.recv().await
    }
}

/// The longest time until a watch begins, and for which a refused watch waits if the server asks for more.
const OPENING: Duration = Duration::from_secs(30);

/// The time without an event after which a watch begins again. A connection that is gone on one side only is silent.
const IDLE: Duration = Duration::from_secs(5 * 60);

/// Returns `true` if the connection broke in the middle of an event, which is as common as a break between two events.
const fn is_cut_off(error: &Error) -> bool {
    matches!(error, Error::Watch(requests::BodyError::CutOff))
}

/// Keeps a watch open.
async fn watch<E>(
    open: impl AsyncFn() -> Result<EventStream<E>, Error>,
    sender: mpsc::Sender<ElectorEvent>,
    pause: Duration,
    event: fn(E) -> Result<Option<ElectorEvent>, Error>,
) {
    let mut logged = String::new();
    loop {
        let mut pause = pause;
        match timeout(OPENING, open()).await {
            Ok(Ok(mut events)) => {
                while let Ok(Some(seen)) = timeout(IDLE, events.next()).await {
                    let seen = match seen.and_then(event) {
                        Ok(seen) => seen,
                        Err(error @ Error::Watch(_)) if !is_cut_off(&error) => {
                            let what = "a watch has an event that cannot be read";
                            warn(what, with_causes(&error), error.hint().as_deref(), &mut logged);
                            continue;
                        }
                        Err(error @ Error::Response(_)) => {
                            pause = refused(
                                "a watch is ended by the server",
                                &error,
                                pause,
                                &mut logged,
                            );
                            break;
                        }
                        // The connection broke, which is usual.
                        Err(_) => break,
                    };
                    logged.clear();
                    if let Some(event) = seen
                        && sender.send(event).await.is_err()
                    {
                        return;
                    }
                }
            }
            Ok(Err(error)) => {
                pause = refused("a watch cannot begin", &error, pause, &mut logged);
            }
            Err(late) => warn("a watch cannot begin", late.to_string(), None, &mut logged),
        }
        tokio::time::sleep(pause).await;
    }
}

/// Logs that a server refuses a watch, and returns the time until the next attempt, for which the server may ask.
fn refused(what: &str, error: &Error, pause: Duration, logged: &mut String) -> Duration {
    warn(what, with_causes(error), error.hint().as_deref(), logged);
    let asked = error.api().and_then(ApiError::retry_after).unwrap_or_default();
    pause.max(asked.min(OPENING))
}

/// Logs an error of a watch, unless it is the last error that was logged.
fn warn(what: &str, error: String, hint: Option<&str>, logged: &mut String) {
    if *logged != error {
        let what = format!("{what}; the elector polls instead");
        tracing::warn!(error, hint, "{what}");
        to_stderr_if_unheard(&what, Some(&error), hint);
        *logged = error;
    }
}

/// The event for the elector when a watch sees an object.
///
/// # Errors
/// The server ends the watch with a `Status`.
fn seen<T>(
    event: requests::Event<T>,
    of: fn(Option<Box<T>>) -> ElectorEvent,
) -> Result<Option<ElectorEvent>, Error> {
    use requests::Event;
    Ok(match event {
        Event::Added(object) | Event::Modified(object) => Some(of(Some(Box::new(object)))),
        Event::Deleted(_) => Some(of(None)),
        Event::Error(status) => return Err(ResponseError::Api(status).into()),
        // A bookmark.
        _ => None,
    })
}
